// State of the page: the current route, the open sheet and the toast, and how commands are carried out.

import { live, send } from "./live_channel.js";
import { batch } from "../../vendor/preact-signals.js";
import { store } from "./store.js";

// ms for which a notice and an error stay visible.
const TOAST_FOR = 3000;
const WRONG_FOR = 6000;

// screen: name of the current screen; path: the parts of the URL hash, which begins with that name; player:
// seat index on the boards screen; sheet: the open sheet, a store, or null; toast: {text, kind} or null.
export const ui = store({ screen: "table", path: [""], player: 0, sheet: null, toast: null });

let screens = [];
let toastTimer = 0;

// names: the screens, which are the first part of the URL hash.
export function setScreens(names) {
  screens = names;
}

// Navigate to a hash such as "#table".
export function go(hash) {
  if (location.hash === hash) route();
  else location.hash = hash;
}

// Set the screen from the URL hash, close the sheet and scroll to the top.
export function route() {
  const path = location.hash.slice(1).split("/");
  const [screen, number] = path;
  batch(() => {
    Object.assign(ui, { path, screen: screens.includes(screen) ? screen : "table", sheet: null });
    if (screen === "player") ui.player = Number(number) || 0;
  });
  document.body.dataset.screen = ui.screen;
  window.scrollTo(0, 0);
}

// Whether this device is a host.
export function isHost() {
  return (live.view?.you?.role ?? "host") === "host";
}

// Open a sheet over the screen; it belongs to the present state of the game and closes when that changes.
export function openSheet(sheet) {
  ui.sheet = store({ ...sheet, number: live.game?.number ?? null });
}

// Close this sheet, but not another one that was opened in the meantime.
export function closeSheet(sheet) {
  if (ui.sheet === sheet) ui.sheet = null;
}

// Show a toast. kind: "" for a notice, "wrong" for an error, "stays" to keep it until it is tapped.
export function say(text, kind = "") {
  ui.toast = { text, kind };
  clearTimeout(toastTimer);
  if (kind !== "stays") toastTimer = setTimeout(unsay, kind === "wrong" ? WRONG_FOR : TOAST_FOR);
}

// Hide the toast.
export function unsay() {
  ui.toast = null;
}

// Await a command and show its error message, if any; resolves to whether it succeeded.
export async function carryOut(sending) {
  const answer = await sending;
  if (!answer.ok && answer.error.message) say(answer.error.message, "wrong");
  return answer.ok;
}

// Pause the camera or resume it.
export function pauseCamera(on) {
  return carryOut(send("pause", { on }));
}
