// Renders what the set-up steps share: errors, the link to the next step, the state of auto-capture, and the
// simulated table's choice.

import { t } from "../core/i18n.js";
import { finish, layOut, enrolment } from "./enrolment.js";
import { live } from "../core/live.js";
import { button } from "../core/components.js";
import { h } from "../../vendor/preact.js";

// Render the last error.
export function refusal() {
  return enrolment.refusal && h("p", { class: "refusal", role: "alert" }, enrolment.refusal);
}

// Render the link to the next step and, in set-up mode, the button that ends it. done: nothing is left to do
// in this step.
export function onward(next, text, done = false) {
  return h(
    "p",
    { key: "onward", class: "row onward" },
    h(
      "a",
      { class: `button ${done ? "gold large" : ""}`, href: `#camera/${next}`, "data-test": "next" },
      text,
    ),
    enrolment.active &&
      button(t("Done: resume reading"), finish, "quiet", { disabled: live.busy, "data-test": "finish" }),
  );
}

const STATES = {
  moving: t("Something is moving: hold still."),
  hands: t("Take your hands away."),
  still: t("The picture is still."),
  taken: t("The picture is taken."),
};

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
