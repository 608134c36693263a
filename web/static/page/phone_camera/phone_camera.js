// Page that turns a phone into the camera: opens the chosen lens (the rear camera by default) and streams
// JPEG pictures, sending the next one only when the companion has acknowledged the last.

import { t } from "../core/text/i18n.js";
import { keepLens, keptLens, listLenses } from "./lenses.js";
import { io } from "../../vendor/socket.io.esm.min.js";

const SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };
// px
const LONGEST_SIDE = 1920;
// JPEG quality, 0 to 1.
const QUALITY = 0.9;
// ms from one picture to the next, at least.
const BETWEEN = 100;
// ms until an unacknowledged picture counts as lost.
const ANSWER_WITHIN = 5000;
// ms before the next attempt after a failure.
const RETRY_AFTER = 1500;
// ms without a new video frame after which the camera counts as frozen.
const FROZEN_AFTER = 3000;

const body = document.body;
const sight = document.getElementById("sight");
const line = document.getElementById("line");
const figures = document.getElementById("figures");
const button = document.getElementById("start");
const lensField = document.getElementById("lens-field");
const lensList = document.getElementById("lens");
const canvas = document.createElement("canvas");
const pen = canvas.getContext("2d", { alpha: false });

let socket = null;
let stream = null;
let awake = null;
let lens = null; // {id, name} of the open camera
let run = 0; // grows with every start and stop; odd while running; a stale value ends an old loop
// Times in ms of the pictures acknowledged in the last three seconds.
let ackedAt = [];
let fresh = false; // a new video frame has arrived since the last one was sent
let freshAt = 0;

// Show a state ("off", "starting", "sending", "wrong") and its line of text.
function showState(state, text) {
  body.dataset.state = state;
  if (line.textContent !== text) line.textContent = text;
  body.classList.toggle("running", run % 2 === 1);
  button.textContent = run % 2 ? t("Stop") : t("Use as camera");
  if (state !== "sending") figures.textContent = "";
}

const NO_CAMERA = t("This device has no camera that the browser can use. Open this page on a phone.");
const TAKEN = t("Another app is using the camera. Close it, then start again.");
// What to do about a rejected getUserMedia(), by the name of its error.
const CAMERA_ERRORS = {
  NotAllowedError: t(
    "This page is not allowed to use the camera. Allow it in the browser's settings for this page, then start again.",
  ),
  NotFoundError: NO_CAMERA,
  OverconstrainedError: NO_CAMERA,
  NotReadableError: TAKEN,
  AbortError: TAKEN,
};

function cameraError({ name }) {
  return CAMERA_ERRORS[name] ?? t("The camera cannot be opened. Reload the page and start again.");
}

async function start() {
  if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) {
    showState(
      "wrong",
      t("Browsers allow the camera only on https pages. Open the address that the companion shows."),
    );
    return;
  }
  const mine = ++run;
  freshAt = performance.now();
  showState("starting", t("Opening the camera…"));
  try {
    await openCamera();
  } catch (error) {
    if (mine !== run) return;
    stop();
    showState("wrong", cameraError(error));
    return;
  }
  if (mine !== run) {
    closeCamera();
    return;
  }
  keepAwake();
  connect();
  send(mine);
}

function stop() {
  run += 1;
  socket?.disconnect();
  socket = null;
  closeCamera();
  awake?.release().catch(() => {});
  awake = null;
  showState("off", t("Stopped. No pictures are sent."));
}

async function openCamera() {
  const kept = keptLens();
  await openLens(kept?.id);
  const lenses = await listLenses();
  // Some browsers assign new device ids in each session: then the camera is found again by its label.
  const again = kept && kept.name !== lens.name ? lenses.find(({ name }) => name === kept.name) : null;
  if (again) await openLens(again.id);
  keepLens(lens);
  showLenses(lenses);
  sendLensName();
}

async function openLens(id) {
  closeCamera();
  const open = (which) =>
    navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { ...SIZE, ...which, frameRate: { ideal: 15 } },
    });
  const rear = { facingMode: { ideal: "environment" } };
  try {
    stream = await open(id ? { deviceId: { exact: id } } : rear);
  } catch (error) {
    if (!id || !["OverconstrainedError", "NotFoundError"].includes(error.name)) throw error;
    stream = await open(rear);
  }
  const [track] = stream.getVideoTracks();
  lens = { id: track.getSettings().deviceId ?? "", name: track.label };
  sight.srcObject = stream;
  await sight.play();
  body.classList.add("seeing");
}

function showLenses(lenses) {
  lensField.hidden = lenses.length < 2;
  lensList.replaceChildren(...lenses.map(({ id, name }) => new Option(name, id, false, id === lens.id)));
}

