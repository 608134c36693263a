// The ranking after a round with what everybody has, above the cards that are picked for the next one.

import { signed, t, tn } from "../../core/text/i18n.js";
import { crest } from "../../core/components/basic_components.js";
import { icon, token } from "./pieces.js";
import { h } from "../../../vendor/preact.js";
import { RANKS, tokensOf } from "./words.js";
import { roundOver } from "./round_result.js";

export function roundSummary(game) {
  const over = roundOver(game);
  if (!over) return null;
  const order = game.seats
    .map((_, seat) => seat)
    .sort((one, other) => over.seats[one].place - over.seats[other].place || one - other);
  return h(
    "section",
    { class: "round-summary", "aria-label": t("Round {round} is over", over), "data-test": "round-summary" },
    h("h3", {}, t("Round {round} is over", over)),
    h(
      "ol",
      {},
      order.map((seat) =>
        h(
          "li",
          { key: seat, class: over.seats[seat].place === 1 ? "best" : "" },
          h("b", {}, t("{place}.", over.seats[seat])),
          crest(game.seats[seat], "small"),
          h(
            "span",
            { class: "round-who" },
            h("strong", {}, game.seats[seat].name),
            h("small", {}, tn(game.scores[seat].total, "{n} point", "{n} points")),
          ),
          h(
            "b",
            { class: "round-by" },
            `${over.seats[seat].by > 0 ? "+" : ""}${signed(over.seats[seat].by)}`,
          ),
          h("span", { class: "round-has" }, has(game.view.players[seat])),
        ),
      ),
    ),
  );
}

function has(player) {
  return [
    [...RANKS].reverse().map((rank) => tokensOf(player[rank]).map((colour) => token(colour, rank, "tiny"))),
    player.impurity ? h("span", { class: "gain" }, `${player.impurity}×`, icon("impurity")) : null,
  ];
}
