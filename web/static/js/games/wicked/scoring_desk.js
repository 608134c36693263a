// The boards that are scored without a game: what the companion says of them, what is picked, and what is
// sent.

import { t } from "../../core/i18n.js";
import { inquire, live, onChange, post, send } from "../../core/live.js";
import { draw, go, say } from "../../core/stage.js";
import { RANKS, SPOTS } from "../../core/words.js";

const LARGEST_MB = 24;
export const ADD = "add";
export const MOST = { promotion: 8, colour_change: 8, small: 2, impurity: 37 };

// view: as told last; shown: the board that is looked at, or ADD; picked: the part of it that is put right;
// sending: how many pictures are on their way; sure: what is asked about once more before it is done.
export const desk = { view: null, asked: false, shown: ADD, picked: null, sending: 0, sure: "" };

onChange((what) => {
  if (what === "scoring") take(live.scoring);
  if (what === "back" && desk.asked) watch();
});

export async function watch() {
  desk.asked = true;
  const answer = await inquire("scoring_watch");
  if (answer.ok) take(answer.result, true);
  else if (answer.error.message) say(answer.error.message, "wrong");
  else
    setTimeout(() => {
      desk.asked = false;
      draw();
    }, 1000);
  draw();
}

// A board that has just come in is looked at, less one that was only put right.
function take(view, anew = false) {
  const before = desk.view;
  if (before && !anew && view.version < before.version) return;
  desk.view = view;
  const fresh = view.boards.filter(({ id }) => before && !before.boards.some((one) => one.id === id));
  if (fresh.length) show(fresh[0].id);
  if (desk.shown !== ADD && !board()) show(view.boards.at(-1)?.id ?? ADD);
  if (!before && view.boards.length)
    show((view.boards.find(({ doubts }) => doubts.length) ?? view.boards[0]).id);
}

export function board() {
  return desk.view.boards.find(({ id }) => id === desk.shown) ?? null;
}

export function show(id) {
  if (desk.shown !== id) scrollTo(0, 0);
  Object.assign(desk, { shown: id, picked: null, sure: "" });
  const one = desk.view.boards.find((each) => each.id === id);
  if (one && !one.picture) desk.picked = isEmpty(one) ? "low:0" : null;
  draw();
}

function isEmpty(one) {
  return RANKS.every((rank) => one[rank].every((token) => token === null));
}

export function pick(about) {
  desk.picked = desk.picked === about ? null : about;
  desk.sure = "";
  draw();
  if (desk.picked) intoView(about);
}

// What can be said of a part, or a doubt about all of the board, is brought to where it can be seen and
// tapped.
function intoView(about) {
  setTimeout(() => {
    const doubt = document.querySelector(`[data-about="${CSS.escape(about)}"]`);
    (doubt?.closest(".picker") ?? doubt ?? document.querySelector(".scoring .picker"))?.scrollIntoView({
      block: "nearest",
    });
  }, 60);
}

export function doubtOf(one, about) {
  return one.doubts.find((doubt) => doubt.about === about) ?? null;
}

// What can change a board's points; all else that is doubtful on it is nobody's trouble.
export function countingOf(one) {
  return one.doubts.filter(({ counts }) => counts);
}

// The next thing that nobody has looked at: first on this board, then on the others, and first of all what
// decides.
export function nextOpen() {
  const { boards } = desk.view;
  const from = Math.max(
    0,
    boards.findIndex(({ id }) => id === desk.shown),
  );
  const open = [...boards.slice(from), ...boards.slice(0, from)].flatMap((one) =>
    countingOf(one).map((doubt) => ({ ...doubt, one })),
  );
  const some = open.some(({ decides }) => decides) ? open.filter(({ decides }) => decides) : open;
  if (!some.length) return;
  // Whoever taps again goes on to the one after this.
  const place = some.findIndex(({ one, about }) => one.id === desk.shown && about === desk.picked);
  const { one, about } = some[(place + 1) % some.length];
  show(one.id);
  desk.picked = about;
  intoView(about);
}

// Commands: each is answered with how the boards stand then.

async function act(event, fields = {}) {
  const answer = await send(event, fields);
  if (answer.ok) take(answer.result);
  else if (answer.error.message) say(answer.error.message, "wrong");
  draw();
  return answer.ok;
}

export function play(players) {
  return act("scoring_players", { players });
}

export function byHand(colour) {
  return act("scoring_by_hand", { colour });
}

// Whoever fills a board in goes on to its next spot; what was doubtful leads to the next doubt.
export async function put(one, rank, spot, token) {
  const about = `${rank}:${spot}`;
  if (!(await act("scoring_put", { board: one.id, rank, spot, token }))) return;
  if (desk.picked === about) desk.picked = one.picture ? null : following(rank, spot);
  draw();
  // After the last spot comes what lies beside the board.
  if (!one.picture && !desk.picked)
    document.querySelector(".scoring-beside")?.scrollIntoView({ block: "center" });
}

function following(rank, spot) {
  if (spot + 1 < SPOTS[rank]) return `${rank}:${spot + 1}`;
  const next = RANKS[RANKS.indexOf(rank) + 1];
  return next ? `${next}:0` : null;
}

// Steps that are tapped faster than they are answered are counted together.
const wanted = new Map();
let stepping = false;

export function numberOf(one, what) {
  return wanted.get(`${one.id} ${what}`)?.number ?? one[what];
}

export async function step({ id }, what, by) {
  const one = desk.view.boards.find((each) => each.id === id);
  if (!one) return;
  const key = `${id} ${what}`;
  const number = Math.min(MOST[what], Math.max(0, numberOf(one, what) + by));
  wanted.set(key, { board: id, what, number });
  draw();
  if (stepping) return;
  stepping = true;
  while (wanted.size) {
    const [name, fields] = wanted.entries().next().value;
    if (live.busy) await new Promise((done) => setTimeout(done, 30));
    else if (!(await act("scoring_count", fields)) || wanted.get(name) === fields) wanted.delete(name);
  }
  stepping = false;
  draw();
}

export function achieve(one, card, achieved) {
  return act("scoring_great", { board: one.id, card, achieved });
}

export async function settle(one, about) {
  if ((await act("scoring_right", { board: one.id, about })) && desk.picked === about) desk.picked = null;
  draw();
}

// A board that was filled in is done; then comes the next one.
export async function finish(one) {
  for (const { about } of one.doubts) if (!(await act("scoring_right", { board: one.id, about }))) return;
  if (desk.shown !== one.id) return;
  if (desk.view.missing) show(ADD);
  else pick(null);
}

// What cannot be taken back is done at the second tap.
export function twice(what, act) {
  if (desk.sure === what) {
    desk.sure = "";
    act();
  } else {
    desk.sure = what;
  }
  draw();
}

export function remove(one) {
  return act("scoring_remove", { board: one.id });
}

export async function clear() {
  if (!(await act("scoring_clear"))) return;
  show(ADD);
  go("#scoring");
}

export function look(again) {
  return act("scoring_look", { again: again ?? null });
}

export async function photograph(files, again = null) {
  desk.sure = "";
  for (const file of files) {
    if (file.size > LARGEST_MB * 1024 * 1024) {
      say(t("That picture is larger than {most} MB. Choose a smaller one.", { most: LARGEST_MB }), "wrong");
      continue;
    }
    desk.sending += 1;
    draw();
    try {
      await post(again ? `/api/scoring/pictures?again=${again}` : "/api/scoring/pictures", file);
    } catch (error) {
      say(error.message, "wrong");
    }
    desk.sending -= 1;
    draw();
  }
}
