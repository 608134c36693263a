// Opens the correction of an earlier move.

import { command, live } from "../core/live_channel.js";
import { closeSheet, openSheet, say, ui } from "../core/navigation.js";
import { store } from "../core/store.js";

// ms between two tries to send
const WAITS = 60;

// Open the correction of an entry. seat: the player whose hand is wrong, if known.
export function openRevision(entry, seat = null) {
  openSheet({
    kind: "revision",
    entry,
    seat,
    edits: null,
    choices: [],
    before: null,
    outcome: null,
    refusal: "",
    wanted: 0,
  });
  loadMove(ui.sheet, entry);
}

// Load a move into an open correction.
async function loadMove(open, entry) {
  const answer = await free(() => command("open_move", { entry, at: open.number }));
  if (!answer.ok) {
    if (answer.error.message) say(answer.error.message, "wrong");
    return closeSheet(open);
  }
  open.edits = [editOf(answer.result, open.seat)];
}

// Edit the move that has become impossible, in the state that the correction leads to.
export function alsoCorrect(open) {
  const { blocked, why } = open.outcome;
  open.edits = [...open.edits, editOf(blocked, null, why)];
}

// An edit of a move. was: the move with the state that it was made in; seat: the player whose hand is wrong,
// if known; why: why the move has become impossible.
function editOf(was, seat, why = "") {
  return store({ was, move: was.move, seat, why, picked: null });
}

// Commands are sent one at a time: wait until the pending one has been acknowledged.
export async function free(sending) {
  while (live.busy) await new Promise((done) => setTimeout(done, WAITS));
  return sending();
}
