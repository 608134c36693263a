// What stands on the stage: which screen is shown, what is open on it, and the one way to say and to do
// things.

import { live, send } from "./live.js";

// ms: a line that nothing has to be done about, and one that says what is wrong and has to be read.
const TOAST_FOR = 3000;
const WRONG_FOR = 6000;

export const ui = { screen: "table", player: 0, sheet: null, toast: null };

let drawPage = () => {};
let drawing = false;
let toastTimer = 0;

export function onDraw(drawer) {
  drawPage = drawer;
}

export function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    drawPage();
  });
}

export function go(hash) {
  if (location.hash === hash) route();
  else location.hash = hash;
}

export function route() {
  const [screen, number] = location.hash.replace(/^#/, "").split("/");
  ui.screen = [
    "new",
    "me",
    "player",
    "scores",
    "history",
    "camera",
    "wall",
    "more",
    "join",
    "health",
    "scoring",
  ].includes(screen)
    ? screen
    : "table";
  if (screen === "player") ui.player = Number(number) || 0;
  ui.sheet = null;
  document.body.dataset.screen = ui.screen;
  window.scrollTo(0, 0);
  draw();
}

// Whether this screen keeps the table.
export function isHost() {
  return (live.view?.you?.role ?? "host") === "host";
}

// Open something over the screen; it belongs to the present state and closes when the table moves on.
export function openSheet(sheet) {
  ui.sheet = { ...sheet, number: live.game?.number ?? null };
  draw();
}

// Close this sheet; another one that was opened meanwhile stays.
export function closeSheet(sheet) {
  if (ui.sheet === sheet) ui.sheet = null;
  draw();
}

// Show one line for a moment. kind: "wrong", or "stays" for what is there until it is tapped.
export function say(text, kind = "") {
  ui.toast = { text, kind };
  clearTimeout(toastTimer);
  if (kind !== "stays") toastTimer = setTimeout(unsay, kind === "wrong" ? WRONG_FOR : TOAST_FOR);
  draw();
}

// Take the line away, as a tap on it does.
export function unsay() {
  ui.toast = null;
  draw();
}

// Carry a command out and tell in one line what went wrong; answers whether it was done.
export async function carryOut(sending) {
  const answer = await sending;
  if (!answer.ok && answer.error.message) say(answer.error.message, "wrong");
  return answer.ok;
}

export function pauseCamera(on) {
  return carryOut(send("pause", { on }));
}
