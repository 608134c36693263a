// The turn in progress on this screen: what the mover may do, and how the spare tile is turned.

import { live } from "../../core/live.js";
import { store } from "../../core/store.js";
import { desk, mayAct, offered, play, you } from "../../place/move_options.js";

// number: state of the game that the rest belongs to; turned: quarter turns of the spare tile; leave: whether
// the next token is left lying.
const turn = store({ number: -1, turned: 0, leave: false });

const SIDES = "TRBL";

// Return openings after clockwise quarter turns, in the order T R B L.
export function rotated(openings, quarters) {
  const turnedSides = [...openings].map((side) => SIDES[(SIDES.indexOf(side) + quarters) % 4]);
  return [...SIDES].filter((side) => turnedSides.includes(side)).join("");
}

// Return the mover if this screen may make the moves of the turn, else null.
export function seatToMove({ view: { mover, phase } }) {
  return mayAct(mover) && ["shift", "walk"].includes(phase) ? mover : null;
}

// The moves of the mover if this screen may make them; none while they are being looked up.
function movesNow(game) {
  const mover = seatToMove(game);
  return mover === null ? [] : (offered() ?? []).filter((move) => move.player === mover);
}

// Return whether this screen may move for the mover now.
export function canAct(game) {
  return !live.busy && movesNow(game).length > 0 && desk.options !== null;
}

// Return the spare tile as it is turned now.
export function spare(game) {
  return rotated(game.view.spare, turn.number === game.number ? turn.turned : 0);
}

// Turn the spare tile clockwise by a quarter.
export function turnSpare(game) {
  const turned = turn.number === game.number ? turn.turned : 0;
  Object.assign(turn, { number: game.number, turned: (turned + 1) % 4, leave: false });
}

// Return the arrows at which the spare can be pushed in.
export function openArrows(game) {
  return new Set(
    movesNow(game)
      .filter(({ type }) => type === "shift")
      .map(({ arrow }) => arrow),
  );
}

// Push the spare in at an arrow as it is turned now.
export function push(game, arrow) {
  const move = movesNow(game).find(
    (one) => one.type === "shift" && one.arrow === arrow && one.openings === spare(game),
  );
  return move ? play(move) : null;
}

// Return the moves of the wizard by place; staying is under the place where it stands.
export function walks(game) {
  const { mover, players } = game.view;
  const found = new Map();
  for (const move of movesNow(game)) {
    if (move.type === "stay") found.set(players[mover].place, move);
    if (move.type === "walk" && (!found.has(move.place) || move.take !== leaves(game)))
      found.set(move.place, move);
  }
  return found;
}

// Return whether the next token is left lying when the wizard ends on it.
export function leaves(game) {
  return turn.number === game.number && turn.leave;
}

// Choose whether the next token is left lying.
export function setLeaves(game, leave) {
  Object.assign(turn, { number: game.number, turned: 0, leave });
}

// Return whether a move that is possible now takes the next token.
export function canTake(game) {
  return movesNow(game).some((move) => move.take);
}

// The player who may still use a wand, if this screen may decide that; else null.
export function wandOf(game) {
  const seat = game.view.wand_of;
  return seat !== null && seat !== undefined && mayAct(seat) ? seat : null;
}

// Give up a wand for one more turn.
export function useWand(player) {
  return play({ type: "use_wand", player });
}

// Note a formula card for a player.
export function noteFormula(player, numbers) {
  return play({ type: "note_formula", player, numbers });
}

// Return whether a formula card may be shown here: on its player's own device only.
export function ownFormula(seat) {
  return you().role === "player" && you().seat === seat;
}
