// State and commands of the scoring without a game: the boards, the selection, and what is being sent.

import { t } from "../../../core/text/i18n.js";
import { sendQuery, live, onChange, post, send } from "../../../core/live_channel.js";
import { go, say } from "../../../core/navigation.js";
import { RANKS, SPOTS } from "../words.js";
import { store } from "../../../core/store.js";

// MB per picture.
const LARGEST_MB = 24;
// Value of editor.shown for the screen that adds a board.
export const ADD = "add";
// Largest number of each thing that a player can have.
export const MOST = { promotion: 8, colour_change: 8, small: 2, impurity: 37 };

// view: the latest boards from the companion; shown: id of the board on the screen, or ADD; picked: the part
// that is being corrected; sending: number of uploads in progress; sure: action that waits for confirmation;
// unsent: numbers that are not confirmed yet, {board, what, number} by "board what".
export const editor = store({
  view: null,
  asked: false,
  shown: ADD,
  picked: null,
  sending: 0,
  sure: "",
  unsent: new Map(),
});

onChange((what) => {
  if (what === "scoring") take(live.scoring);
  if (what === "back" && editor.asked) watch();
});

// Subscribe to the boards.
export async function watch() {
  editor.asked = true;
  const answer = await sendQuery("scoring_watch");
  if (answer.ok) take(answer.result, true);
  else if (answer.error.message) say(answer.error.message, "wrong");
  else
    setTimeout(() => {
      editor.asked = false;
    }, 1000);
}

// Store a newer view. Another board is shown only where one was read while this device was adding boards, or
// in place of the one that it showed: other devices may fill in boards at the same time.
function take(view, anew = false) {
  const before = editor.view;
  if (before && !anew && view.version < before.version) return;
  const shown = before?.boards.find(({ id }) => id === editor.shown);
  editor.view = view;
  if (!before) {
    if (view.boards.length) show((view.boards.find(({ doubts }) => doubts.length) ?? view.boards[0]).id);
  } else if (editor.shown === ADD) {
    const read = view.boards.find(
      ({ id, picture }) => picture && !before.boards.some((one) => one.id === id),
    );
    if (read) show(read.id);
  } else if (!board()) {
    showNamed(shown?.name);
  }
}

// Show the board of this name, or ADD if there is none.
function showNamed(name) {
  show(editor.view.boards.find((one) => one.name === name)?.id ?? ADD);
}

// Return the board on the screen, or null.
export function board() {
  return editor.view.boards.find(({ id }) => id === editor.shown) ?? null;
}

// Show a board, or ADD.
export function show(id) {
  if (editor.shown !== id) scrollTo(0, 0);
  Object.assign(editor, { shown: id, picked: null, sure: "" });
  const one = editor.view.boards.find((each) => each.id === id);
  if (one && !one.picture) editor.picked = isEmpty(one) ? "low:0" : null;
}

function isEmpty(one) {
  return RANKS.every((rank) => one[rank].every((token) => token === null));
}

// Select a part of the board, or clear the selection.
export function pick(about) {
  editor.picked = editor.picked === about ? null : about;
  editor.sure = "";
  if (editor.picked) intoView(about);
}

// Scroll to the choices of a part, or to a doubt about the whole board.
function intoView(about) {
  setTimeout(() => {
    const doubt = document.querySelector(`[data-about="${CSS.escape(about)}"]`);
    (doubt?.closest(".picker") ?? doubt ?? document.querySelector(".scoring .picker"))?.scrollIntoView({
      block: "nearest",
    });
  }, 60);
}

// Return the doubt about a part, or null.
export function doubtOf(one, about) {
  return one.doubts.find((doubt) => doubt.about === about) ?? null;
}

// Return the doubts that can change the board's points.
export function countingOf(one) {
  return one.doubts.filter(({ counts }) => counts);
}

// Select the next open doubt: this board first, then the others, and before all of them those that decide who
// wins.
export function nextOpen() {
  const { boards } = editor.view;
  const from = Math.max(
    0,
    boards.findIndex(({ id }) => id === editor.shown),
  );
  const open = [...boards.slice(from), ...boards.slice(0, from)].flatMap((one) =>
    countingOf(one).map((doubt) => ({ ...doubt, one })),
  );
  const some = open.some(({ decides }) => decides) ? open.filter(({ decides }) => decides) : open;
  if (!some.length) return;
  // A second tap goes on to the next one.
  const place = some.findIndex(({ one, about }) => one.id === editor.shown && about === editor.picked);
  const { one, about } = some[(place + 1) % some.length];
  show(one.id);
  editor.picked = about;
  intoView(about);
}

