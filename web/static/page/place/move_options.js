// Fetches what a player may do in the present state, once per state, and keeps the choice in progress.

import { gamePage } from "../core/game_page.js";
import { t } from "../core/text/i18n.js";
import { ask, command, live } from "../core/live_channel.js";
import { carryOut, say } from "../core/navigation.js";
import { store } from "../core/store.js";

// ms after which a failed look-up of moves is repeated.
const AGAIN_AFTER = 2000;

const fresh = (key, number) => ({
  key,
  number,
  player: null,
  shown: null,
  acted: false,
  note: "",
  options: null,
  answer: null,
  texts: new Map(),
  picked: null,
  moves: null,
  why: null,
  taken: null,
  sure: false,
  asking: false,
  hint: null,
  left: null,
});

let note = ""; // what was just done, told on the next desk
// The latest move of this screen, {player, at: number of entries before it}, or null.
let made = null;

// One player's desk: what is offered, and how far a choice has come. It is cleared when the table moves on.
// answer: what the companion answered; texts: the options' lines by their JSON; number: the newest state that
// it is known to fit; shown: what was offered before, for as long as the new
// options are looked up; acted: whether this state came about by a move that was made here.
export const desk = store(fresh(null, null));

// Prepare the desk for what a player can do in this state: clear it and fetch the moves if the state is new.
export function prepareDesk(game, player) {
  // The answer depends on who asks: only a player's own screen gets that player's aids.
  const key = `${game.id}:${player}:${you().role}:${concerning(game, player)}`;
  if (desk.key !== key) {
    const shown = sameStage(desk.key, key) ? (desk.options ?? desk.shown) : null;
    if (desk.player !== player) made = null;
    Object.assign(desk, fresh(key, game.number), { player, shown, acted: isMadeHere(game, player) });
    [desk.note, note] = [note, ""];
    if (mayAct(player)) load(key, player);
  }
  desk.number = Math.max(desk.number, game.number);
}

// Whether the player's latest move is the one that was made last on this screen: neither undone nor followed
// by a move from elsewhere.
function isMadeHere(game, player) {
  if (made?.player !== player) return false;
  const latest = game.history.filter((line) => line.player === player).at(-1);
  return latest !== undefined && latest.number > made.at;
}

// What is offered on the board; while new options are looked up, what was offered before.
export function offered() {
  return desk.options ?? desk.shown;
}

// Where all choose at once, each for their own things, what others do leaves a half-made choice as it is.
function concerning(game, player) {
  return gamePage.concerning?.(game, player) ?? game.number;
}

// Whether what was offered before shows the way until the new options are known: the same choices go on.
function sameStage(before, now) {
  return before?.split("{")[0] === now.split("{")[0];
}

// Who this screen is: its role, and for a player their own seat.
export function you() {
  return live.view?.you ?? { role: "host", seat: null };
}

// Whether the game is entered on this page alone.
export function byHand() {
  return live.view.settings?.way === "hand";
}

// Whether the game is a demonstration, which bots play.
export function isDemoGame() {
  return live.view.settings?.way === "demo";
}

export function mayAct(player) {
  const { role, seat } = you();
  return role === "host" || (role === "player" && seat === player);
}

// Fetch a player's moves into the desk; repeated until they are there or the desk has another key.
async function load(key, player, isRepeated = false) {
  try {
    const answer = await ask(`/api/options/${player}`);
    if (desk.key !== key) return;
    desk.texts = new Map(answer.options.map(({ move, text }) => [JSON.stringify(move), text]));
    desk.answer = answer;
    desk.options = answer.options.map((option) => option.move);
    desk.number = Math.max(desk.number, answer.number);
  } catch (error) {
    if (!isRepeated) say(error.message, "wrong");
    setTimeout(() => desk.key === key && load(key, player, true), AGAIN_AFTER);
  }
}

// Select something on the board, such as a token; it discards the previous selection.
export function pick(what) {
  Object.assign(desk, { picked: what, moves: null, why: null, sure: false, left: null, acted: false });
}

// Show beside the selection why it cannot be used.
export function explain(why) {
  Object.assign(desk, { why, moves: null, sure: false, acted: false });
}

// Play the move if it is the only one, otherwise offer the moves.
export function choose(moves) {
  if (!desk.options) return null;
  if (moves.length === 1) return play(moves[0]);
  Object.assign(desk, { moves, why: null });
  return null;
}

export async function play(move) {
  made = { player: move.player, at: desk.number };
  const done = await carryOut(command("play", { move, at: desk.number }));
  if (!done) made = null;
  return done;
}

// Several moves of one player, one after another; the first that is refused ends them.
export async function playAll(moves) {
  for (const [place, move] of moves.entries()) {
    try {
      if (place) desk.number = Math.max(desk.number, (await ask(`/api/options/${move.player}`)).number);
    } catch (error) {
      return say(error.message, "wrong");
    }
    if (!(await play(move))) return null;
  }
  return null;
}

// Return the entry that players may undo by themselves: their latest of this phase or turn, or null. What
// others do at the same time leaves it as it is.
export function ownLatest(game, player) {
  const types = gamePage.undoable?.(game) ?? null;
  for (const line of [...game.history].reverse()) {
    if (types && !types.includes(line.type)) return null;
    if (line.player === player) return line;
    if (line.player === null || (!types && line.in_turn)) return null;
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
