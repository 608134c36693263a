// Which moves players make for themselves, and may undo.

import { desk } from "../../../place/move_options.js";

const SOUL_MOVES = [
  "promote",
  "cast_promotion",
  "cast_colour_change",
  "achieve_small",
  "achieve_great",
  "finish_soul",
];
const GAIN_MOVES = ["choose_colours", "keep_tokens"];

// Oracle cards are named in any phase.
const NAMING = "name_oracle";

// Return the types of the moves that players may undo in this phase.
export function undoable({ view }) {
  const moves = view.phase === "soul" ? SOUL_MOVES : view.phase === "gain" ? GAIN_MOVES : [];
  return [...moves, NAMING];
}

// Return a text that changes when a player's choices do. Gains and souls are chosen by all at once, each for
// the player's own board.
export function concerning({ number, view }, player) {
  const { phase, round, players } = view;
  return ["gain", "soul"].includes(phase) ? `${phase} ${round}:${JSON.stringify(players[player])}` : number;
}

// Return the tokens that an open oracle lacks; undefined until they are known.
export function missingFor(card) {
  return desk.answer?.aids?.find((one) => one.card === card)?.missing;
}