async function chooseLens() {
  const [chosen] = lensList.selectedOptions;
  if (!chosen || run % 2 === 0) return;
  keepLens({ id: chosen.value, name: chosen.text });
  const mine = run;
  try {
    await openCamera();
  } catch (error) {
    if (mine === run) showState("wrong", cameraError(error));
  }
  if (mine !== run) closeCamera();
}

function sendLensName() {
  if (socket?.connected) socket.emit("lens", lens?.name ?? "");
}

function closeCamera() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  sight.srcObject = null;
  body.classList.remove("seeing");
}

// Without the Wake Lock API the screen may go dark; advice() then warns about it.
async function keepAwake() {
  try {
    awake = await navigator.wakeLock.request("screen");
  } catch {
    awake = null;
  }
}

function connect() {
  // Polling first: some browsers refuse a WebSocket to a host whose certificate was accepted by hand.
  socket = io({
    path: body.dataset.channel,
    reconnectionDelay: 300,
    reconnectionDelayMax: 2000,
    timeout: 5000,
  });
  socket.on("connect", sendLensName);
  socket.on("connect_error", (error) => {
    if (socket && !socket.active) showState("wrong", error.message);
  });
}

async function send(mine) {
  ackedAt = [];
  while (mine === run) {
    const began = performance.now();
    if (stream?.getVideoTracks()[0]?.readyState !== "live") await reopen(mine);
    else if (!socket.connected) {
      if (body.dataset.state !== "wrong")
        showState("starting", t("Connecting to the companion. This page keeps trying."));
      if (!socket.active) {
        // Rejected by the server: Socket.IO does not reconnect by itself then.
        await sleep(RETRY_AFTER);
        if (mine === run) socket.connect();
      }
    } else if (!document.hidden) await sendOne(mine);
    await sleep(BETWEEN - (performance.now() - began));
  }
}

async function reopen(mine) {
  showState("starting", t("The camera was interrupted. Opening it again…"));
  try {
    await openCamera();
  } catch (error) {
    if (mine === run) showState("wrong", cameraError(error));
    await sleep(RETRY_AFTER);
  }
}

async function sendOne(mine) {
  const picture = await photograph();
  if (mine !== run) return;
  if (picture === null) {
    if (performance.now() - freshAt > FROZEN_AFTER)
      showState(
        "wrong",
        t("The camera sends no new pictures. Close other apps that use it, or stop and start again."),
      );
    return;
  }
  let answer;
  try {
    answer = await socket.timeout(ANSWER_WITHIN).emitWithAck("picture", picture);
  } catch {
    return; // lost with the connection; the next one follows shortly
  }
  if (mine !== run) return;
  if (answer.ok) showRate(picture.byteLength);
  else {
    showState("wrong", answer.message);
    await sleep(RETRY_AFTER);
  }
}

// Record new video frames: a frozen frame, as during a phone call, must not be sent as the present table.
function onVideoFrame() {
  fresh = true;
  freshAt = performance.now();
  sight.requestVideoFrameCallback?.(onVideoFrame);
}

// Return the newest frame as JPEG bytes, or null while there is no new one.
async function photograph() {
  if (sight.requestVideoFrameCallback) {
    if (!fresh) return null;
    fresh = false;
  }
  const { videoWidth, videoHeight } = sight;
  if (!videoWidth || !videoHeight || sight.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return null;
  const scale = Math.min(1, LONGEST_SIDE / Math.max(videoWidth, videoHeight));
  const width = Math.round(videoWidth * scale);
  const height = Math.round(videoHeight * scale);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  pen.drawImage(sight, 0, 0, width, height);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  return blob ? blob.arrayBuffer() : null;
}

function showRate(bytes) {
  const now = performance.now();
  ackedAt = [...ackedAt, now].filter((at) => now - at < 3000);
  const rate = ackedAt.length > 1 ? ((ackedAt.length - 1) * 1000) / (now - ackedAt[0]) : 0;
  showState("sending", advice());
  figures.textContent = t("{width}×{height}, {rate} pictures per second, {size} kB each", {
    width: canvas.width,
    height: canvas.height,
    rate: rate.toFixed(0),
    size: Math.round(bytes / 1024),
  });
}

function advice() {
  if (canvas.height > canvas.width)
    return t("Sending pictures. Turn the phone: its long side belongs along the table.");
  if (!awake || awake.released) return t("Sending pictures. In the phone's settings, keep the screen on.");
  return t("Sending pictures. Leave this page open and in front.");
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}

onVideoFrame();
lensList.addEventListener("change", chooseLens);
button.addEventListener("click", () => (run % 2 ? stop() : start()));
document.addEventListener("visibilitychange", () => {
  // The browser releases the wake lock whenever the page is hidden.
  if (!document.hidden && run % 2) keepAwake();
});
