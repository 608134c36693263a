// Page that turns a phone into the camera: opens the chosen lens (the rear camera by default) and streams
// JPEG pictures, sending the next one only when the companion has acknowledged the last.

import { language, t } from "../core/text/i18n.js";
import { keepLens, keptLens, listLenses } from "./lenses.js";
import { io } from "../../vendor/socket.io.esm.min.js";

const SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };
// px
const LONGEST_SIDE = 1920;
// JPEG quality, 0 to 1.
const QUALITY = 0.9;
// ms from one picture to the next, at least.
const BETWEEN = 100;
// ms until a connection without an acknowledgement is replaced. A slow network takes seconds for a picture.
const ANSWER_WITHIN = 15_000;
// ms between two messages that there is no new picture.
const IDLE_EVERY = 1000;
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
let chosen = null; // {id, name} of the camera to open next
let refusal = ""; // why the companion refused the connection, "" if it did not
let run = 0; // grows with every start and stop; odd while running; a stale value ends an old loop
// Times in ms of the pictures acknowledged in the last three seconds.
let ackedAt = [];
let fresh = false; // a new video frame has arrived since the last acknowledgement
let freshAt = 0;
// Identifies this page, so that the companion replaces its lost connection when it reconnects.
const page = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
  byte.toString(16).padStart(2, "0"),
).join("");

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
    await openCamera(mine);
  } catch (error) {
    if (mine === run) stop("wrong", cameraError(error));
    return;
  }
  if (mine !== run) return;
  keepAwake();
  connect();
  send(mine);
}

// Stop, and show this state with its line of text.
function stop(state, text) {
  run += 1;
  socket?.disconnect();
  socket = null;
  closeCamera();
  awake?.release().catch(() => {});
  awake = null;
  showState(state, text);
}

// Open the chosen camera, else the kept one. Only start() and then the loop in send() call this, so that no
// camera is opened twice at a time.
async function openCamera(mine) {
  const kept = chosen ?? keptLens();
  chosen = null;
  if (!(await openLens(kept?.id, mine))) return;
  const lenses = await listLenses();
  // Some browsers assign new device ids in each session: then the camera is found again by its label.
  const again = kept && kept.name !== lens.name ? lenses.find(({ name }) => name === kept.name) : null;
  if (again && !(await openLens(again.id, mine))) return;
  if (mine !== run) return;
  if (!chosen) keepLens(lens);
  showLenses(lenses);
  sendLensName();
}

// Open a camera by its id, or the rear camera; return false if the page was stopped meanwhile.
async function openLens(id, mine) {
  closeCamera();
  const open = (which) =>
    navigator.mediaDevices.getUserMedia({
      audio: false,
      video: { ...SIZE, ...which, frameRate: { ideal: 15 } },
    });
  const rear = { facingMode: { ideal: "environment" } };
  let opened;
  try {
    opened = await open(id ? { deviceId: { exact: id } } : rear);
  } catch (error) {
    if (!id || mine !== run || !["OverconstrainedError", "NotFoundError"].includes(error.name)) throw error;
    opened = await open(rear);
  }
  if (mine !== run) {
    stopTracks(opened);
    return false;
  }
  stream = opened;
  const [track] = stream.getVideoTracks();
  lens = { id: track.getSettings().deviceId ?? "", name: track.label };
  sight.srcObject = stream;
  await sight.play();
  if (mine !== run) return false;
  body.classList.add("seeing");
  return true;
}

function showLenses(lenses) {
  lensField.hidden = lenses.length < 2;
  const { id: shown } = chosen ?? lens;
  lensList.replaceChildren(...lenses.map(({ id, name }) => new Option(name, id, false, id === shown)));
}

// Have the loop in send(), or the next start, open the chosen lens.
function chooseLens() {
  const [option] = lensList.selectedOptions;
  if (!option) return;
  chosen = { id: option.value, name: option.text };
  keepLens(chosen);
}

function sendLensName() {
  if (socket?.connected) socket.emit("lens", lens?.name ?? "");
}

function stopTracks(opened) {
  for (const track of opened?.getTracks() ?? []) track.stop();
}

function closeCamera() {
  stopTracks(stream);
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
    auth: { page },
    // Not every browser sends Accept-Language with a WebSocket.
    query: { language: language.slice(0, 2) },
    reconnectionDelay: 300,
    reconnectionDelayMax: 2000,
    timeout: 5000,
  });
  refusal = "";
  socket.on("connect", () => {
    refusal = "";
    sendLensName();
  });
  socket.on("connect_error", (error) => {
    refusal = socket && !socket.active ? error.message : "";
  });
}

async function send(mine) {
  ackedAt = [];
  while (mine === run) {
    const began = performance.now();
    if (chosen || stream?.getVideoTracks()[0]?.readyState !== "live") await reopen(mine);
    else if (!socket.connected) {
      if (refusal) showState("wrong", refusal);
      else showState("starting", t("Connecting to the companion. This page keeps trying."));
      if (!socket.active) {
        // Rejected by the server: Socket.IO does not reconnect by itself then.
        await sleep(RETRY_AFTER);
        if (mine === run) socket.connect();
      }
    } else if (document.hidden) await sendIdle();
    else await sendOne(mine);
    await sleep(BETWEEN - (performance.now() - began));
  }
}

async function reopen(mine) {
  showState(
    "starting",
    chosen ? t("Opening the camera…") : t("The camera was interrupted. Opening it again…"),
  );
  try {
    await openCamera(mine);
  } catch (error) {
    if (mine !== run) return;
    // Trying again would ask for permission again and again.
    if (error.name === "NotAllowedError") stop("wrong", cameraError(error));
    else {
      showState("wrong", cameraError(error));
      await sleep(RETRY_AFTER);
    }
  }
}

async function sendOne(mine) {
  const connection = socket.id;
  const picture = await photograph();
  // Of a connection lost meanwhile, Socket.IO would send the picture later on the next one, when it is old.
  if (mine !== run || socket.id !== connection) return;
  if (picture === null) {
    if (performance.now() - freshAt > FROZEN_AFTER) {
      showState(
        "wrong",
        t("The camera sends no new pictures. Close other apps that use it, or stop and start again."),
      );
      await sendIdle();
    }
    return;
  }
  const answer = await ask("picture", picture);
  fresh = false;
  if (mine !== run || !answer) return;
  if (answer.ok) showRate(picture.byteLength);
  else {
    showState("wrong", answer.message);
    await sleep(RETRY_AFTER);
    if (mine === run && socket.connected) await ask("idle");
  }
}

// Tell the companion that there is no new picture, so that it does not wait for one.
async function sendIdle() {
  await ask("idle");
  await sleep(IDLE_EVERY);
}

// Emit an event and resolve to its acknowledgement, or to null if the connection is lost. The companion
// takes a picture for no older than its last acknowledgement, so nothing is sent before the next one.
async function ask(event, ...values) {
  const asked = socket;
  const connection = asked.id;
  try {
    return await asked.timeout(ANSWER_WITHIN).emitWithAck(event, ...values);
  } catch {
    if (asked === socket && asked.id === connection) asked.disconnect().connect();
    return null;
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
  if (sight.requestVideoFrameCallback && !fresh) return null;
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
button.addEventListener("click", () =>
  run % 2 ? stop("off", t("Stopped. No pictures are sent.")) : start(),
);
document.addEventListener("visibilitychange", () => {
  // The browser releases the wake lock whenever the page is hidden.
  if (!document.hidden && run % 2) keepAwake();
});
