// What every step of teaching shows: refusals, the way on, what the camera sees, and what lies on a simulated
// table.

import { t } from "../core/i18n.js";
import { finish, layOut, lesson } from "./lesson.js";
import { live } from "../core/live.js";
import { button } from "../core/parts.js";
import { h } from "../core/render.js";

export function refusal() {
  return lesson.refusal && h("p", { class: "refusal", role: "alert" }, lesson.refusal);
}

// To the next step; where the table is being taught, also the way back to reading.
// done: nothing is left to do in this one.
export function onward(next, text, done = false) {
  return h(
    "p",
    { key: "onward", class: "row onward" },
    h(
      "a",
      { class: `button ${done ? "gold large" : ""}`, href: `#camera/${next}`, "data-test": "next" },
      text,
    ),
    lesson.teaching &&
      button(t("Done: read again"), finish, "quiet", { disabled: live.busy, "data-test": "finish" }),
  );
}

const STATES = {
  moving: t("Something moves: hold still."),
  hands: t("Take your hands away."),
  still: t("The picture rests."),
  taken: t("The picture is taken."),
};

// What the camera waits for, in one line that stays in its place.
export function watchLine() {
  const { seen } = lesson;
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
        "aria-pressed": String(lesson.laid === one && lesson.teaching === (one !== null)),
        disabled: live.busy,
        "data-test": test,
        onclick: () => layOut(one),
      },
      words,
    );
  return h(
    "section",
    { key: "simulated", class: "panel simulated" },
    h("p", { class: "aside" }, t("This is the simulated table. What shall lie on it?")),
    h("div", { class: "segments" }, lay(what, text, "lay"), lay(null, t("The game"), "lay-game")),
  );
}
