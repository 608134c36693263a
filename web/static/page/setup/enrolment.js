// State machine of the set-up: what is being enrolled, the picture it is found in, and the commands that do
// it.

import { t } from "../core/text/i18n.js";
import { inHands, kindName, known, learn } from "./profile.js";
import { sendQuery, live, post, send, emitEvent } from "../core/live_channel.js";
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

// doing: "" (live picture), "corners", "sheet", "pieces", "card" or "board" (found, to be confirmed),
// "pointing" (a board is marked by hand) or "kept"; draft: id of the picture that was taken; found: what was
// found in it; out: indices of pieces to leave out; occupied: whether something seemed to lie on the table
// that was to be kept as empty; watch: what auto-capture is looking for, {what, kind} or null; seen: its
// latest result, a WatchView.
export const enrolment = store({
  doing: "",
  draft: null,
  found: null,
  refusal: "",
  kind: null,
  out: new Set(),
  unlike: false,
  occupied: false,
  laid: null,
  active: false,
  watch: null,
  seen: null,
});
let mark = null;
let fitting = 0;
let looking = false;

setInterval(() => enrolment.active && !document.hidden && emitEvent("teach", { on: true }), AWAKE);

addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#camera")) leaveSetup();
});

// Reset the state and end set-up mode, when the screen is left.
function leaveSetup() {
  Object.assign(enrolment, {
    doing: "",
    draft: null,
    found: null,
    refusal: "",
    occupied: false,
    laid: null,
    watch: null,
    seen: null,
  });
  clear();
  if (enrolment.active) emitEvent("teach", { on: false });
  enrolment.active = false;
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
      if (!enrolment.draft && !document.hidden && live.connected) await newest();
    } catch {
      // Retried shortly; the lamp already shows what is wrong.
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_PICTURES));
  }
}

async function newest() {
  const response = await fetch("/preview.jpg");
  const etag = response.headers.get("ETag");
  if (response.status === 204 && sight.picture && !enrolment.draft) {
    // Another camera is being opened: the picture of the one before is none of it.
    mark = null;
    sight.picture = null;
    paint();
  }
  if (response.status !== 200 || (mark && etag === mark) || enrolment.draft) return;
  const picture = await createImageBitmap(await response.blob());
  if (enrolment.draft) return;
  mark = etag;
  sight.picture = picture;
  // Positions are in px of the camera's own picture; the preview may be smaller.
  sight.size = enrolment.seen?.size ?? [picture.width, picture.height];
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
  enrolment.draft = draft;
  const response = await fetch(`/api/teaching/${draft}.jpg`);
  if (!response.ok) throw new Error(t("The picture did not arrive. Try again."));
  const picture = await createImageBitmap(await response.blob());
  Object.assign(sight, { picture, size });
}

// Auto-capture: the camera takes a picture by itself once the subject is still

// Start auto-capture of a "sheet", "lens", "empty", "pieces" or "card".
export function lookFor(what, kind = "") {
  if (enrolment.watch?.what === what && enrolment.watch.kind === kind) return;
  Object.assign(enrolment, { watch: { what, kind }, seen: null, refusal: "" });
  if (!looking) look();
}

// Stop auto-capture.
export function lookAway() {
  Object.assign(enrolment, { watch: null, seen: null });
  if (!enrolment.draft) clear();
}

// Enter set-up mode, in which no readings are made, and start auto-capture.
export async function shootByItself(what, kind) {
  enrolment.refusal = "";
  if (await beginSetup()) lookFor(what, kind);
}

async function look() {
  looking = true;
  while (enrolment.watch) {
    const { watch } = enrolment;
    const waits = document.hidden || (enrolment.draft && watch.what !== "lens") || live.busy;
    if (!waits)
      onWatchResult(
        watch,
        await sendQuery(
          "teach_watch",
          { ...watch, draft: watch.what === "lens" ? enrolment.draft : "" },
          LONG,
        ),
      );
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS));
  }
  looking = false;
}

function onWatchResult(watch, { ok, result, error }) {
  if (enrolment.watch !== watch || (enrolment.draft && watch.what !== "lens")) return;
  if (!ok) {
    enrolment.seen = { state: "moving", line: error.message, sheet: null, size: null };
    return;
  }
  const line =
    result.line ||
    (result.state === "moving" || result.state === "hands" ? "" : (enrolment.seen?.line ?? ""));
  enrolment.seen = { ...result, line };
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
  enrolment.found = draft;
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
  if (answer.error.code !== "busy") enrolment.refusal = answer.error.message;
  return null;
}

// Enter set-up mode; resolves to whether the companion agreed.
export async function beginSetup() {
  if (enrolment.active) return true;
  enrolment.active = (await carry("teach", { on: true })) !== null;
  return enrolment.active;
}

async function begin(event, fields, doing, show) {
  enrolment.refusal = "";
  if (!(await beginSetup())) return;
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
  Object.assign(enrolment, { doing, found, out: new Set(), unlike: false });
  sight.near = true;
  show(found);
  paint();
}

