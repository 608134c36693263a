// The camera's lamp, and the live picture with what was read in it.

import { t } from "./i18n.js";
import { pauseCamera } from "./stage.js";
import { live } from "./live.js";
import { h } from "./render.js";
import { CAMERA } from "./words.js";

const BETWEEN_PICTURES = 120;

export function camera(view) {
  const { state, message } = view.camera;
  const paused = state === "paused";
  return h(
    "button",
    {
      type: "button",
      class: `lamp ${state}`,
      title: message || t("Camera: {state}", { state: CAMERA[state] }),
      disabled: view.you.role !== "host" || ["preparing", "teaching", "no_camera"].includes(state),
      "aria-label": paused ? t("Camera: {state}. Go on", { state: CAMERA[state] }) : t("Camera: {state}. Pause", { state: CAMERA[state] }),
      onclick: () => pauseCamera(!paused),
    },
    h("i", { "aria-hidden": "true" }),
    h("span", {}, CAMERA[state]),
  );
}

// Only hosts see the picture: it shows what lies behind the players' screens.
export function picture() {
  if (live.view.you.role !== "host") return null;
  const { state, message } = live.view.camera;
  return h(
    "figure",
    { class: "picture" },
    h("canvas", { opaque: true, width: 1280, height: 720, role: "img", "aria-label": t("The table as the camera sees it"), mount: follow }),
    message ? h("figcaption", { class: ["no_camera", "needs_you", "hindered"].includes(state) ? "wrong" : "" }, message, state === "hindered" ? [" ", h("a", { href: "#camera" }, t("Camera & table"))] : null) : null,
  );
}

// Draw the newest picture again and again while this canvas is on the page, one request at a time.
async function follow(canvas) {
  const pen = canvas.getContext("2d");
  let mark = null;
  while (canvas.isConnected) {
    try {
      if (!document.hidden && live.connected) mark = await drawNewest(canvas, pen, mark);
    } catch {
      // The next one comes in a moment; the lamp and the line about the connection say what is wrong.
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
