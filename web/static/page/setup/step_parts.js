// Renders what the set-up steps share: errors, the link to the next step, the state of auto-capture, the
// offer to photograph the empty table, and the simulated table's choice.

import { t } from "../core/text/i18n.js";
import { enrolment, finish, keepEmptyTable, layOut, lookAway, lookFor } from "./enrolment.js";
import { known } from "./profile.js";
import { live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";

// Render the last error.
export function refusal() {
  return enrolment.refusal && h("p", { class: "refusal", role: "alert" }, enrolment.refusal);
}

// Render the link to the next step, {name, text}, and, in set-up mode, the button that ends it. done: nothing
// is left to do in this step.
export function onward(next, done = false, text = named(next)) {
  return h(
    "p",
    { key: "onward", class: "row onward" },
    h(
      "a",
      { class: `button ${done ? "gold large" : ""}`, href: `#camera/${next.name}`, "data-test": "next" },
      text,
    ),
    enrolment.active &&
      button(t("Done: resume reading"), finish, "quiet", { disabled: live.busy, "data-test": "finish" }),
  );
}

// The last step leads back to the first.
function named({ name, text }) {
  return name === "camera" ? t("Back to the camera") : t("Next: {step}", { step: text });
}

const STATES = {
  moving: t("Something is moving: hold still."),
  hands: t("Take your hands away."),
  still: t("The picture is still."),
  taken: t("The picture is taken."),
};

// Component: keeps auto-capture on for what a step waits for while it is shown; renders nothing.
export function AutoCapture({ what }) {
  const { watch } = enrolment;
  // Each time: the step before may have ended its own capture after this one began.
  useEffect(() => {
    if (watch?.what !== what) lookFor(what);
  });
  return null;
}

// Render what auto-capture is waiting for, in one line of constant height.
export function watchLine() {
  const { seen } = enrolment;
  const state = seen?.state ?? "moving";
  return h(
    "div",
    { key: "watch", class: `watching ${state}`, role: "status" },
    h("i", { "aria-hidden": "true" }),
    h("p", {}, h("b", {}, seen ? STATES[state] : t("Looking…")), " ", seen?.line ?? ""),
  );
}

// Render the offer to keep a picture of the empty table: pieces on a patterned cloth are found by their
// difference from it. then: called once it is kept.
export function emptyTable(then = lookAway) {
  if (known.view.empty_table)
    return h(
      "p",
      { key: "bare", class: "aside", role: "status" },
      t("The empty table is saved: pieces stand out from it."),
    );
  const waits = enrolment.watch?.what === "empty";
  return [
    h(
      "p",
      { key: "bare" },
      t(
        "Leave the middle empty for a moment: a picture of the empty table makes pieces easier to find, above all on a patterned cloth.",
      ),
    ),
    waits ? watchLine() : null,
    h(
      "p",
      { key: "bare-now", class: "row" },
      button(t("The table is empty now"), () => keepEmptyTable(false, then), "", {
        disabled: live.busy,
        "data-test": "empty-table",
      }),
      enrolment.occupied
        ? button(t("It is empty: take the picture anyway"), () => keepEmptyTable(true, then), "quiet", {
            key: "anyway",
            disabled: live.busy,
            "data-test": "empty-anyway",
          })
        : null,
    ),
  ];
}

// What a step waits for while the camera does not look by itself, in the same place.
export function waits(text) {
  return h(
    "p",
    { key: "waits", class: "watching", role: "status" },
    h("i", { "aria-hidden": "true" }),
    h("span", {}, text),
  );
}

export function simulated(what, text) {
  if (!live.view.director) return null;
  const lay = (one, words, test) =>
    h(
      "button",
      {
        type: "button",
        class: "segment",
        "aria-pressed": String(enrolment.laid === one && enrolment.active === (one !== null)),
        disabled: live.busy,
        "data-test": test,
        onclick: () => layOut(one),
      },
      words,
    );
  return h(
    "section",
    { key: "simulated", class: "panel simulated" },
    h("p", { class: "aside" }, t("This is the simulated table. What should lie on it?")),
    h("div", { class: "segments" }, lay(what, text, "lay"), lay(null, t("The game"), "lay-game")),
  );
}
