// The state of a replay: the step that is shown, the picture that is enlarged, and the automatic replay.

import { store } from "../core/store.js";

// ms per step of the automatic replay.
const PLAY_EVERY = 1200;

// id: of the game; place: the chosen step, null for the one in the hash; large: number of the entry whose
// picture is enlarged, or null; timer: of the automatic replay, 0 while it stands; side: "moves" or "pictures".
export function newReplay(id) {
  return store({ id, place: null, large: null, timer: 0, side: "moves" });
}

export function enlarge(replay, number) {
  replay.large = number;
}

function address(replay) {
  return `#history/${encodeURIComponent(replay.id)}`;
}

export function show(replay, place) {
  replay.place = place;
  // Replace the history entry instead of adding one: the URL names the step, but Back leaves the replay.
  window.history.replaceState(null, "", `${address(replay)}/${place}`);
}

export function play(replay, last) {
  replay.timer = setInterval(() => {
    // Somebody may have left the replay since the screen was drawn.
    const left = !`${location.hash}/`.startsWith(`${address(replay)}/`);
    if (left || replay.place >= last) stop(replay);
    else show(replay, replay.place + 1);
  }, PLAY_EVERY);
}

export function stop(replay) {
  clearInterval(replay.timer);
  replay.timer = 0;
}
