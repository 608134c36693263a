// Renders the top of the hero's page: the winners' crests, the headline and what decided.

import { crest } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";

// Return the scores of the first place. ranking: scores, best first.
export function winnersOf(ranking) {
  return ranking.filter((score) => score.place === 1);
}

// Render the top. victory: the headline; reason: what decided.
export function heroTop(game, ranking, victory, reason) {
  return [
    h(
      "div",
      { key: "crests", class: "hero-crests" },
      winnersOf(ranking).map((score) => crest(game.seats[score.player], "great")),
    ),
    h("h2", { key: "victory" }, victory),
    h("p", { key: "reason", class: "aside" }, reason),
  ];
}
