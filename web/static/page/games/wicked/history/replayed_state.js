// Renders a state of the replay: the ring of corridors, and what each player has.

import { cardBack, cardFace, icon, token } from "../pieces.js";
import { PLACES, RANKS, tokensOf } from "../words.js";
import { t, tn } from "../../../core/text/i18n.js";
import { h } from "../../../../vendor/preact.js";

// Render the corridors of the round; null before they are laid.
export function replayTable({ view }, step) {
  const { corridors, corridor, phase, deck } = view;
  if (!corridors.length || step?.evidence) return null;
  return h(
    "ol",
    { class: "replay-ring", "aria-label": t("This round's corridors, clockwise from the witch's head") },
    corridors.map((id, index) => {
      const done = phase !== "search" || index < corridor;
      return h(
        "li",
        { key: `${index}${id}`, class: !done && index === corridor ? "now" : "" },
        done ? cardBack("corridor") : cardFace(deck, id),
        h("b", {}, index + 1),
      );
    }),
  );
}

// Return the CSS class of the place that a player won at the corridor of this step.
export function replayClass(moment, step, index) {
  return gainOf(moment, step, index)?.place ?? "";
}

function outcomeOf(moment, step) {
  return step?.type === "reveal" ? moment.view.outcome : null;
}

function gainOf(moment, step, index) {
  return outcomeOf(moment, step)?.gains[index];
}

// Render the hand that a player has revealed in this step, and the player's board in compact form.
export function replaySeat(moment, step, index) {
  const player = moment.view.players[index];
  const hand = outcomeOf(moment, step)?.hands[index];
  const gain = gainOf(moment, step, index);
  const oracles = player.achieved_great.length + player.achieved_small.length;
  return [
    hand
      ? h(
          "span",
          { class: "replay-hand" },
          h("b", {}, hand.search),
          Array(hand.witch).fill(icon("sign:witch")),
          Array(hand.soul).fill(icon("sign:soul")),
          h("b", { class: "place-won" }, gain ? PLACES[gain.place] : "—"),
        )
      : null,
    h(
      "span",
      { class: "replay-tokens" },
      RANKS.map((rank) => tokensOf(player[rank]).map((colour) => token(colour, rank, "small"))),
      Array(player.promotion).fill(icon("promotion")),
      Array(player.colour_change).fill(icon("colour_change")),
      player.impurity ? h("span", { class: "gain" }, `${player.impurity}×`, icon("impurity")) : null,
      oracles ? h("span", { class: "oracle-count" }, tn(oracles, "{n} oracle", "{n} oracles")) : null,
    ),
  ];
}
