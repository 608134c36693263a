// Components that the first screen does not need. Their modules are loaded when the browser is idle, or
// when one of the components is shown before that.

import { failure } from "./failed_screen.js";
import { t } from "../text/i18n.js";
import { store } from "../store.js";
import { h } from "../../../vendor/preact.js";
import { useEffect } from "../../../vendor/preact-hooks.js";

// ms after which the modules are loaded even if the browser is never idle.
const AT_LATEST = 2000;
const parts = [];
let asked = false;

// Return a component that loads its module late. load(): imports the module; name: of the component in it.
// An import that fails is tried again when the component is shown; if it fails again, a message is shown.
export function late(load, name) {
  const part = store({ component: null, failed: false });
  const fetched = async () => {
    if (!part.component) part.component = (await load())[name];
  };
  parts.push(fetched);
  return function Late(props) {
    useEffect(() => {
      part.failed = false;
      fetched().catch((error) => {
        part.failed = true;
        reportError(error);
      });
    }, []);
    if (part.component) return h(part.component, props);
    return part.failed ? failure() : h("p", { class: "opening", role: "status" }, t("Loading…"));
  };
}

// Load the modules of all late components as soon as the browser is idle.
export function loadLate() {
  if (asked) return;
  asked = true;
  const all = () => Promise.allSettled(parts.map((fetched) => fetched()));
  if (window.requestIdleCallback) requestIdleCallback(all, { timeout: AT_LATEST });
  else setTimeout(all, AT_LATEST);
}
