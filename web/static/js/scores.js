// Scores: the standing while the game goes on, and the final scoring with its arithmetic line by line.

import { listed, t, tn } from "./i18n.js";
import { crest, icon } from "./pieces.js";
import { h } from "./render.js";
import { DECIDED, VALUES, signed } from "./words.js";

const LINES = [
  ["low", t("low tokens")],
  ["middle", t("middle tokens")],
  ["high", t("high tokens")],
  ["great", t("great oracles")],
  ["small", t("small oracles")],
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
    h("h2", {}, over ? victory(winners) : t("If the game ended now")),
    over ? h("p", { class: "aside" }, tieBreak(game, ranking, winners)) : null,
    h("ol", { class: "ledgers" }, ranking.map((score) => ledger(game, score))),
  );
}

function victory(winners) {
  return winners.length === 1 ? t("{name} wins the labyrinth", { name: winners[0] }) : t("{names} share the victory", { names: listed(winners) });
}

function tieBreak(game, ranking, winners) {
  if (winners.length > 1) return t("Equal to the last comparison: the victory is shared.");
  const second = ranking[1];
  if (!second) return "";
  const name = game.seats[second.player].name;
  if (second.decided_by === "points") return tn(ranking[0].total - second.total, "Ahead of {name} by {n} point.", "Ahead of {name} by {n} points.", { name });
  return t("As many points as {name}; ahead by {reason}.", { name, reason: DECIDED[second.decided_by] });
}

function ledger(game, score) {
  const seat = game.seats[score.player];
  const left = score.impurity - score.given_back;
  return h(
    "li",
    { key: `score-${score.player}`, class: `ledger ${score.place === 1 ? "best" : ""}` },
    h("h3", {}, h("b", { class: "place-won" }, t("{place}.", { place: score.place })), crest(seat), h("span", {}, seat.name), h("b", { class: "total" }, signed(score.total))),
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
          h("th", { scope: "row" }, icon("impurity", "inline"), t("impurity")),
          h("td", {}, score.given_back ? t("{impurity} − {back} given back", { impurity: score.impurity, back: score.given_back }) : score.impurity),
          h("td", {}, left ? `−${left}` : "0"),
        ),
      ),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("together")), h("td", {}), h("td", {}, signed(score.total)))),
    ),
    score.decided_by && score.decided_by !== "points" ? h("p", { class: "aside" }, t("As many points as the player before, who has {reason}.", { reason: DECIDED[score.decided_by] })) : null,
  );
}
