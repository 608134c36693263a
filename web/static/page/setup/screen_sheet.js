// The calibration sheet on a screen that is laid on the table: its size is checked with a bank card and kept
// on this device, and the picture is taken by itself once the sheet is seen at rest.

import { t } from "../core/text/i18n.js";
import { findSheet, enrolment } from "./enrolment.js";
import { live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { store } from "../core/store.js";
import { viewport } from "../core/device/viewport.js";
import { effect, untracked } from "../../vendor/preact-signals.js";

const KEPT = "companion.px_per_mm";
const PAPER_MM = [297, 210]; // of the drawn sheet, its squares in the middle
const SQUARES_MM = [252, 180];
const RIM_MM = 4; // of white that has to be seen round the squares
const CARD_MM = [85.6, 53.98]; // any bank card (ISO/IEC 7810 ID-1)
const USUAL = 96 / 25.4; // px per mm, as browsers take it
const [LEAST, MOST] = [2, 10]; // px per mm that a screen may have
const RESTS = 2500; // ms for which the sheet has to be seen before its picture is taken

// what: "" (closed), "size" or "sheet"; scale: px per mm.
const screen = store({ what: "", scale: kept() ?? USUAL });
// Time in ms since when the sheet has been detected without a break; 0 while it is not.
let detectedSince = 0;

function kept() {
  try {
    const scale = Number(localStorage.getItem(KEPT));
    return scale >= LEAST && scale <= MOST ? scale : null;
  } catch {
    return null;
  }
}

export function screenSheetButton() {
  return button(t("Show the sheet on this screen"), open, "", { "data-test": "screen-sheet" });
}

// Component: what lies over the page while the sheet is shown or measured; nothing while it is closed.
export function ScreenSheet() {
  if (!screen.what) return null;
  return h(
    "dialog",
    {
      key: "screen-sheet",
      class: `screen-sheet ${screen.what}`,
      "aria-label": t("The sheet on this screen"),
      ref: show,
      oncancel: close,
    },
    screen.what === "size" ? sizing() : sheet(),
  );
}

function open() {
  screen.what = kept() && fits() ? "sheet" : "size";
  detectedSince = 0;
}

function show(node) {
  if (!node) return;
  node.showModal();
  // some browsers have none: then the window is used
  document.documentElement.requestFullscreen?.().catch(() => null);
}

function close(event) {
  event?.preventDefault();
  screen.what = "";
  if (document.fullscreenElement) document.exitFullscreen();
}

// How much of the table this screen covers, mm.
function size() {
  return [viewport.width / screen.scale, viewport.height / screen.scale];
}

function fits() {
  return size().every((side, at) => side >= SQUARES_MM[at] + 2 * RIM_MM);
}

function sizing() {
  const [width, height] = CARD_MM.map((side) => `${side * screen.scale}px`);
  const [across, down] = size().map(Math.round);
  const change = (event) => {
    screen.scale = Number(event.target.value);
  };
  return [
    h("h2", {}, t("How large is this screen?")),
    h(
      "p",
      {},
      t(
        "Hold a bank card against the outline and move the slider until both are equally large. It is kept on this device.",
      ),
    ),
    h(
      "div",
      { class: "card-holder" },
      h(
        "div",
        { class: "card-outline", style: { width, height } },
        h("span", {}, t("bank card, {width} mm", { width: CARD_MM[0] })),
      ),
    ),
    h("input", {
      type: "range",
      class: "slider",
      min: LEAST,
      max: MOST,
      step: 0.01,
      value: screen.scale,
      oninput: change,
      "aria-label": t("Size of the outline"),
      "data-test": "screen-size",
    }),
    h(
      "p",
      { class: `verdict ${fits() ? "good" : "bad"}`, role: "status", "data-test": "screen-fits" },
      fits()
        ? t("This screen is {across} × {down} mm: the sheet fits.", { across, down })
        : t(
            "This screen is {across} × {down} mm, and the sheet needs {width} × {height} mm. Turn it, take a larger one, or print the sheet.",
            { across, down, width: SQUARES_MM[0] + 2 * RIM_MM, height: SQUARES_MM[1] + 2 * RIM_MM },
          ),
    ),
    h(
      "p",
      { class: "aside" },
      t(
        "Then lay the screen flat in the middle of the table, at medium brightness. The picture is taken by itself; a tap on the sheet leaves it.",
      ),
    ),
    h(
      "p",
      { class: "row" },
      button(t("Show the sheet"), keep, "gold large", { disabled: !fits(), "data-test": "screen-show" }),
      button(t("Back"), () => close(), "quiet"),
    ),
  ];
}

function keep() {
  try {
    localStorage.setItem(KEPT, String(screen.scale));
  } catch {
    // A browser that keeps nothing asks anew the next time.
  }
  screen.what = "sheet";
}

function sheet() {
  const [width, height] = PAPER_MM.map((side) => `${side * screen.scale}px`);
  return h(
    "button",
    { type: "button", class: "sheet-itself", onclick: () => close(), "aria-label": t("Leave the sheet") },
    h("img", { src: "/art/calibration.svg", alt: t("Calibration sheet"), style: { width, height } }),
  );
}

// Nobody can tap without a hand in the picture, so a sheet that stays detected is captured. Runs with every
// result of auto-capture.
effect(() => {
  if (screen.what !== "sheet" || !enrolment.seen?.sheet || live.busy) {
    detectedSince = 0;
    return;
  }
  detectedSince ||= performance.now();
  if (performance.now() - detectedSince < RESTS) return;
  untracked(() => {
    close();
    findSheet();
  });
});
