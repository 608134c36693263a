// Renders the camera step of the set-up: choose a camera, and turn or mirror its picture.

import { t } from "../core/text/i18n.js";
import { known, loadProfile } from "./profile.js";
import { isCameraMissing } from "./needed_steps.js";
import { change, enrolment } from "./enrolment.js";
import { WHILE_CHANGED_OVER, ask, live, send } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";
import { store } from "../core/store.js";
import { carryOut } from "../core/navigation.js";
import { onward, refusal, waits } from "./step_parts.js";

const cameras = store({ view: null, asked: false });

// Component: the step.
export function CameraStep({ next }) {
  const simulated = Boolean(live.view.director);
  useEffect(() => {
    if (!simulated && !cameras.asked) load();
  }, [simulated, cameras.asked]);
  if (simulated) {
    return [
      h(
        "section",
        { key: "camera", class: "panel" },
        h("h2", {}, t("The camera")),
        h(
          "p",
          {},
          t("This is the simulated table: it has a camera of its own, and you can try every step on it."),
        ),
        h(
          "p",
          { class: "row" },
          button(t("Use a camera of this machine"), useCamera, "", {
            disabled: live.busy,
            "data-test": "use-camera",
          }),
          h("span", { class: "aside" }, t("The demonstration ends, and your own table is set up.")),
        ),
        onward(next, true),
      ),
    ];
  }
  const { view } = cameras;
  return [
    refusal(),
    h(
      "section",
      { key: "camera", class: "panel" },
      h("h2", {}, t("The camera")),
      h(
        "p",
        { class: "aside" },
        t(
          "Mount it above the middle of the table, high enough that everybody's open hands are in the picture.",
        ),
      ),
      view ? choices(view) : h("p", {}, t("Looking for cameras…")),
      view?.message && h("p", { class: "aside" }, view.message),
      view?.current === "phone" && "phone" in document.body.dataset
        ? h("img", {
            class: "code",
            src: "/camera/qr.svg",
            alt: t("QR code that opens the camera page on a phone"),
          })
        : null,
      view?.lens
        ? h(
            "p",
            { class: "aside" },
            t("The phone uses this lens: {lens}. Choose another one on the phone.", {
              lens: view.lens,
            }),
          )
        : null,
      view && correctionButtons(view),
      known.view.size &&
        !known.view.calibrated &&
        enrolment.unread &&
        h("p", { class: "verdict bad" }, enrolment.unread),
      waits(cameraWaits()),
      onward(next, known.view.sheet && !isCameraMissing() && !known.view.calibrated),
    ),
  ];
}

function cameraWaits() {
  const { state, message } = live.view.camera;
  if (isCameraMissing()) return message || t("It waits for a camera: choose one.");
  return state === "preparing"
    ? t("The camera is being opened…")
    : t("The camera's picture is there. Is the whole table in it, the right way round?");
}

async function useCamera() {
  if (!(await carryOut(send("use_camera", {}, WHILE_CHANGED_OVER)))) return;
  cameras.asked = false;
  await loadProfile();
}

function choices(view) {
  return [
    h(
      "div",
      { class: "camera-list", role: "radiogroup", "aria-label": t("Camera") },
      view.offered.map(({ name, title }) =>
        h(
          "button",
          {
            key: name,
            type: "button",
            role: "radio",
            class: "segment",
            "aria-checked": String(view.current === name),
            disabled: live.busy,
            onclick: () => choose(name),
          },
          h("span", {}, name === "phone" ? t("A phone") : title),
        ),
      ),
    ),
    h("p", { class: "row" }, button(t("Look for cameras again"), load, "quiet")),
  ];
}

function correctionButtons({ quarters, mirrored }) {
  return h(
    "div",
    { class: "row", role: "group", "aria-label": t("Correct the picture") },
    button(t("Turn it"), () => correct({ quarters: (quarters + 1) % 4, mirrored }), "", {
      disabled: live.busy,
      "data-test": "turn-picture",
    }),
    button(t("Mirror it"), () => correct({ quarters, mirrored: !mirrored }), "", {
      disabled: live.busy,
      "aria-pressed": String(mirrored),
      "data-test": "mirror-picture",
    }),
    h(
      "span",
      { class: "aside" },
      quarters ? t("Turned by {angle}°.", { angle: 90 * quarters }) : t("Not turned."),
    ),
  );
}

async function load() {
  cameras.asked = true;
  try {
    cameras.view = await ask("/api/teaching/cameras");
  } catch (error) {
    enrolment.refusal = error.message;
  }
}

async function choose(name) {
  if (name !== cameras.view.current && (await change("teach_choose_camera", { name }))) load();
}

async function correct(turn) {
  if (await change("teach_turn_picture", turn)) load();
}
