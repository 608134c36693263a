// Scores: the standing while the game goes on, and the final scoring with its arithmetic line by line.

import { crest, icon } from "./pieces.js";
import { h } from "./render.js";
import { DECIDED, VALUES, count, signed } from "./words.js";

const LINES = [
  ["low", "low tokens"],
  ["middle", "middle tokens"],
  ["high", "high tokens"],
  ["great", "great oracles"],
  ["small", "small oracles"],
];

export function scoresScreen(game) {
  return scoring(game);
}

export function scoring(game) {
  const over = game.state.phase === "over";
  const ranking = [...game.scores].sort((a, b) => a.place - b.place || a.player - b.player);
  const winners = ranking.filter((score) => score.place === 1).map((score) => game.seats[score.player].name);
  return h(
    "div",
    { class: `scoring ${over ? "final" : ""}`, "data-test": over ? "final" : "standing" },
    h("h2", {}, over ? victory(winners) : "If the game ended now"),
    over ? h("p", { class: "aside" }, tieBreak(game, ranking, winners)) : null,
    h("ol", { class: "ledgers" }, ranking.map((score) => ledger(game, score))),
  );
}

function victory(winners) {
  return winners.length === 1 ? `${winners[0]} wins the labyrinth` : `${winners.slice(0, -1).join(", ")} and ${winners.at(-1)} share the victory`;
}

function tieBreak(game, ranking, winners) {
  if (winners.length > 1) return "Equal to the last comparison: the victory is shared.";
  const second = ranking[1];
  if (!second) return "";
  const name = game.seats[second.player].name;
  if (second.decided_by === "points") return `Ahead of ${name} by ${count(ranking[0].total - second.total, "point")}.`;
  return `As many points as ${name}; ahead by ${DECIDED[second.decided_by]}.`;
}

function ledger(game, score) {
  const seat = game.seats[score.player];
  const left = score.impurity - score.given_back;
  return h(
    "li",
    { key: `score-${score.player}`, class: `ledger ${score.place === 1 ? "best" : ""}` },
    h("h3", {}, h("b", { class: "place-won" }, `${score.place}.`), crest(seat), h("span", {}, seat.name), h("b", { class: "total" }, signed(score.total))),
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        LINES.map(([name, words]) =>
          h("tr", { class: score[name] ? "" : "none" }, h("th", { scope: "row" }, words), h("td", {}, `${score[name]} × ${VALUES[name]}`), h("td", {}, score[name] * VALUES[name])),
        ),
        h(
          "tr",
          { class: score.impurity ? "" : "none" },
          h("th", { scope: "row" }, icon("impurity", "inline"), "impurity"),
          h("td", {}, score.given_back ? `${score.impurity} − ${score.given_back} given back` : score.impurity),
          h("td", {}, left ? `−${left}` : "0"),
        ),
      ),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "together"), h("td", {}), h("td", {}, signed(score.total)))),
    ),
    score.decided_by && score.decided_by !== "points" ? h("p", { class: "aside" }, `As many points as the player before, who has ${DECIDED[score.decided_by]}.`) : null,
  );
}
