// Edits a move of the whole table in the correction sheet: the hands of a reveal, or the cards on the table.

import { cardFace } from "../pieces.js";
import { describedCards } from "../entry/card_description.js";
import { counting } from "../entry/hand_counts.js";
import { t } from "../../../core/text/i18n.js";
import { crest, evidence, evidenceOf } from "../../../core/components/basic_components.js";
import { h } from "../../../../vendor/preact.js";

// Render the editor of a move; null for what one player chose. edit: the move with its state, a store;
// change(move): called with the edited move.
export function moveEditor(game, edit, change) {
  if (edit.move?.type === "reveal") return hands(game, edit, change);
  if (edit.move?.described?.length) return described(edit, change);
  if (edit.was.bounds?.lay) return corridors(game, edit, change);
  if (edit.was.bounds?.deal) return oracles(game, edit, change);
  return null;
}

// Whether players chose at that time one after another, so that a move can be missing or be one too many.
export function mayInsert(before) {
  return before.stage.phase === "soul";
}

// Whether a missing move may be one of this kind.
export function mayBeMissing(move) {
  return move.type !== "finish_soul";
}

function hands(game, edit, change) {
  return counting({
    seats: game.seats,
    hands: edit.move.hands,
    most: edit.was.before.view.players.map((player) => player.held),
    active: edit.seat ?? 0,
    turn: (seat) => {
      edit.seat = seat;
    },
    change: (seat, hand) =>
      change({
        ...edit.move,
        hands: edit.move.hands.map((one, at) => (at === seat ? hand : one)),
      }),
    beside: edit.was.evidence ? evidence(evidenceOf(game, edit.was.number), t("What the camera saw")) : null,
  });
}

// Tap the elements of the players' own cards. They keep their names, so that later moves still fit.
function described(edit, change) {
  return [
    h("p", { class: "aside" }, t("Tap what each card shows.")),
    describedCards(edit.move.described, edit.picked, (slot, card) => {
      edit.picked = slot;
      change({ ...edit.move, described: edit.move.described.with(slot, card) });
    }),
  ];
}

// Tap two corridors to swap them, or one of this round and one from the deck.
function corridors(game, edit, change) {
  const { cards } = edit.move;
  const others = edit.was.bounds.lay.cards.filter((id) => !cards.includes(id));
  const tap = (id) => {
    const from = edit.picked;
    edit.picked = from === null ? id : null;
    if (from === null || from === id || !(cards.includes(from) || cards.includes(id))) return;
    const swapped = cards.map((one) => (one === from ? id : one === id ? from : one));
    change({ ...edit.move, cards: swapped });
  };
  const card = (id, place) =>
    h(
      "li",
      { key: id },
      h(
        "button",
        { type: "button", class: "pick", "aria-pressed": String(edit.picked === id), onclick: () => tap(id) },
        cardFace(game.view.deck, id),
        place === null ? null : h("b", {}, place + 1),
      ),
    );
  return [
    h("p", { class: "aside" }, t("Tap a corridor and then the one that belongs in its place.")),
    h(
      "ul",
      { class: "grid-cards" },
      cards.map((id, place) => card(id, place)),
    ),
    h(
      "ul",
      { class: "grid-cards small" },
      others.map((id) => card(id, null)),
    ),
  ];
}

// Tap an oracle, then the one that belongs in its place: another player's or one from the deck.
function oracles(game, edit, change) {
  const kinds = ["great", "small"];
  const swap = (kind, from, to) => ({
    ...edit.move,
    [kind]: edit.move[kind].map((row) => row.map((one) => (one === from ? to : one === to ? from : one))),
  });
  const tap = (kind, id) => {
    const from = edit.picked;
    const dealt = (one) => edit.move[kind].flat().includes(one);
    edit.picked = from === null ? id : null;
    if (
      from === null ||
      from === id ||
      !edit.was.bounds.deal[kind].includes(from) ||
      !(dealt(from) || dealt(id))
    )
      return;
    return change(swap(kind, from, id));
  };
  const card = (kind, id) =>
    h(
      "li",
      { key: id },
      h(
        "button",
        {
          type: "button",
          class: "pick",
          "aria-pressed": String(edit.picked === id),
          onclick: () => tap(kind, id),
        },
        cardFace(game.view.deck, id),
      ),
    );
  return [
    h("p", { class: "aside" }, t("Tap an oracle and then the one that belongs in its place.")),
    game.seats.map((seat, index) =>
      h(
        "div",
        { key: `dealt-${index}`, class: "dealt" },
        crest(seat, "small"),
        h(
          "ul",
          { class: "grid-cards small" },
          kinds.map((kind) => edit.move[kind][index].map((id) => card(kind, id))),
        ),
      ),
    ),
    kinds.map((kind) =>
      h(
        "ul",
        { key: `rest-${kind}`, class: "grid-cards small" },
        edit.was.bounds.deal[kind]
          .filter((id) => !edit.move[kind].flat().includes(id))
          .map((id) => card(kind, id)),
      ),
    ),
  ];
}
