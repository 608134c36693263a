// The pieces: one kind at a time is laid out, the camera shoots by itself, and people say what is none.

import { t } from "./i18n.js";
import { kindName, kindSign, known, problems } from "./known.js";
import { back, findPieces, inHands, keep, leaveOut, lesson, lookAway, lookFor, shootByItself } from "./lesson.js";
import { live } from "./live.js";
import { button } from "./pieces.js";
import { h } from "./render.js";
import { cutOut } from "./sight.js";
import { draw } from "./stage.js";
import { onward, refusal, simulated, watchLine } from "./teaching.js";

export function piecesStep() {
  return lesson.doing === "pieces" ? foundStep() : chooseStep();
}

function chooseStep() {
  const kinds = { true: known.view.kinds.filter(({ kind }) => inHands(kind)), false: known.view.kinds.filter(({ kind }) => !inHands(kind)) };
  const on = lesson.watch?.what === "pieces";
  const kind = kindName(lesson.kind);
  return [
    refusal(),
    simulated(lesson.kind, t("Some {kind}", { kind })),
    h(
      "section",
      { key: "pieces", class: "panel" },
      h("h2", {}, on ? t("Now the {kind}", { kind }) : t("Pieces")),
      known.view.calibrated ? null : h("p", { class: "verdict bad" }, t("The table is not found yet: show the sheet first.")),
      h("p", { class: "aside" }, t("Lay two to eight of one kind in the middle, apart from each other, and take your hands away.")),
      on ? watchLine() : null,
      h("p", { class: "row" }, on
        ? [button(t("Take it now"), findPieces, "", { disabled: live.busy, "data-test": "find-pieces" }), button(t("Stop"), stop, "quiet")]
        : [button(t("Shoot by itself"), () => shootByItself("pieces", lesson.kind), kinds.true.every(({ specimens }) => specimens) ? "" : "gold large", { disabled: live.busy || !known.view.calibrated, "data-test": "by-itself" }), button(t("Look at the {kind}", { kind }), findPieces, "", { disabled: live.busy || !known.view.calibrated, "data-test": "find-pieces" })]),
      h("div", { class: "kinds", role: "radiogroup", "aria-label": t("Kind of piece") }, kinds.true.map(kindChoice)),
      h("details", { class: "aside" }, h("summary", {}, t("Tokens and tiles, which are counted only in the box")), h("div", { class: "kinds", role: "radiogroup", "aria-label": t("Kind of piece") }, kinds.false.map(kindChoice))),
    ),
    report(kinds.true),
    onward("cards", t("Next: the cards"), !on && kinds.true.every(({ specimens }) => specimens)),
  ];
}

// How well the kinds can be told apart, in plain words.
function report(kinds) {
  const left = kinds.filter(({ specimens }) => !specimens);
  const worst = known.view.taken_for_another;
  if (worst === null && left.length) return null;
  const share = worst >= 0.01 ? t("The worst is taken for another in {share} % of looks.", { share: Math.round(100 * worst) }) : t("The worst is taken for another in less than 1 % of looks.");
  return h(
    "section",
    { key: "report", class: "panel" },
    h("h3", {}, t("Can they be told apart?")),
    problems() ?? h("p", { class: "verdict good" }, t("All that are known can be told apart under this light."), " ", share),
    left.length ? h("p", { class: "aside" }, t("Not known yet: {kinds}.", { kinds: left.map(({ kind }) => kindName(kind)).join(", ") })) : null,
  );
}

function stop() {
  lookAway();
  draw();
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
  if (lesson.watch?.what === "pieces") lookFor("pieces", kind);
  draw();
}

function foundStep() {
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
    pieces.length ? h("p", { class: "row" }, button(left === pieces.length ? t("Keep all {left}", { left }) : t("Keep {left}", { left }), () => keep(), "gold large", { disabled: live.busy || left === 0, "data-test": "keep" })) : null,
    h("ul", { class: "crops" }, pieces.map(crop)),
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
