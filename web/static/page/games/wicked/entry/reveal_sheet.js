// Renders the sheet of a reveal: entered by hand, or a proposal that is corrected, with the likely counts
// first.

import { t } from "../../../core/text/i18n.js";
import { command, live } from "../../../core/live_channel.js";
import { counting, handView } from "./hand_counts.js";
import { button, evidence, sheet } from "../../../core/components/basic_components.js";
import { h } from "../../../../vendor/preact.js";
import { alternatives, sameHand } from "../shown_reveal.js";
import { carryOut, closeSheet } from "../../../core/navigation.js";
import { candidates, chance } from "../../../table/question.js";

const SHOWN_ALTERNATIVES = 4;

// Render the sheet.
export function RevealSheet({ game, open }) {
  const amends = open.mode === "amend";
  const turn = (seat) => {
    open.seat = seat;
  };
  const change = (seat, hand, counted) => {
    open.hands = open.hands.map((one, at) => (at === seat ? hand : one));
    if (counted) settle(open, seat);
    if (counted && !amends && seat < game.seats.length - 1) open.seat = seat + 1;
  };
  return sheet(
    amends ? t("Correct what was read") : t("What was revealed?"),
    () => closeSheet(open),
    counting({
      seats: game.seats,
      hands: open.hands,
      most: game.view.players.map((player) => player.held),
      active: open.seat,
      turn,
      change,
      beside: amends ? likely(game, open) : null,
      doubted: amends ? doubted(open) : [],
    }),
    h(
      "footer",
      {},
      button(amends ? t("Correct it") : t("Enter"), () => enter(open), "gold large", {
        disabled: live.busy,
        "data-test": "enter",
      }),
      amends ? null : button(t("Everybody shows everything"), () => all(game, open), "quiet large"),
    ),
  );
}

function doubted(open) {
  return open.hands.map((_, seat) => seat).filter((seat) => !open.settled.includes(seat));
}

function settle(open, seat) {
  if (!open.settled.includes(seat)) open.settled = [...open.settled, seat];
}

// The evidence of this hand and its likely counts: a tap accepts one, and enters the reveal if it was the
// last doubt.
function likely(game, open) {
  const { proposal, seat } = open;
  const name = game.seats[seat].name;
  return [
    evidence(
      `/api/proposal/${seat}.jpg?of=${encodeURIComponent(proposal.id)}`,
      t("{name}'s hand as the camera saw it", { name }),
    ),
    h(
      "div",
      { class: "likely", role: "group", "aria-label": t("Likely counts") },
      alternatives(proposal, seat)
        .slice(0, SHOWN_ALTERNATIVES)
        .map(({ hand, probability }, place) =>
          h(
            "button",
            {
              type: "button",
              key: `likely-${place}`,
              class: "button alternative",
              disabled: live.busy,
              onclick: () => take(open, seat, hand),
              "data-test": "likely",
            },
            handView(game, seat, hand),
            h("small", {}, chance(probability)),
          ),
        ),
    ),
  ];
}

function take(open, seat, hand) {
  open.hands = open.hands.map((one, at) => (at === seat ? hand : one));
  settle(open, seat);
  const [next] = doubted(open);
  if (next === undefined) return enter(open);
  open.seat = next;
  return;
}

function all(game, open) {
  open.hands = game.view.players.map((player) => ({ ...player.held }));
}

async function enter(open) {
  const { proposal, hands } = open;
  // Hands that equal one of the camera's candidates are entered as that candidate.
  const offered = proposal ? candidates(proposal) : [];
  const choice = offered.findIndex(({ move }) =>
    move.hands.every((hand, seat) => sameHand(hand, hands[seat])),
  );
  const fields = { at: open.number };
  const sent = !proposal
    ? command("play", { ...fields, move: { type: "reveal", hands } })
    : choice >= 0
      ? command("accept", { ...fields, proposal: proposal.id, choices: [choice] })
      : command("amend", { ...fields, proposal: proposal.id, move: { type: "reveal", hands } });
  if (await carryOut(sent)) closeSheet(open);
}
