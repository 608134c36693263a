// This phone as the camera: opens the chosen lens, at first the rear camera, and sends one picture after the
// other, the next one only when the companion has taken the last.

import { t } from "./core/i18n.js";
import { keepLens, keptLens, listLenses } from "./setup/lenses.js";
import { io } from "../vendor/socket.io.esm.min.js";

const SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };
const LONGEST_SIDE = 1920;
const QUALITY = 0.9;
const BETWEEN = 100;
const ANSWER_WITHIN = 5000;
const AGAIN = 1500;
const STALE = 3000;

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
let lens = null; // {id, name} of the camera that is open
let run = 0; // grows with every start and stop, so that what belongs to an older one ends
let taken = [];
let fresh = false; // a picture has come since the last one was sent
let freshAt = 0;

function tell(state, text) {
  body.dataset.state = state;
  if (line.textContent !== text) line.textContent = text;
  body.classList.toggle("running", run % 2 === 1);
  button.textContent = run % 2 ? t("Stop") : t("Be the camera");
  if (state !== "sending") figures.textContent = "";
}

function why(error) {
  switch (error.name) {
    case "NotAllowedError":
      return t(
        "This page may not use the camera. Allow it in the browser's settings for this page, then start again.",
      );
    case "NotFoundError":
    case "OverconstrainedError":
      return t("This device has no camera that the browser can use. Open this page on a phone.");
    case "NotReadableError":
    case "AbortError":
      return t("Another app uses the camera. Close it, then start again.");
    default:
      return t("The camera cannot be opened. Reload the page and start again.");
  }
}

async function start() {
  if (!window.isSecureContext || !navigator.mediaDevices?.getUserMedia) {
    tell(
      "wrong",
      t(
        "Browsers give the camera only to a page opened by https. Open the address that the companion shows.",
      ),
    );
    return;
  }
  const mine = ++run;
  freshAt = performance.now();
  tell("starting", t("Opening the camera…"));
  try {
    await openCamera();
  } catch (error) {
    if (mine !== run) return;
    stop();
    tell("wrong", why(error));
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
  tell("off", t("Stopped. The table is not looked at."));
}

async function openCamera() {
  const kept = keptLens();
  await openLens(kept?.id);
  const lenses = await listLenses();
  // Some browsers name the same camera anew in each session: then its label tells it.
  const again = kept && kept.name !== lens.name ? lenses.find(({ name }) => name === kept.name) : null;
  if (again) await openLens(again.id);
  keepLens(lens);
  showLenses(lenses);
  tellLens();
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
    if (mine === run) tell("wrong", why(error));
  }
  if (mine !== run) closeCamera();
}

function tellLens() {
  if (socket?.connected) socket.emit("lens", lens?.name ?? "");
}

function closeCamera() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = null;
  sight.srcObject = null;
  body.classList.remove("seeing");
}

// The screen may go dark only where the browser knows no other way; then the line says so.
async function keepAwake() {
  try {
    awake = await navigator.wakeLock.request("screen");
  } catch {
    awake = null;
  }
}

function connect() {
  // Polling first: some browsers never let a web socket through to a certificate that they accepted by hand.
  socket = io({
    path: body.dataset.channel,
    reconnectionDelay: 300,
    reconnectionDelayMax: 2000,
    timeout: 5000,
  });
  socket.on("connect", tellLens);
  socket.on("connect_error", (error) => {
    if (socket && !socket.active) tell("wrong", error.message);
  });
}

async function send(mine) {
  taken = [];
  while (mine === run) {
    const began = performance.now();
    if (stream?.getVideoTracks()[0]?.readyState !== "live") await reopen(mine);
    else if (!socket.connected) {
      if (body.dataset.state !== "wrong")
        tell("starting", t("Looking for the companion. It tries again by itself."));
      if (!socket.active) {
        // It was turned away, and then nobody but us tries again.
        await sleep(AGAIN);
        if (mine === run) socket.connect();
      }
    } else if (!document.hidden) await sendOne(mine);
    await sleep(BETWEEN - (performance.now() - began));
  }
}

async function reopen(mine) {
  tell("starting", t("The camera was taken away. It is opened again…"));
  try {
    await openCamera();
  } catch (error) {
    if (mine === run) tell("wrong", why(error));
    await sleep(AGAIN);
  }
}

async function sendOne(mine) {
  const picture = await photograph();
  if (mine !== run) return;
  if (picture === null) {
    if (performance.now() - freshAt > STALE)
      tell(
        "wrong",
        t("The camera gives no new picture. Close other apps that use it, or stop and start again."),
      );
    return;
  }
  let answer;
  try {
    answer = await socket.timeout(ANSWER_WITHIN).emitWithAck("picture", picture);
  } catch {
    return; // lost with the connection; the next one comes in a moment
  }
  if (mine !== run) return;
  if (answer.ok) sent(picture.byteLength);
  else {
    tell("wrong", answer.message);
    await sleep(AGAIN);
  }
}

// Watch for new pictures: an old one that stands still, as in a phone call, must not pass for the table.
function watch() {
  fresh = true;
  freshAt = performance.now();
  sight.requestVideoFrameCallback?.(watch);
}

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

function sent(bytes) {
  const now = performance.now();
  taken = [...taken, now].filter((at) => now - at < 3000);
  const rate = taken.length > 1 ? ((taken.length - 1) * 1000) / (now - taken[0]) : 0;
  tell("sending", advice());
  figures.textContent = t("{width}×{height}, {rate} pictures a second, {size} kB each", {
    width: canvas.width,
    height: canvas.height,
    rate: rate.toFixed(0),
    size: Math.round(bytes / 1024),
  });
}

function advice() {
  if (canvas.height > canvas.width)
    return t("It looks at the table. Turn it: the wide side belongs along the table.");
  if (!awake || awake.released)
    return t("It looks at the table. Keep the screen from going dark in the phone's settings.");
  return t("It looks at the table. Leave this page open and in front.");
}

function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds)));
}

watch();
lensList.addEventListener("change", chooseLens);
button.addEventListener("click", () => (run % 2 ? stop() : start()));
document.addEventListener("visibilitychange", () => {
  // The lock ends whenever the page is hidden.
  if (!document.hidden && run % 2) keepAwake();
});
