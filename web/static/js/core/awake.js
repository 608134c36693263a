// Keeps the screen awake while a game is on. Browsers do that only for pages that come by https or from this
// machine: where they do not, the host is told so once, with the address that helps.

import { t } from "./i18n.js";
import { isHost, say } from "./stage.js";

const KEPT = "companion.awake-told";
let wanted = false;
let lock = null;
let asking = false;

export function keepAwake(on) {
  wanted = on;
  if (!on) letGo();
  else if (navigator.wakeLock) take();
  else if (!window.isSecureContext && isHost()) tellOnce();
}

async function take() {
  if (lock || asking || document.hidden || !navigator.wakeLock) return;
  asking = true; // moves that come in quick succession ask once
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
    if (!wanted) letGo();
  } catch {
    lock = null; // not allowed now, as on a low battery; asked again when the page is looked at anew
  } finally {
    asking = false;
  }
}

function letGo() {
  lock?.release().catch(() => {});
  lock = null;
}

function tellOnce() {
  try {
    if (localStorage.getItem(KEPT)) return;
    localStorage.setItem(KEPT, "yes");
  } catch {
    return; // it would be told with every move
  }
  say(
    t(
      "This screen may go dark during the game: browsers keep it awake only over https. Start the companion with --tls and open {address} here, or set the device to stay on.",
      { address: location.origin.replace(/^http:/, "https:") },
    ),
    "stays",
  );
}

// The browser lets go whenever the page is hidden.
document.addEventListener("visibilitychange", () => wanted && take());