// Commands: each is acknowledged with the new view.

async function act(event, fields = {}) {
  const answer = await send(event, fields);
  if (answer.ok) take(answer.result);
  else if (answer.error.message) say(answer.error.message, "wrong");
  return answer.ok;
}

// Set the number of players.
export function play(players) {
  return act("scoring_players", { players });
}

// Add an empty board, to be filled in by hand, and show it.
export async function byHand(colour) {
  if (await act("scoring_by_hand", { colour })) showNamed(colour);
}

// Set the token on a spot. While a board is filled in, the next spot is selected.
export async function put(one, rank, spot, token) {
  const about = `${rank}:${spot}`;
  if (!(await act("scoring_put", { board: one.id, rank, spot, token }))) return;
  if (editor.picked === about) editor.picked = one.picture ? null : following(rank, spot);
  // After the last spot, scroll to what lies beside the board.
  if (!one.picture && !editor.picked)
    document.querySelector(".scoring-beside")?.scrollIntoView({ block: "center" });
}

function following(rank, spot) {
  if (spot + 1 < SPOTS[rank]) return `${rank}:${spot + 1}`;
  const next = RANKS[RANKS.indexOf(rank) + 1];
  return next ? `${next}:0` : null;
}

// Debounce: steps that are tapped faster than they are acknowledged are sent as one.
let stepping = false;

// Return the number on screen: an optimistic update until the companion confirms it.
export function numberOf(one, what) {
  return editor.unsent.get(`${one.id} ${what}`)?.number ?? one[what];
}

// Change a number by `by`, within its limits.
export async function step({ id }, what, by) {
  const one = editor.view.boards.find((each) => each.id === id);
  if (!one) return;
  const key = `${id} ${what}`;
  const number = Math.min(MOST[what], Math.max(0, numberOf(one, what) + by));
  editor.unsent = new Map([...editor.unsent, [key, { board: id, what, number }]]);
  if (stepping) return;
  stepping = true;
  while (editor.unsent.size) {
    const [name, fields] = editor.unsent.entries().next().value;
    if (live.busy) await new Promise((done) => setTimeout(done, 30));
    else if (!(await act("scoring_count", fields)) || editor.unsent.get(name) === fields)
      editor.unsent = new Map([...editor.unsent].filter(([other]) => other !== name));
  }
  stepping = false;
}

// Mark a great oracle as achieved or not.
export function achieve(one, card, achieved) {
  return act("scoring_great", { board: one.id, card, achieved });
}

// Confirm a doubtful part as it is.
export async function settle(one, about) {
  if ((await act("scoring_right", { board: one.id, about })) && editor.picked === about) editor.picked = null;
}

// Confirm all of a board that was filled in, and go on to the next one.
export async function finish(one) {
  for (const { about } of one.doubts) if (!(await act("scoring_right", { board: one.id, about }))) return;
  if (editor.shown !== one.id) return;
  if (editor.view.missing) show(ADD);
  else pick(null);
}

// Run an action that cannot be undone on the second tap only.
export function twice(what, act) {
  if (editor.sure === what) {
    editor.sure = "";
    act();
  } else {
    editor.sure = what;
  }
}

// Remove a board.
export function remove(one) {
  return act("scoring_remove", { board: one.id });
}

// Remove all boards.
export async function clear() {
  if (!(await act("scoring_clear"))) return;
  show(ADD);
  go("#scoring");
}

// Read the boards in the camera's present picture; again: id of the board to read again.
export function look(again) {
  return act("scoring_look", { again: again ?? null });
}

// Upload pictures of boards, and show what is read; again: id of the board to replace.
export async function photograph(files, again = null) {
  editor.sure = "";
  if (!again) show(ADD);
  for (const file of files) {
    if (file.size > LARGEST_MB * 1024 * 1024) {
      say(t("That picture is larger than {most} MB. Choose a smaller one.", { most: LARGEST_MB }), "wrong");
      continue;
    }
    editor.sending += 1;
    try {
      await post(again ? `/api/scoring/pictures?again=${again}` : "/api/scoring/pictures", file);
    } catch (error) {
      say(error.message, "wrong");
    }
    editor.sending -= 1;
  }
}