// Return to the live picture, with an error message if there is one.
export function back(refusal = "") {
  Object.assign(enrolment, {
    doing: "",
    draft: null,
    found: null,
    refusal: typeof refusal === "string" ? refusal : "",
  });
  if (enrolment.watch?.what === "lens") enrolment.watch = null;
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
  if (enrolment.watch?.what === "lens") enrolment.watch = null;
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
  enrolment.found = { ...enrolment.found, sheet: null };
  enrolment.refusal = "";
  clearTimeout(fitting);
  if (ended) fitting = setTimeout(fit, SETTLED);
}

async function fit() {
  if (live.busy) {
    fitting = setTimeout(fit, SETTLED);
    return;
  }
  const { draft } = enrolment;
  const corners = sight.corners.map((corner) => [...corner]);
  const found = await carry("teach_corners", { draft, corners });
  if (enrolment.doing !== "corners" || enrolment.draft !== draft) return;
  // Dragged on: the next fit sends them.
  if (String(corners) !== String(sight.corners)) return;
  if (found) {
    enrolment.refusal = "";
    enrolment.found = found;
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
  return begin("teach_find_pieces", { kind: enrolment.kind }, "pieces", showPieces);
}

function showPieces({ pieces }) {
  sight.things = pieces.pieces.map(({ outline }, number) => ({ outline, out: enrolment.out.has(number) }));
  sight.tapped = pointed;
  paint();
}

async function pointed(spot) {
  const number = enrolment.found.pieces.pieces.findIndex(({ outline }) => within(spot, outline));
  if (number >= 0) {
    leaveOut(number);
    return;
  }
  enrolment.refusal = "";
  const found = await carry("teach_point", { draft: enrolment.draft, spots: [spot] });
  if (!found || enrolment.doing !== "pieces") return;
  enrolment.out = new Set();
  enrolment.found = found;
  showPieces(found);
}

// Leave a found piece out of the enrolment, or include it again.
export function leaveOut(number) {
  const out = new Set(enrolment.out);
  if (!out.delete(number)) out.add(number);
  enrolment.out = out;
  showPieces(enrolment.found);
}

// Accept what was found. how: further fields of the command.
export async function keep(how = {}) {
  enrolment.refusal = "";
  const kept = await carry("teach_keep", { draft: enrolment.draft, without: [...enrolment.out], ...how });
  if (!kept) {
    enrolment.unlike = enrolment.doing === "pieces" && enrolment.refusal !== "";
    return;
  }
  const wasSheet = enrolment.doing !== "pieces";
  storeKnown(kept);
  if (wasSheet) enrolment.doing = "kept";
  else keptPieces();
}

// After one kind, continue with the next one that is not enrolled yet.
function keptPieces() {
  say(t("Learned: {kind}.", { kind: kindName(enrolment.kind) }));
  const next = known.view.kinds.find(
    ({ kind, specimens }) => !specimens && inHands(kind) === inHands(enrolment.kind),
  );
  if (next && enrolment.watch?.what === "pieces") {
    enrolment.kind = next.kind;
    lookFor("pieces", next.kind);
  } else if (enrolment.watch?.what === "pieces") lookAway();
}

// Store the new profile content; `unread` is what still cannot be read.
function storeKnown(kept, then = back) {
  learn(kept.known);
  Object.assign(enrolment, { unread: kept.unread, refusal: "" });
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
  enrolment.refusal = "";
  const found = await carry(event, { draft: enrolment.draft, ...fields });
  if (found) {
    Object.assign(enrolment, { found, doing: "board" });
    clear();
  }
}

// Send a change of the profile that needs no picture; resolves to whether it was made. A rejection is also
// shown as a toast, because the step may be scrolled out of view. Writing a whole deck can take long.
export async function change(event, fields, then = back) {
  enrolment.refusal = "";
  const kept = await carry(event, fields, LONGEST);
  if (kept) storeKnown(kept, then);
  else if (enrolment.refusal) say(enrolment.refusal, "wrong");
  return kept !== null;
}

// Keep a picture of the empty table. anyway: also where something seems to lie there; then: called once it is
// kept.
export async function keepEmptyTable(anyway, then) {
  Object.assign(enrolment, { refusal: "", occupied: false });
  const answer = await send("teach_empty", { force: anyway }, LONGEST);
  if (answer.ok) return storeKnown(answer.result, then);
  enrolment.occupied = answer.error.code === "doubtful";
  if (answer.error.code === "busy") return null;
  enrolment.refusal = answer.error.message;
  return say(enrolment.refusal, "wrong");
}

// Import the file of a shared deck.
export async function bringDeck(file) {
  enrolment.refusal = "";
  try {
    storeKnown(await post("/api/teaching/deck", file));
    say(t("The deck is imported."));
  } catch (error) {
    enrolment.refusal = error.message;
    say(error.message, "wrong");
  }
}

// Lay something out on the simulated table; null clears it.
export async function layOut(what) {
  enrolment.refusal = "";
  if (what !== null && !(await beginSetup())) return;
  if (await carry("teach_lay_out", { what })) enrolment.laid = what;
}

// Leave set-up mode and return to the live picture.
export async function finish() {
  back();
  lookAway();
  enrolment.laid = null;
  if (enrolment.active && (await carry("teach", { on: false }))) enrolment.active = false;
}

// Zoom to what was found, or back to the whole picture.
export function lookNearer() {
  sight.near = !sight.near;
  paint();
}
