// Camera & table: where the table lies, what its pieces look like, and how the camera does. The game is not touched.

import { t } from "./i18n.js";
import { figures, kindName, kindSign, known, knownCards, problems, verdict } from "./known.js";
import { back, findPieces, findSheet, finish, keep, layOut, leaveOut, lesson, load, lookNearer, mounted, showCorners, turn } from "./lesson.js";
import { live } from "./live.js";
import { button } from "./pieces.js";
import { h } from "./render.js";
import { cutOut, sight } from "./sight.js";
import { draw } from "./stage.js";
import { CAMERA } from "./words.js";

export function setupScreen() {
  if (!lesson.loaded) load();
  return [
    h("section", { key: "seen", class: "seen" }, h("div", { key: "sight", class: "sight-frame", opaque: true, mount: mounted }), underPicture()),
    h("section", { key: "told", class: "told" }, steps[lesson.doing]()),
  ];
}

function underPicture() {
  const { state, message } = live.view.camera;
  const line = lesson.teaching && state === "teaching" ? t("Nothing is read while you teach; the game stays as it is.") : message;
  const nearer = lesson.draft && button(sight.near ? t("Whole picture") : t("Look closer"), lookNearer, "quiet");
  return [h("p", { class: `state ${["no_camera", "hindered"].includes(state) ? "wrong" : ""}`, role: "status" }, h("b", {}, t("Camera: {state}.", { state: CAMERA[state] ?? state })), " ", line), nearer && h("p", { class: "row" }, nearer)];
}

// What stands beside the picture

const steps = { "": overview, corners: cornersStep, sheet: sheetStep, pieces: piecesStep, kept: keptStep };

function refusal() {
  return lesson.refusal && h("p", { class: "refusal", role: "alert" }, lesson.refusal);
}

function overview() {
  const busy = { disabled: live.busy };
  if (!known.view) return [h("p", { class: "panel" }, known.refusal || t("Looking up what the table has been taught…")), refusal()];
  return [
    refusal(),
    lesson.teaching && h("p", { class: "row" }, button(t("Done: read again"), finish, "gold", { ...busy, "data-test": "finish" })),
    simulated(),
    h(
      "section",
      { key: "place", class: "panel" },
      h("h2", {}, t("Where the table is")),
      h("p", { class: "aside" }, t("Lay the printed sheet in the middle of the table, its lower edge towards seat 1. In mid-game it may lie on the cards.")),
      h("p", { class: "row" }, button(t("Find the sheet"), findSheet, "gold", { ...busy, "data-test": "find-sheet" }), button(t("Show its corners by hand"), showCorners, "", { ...busy, "data-test": "by-corners" })),
      known.view.findings ? [verdict(known.view.findings), figures(known.view.findings, known.view.advice)] : h("p", {}, known.view.calibrated ? t("Known by its scale alone.") : t("It has not been found yet.")),
    ),
    h(
      "section",
      { key: "pieces", class: "panel" },
      h("h2", {}, t("Pieces")),
      h("p", { class: "aside" }, t("Choose a kind and lay two to eight of it in the middle, apart from each other.")),
      h("div", { class: "kinds", role: "radiogroup", "aria-label": t("Kind of piece") }, known.view.kinds.map(kindChoice)),
      h("p", { class: "row" }, button(t("Look at the {kind}", { kind: kindName(lesson.kind) }), findPieces, "gold", { disabled: live.busy || !known.view.calibrated, "data-test": "find-pieces" })),
      problems(),
      knownCards(),
    ),
  ];
}

function kindChoice({ kind, specimens }) {
  return h(
    "button",
    { key: kind, type: "button", role: "radio", class: `kind ${specimens ? "" : "unknown"}`, "aria-checked": String(lesson.kind === kind), "aria-label": specimens ? t("{kind}: {specimens} known", { kind: kindName(kind), specimens }) : t("{kind}: not known yet", { kind: kindName(kind) }), onclick: () => choose(kind) },
    kindSign(kind),
    h("span", {}, specimens || t("none")),
  );
}

function choose(kind) {
  lesson.kind = kind;
  draw();
}

function simulated() {
  if (!live.view.director) return null;
  const lay = (what, text, test) => h("button", { type: "button", class: "segment", "aria-pressed": String(lesson.laid === what && lesson.teaching === (what !== null)), disabled: live.busy, "data-test": test, onclick: () => layOut(what) }, text);
  return h(
    "section",
    { key: "simulated", class: "panel simulated" },
    h("p", { class: "aside" }, t("This is the simulated table. What shall lie on it?")),
    h("div", { class: "segments" }, lay("sheet", t("The sheet"), "lay-sheet"), lay(lesson.kind, t("Some {kind}", { kind: kindName(lesson.kind) }), "lay-pieces"), lay(null, t("The game"), "lay-game")),
  );
}

