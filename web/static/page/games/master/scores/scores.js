// The scores: the winners with all that they counted, and what is still secret while the game runs.

import { t, tn } from "../../../core/text/i18n.js";
import { crest } from "../../../core/components/basic_components.js";
import { h } from "../../../../vendor/preact.js";
import { tokenList, wandPictures } from "../tokens.js";

// Render what the scores of a running game leave out; null after play.
export function scoresNotice({ view }) {
  return ["formulas", "over"].includes(view.phase)
    ? null
    : h(
        "p",
        { class: "aside", "data-test": "secret-points" },
        t("Each wand left is 3 points. Formula cards are secret: their points come after the last token."),
      );
}

// Render the page after a game. ranking: scores, best first; victory: the headline; reason: what decided.
export function hero(game, ranking, victory, reason) {
  const winners = ranking.filter(({ place }) => place === 1);
  return h(
    "section",
    { class: "hero maze-hero", "data-test": "hero" },
    h(
      "div",
      { class: "hero-crests" },
      winners.map(({ player }) => crest(game.seats[player], "great")),
    ),
    h("h2", {}, victory),
    h("p", { class: "aside" }, reason),
    h(
      "ol",
      { class: "finale hero-boards", "aria-label": t("What everybody holds") },
      ranking.map((score) => held(game, score)),
    ),
  );
}

// What one player holds; tokens on the formula card are marked.
function held(game, { player: seat }) {
  const player = game.view.players[seat];
  const formula = player.formula ?? [];
  return h(
    "li",
    { key: seat, class: "finale-player" },
    h(
      "span",
      { class: "finale-who" },
      crest(game.seats[seat], "small"),
      h("strong", {}, game.seats[seat].name),
    ),
    tokenList(
      [...player.tokens].sort((one, other) => one - other),
      t("Tokens held"),
      (number) => (formula.includes(number) ? "on-formula" : ""),
    ),
    h(
      "span",
      { class: "finale-formula" },
      t("Formula card"),
      " ",
      h(
        "b",
        {},
        formula.map((number, index) => [
          index ? " · " : "",
          h("span", { key: number, class: player.tokens.includes(number) ? "has" : "lacks" }, number),
        ]),
      ),
    ),
    h(
      "span",
      { class: "seat-wands", role: "img", "aria-label": tn(player.wands, "{n} wand", "{n} wands") },
      wandPictures(player.wands),
    ),
  );
}
