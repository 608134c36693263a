// Renders the sheet that picks known cards by hand: a round's corridors in order, or all players' oracles.

import { t } from "../../../core/text/i18n.js";
import { command, ask, live } from "../../../core/live_channel.js";
import { button, crest, sheet } from "../../../core/components/basic_components.js";
import { cardFace } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { useEffect } from "../../../../vendor/preact-hooks.js";
import { dealLater } from "./open_cards.js";
import { OWN_CARDS } from "./card_pictures.js";
import { DescribingSheet } from "./card_description.js";
import { byHand } from "../../../place/move_options.js";
import { roundSummary } from "../round_summary.js";
import { carryOut, closeSheet } from "../../../core/navigation.js";

// Render the sheet for the current phase.
export function LayingSheet({ game, open }) {
  return h(game.view.deck.name === OWN_CARDS ? DescribingSheet : PickingSheet, { game, open });
}

function PickingSheet({ game, open }) {
  useEffect(() => {
    load(open);
  }, [open]);
  const title =
    game.view.phase === "deal"
      ? t("Which oracles lie in front of whom?")
      : t("Round {round}: which corridors lie round the tile?", game.view);
  const body = !open.choices
    ? h("p", { class: "aside", role: "status" }, open.failure || t("Loading the deck…"))
    : game.view.phase === "deal"
      ? deal(game, open)
      : lay(game, open);
  return sheet(title, () => closeSheet(open), body);
}

async function load(open) {
  try {
    open.choices = await ask("/api/choices");
  } catch (error) {
    open.failure = error.message; // where another screen was first, the sheet is closed in a moment
  }
}

function lay(game, open) {
  const { count, cards } = open.choices.lay;
  const full = open.picked.length === count;
  return [
    roundSummary(game),
    h(
      "p",
      { class: "aside" },
      t("Tap {count} cards clockwise, first the one above the witch's head: {picked} of {count}.", {
        count,
        picked: open.picked.length,
      }),
    ),
    h(
      "ul",
      { class: "grid-cards" },
      cards.map((id) => pick(game, id, open.picked, full, (picked) => layPicked(open, picked, count))),
    ),
    !open.proposal
      ? null
      : h(
          "footer",
          {},
          button(t("Lay them"), () => enter(open, { type: "lay", cards: open.picked }), "gold large", {
            disabled: !full || live.busy,
            "data-test": "enter",
          }),
        ),
  ];
}

// The last card enters them all; Undo corrects a wrong tap.
function layPicked(open, picked, count) {
  open.picked = picked;
  if (!open.proposal && open.picked.length === count) enter(open, { type: "lay", cards: open.picked });
}

function deal(game, open) {
  const { each, great, small } = open.choices.deal;
  const mine = { great: open.great[open.seat], small: open.small[open.seat] };
  const free = (cards, taken) =>
    cards.filter((id) => !taken.some((hand, seat) => seat !== open.seat && hand.includes(id)));
  const complete = (seat) => open.great[seat].length === each && open.small[seat].length === each;
  const set = (kind) => (picked) => {
    open[kind] = open[kind].map((hand, seat) => (seat === open.seat ? picked : hand));
    if (game.seats.every((_, seat) => complete(seat))) {
      enter(open, { type: "deal", great: open.great, small: open.small });
      return;
    }
    if (complete(open.seat))
      open.seat =
        game.seats.findIndex((_, seat) => !complete(seat)) >= 0
          ? game.seats.findIndex((_, seat) => !complete(seat))
          : open.seat;
  };
  return [
    h(
      "div",
      { class: "segments", role: "group", "aria-label": t("Player") },
      game.seats.map((seat, index) =>
        h(
          "button",
          {
            type: "button",
            key: `deal-${index}`,
            class: "segment",
            "aria-pressed": String(open.seat === index),
            onclick: () => {
              open.seat = index;
            },
          },
          crest(seat, "small"),
          ` ${seat.name} ${complete(index) ? "✓" : ""}`,
        ),
      ),
    ),
    h(
      "p",
      { class: "aside" },
      t("Tap the {each} great and {each} small oracles in front of {name}.", {
        each,
        name: game.seats[open.seat].name,
      }),
    ),
    h(
      "ul",
      { class: "grid-cards" },
      free(great, open.great).map((id) =>
        pick(game, id, mine.great, mine.great.length === each, set("great")),
      ),
    ),
    h(
      "ul",
      { class: "grid-cards" },
      free(small, open.small).map((id) =>
        pick(game, id, mine.small, mine.small.length === each, set("small")),
      ),
    ),
    byHand()
      ? h(
          "footer",
          {},
          button(t("Name the oracles later"), () => later(open), "gold large", {
            disabled: live.busy,
            "data-test": "deal-later",
          }),
        )
      : null,
  ];
}

async function later(open) {
  if (await dealLater()) closeSheet(open);
}

// picked: the ids chosen so far; change: called with them after a tap.
function pick(game, id, picked, full, change) {
  const at = picked.indexOf(id);
  return h(
    "li",
    { key: id },
    h(
      "button",
      {
        type: "button",
        class: "pick",
        "aria-pressed": String(at >= 0),
        disabled: at < 0 && full,
        onclick: () => change(at >= 0 ? picked.filter((one) => one !== id) : [...picked, id]),
      },
      cardFace(game.view.deck, id),
      at >= 0 ? h("b", {}, at + 1) : null,
    ),
  );
}

async function enter(open, move) {
  const fields = { move, at: open.number };
  const done = open.proposal
    ? command("amend", { ...fields, proposal: open.proposal })
    : command("play", fields);
  if (await carryOut(done)) closeSheet(open);
}
