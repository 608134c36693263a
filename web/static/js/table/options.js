// Fetches what a player may do in the present state, once per state, and keeps the choice in progress.

import { t } from "../core/i18n.js";
import { ask, command, live } from "../core/live.js";
import { carryOut, draw, say } from "../core/stage.js";

const SOUL_MOVES = [
  "promote",
  "cast_promotion",
  "cast_colour_change",
  "achieve_small",
  "achieve_great",
  "finish_soul",
];
const GAIN_MOVES = ["choose_colours", "keep_tokens"];
const fresh = (key, number) => ({
  key,
  number,
  note: "",
  options: null,
  oracles: new Map(),
  picked: null,
  moves: null,
  why: null,
  taken: null,
  sure: false,
  asking: false,
  hint: null,
  left: null,
});

// Confirmation of the last undo, shown on the next desk.
let note = "";

// The choice in progress of one player: the legal moves and how far the choice has come. It is reset when the
// state changes. number: the newest state for which the moves are known to be legal.
export const desk = fresh(null, null);

// Return the desk for a player, fetching the moves if the state is new.
export function deskOf(game, player) {
  const key = `${game.id}:${player}:${concerning(game, player)}`;
  if (desk.key !== key) {
    Object.assign(desk, fresh(key, game.number));
    [desk.note, note] = [note, ""];
    if (mayAct(player)) load(key, player);
  }
  desk.number = Math.max(desk.number, game.number);
  return desk;
}

// In the soul phase all players choose at once, each for their own board: moves of others do not reset a
// choice.
function concerning({ number, state }, player) {
  return state.phase === "soul" ? `${state.round}:${JSON.stringify(state.players[player])}` : number;
}

// Return the role of this device and, for a player, the seat index.
export function you() {
  return live.view?.you ?? { role: "host", seat: null };
}

// Whether this device may choose for a player.
export function mayAct(player) {
  const { role, seat } = you();
  return role === "host" || (role === "player" && seat === player);
}

async function load(key, player) {
  try {
    const answer = await ask(`/api/options/${player}`);
    if (desk.key !== key) return;
    desk.options = answer.options.map((option) => option.move);
    desk.number = Math.max(desk.number, answer.number);
    desk.oracles = new Map((answer.oracles ?? []).map((one) => [one.card, one.missing]));
  } catch (error) {
    say(error.message, "wrong");
  }
  draw();
}

// Select something on the board, such as a token or a spell; it discards the previous selection.
export function pick(what) {
  Object.assign(desk, { picked: what, moves: null, why: null, sure: false, left: null });
  draw();
}

// Show beside the selection why it cannot be used.
export function explain(why) {
  Object.assign(desk, { why, moves: null, sure: false });
  draw();
}

// Play the move if it is the only one, otherwise offer the moves.
export function choose(moves) {
  if (moves.length === 1) return play(moves[0]);
  Object.assign(desk, { moves, why: null });
  draw();
  return null;
}

// Send a move for the state that the desk knows; resolves to whether it was accepted.
export function play(move) {
  return carryOut(command("play", { move, at: desk.number }));
}

// Return the entry that players may undo by themselves: their latest of this phase, or null.
export function ownLatest(game, player) {
  const { phase } = game.state;
  const counts = phase === "soul" ? SOUL_MOVES : phase === "gain" ? GAIN_MOVES : [];
  for (const line of [...game.history].reverse()) {
    if (!counts.includes(line.type)) return null;
    if (line.player === player) return line;
  }
  return null;
}

// Undo the player's own latest entry.
export async function undoOwn(game, player) {
  const line = ownLatest(game, player);
  if (!line || live.busy) return;
  note = t("Undone: {move}", { move: line.text });
  if (!(await carryOut(command("undo", { at: game.number, entry: line.number })))) note = "";
}
