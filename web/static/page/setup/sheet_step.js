// Renders the sheet step of the set-up: find the calibration sheet live, accept it or correct its corners,
// and measure the lens with it.

import { t, tn } from "../core/text/i18n.js";
import { figures, verdict } from "./findings.js";
import { known } from "./profile.js";
import { back, findSheet, keep, enrolment, lookAway, lookFor, showCorners, turn } from "./enrolment.js";
import { live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { ScreenSheet, screenSheetButton } from "./screen_sheet.js";
import { AutoCapture, emptyTable, onward, refusal, simulated, waits, watchLine } from "./step_parts.js";

// mm: edge of a piece; px: its least width in the picture.
const PIECE_MM = 15;
const LEAST_PX = 9;
const STEEPEST_DEG = 55; // off straight down, as in calibration/camera/quality.py

// Render the step.
export function sheetStep({ next }) {
  if (enrolment.doing === "corners") return cornersStep();
  if (enrolment.doing === "sheet") return foundStep();
  if (enrolment.doing === "kept") return keptStep(next);
  const sheet = enrolment.seen?.sheet;
  return [
    h(AutoCapture, { key: "capture", what: "sheet" }),
    h(ScreenSheet),
    refusal(),
    simulated("sheet", t("The sheet")),
    h(
      "section",
      { key: "place", class: "panel" },
      h("h2", {}, t("Where the table is")),
      h(
        "p",
        { class: "aside" },
        t(
          "Lay the printed sheet in the middle of the table, its lower edge towards seat 1. During a game it may lie on the cards.",
        ),
      ),
      sheet
        ? [
            waits(t("The sheet is seen. It waits for your tap: take this picture.")),
            verdict(sheet.findings),
            judged(sheet.findings),
          ]
        : h(
            "p",
            { class: "watching moving", role: "status" },
            h("i", { "aria-hidden": "true" }),
            h("span", {}, enrolment.seen?.line || t("Looking for the sheet…")),
          ),
      h(
        "p",
        { class: "row" },
        button(t("Take this picture"), findSheet, "gold large", {
          disabled: live.busy || !sheet,
          "data-test": "find-sheet",
        }),
        button(t("Mark its corners by hand"), showCorners, "", {
          disabled: live.busy,
          "data-test": "by-corners",
        }),
      ),
      sheet && figures(sheet.findings, sheet.advice),
    ),
    h(
      "section",
      { key: "known", class: "panel" },
      h("h3", {}, t("Current calibration")),
      known.view.findings
        ? [
            verdict(known.view.findings),
            judged(known.view.findings),
            figures(known.view.findings, known.view.advice),
          ]
        : h(
            "p",
            {},
            known.view.calibrated ? t("Only its scale is known.") : t("The table has not been found yet."),
          ),
      h(
        "p",
        { class: "row" },
        h(
          "a",
          {
            class: "button",
            href: "/art/print/calibration.pdf",
            target: "_blank",
            rel: "noopener",
            "data-test": "print-sheet",
          },
          t("Print the sheet"),
        ),
        screenSheetButton(),
        h(
          "span",
          { class: "aside" },
          t("At 100 % (actual size): its long black edge of seven squares measures 252 mm."),
        ),
      ),
      onward(next),
    ),
  ];
}

// What was measured and whether it will do: the camera's angle, and how large a piece is in the picture.
function judged({ tilt_deg: tilt, mm_per_px_centre: centre, mm_per_px_edge: edge }) {
  const px = (scale) => Math.round(PIECE_MM / scale);
  const line = (good, text) =>
    h(
      "li",
      { class: good ? "good" : "bad" },
      h("b", { "aria-hidden": "true" }, good ? "✓" : "✕"),
      h("span", {}, text),
    );
  const values = {
    angle: Math.round(tilt),
    most: STEEPEST_DEG,
    centre: px(centre),
    edge: px(edge),
    least: LEAST_PX,
  };
  const large = PIECE_MM / edge >= LEAST_PX;
  return h(
    "ul",
    { class: "sheet-findings", "data-test": "sheet-findings" },
    line(
      tilt <= STEEPEST_DEG,
      tilt <= STEEPEST_DEG
        ? t("The camera looks {angle}° off straight down; up to {most}° will do.", values)
        : t(
            "The camera looks too flat across the table: {angle}° off straight down, and {most}° is the most. Raise it.",
            values,
          ),
    ),
    line(
      large,
      large
        ? t(
            "A piece of 15 mm is {centre} pixels wide in the middle and {edge} at the table's edge; {least} are needed.",
            values,
          )
        : t(
            "Pieces are too small in the picture: {edge} pixels at the table's edge, and {least} are needed. Move the camera closer.",
            values,
          ),
    ),
  );
}

function foundStep() {
  const { findings, advice } = enrolment.found.sheet;
  return [
    h(
      "section",
      { key: "sheet", class: "panel" },
      h("h2", {}, t("Here is the sheet")),
      h("p", {}, t("The lines must lie on the edges of its squares.")),
      refusal(),
      verdict(findings),
      judged(findings),
      decide(t("Use this"), false),
      h(
        "p",
        { class: "row" },
        button(t("Try again"), findSheet, "", { disabled: live.busy }),
        button(t("Mark its corners by hand"), showCorners, "", { disabled: live.busy }),
        button(t("Keep it as it was"), back, "quiet"),
      ),
    ),
    lens(findings),
    h("section", { key: "figures", class: "panel" }, figures(findings, advice)),
  ];
}

function lens({ pictures, lens_measured: measured }) {
  const on = enrolment.watch?.what === "lens";
  return h(
    "section",
    { key: "lens", class: "panel" },
    h("h3", {}, t("Measure the lens, too")),
    h(
      "p",
      { class: "aside" },
      t(
        "Optional, but more accurate at the table's edge: hold the sheet at a tilt, now near one corner of the picture, now near another, and keep it still for a moment each time.",
      ),
    ),
    on
      ? [
          watchLine(),
          h(
            "p",
            { "aria-live": "polite" },
            tn(pictures, "{n} picture so far.", "{n} pictures so far."),
            " ",
            measured ? t("The lens is measured.") : t("The lens is not measured yet."),
          ),
        ]
      : null,
    h(
      "p",
      { class: "row" },
      on
        ? button(t("That is enough"), stop, "")
        : button(t("Take more pictures"), () => start(), "", { disabled: live.busy, "data-test": "lens" }),
    ),
  );
}

function start() {
  lookFor("lens");
}

function stop() {
  lookAway();
}

function cornersStep() {
  const found = enrolment.found.sheet;
  return h(
    "section",
    { key: "corners", class: "panel" },
    h("h2", {}, t("Mark the sheet's corners")),
    h(
      "p",
      {},
      t(
        "Drag the four rings onto the corners of the paper, until the lines lie on the squares. The thick gold edge is the one at seat 1.",
      ),
    ),
    refusal() ||
      (found
        ? [verdict(found.findings), judged(found.findings)]
        : h("p", { class: "aside", role: "status" }, t("Checking whether it fits…"))),
    decide(t("Use this"), !found),
    h(
      "p",
      { class: "row" },
      button(t("Turn it"), turn, "", { "data-test": "turn" }),
      button(t("New picture"), showCorners, "", { disabled: live.busy }),
      button(t("Keep it as it was"), back, "quiet"),
    ),
    found && figures(found.findings, found.advice),
  );
}

function keptStep(next) {
  // In a running game cards may lie on the table, so with pieces enrolled the empty table is kept on request
  // only.
  const takesEmpty = !known.view.empty_table && !known.view.kinds.some(({ specimens }) => specimens);
  return h(
    "section",
    { key: "kept", class: "panel" },
    takesEmpty ? h(AutoCapture, { what: "empty" }) : null,
    h("h2", {}, t("The table is found")),
    refusal(),
    verdict(known.view.findings),
    h("p", {}, t("Now put the sheet away. The game has not changed.")),
    emptyTable(),
    onward(next, Boolean(known.view.empty_table)),
    simulated("empty", t("Nothing")),
    h("p", { class: "row" }, button(t("Try again"), again, "quiet")),
    figures(known.view.findings, known.view.advice),
  );
}

function again() {
  enrolment.doing = "";
}

function decide(text, not) {
  return h(
    "p",
    { class: "row" },
    button(text, () => keep(), "gold large", { disabled: live.busy || not, "data-test": "keep" }),
  );
}
