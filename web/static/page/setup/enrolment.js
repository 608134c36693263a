// State machine of the set-up: what is being enrolled, the picture it is found in, and the commands that do
// it.

import { t } from "../core/i18n.js";
import { inHands, kindName, known, learn } from "./profile.js";
import { ask, inquire, live, post, send, whisper } from "../core/live.js";
import { mountSight, paint, sight, within } from "./picture.js";
import { say } from "../core/navigation.js";
import { store } from "../core/store.js";

// ms within which slow and very slow commands are acknowledged.
const LONG = 30_000;
const LONGEST = 120_000;
// ms between two signals that set-up mode is still in use.
const AWAKE = 8_000;
// ms between two pictures, and between two detections.
const BETWEEN_PICTURES = 150;
const BETWEEN_LOOKS = 250;
// ms after the last drag before the corners are fitted.
const SETTLED = 250;
// ms before the profile is requested again.
const ASKED_AGAIN = 2000;

// doing: "" (live picture), "corners", "sheet", "pieces", "card" or "board" (found, to be confirmed),
// "pointing" (a board is marked by hand) or "kept"; draft: id of the picture that was taken; found: what was
// found in it; out: indices of pieces to leave out; watch: what auto-capture is looking for, {what, kind} or
// null; seen: its latest result, a WatchView.
export const lesson = store({
  doing: "",
  draft: null,
  found: null,
  refusal: "",
  kind: null,
  out: new Set(),
  unlike: false,
  laid: null,
  teaching: false,
  loaded: false,
  watch: null,
  seen: null,
});
let mark = null;
let fitting = 0;
let looking = false;

setInterval(() => lesson.teaching && !document.hidden && whisper("teach", { on: true }), AWAKE);

// Reset the state and end set-up mode, when the screen is left.
export function leaveSetup() {
  Object.assign(lesson, {
    loaded: false,
    doing: "",
    draft: null,
    found: null,
    refusal: "",
    laid: null,
    watch: null,
    seen: null,
  });
  clear();
  if (lesson.teaching) whisper("teach", { on: false });
  lesson.teaching = false;
}

// Fetch the profile's content.
export async function load() {
  lesson.loaded = true;
  try {
    const view = await ask("/api/teaching/known");
    learn(view, view ? "" : notNow());
  } catch (error) {
    learn(null, error.message);
  }
  if (!known.view) {
    setTimeout(() => {
      // The table may still be starting: retried while this screen is shown.
      lesson.loaded = false;
    }, ASKED_AGAIN);
  }
}

function notNow() {
  return live.view.camera.state === "preparing"
    ? t("The table is still starting. The set-up opens here in a moment.")
    : t("The table cannot be set up now: it is still starting, or it has no camera.");
}

// The picture

// Mount the picture and draw the live preview in it.
export function mounted(node) {
  if (!node) return;
  mountSight(node);
  follow(node);
}

async function follow(node) {
  mark = null;
  while (node.isConnected) {
    try {
      if (!lesson.draft && !document.hidden && live.connected) await newest();
    } catch {
      // Retried shortly; the lamp already shows what is wrong.
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_PICTURES));
  }
}

async function newest() {
  const response = await fetch("/preview.jpg");
  const etag = response.headers.get("ETag");
  if (response.status === 204 && sight.picture && !lesson.draft) {
    // Another camera is being opened: the picture of the one before is none of it.
    mark = null;
    sight.picture = null;
    paint();
  }
  if (response.status !== 200 || (mark && etag === mark) || lesson.draft) return;
  const picture = await createImageBitmap(await response.blob());
  if (lesson.draft) return;
  mark = etag;
  sight.picture = picture;
  // Positions are in px of the camera's own picture; the preview may be smaller.
  sight.size = lesson.seen?.size ?? [picture.width, picture.height];
  paint();
}

function clear() {
  Object.assign(sight, {
    corners: null,
    lines: [],
    things: [],
    board: false,
    near: false,
    moved: null,
    tapped: null,
  });
  mark = null;
  paint();
}

async function showDraft({ draft, size }) {
  lesson.draft = draft;
  const response = await fetch(`/api/teaching/${draft}.jpg`);
  if (!response.ok) throw new Error(t("The picture did not arrive. Try again."));
  const picture = await createImageBitmap(await response.blob());
  Object.assign(sight, { picture, size });
}

// Auto-capture: the camera takes a picture by itself once the subject is still

// Start auto-capture of a "sheet", "lens", "empty", "pieces" or "card".
export function lookFor(what, kind = "") {
  if (lesson.watch?.what === what && lesson.watch.kind === kind) return;
  Object.assign(lesson, { watch: { what, kind }, seen: null, refusal: "" });
  if (!looking) look();
}

// Stop auto-capture.
export function lookAway() {
  Object.assign(lesson, { watch: null, seen: null });
  if (!lesson.draft) clear();
}