function sheetStep() {
  return h(
    "section",
    { key: "sheet", class: "panel" },
    h("h2", {}, t("Here is the sheet")),
    h("p", {}, t("The lines must lie on the edges of its squares.")),
    refusal(),
    verdict(lesson.found.sheet.findings),
    decide(t("Use this"), false),
    h("p", { class: "row" }, button(t("Look again"), findSheet, "", { disabled: live.busy }), button(t("Show its corners by hand"), showCorners, "", { disabled: live.busy }), button(t("Leave it as it was"), back, "quiet")),
    figures(lesson.found.sheet.findings, lesson.found.sheet.advice),
  );
}

function cornersStep() {
  const found = lesson.found.sheet;
  return h(
    "section",
    { key: "corners", class: "panel" },
    h("h2", {}, t("Show the sheet's corners")),
    h("p", {}, t("Drag the four rings onto the corners of the paper, until the lines lie on the squares. The thick gold edge is the one before seat 1.")),
    refusal() || (found ? verdict(found.findings) : h("p", { class: "aside", role: "status" }, t("Looking whether that fits…"))),
    decide(t("Use this"), !found),
    h("p", { class: "row" }, button(t("Turn it"), turn, "", { "data-test": "turn" }), button(t("New picture"), showCorners, "", { disabled: live.busy }), button(t("Leave it as it was"), back, "quiet")),
    found && figures(found.findings, found.advice),
  );
}

function piecesStep() {
  const { pieces } = lesson.found.pieces;
  const left = pieces.length - lesson.out.size;
  return h(
    "section",
    { key: "found-pieces", class: "panel" },
    h("h2", {}, pieces.length ? t("{number} {kind}?", { number: pieces.length, kind: kindName(lesson.kind) }) : t("No {kind} found", { kind: kindName(lesson.kind) })),
    h("p", {}, pieces.length ? t("Tap what is none to leave it out, and in the picture what was missed.") : t("Tap on each of them in the picture, or lay them apart in the middle and look again.")),
    refusal(),
    lesson.unlike && lesson.refusal
      ? h("p", { class: "row" }, button(t("Keep them all the same"), () => keep({ force: true }), "", { disabled: live.busy }), known.view.kinds.find(({ kind }) => kind === lesson.kind).specimens ? button(t("Forget the older ones"), () => keep({ replace: true }), "", { disabled: live.busy }) : null)
      : null,
    h("ul", { class: "crops" }, pieces.map(crop)),
    pieces.length ? decide(left === pieces.length ? t("Keep all {left}", { left }) : t("Keep {left}", { left }), left === 0) : null,
    h("p", { class: "row" }, button(t("Try again"), findPieces, "", { disabled: live.busy }), button(t("Leave it"), back, "quiet")),
  );
}

function crop({ outline, size_mm: [longer, shorter] }, number) {
  const out = lesson.out.has(number);
  const told = { number: number + 1, longer: Math.round(longer), shorter: Math.round(shorter) };
  return h(
    "li",
    { key: `${lesson.draft}-${number}-${outline[0]}` },
    h(
      "button",
      { type: "button", class: "crop", "aria-pressed": String(!out), "aria-label": out ? t("Piece {number}, {longer} by {shorter} mm: left out, take it", told) : t("Piece {number}, {longer} by {shorter} mm: taken, leave it out", told), onclick: () => leaveOut(number) },
      h("canvas", { opaque: true, width: 112, height: 112, mount: (node) => cutOut(node, outline) }),
    ),
  );
}

function keptStep() {
  return h(
    "section",
    { key: "kept", class: "panel" },
    h("h2", {}, t("The table is found")),
    refusal(),
    verdict(known.view.findings),
    h("p", {}, t("Now put the sheet away. The game is as it was.")),
    h("p", { class: "row" }, button(t("Done: read again"), finish, "gold large", { disabled: live.busy, "data-test": "finish" }), button(t("Teach more"), back, "")),
    figures(known.view.findings, known.view.advice),
  );
}

function decide(text, not) {
  return h("p", { class: "row" }, button(text, () => keep(), "gold large", { disabled: live.busy || not, "data-test": "keep" }));
}
