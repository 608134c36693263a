// Keeps the screen awake during a game. Browsers allow it only over https or on localhost: elsewhere the
// host gets a notice once, with the https address to open.

import { t } from "../text/i18n.js";
import { isHost, say } from "../navigation.js";

const KEPT = "companion.awake-told";
let wanted = false;
let lock = null;
let asking = false;

// Request the screen wake lock while `on` is true, release it otherwise.
export function keepAwake(on) {
  wanted = on;
  if (!on) releaseLock();
  else if (navigator.wakeLock) requestLock();
  else if (!window.isSecureContext && isHost()) warnOnce();
}

async function requestLock() {
  if (lock || asking || document.hidden || !navigator.wakeLock) return;
  // Moves in quick succession request it once.
  asking = true;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
    if (!wanted) releaseLock();
  } catch {
    // Refused, as on a low battery; requested again when the page becomes visible.
    lock = null;
  } finally {
    asking = false;
  }
}

function releaseLock() {
  lock?.release().catch(() => {});
  lock = null;
}

function warnOnce() {
  try {
    if (localStorage.getItem(KEPT)) return;
    localStorage.setItem(KEPT, "yes");
  } catch {
    // Without storage the notice would come back with every move.
    return;
  }
  say(
    t(
      "This screen may go dark during the game: browsers keep it awake only over https. Start the companion with --tls and open {address} here, or set the device to stay on.",
      { address: location.origin.replace(/^http:/, "https:") },
    ),
    "stays",
  );
}

// The browser releases the lock whenever the page is hidden.
document.addEventListener("visibilitychange", () => wanted && requestLock());
