// Renders the camera's status lamp and the live picture with the detections drawn in it.

import { t } from "../core/text/i18n.js";
import { live, send } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { carryOut, isHost, pauseCamera } from "../core/navigation.js";
import { h } from "../../vendor/preact.js";
import { CAMERA } from "../core/text/vocabulary.js";
import { useShownState } from "./lamp_state.js";

// ms from one preview request to the next.
const BETWEEN_PICTURES = 120;
const READY = t("ready"); // it watches, but there is no game to read
// the lamp is as wide as the longest of them, whatever it says
const LAMP_WORDS = [...Object.values(CAMERA), READY].join("\n");
const WHILE_REOPENED = 60_000; // ms in which the camera is opened again and what reads it is made ready

// Component: the lamp with the camera's state; for a host it is a button that pauses and resumes.
export function CameraLamp() {
  const { state, message } = live.view.camera;
  const paused = state === "paused";
  const shown = useShownState(state);
  const words = shown === "watching" && !live.game ? READY : CAMERA[shown];
  return h(
    "button",
    {
      type: "button",
      class: "lamp",
      "data-state": shown,
      title: message || t("Camera: {state}", { state: words }),
      disabled:
        live.view.you.role !== "host" || ["preparing", "teaching", "no_camera", "by_hand"].includes(state),
      "aria-label": paused
        ? t("Camera: {state}. Resume", { state: words })
        : t("Camera: {state}. Pause", { state: words }),
      onclick: () => pauseCamera(!paused),
    },
    h("i", { "aria-hidden": "true" }),
    h("span", { class: "lamp-word", "data-words": LAMP_WORDS }, words),
  );
}

// Render the live picture. For hosts only: it shows what is behind the players' screens.
export function picture() {
  if (live.view.you.role !== "host") return null;
  const { state, message, correction } = live.view.camera;
  return h(
    "figure",
    { class: "picture" },
    h("canvas", {
      width: 1280,
      height: 720,
      role: "img",
      "aria-label": t("The table as the camera sees it"),
      ref: follow,
    }),
    message && !correction
      ? h(
          "figcaption",
          { class: ["no_camera", "needs_you", "hindered"].includes(state) ? "wrong" : "" },
          message,
          state === "hindered" ? [" ", h("a", { href: "#camera" }, t("Camera & table"))] : null,
        )
      : null,
  );
}

// Render the offer to correct a picture that is upside down, on its side or mirrored; null if it is none of
// these.
export function correctionPanel() {
  const { message, correction } = live.view.camera;
  if (!correction || !isHost()) return null;
  return h(
    "div",
    {
      key: "correction",
      class: "proposal correction",
      role: "group",
      "aria-label": t("The camera's picture"),
    },
    h("p", { class: "question", role: "status" }, message),
    h(
      "div",
      { class: "answers" },
      button(correction.mirrored ? t("Mirror it") : t("Turn it"), correctPicture, "gold large", {
        disabled: live.busy,
        "data-test": "correct-picture",
      }),
    ),
  );
}

function correctPicture() {
  return carryOut(send("teach_correct_picture", {}, WHILE_REOPENED));
}

// Keep drawing the newest picture while the canvas is on the page, one request at a time.
async function follow(canvas) {
  if (!canvas) return;
  const pen = canvas.getContext("2d");
  let mark = null;
  while (canvas.isConnected) {
    try {
      if (!document.hidden && live.connected) mark = await drawNewest(canvas, pen, mark);
    } catch {
      // Retried shortly; the lamp and the connection band already show what is wrong.
    }
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_PICTURES));
  }
}

async function drawNewest(canvas, pen, mark) {
  const response = await fetch("/preview.jpg");
  const newMark = response.headers.get("ETag");
  canvas.classList.toggle("empty", response.status !== 200);
  if (response.status !== 200 || (mark && newMark === mark)) return mark;
  const bitmap = await createImageBitmap(await response.blob());
  if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
  }
  pen.drawImage(bitmap, 0, 0);
  bitmap.close();
  return newMark;
}
