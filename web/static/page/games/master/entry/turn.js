// The turn in progress on this screen: what the mover may do, and how the spare tile is turned.

import { live } from "../../../core/live_channel.js";
import { store } from "../../../core/store.js";
import { desk, mayAct, offered, play, you } from "../../../place/move_options.js";
import { rotations } from "../maze/board.js";

// key: what the rest belongs to; openings: how the spare tile is turned, null as it lies; leave: whether the
// next token is left lying.
const turn = store({ key: null, openings: null, leave: false });

// Return a game with the moves of its turns alone: formula cards may be noted and taken back at any time, and
// leave the turn as it is.
export function turnsOf(game) {
  return { ...game, history: game.history.filter(({ type }) => type !== "note_formula") };
}

// Clear what was chosen for a turn once the table moves on.
export function followTurn(game) {
  const key = game && `${game.id}:${turnsOf(game).history.at(-1)?.number}`;
  if (turn.key !== key) Object.assign(turn, { key, openings: null, leave: false });
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
  return rotations(game.view.spare).includes(turn.openings) ? turn.openings : game.view.spare;
}

// Turn the spare tile.
export function turnSpare(openings) {
  turn.openings = openings;
}

// Return the arrows at which the spare can be pushed in, each with what a tap on it does.
export function openArrows(game) {
  if (!canAct(game)) return new Map();
  const shifts = movesNow(game).filter(({ type, openings }) => type === "shift" && openings === spare(game));
  return new Map(shifts.map((move) => [move.arrow, () => play(move)]));
}

// Push the spare in at an arrow as it is turned now.
export function push(game, arrow) {
  return openArrows(game).get(arrow)?.();
}

// Return the moves of the wizard by place; staying is under the place where it stands.
export function walks(game) {
  const { mover, players } = game.view;
  const found = new Map();
  if (!canAct(game)) return found;
  for (const move of movesNow(game)) {
    if (move.type === "stay") found.set(players[mover].place, move);
    if (move.type === "walk" && (!found.has(move.place) || move.take !== turn.leave))
      found.set(move.place, move);
  }
  return found;
}

// Return whether the next token is left lying when the wizard ends on it.
export function leaves() {
  return turn.leave;
}

// Choose whether the next token is left lying.
export function setLeaves(leave) {
  turn.leave = leave;
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
