// Reconnects after sleep, a lost network or a restart of the companion: requests the present state, reloads
// the page for a new version, and shows the player one toast about it.

import { t } from "./text/i18n.js";
import { live, wake } from "./live_channel.js";
import { say } from "./navigation.js";

// Keys in sessionStorage: version for which the page was reloaded, and version whose toast was shown.
const UPDATED = "updated";
const SHOWN_KEY = "updated-told";
// ms for which the toast about a restart is not replaced by that about a reconnection.
const RESTART_TOAST_FOR = 5000;
let run = null;
let lost = false;
// Time at which the toast about a restart was shown, ms.
let restartShownAt = -Infinity;

// Handle an event of the live channel (see onChange()): show a toast about a reconnection, restart or
// update.
export function comeBack(what) {
  if (what === "back") {
    lost = true;
    // Messages sent during the handshake arrived before this event; refresh, so that the next one is current.
    wake();
    checkVersion();
  }
  if (what !== "table") return;
  const restarted = run !== null && live.view.run !== run;
  run = live.view.run;
  if (isNewVersion()) say(t("The companion was updated. This is the table as it is now."));
  else if (restarted) {
    say(t("The companion was restarted. This is the table as it is now."));
    restartShownAt = performance.now();
  } else if (lost && performance.now() - restartShownAt > RESTART_TOAST_FOR)
    say(t("Connected again. This is the table as it is now."));
  lost = false;
}

// Return whether the page was just reloaded for this version; true only once.
function isNewVersion() {
  const version = sessionStorage.getItem(UPDATED);
  if (!version || version === sessionStorage.getItem(SHOWN_KEY)) return false;
  sessionStorage.setItem(SHOWN_KEY, version);
  return version === document.body.dataset.version;
}

// Reload the page, once per version, if the companion has another version.
async function checkVersion() {
  try {
    const response = await fetch("/version", { cache: "no-store" });
    const version = (await response.text()).trim();
    if (
      !response.ok ||
      version === document.body.dataset.version ||
      sessionStorage.getItem(UPDATED) === version
    )
      return;
    sessionStorage.setItem(UPDATED, version);
    location.reload();
  } catch {
    // Disconnected again; checked again after the next reconnect.
  }
}

// After sleep a device may not have noticed that its connection is gone.
document.addEventListener("visibilitychange", () => document.hidden || wake());
addEventListener("pageshow", (event) => event.persisted && wake());
addEventListener("online", wake);

// Register the service worker, which caches static files only and shows a page when the companion is
// unreachable. Browsers allow it only over https and on localhost.
export function install() {
  if (window.isSecureContext) navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
}
