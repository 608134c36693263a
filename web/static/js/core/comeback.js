// Coming back: after sleep, a lost network or a restart of the companion the page finds the present state by
// itself.

import { t } from "./i18n.js";
import { live, wake } from "./live.js";
import { say } from "./stage.js";

const UPDATED = "updated"; // the version for which the page began anew
const TOLD = "updated-told";
const JUST_TOLD = 5000;
let run = null;
let lost = false;
let toldAt = -Infinity; // when a restart was told, which is more than that the page is back

// Hear what happens on the live channel, and say it once.
export function comeBack(what) {
  if (what === "back") {
    lost = true;
    // What the companion sends while it connects is heard before this: only what it tells from now on is sure
    // to be new.
    wake();
    checkVersion();
  }
  if (what !== "table") return;
  const restarted = run !== null && live.view.run !== run;
  run = live.view.run;
  if (updated()) say(t("The companion was updated. This is the table as it is now."));
  else if (restarted) {
    say(t("The companion was started anew. This is the table as it is now."));
    toldAt = performance.now();
  } else if (lost && performance.now() - toldAt > JUST_TOLD)
    say(t("Connected again. This is the table as it is now."));
  lost = false;
}

// Whether the page has just begun anew for another version; said once.
function updated() {
  const version = sessionStorage.getItem(UPDATED);
  if (!version || version === sessionStorage.getItem(TOLD)) return false;
  sessionStorage.setItem(TOLD, version);
  return version === document.body.dataset.version;
}

// A page of an older version would not understand a newer companion, so it begins anew, once.
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
    // Lost again; it is asked when the connection is back.
  }
}

// A device that slept may not know that its connection is gone.
document.addEventListener("visibilitychange", () => document.hidden || wake());
addEventListener("pageshow", (event) => event.persisted && wake());
addEventListener("online", wake);

// Only static files are kept by it, and it says where the companion cannot be reached. Browsers give it to
// https and to the serving machine alone.
export function install() {
  if (window.isSecureContext) navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
}
