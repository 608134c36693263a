// State of the page: the current route, the open sheet (dialog) and the toast; and the result of commands.

import { live, send } from "./live_channel.js";
import { batch } from "../../vendor/preact-signals.js";
import { store } from "./store.js";

// ms for which a toast with a notice, or with an error, stays visible.
const TOAST_FOR = 3000;
const WRONG_FOR = 6000;

// screen: name of the current screen; path: parts of the URL hash, the first of which is that name; player:
// seat whose board the boards screen shows; sheet: the open sheet, a store, or null; toast: {text, kind} or
// null.
export const ui = store({ screen: "table", path: [""], player: 0, sheet: null, toast: null });

let screens = [];
let toastTimer = 0;

// Set the names of the screens, each of which is the first part of a URL hash.
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

// Return whether this device is a host.
export function isHost() {
  return (live.view?.you?.role ?? "host") === "host";
}

// Open a sheet over the screen. concerns(game): what it depends on, by default the state of the game; the
// sheet closes when that changes.
export function openSheet({ concerns = ({ number }) => number, ...sheet }) {
  const present = () => live.game && `${live.game.id} ${concerns(live.game)}`;
  const before = present();
  const number = live.game?.number ?? null;
  ui.sheet = store({ ...sheet, number, isCurrent: () => present() === before });
}

// Close a sheet; nothing happens if it is not the open one.
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

// Wait for a command (a promise of send()) and show its error message, if any; resolve to whether it
// succeeded.
export async function carryOut(sending) {
  const answer = await sending;
  if (!answer.ok && answer.error.message) say(answer.error.message, "wrong");
  return answer.ok;
}

// Pause the camera if `on` is true, resume it otherwise.
export function pauseCamera(on) {
  return carryOut(send("pause", { on }));
}