// Enter set-up mode, in which no readings are made, and start auto-capture.
export async function shootByItself(what, kind) {
  lesson.refusal = "";
  if (await teach()) lookFor(what, kind);
}

async function look() {
  looking = true;
  while (lesson.watch) {
    const { watch } = lesson;
    const waits = document.hidden || (lesson.draft && watch.what !== "lens") || live.busy;
    if (!waits)
      onWatchResult(
        watch,
        await inquire("teach_watch", { ...watch, draft: watch.what === "lens" ? lesson.draft : "" }, LONG),
      );
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS));
  }
  looking = false;
}

function onWatchResult(watch, { ok, result, error }) {
  if (lesson.watch !== watch || (lesson.draft && watch.what !== "lens")) return;
  if (!ok) {
    lesson.seen = { state: "moving", line: error.message, sheet: null, size: null };
    return;
  }
  const line =
    result.line || (result.state === "moving" || result.state === "hands" ? "" : (lesson.seen?.line ?? ""));
  lesson.seen = { ...result, line };
  if (result.kept) storeKnown(result.kept, lookAway);
  else if (result.draft && watch.what === "lens") showMore(result.draft);
  else if (result.draft) open(result.draft);
  else if (watch.what === "sheet") {
    sight.lines = result.sheet
      ? [...result.sheet.grid, [...result.sheet.corners, result.sheet.corners[0]]]
      : [];
    sight.size = result.size;
    paint();
  }
}

function showMore(draft) {
  lesson.found = draft;
  sight.lines = draft.sheet.grid;
  paint();
}

function open(found) {
  if (found.pieces) return opened(found, "pieces", showPieces);
  return opened(found, "card", () => (sight.near = false));
}

// Commands

async function carry(event, fields, within = LONG) {
  const answer = await send(event, fields, within);
  if (answer.ok) return answer.result ?? {};
  if (answer.error.code !== "busy") lesson.refusal = answer.error.message;
  return null;
}

// Enter set-up mode; resolves to whether the companion agreed.
export async function teach() {
  if (lesson.teaching) return true;
  lesson.teaching = (await carry("teach", { on: true })) !== null;
  return lesson.teaching;
}

async function begin(event, fields, doing, show) {
  lesson.refusal = "";
  if (!(await teach())) return;
  const found = await carry(event, fields);
  if (found) await opened(found, doing, show);
}

async function opened(found, doing, show) {
  try {
    clear();
    await showDraft(found);
  } catch (error) {
    back(error.message);
    return;
  }
  Object.assign(lesson, { doing, found, out: new Set(), unlike: false });
  sight.near = true;
  show(found);
  paint();
}

// Return to the live picture, with an error message if there is one.
export function back(refusal = "") {
  Object.assign(lesson, {
    doing: "",
    draft: null,
    found: null,
    refusal: typeof refusal === "string" ? refusal : "",
  });
  if (lesson.watch?.what === "lens") lesson.watch = null;
  clear();
}

// Take a picture and find the calibration sheet in it.
export function findSheet() {
  return begin("teach_find_sheet", {}, "sheet", showSheet);
}

function showSheet({ sheet }) {
  Object.assign(sight, { lines: sheet.grid, corners: null });
}

// Take a picture in which the sheet's corners are set by hand.
export function showCorners() {
  if (lesson.watch?.what === "lens") lesson.watch = null;
  return begin("teach_look", {}, "corners", ({ size }) => {
    Object.assign(sight, { corners: cornersToBegin(size), lines: [], moved: cornersMoved });
    fit();
  });
}

// Start with the corners of the last calibration if they are inside the picture, otherwise in its middle.
function cornersToBegin([width, height]) {
  const before = known.view?.corners;
  const same = known.view?.size?.[0] === width && known.view?.size?.[1] === height;
  if (before && same && before.every(([x, y]) => x >= 0 && y >= 0 && x < width && y < height))
    return before.map((corner) => [...corner]);
  sight.near = false;
  return inTheMiddle([width, height], 0.7);
}

// high: height as a fraction of the width.
function inTheMiddle([width, height], high) {
  const [x, y, half] = [width / 2, height / 2, width * 0.15];
  return [
    [x - half, y - half * high],
    [x + half, y - half * high],
    [x + half, y + half * high],
    [x - half, y + half * high],
  ];
}

function cornersMoved(_, ended) {
  lesson.found = { ...lesson.found, sheet: null };
  lesson.refusal = "";
  clearTimeout(fitting);
  if (ended) fitting = setTimeout(fit, SETTLED);
}

async function fit() {
  if (live.busy) {
    fitting = setTimeout(fit, SETTLED);
    return;
  }
  const { draft } = lesson;
  const corners = sight.corners.map((corner) => [...corner]);
  const found = await carry("teach_corners", { draft, corners });
  if (lesson.doing !== "corners" || lesson.draft !== draft) return;
  // Dragged on: the next fit sends them.
  if (String(corners) !== String(sight.corners)) return;
  if (found) {
    lesson.refusal = "";
    lesson.found = found;
    sight.lines = found.sheet.grid;
    paint();
  }
}

