// Keeps the screen awake while a game is on; where the browser cannot, it goes dark as ever and nothing is said.

let wanted = false;
let lock = null;
let asking = false;

export function keepAwake(on) {
  wanted = on;
  if (on) take();
  else letGo();
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

// The browser lets go whenever the page is hidden.
document.addEventListener("visibilitychange", () => wanted && take());
