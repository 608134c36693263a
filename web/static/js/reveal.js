// Hands by hand: steppers for every seat, to enter a reveal, to correct what is proposed or what was entered.

import { t } from "./i18n.js";
import { command, live } from "./live.js";
import { button, crest, icon, sheet, stepper } from "./pieces.js";
import { h } from "./render.js";
import { carryOut, closeSheet, draw } from "./stage.js";

const TITLES = { play: t("What was revealed?"), amend: t("Correct what was read"), revise: t("Correct what was entered") };

export function revealSheet(game, open) {
  return sheet(
    TITLES[open.mode],
    () => closeSheet(open),
    h("ol", { class: "hands" }, game.seats.map((seat, index) => hand(game, open, seat, index))),
    h(
      "footer",
      {},
      button(open.mode === "play" ? t("Enter") : t("Correct it"), () => enter(open), "gold large", { disabled: live.busy, "data-test": "enter" }),
      open.mode === "play" ? button(t("All hold everything up"), () => all(game, open), "quiet") : null,
    ),
  );
}

function hand(game, open, seat, index) {
  const now = open.hands[index];
  const most = limits(game, open, index);
  const change = (what) => (value) => {
    open.hands = open.hands.map((one, at) => (at === index ? { ...one, [what]: value } : one));
    draw();
  };
  return h(
    "li",
    { key: `hand-${index}`, class: `hand ${open.seat === index ? "asked" : ""}`, mount: open.seat === index ? (node) => node.scrollIntoView({ block: "center" }) : null },
    h("span", { class: "who" }, crest(seat), h("strong", {}, seat.name)),
    stepper(t("{name}, search pieces", { name: seat.name }), now.search, 0, most.search, change("search"), h("span", { class: `piece ${seat.colour}`, "aria-hidden": "true" })),
    stepper(t("{name}, witch's sign", { name: seat.name }), now.witch, 0, most.witch, change("witch"), icon("sign:witch")),
    stepper(t("{name}, soul's sign", { name: seat.name }), now.soul, 0, most.soul, change("soul"), icon("sign:soul")),
  );
}

// What a hand can hold: what is left behind the screen, and on a correction what was entered before.
function limits(game, open, index) {
  const { held } = game.state.players[index];
  if (open.mode !== "revise") return held;
  const was = game.state.outcome?.hands[index] ?? { search: 0, witch: 0, soul: 0 };
  const again = game.state.phase === "search" || game.state.phase === "gain";
  return again
    ? { search: held.search + was.search, witch: held.witch + was.witch, soul: held.soul + was.soul }
    : { search: 8, witch: 1, soul: 1 };
}

function all(game, open) {
  open.hands = game.state.players.map((player) => ({ ...player.held }));
  draw();
}

async function enter(open) {
  const move = { type: "reveal", hands: open.hands };
  const fields = { move, at: open.number };
  if (open.mode === "amend") fields.proposal = open.proposal;
  if (open.mode === "revise") fields.entry = open.entry;
  if (await carryOut(command(open.mode, fields))) closeSheet(open);
}