// Rotate the sheet's corners by one: the first edge becomes the next one.
export function turn() {
  sight.corners = [...sight.corners.slice(1), sight.corners[0]];
  sight.lines = [];
  paint();
  cornersMoved(sight.corners, true);
}

// Take a picture and find pieces of the current kind in it.
export function findPieces() {
  return begin("teach_find_pieces", { kind: lesson.kind }, "pieces", showPieces);
}

function showPieces({ pieces }) {
  sight.things = pieces.pieces.map(({ outline }, number) => ({ outline, out: lesson.out.has(number) }));
  sight.tapped = pointed;
  paint();
}

async function pointed(spot) {
  const number = lesson.found.pieces.pieces.findIndex(({ outline }) => within(spot, outline));
  if (number >= 0) {
    leaveOut(number);
    return;
  }
  lesson.refusal = "";
  const found = await carry("teach_point", { draft: lesson.draft, spots: [spot] });
  if (!found || lesson.doing !== "pieces") return;
  lesson.out = new Set();
  lesson.found = found;
  showPieces(found);
}

// Leave a found piece out of the enrolment, or include it again.
export function leaveOut(number) {
  const out = new Set(lesson.out);
  if (!out.delete(number)) out.add(number);
  lesson.out = out;
  showPieces(lesson.found);
}

// Accept what was found. how: further fields of the command.
export async function keep(how = {}) {
  lesson.refusal = "";
  const kept = await carry("teach_keep", { draft: lesson.draft, without: [...lesson.out], ...how });
  if (!kept) {
    lesson.unlike = lesson.doing === "pieces" && lesson.refusal !== "";
    return;
  }
  const wasSheet = lesson.doing !== "pieces";
  storeKnown(kept);
  if (wasSheet) lesson.doing = "kept";
  else keptPieces();
}

// After one kind, continue with the next one that is not enrolled yet.
function keptPieces() {
  say(t("Learned: {kind}.", { kind: kindName(lesson.kind) }));
  const next = known.view.kinds.find(
    ({ kind, specimens }) => !specimens && inHands(kind) === inHands(lesson.kind),
  );
  if (next && lesson.watch?.what === "pieces") {
    lesson.kind = next.kind;
    lookFor("pieces", next.kind);
  } else if (lesson.watch?.what === "pieces") lookAway();
}

// Store the new profile content; `unread` is what still cannot be read.
function storeKnown(kept, then = back) {
  learn(kept.known);
  Object.assign(lesson, { unread: kept.unread, refusal: "" });
  then();
}

// Take a picture and find one card in it.
export async function findCard(kind) {
  return begin("teach_find_card", { kind }, "card", () => (sight.near = false));
}

// Take a picture and find a personal board in it.
export async function findBoard() {
  return begin("teach_find_board", {}, "board", () => (sight.near = false));
}

// Take a picture in which a board's corners, then its spots, are marked by hand.
export async function pointAtBoard() {
  return begin("teach_look", {}, "pointing", ({ size }) =>
    Object.assign(sight, { board: true, corners: inTheMiddle(size, 148 / 210), near: false, moved: null }),
  );
}

// Send the marked corners or spots.
export async function pointedAtBoard(event, fields) {
  lesson.refusal = "";
  const found = await carry(event, { draft: lesson.draft, ...fields });
  if (found) {
    Object.assign(lesson, { found, doing: "board" });
    clear();
  }
}

// Send a change of the profile that needs no picture; resolves to whether it was made. A rejection is also
// shown as a toast, because the step may be scrolled out of view. Writing a whole deck can take long.
export async function change(event, fields, then = back) {
  lesson.refusal = "";
  const kept = await carry(event, fields, LONGEST);
  if (kept) storeKnown(kept, then);
  else if (lesson.refusal) say(lesson.refusal, "wrong");
  return kept !== null;
}

// Import the file of a shared deck.
export async function bringDeck(file) {
  lesson.refusal = "";
  try {
    storeKnown(await post("/api/teaching/deck", file));
    say(t("The deck is imported."));
  } catch (error) {
    lesson.refusal = error.message;
    say(error.message, "wrong");
  }
}

// Lay something out on the simulated table; null clears it.
export async function layOut(what) {
  lesson.refusal = "";
  if (what !== null && !(await teach())) return;
  if (await carry("teach_lay_out", { what })) lesson.laid = what;
}

// Leave set-up mode and return to the live picture.
export async function finish() {
  back();
  lookAway();
  lesson.laid = null;
  if (lesson.teaching && (await carry("teach", { on: false }))) lesson.teaching = false;
}

// Zoom to what was found, or back to the whole picture.
export function lookNearer() {
  sight.near = !sight.near;
  paint();
}
