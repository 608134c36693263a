// The form in which the mover accepts a tip: who sells it, what is promised, and for exactly which turn.

import { t } from "../../../core/text/i18n.js";
import { button, crest, sheet } from "../../../core/components/basic_components.js";
import { live } from "../../../core/live_channel.js";
import { h } from "../../../../vendor/preact.js";
import { closeSheet } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { play } from "../../../place/move_options.js";
import { ARROWS, shifted } from "../maze/board.js";
import { drawMaze } from "../maze/maze.js";
import { spareTiles } from "../maze/spare.js";
import { tokenPicture, wandPictures } from "../tokens.js";
import { spare } from "./turn.js";

const EMPTY = { rival: null, price: undefined, openings: "", arrow: null, place: null };
// rival: seat of who sells the tip; price: "wand" or the number of a token; openings, arrow and place: the
// promised turn. Each null or undefined until it is chosen.
const form = store({ ...EMPTY });

// Begin a new form.
export function beginDeal(game) {
  const rivals = otherSeats(game);
  const rival = rivals.length === 1 ? rivals[0] : null;
  Object.assign(form, EMPTY, { rival, openings: spare(game) });
}

function otherSeats(game) {
  return game.seats.map((_, seat) => seat).filter((seat) => seat !== game.view.mover);
}

// What the mover can promise: a wand, the tokens held, and the next one.
function prices({ view }) {
  const { wands, tokens } = view.players[view.mover];
  const next = view.tokens[0]?.[0];
  return [...(wands ? ["wand"] : []), ...tokens, ...(next === undefined ? [] : [next])];
}

// Component: the form.
export function DealSheet({ game, open }) {
  const { mover } = game.view;
  return sheet(
    t("A tip for {name}", { name: game.seats[mover].name }),
    () => closeSheet(open),
    h(
      "div",
      { class: "deal" },
      h("div", { class: "deal-terms" }, whoSells(game), whatIsPromised(game), spareChoice(game)),
      h("div", { class: "deal-turn" }, turnChoice(game)),
    ),
    h(
      "footer",
      { class: "deal-agreed" },
      button(t("Both agree"), () => agree(game, open), "gold large", {
        disabled: live.busy || !isComplete(),
        "data-test": "agree",
      }),
      h("p", { class: "deal-line", role: "status", "data-test": "deal-line" }, summary(game)),
    ),
  );
}

function whoSells(game) {
  return choices(
    t("From whom?"),
    otherSeats(game).map((seat) => ({
      id: seat,
      chosen: form.rival === seat,
      choose: () => (form.rival = seat),
      content: [crest(game.seats[seat], "small"), game.seats[seat].name],
      test: `rival-${seat}`,
    })),
  );
}

function whatIsPromised(game) {
  return choices(
    t("For what?"),
    prices(game).map((price) => ({
      id: price,
      chosen: form.price === price,
      choose: () => (form.price = price),
      content: price === "wand" ? [wandPictures(1), t("a wand")] : tokenPicture(price),
      test: `price-${price}`,
    })),
  );
}

function choices(label, all) {
  return h(
    "div",
    { class: "deal-choice", role: "radiogroup", "aria-label": label },
    h("h3", {}, label),
    h(
      "div",
      { class: "segments" },
      all.map(({ id, chosen, choose, content, test }) =>
        h(
          "button",
          {
            key: id,
            type: "button",
            role: "radio",
            class: "segment",
            "aria-checked": String(chosen),
            onclick: choose,
            "data-test": test,
          },
          content,
        ),
      ),
    ),
  );
}

function spareChoice(game) {
  return h(
    "div",
    { class: "deal-choice" },
    h("h3", {}, t("The spare tile")),
    spareTiles(game.view.spare, form.openings, (openings) => (form.openings = openings)),
  );
}

// The maze on which arrow and place are tapped; after the arrow it is drawn as it will be.
function turnChoice(game) {
  const { view } = game;
  const open = ARROWS.filter((arrow) => arrow !== view.closed);
  const arrows = new Map(open.map((arrow) => [arrow, () => Object.assign(form, { arrow, place: null })]));
  const drawn = form.arrow ? shifted(view, form.arrow, form.openings) : view;
  const tap = (place) => ({
    act: () => (form.place = place),
    chosen: form.place === place,
    test: `ends-${place}`,
  });
  return [
    h("p", { class: "question" }, form.arrow ? t("Tap where the turn ends.") : t("Tap the arrow.")),
    drawMaze(drawn, {
      kind: "choosing",
      arrows,
      places: form.arrow ? new Map(drawn.tiles.map((_, place) => [place, tap(place)])) : new Map(),
      marks: form.arrow ? { pushed: form.arrow, arrows: [form.arrow], target: form.place } : {},
      more: { "data-test": "deal-maze" },
    }),
  ];
}

function isComplete() {
  return form.rival !== null && form.price !== undefined && form.arrow !== null && form.place !== null;
}

// When the tip is paid for; the maze shows the turn.
function summary(game) {
  if (!isComplete()) return null;
  return t("{rival} gets {what} only if exactly this turn is made.", {
    rival: game.seats[form.rival].name,
    what: form.price === "wand" ? t("a wand") : t("token {number}", { number: form.price }),
  });
}

async function agree(game, open) {
  const { rival, price, arrow, openings, place } = form;
  const token = price === "wand" ? null : price;
  const move = { type: "deal", player: game.view.mover, rival, token, arrow, openings, place };
  if (await play(move)) closeSheet(open);
}
