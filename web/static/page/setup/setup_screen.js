// Renders Camera & table: the steps of the set-up. Each can be repeated during a game, which stays as it is.

import { CameraStep } from "./camera_step.js";
import { gamePage } from "../core/game_page.js";
import { listed, t } from "../core/text/i18n.js";
import { needed, steps } from "./needed_steps.js";
import { known, loadProfile } from "./profile.js";
import { enrolment, lookAway, lookNearer, mounted } from "./enrolment.js";
import { live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";
import { sheetStep } from "./sheet_step.js";
import { sight } from "./picture.js";
import { ui } from "../core/navigation.js";
import { piecesStep, tokensStep } from "./pieces_step.js";
import { CAMERA } from "../core/text/vocabulary.js";

// Renders each step; `next` follows it, the steps named in `open` are needed.
const SHOWN = {
  camera: (way) => h(CameraStep, way),
  sheet: sheetStep,
  pieces: piecesStep,
  cards: (way) => h(gamePage.setupSteps.cards, way),
  tokens: (way) => (gamePage.setupSteps.tokens ? h(gamePage.setupSteps.tokens, way) : tokensStep(way)),
  boards: (way) => h(gamePage.setupSteps.boards, way),
};
let shown = "";

// The step in the hash, otherwise the first one that is needed.
function step() {
  const asked = ui.path[1];
  const first = known.view?.calibrated ? (needed()[0] ?? "camera") : "camera";
  return steps().find(({ name }) => name === asked) ?? steps().find(({ name }) => name === (shown || first));
}

// The step that follows; after the last one the first.
function after(step) {
  const all = steps();
  return all[all.indexOf(step) + 1] ?? all[0];
}

// Render the screen: steps, picture and the current step.
export function SetupScreen() {
  const now = step();
  useEffect(() => {
    if (!known.loaded) loadProfile();
  }, [known.loaded]);
  useEffect(() => {
    if (!known.view) return;
    if (shown && shown !== now.name) lookAway();
    shown = now.name;
  }, [Boolean(known.view), now.name]);
  return [
    h(
      "nav",
      { key: "steps", class: "steps", "aria-label": t("Steps") },
      steps().map((one, number) => stepLink(one, number, now)),
    ),
    h(
      "section",
      { key: "seen", class: "setup-seen" },
      h("div", { key: "sight", class: "sight-frame", ref: mounted }),
      underPicture(),
    ),
    h(
      "section",
      { key: `step-${now.name}`, class: "setup-step" },
      known.view
        ? [everything(), SHOWN[now.name]({ next: after(now), open: needed() })]
        : h("p", { class: "panel" }, known.refusal || t("Loading the table's profile…")),
    ),
  ];
}

// Shown as soon as nothing more is needed for a game.
function everything() {
  if (live.view.director || needed().length) return null;
  const open = steps()
    .filter(({ done }) => !done())
    .map(({ text }) => text);
  const summary = open.length
    ? t("All that a game needs is set up. Still open, only for reading boards: {steps}.", {
        steps: listed(open),
      })
    : t("Everything is set up.");
  return h(
    "section",
    { key: "everything", class: "panel everything", role: "status" },
    h("p", { class: "verdict good" }, summary),
    h(
      "p",
      { class: "row" },
      h(
        "a",
        { class: "button gold large", href: "#new/camera", "data-test": "begin-game" },
        t("Begin a game"),
      ),
    ),
  );
}

// A link to a step, with a tick when it is done.
function stepLink({ name, text, done }, number, now) {
  const is = known.view && done();
  const label = is ? t("{step}: done", { step: text }) : text;
  return h(
    "a",
    {
      key: name,
      class: `step-link ${is ? "done" : ""}`,
      href: `#camera/${name}`,
      "aria-label": label,
      "aria-current": now.name === name ? "step" : null,
    },
    h("b", { "aria-hidden": "true" }, is ? "✓" : number + 1),
    h("span", {}, text),
  );
}

function underPicture() {
  const { state, message } = live.view.camera;
  const line =
    enrolment.active && state === "teaching"
      ? t("During set-up nothing is read; the game stays as it is.")
      : message;
  const nearer =
    enrolment.draft &&
    enrolment.doing !== "card" &&
    button(sight.near ? t("Whole picture") : t("Look closer"), lookNearer, "quiet");
  return [
    h(
      "p",
      { class: `state ${["no_camera", "hindered"].includes(state) ? "wrong" : ""}`, role: "status" },
      h("b", {}, t("Camera: {state}.", { state: CAMERA[state] ?? state })),
      " ",
      line,
    ),
    nearer && h("p", { class: "row" }, nearer),
  ];
}

addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#camera")) shown = "";
});
