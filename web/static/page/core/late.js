// Parts of the page that its first screen does without. Their modules are loaded once the page is in use, or
// when one of them is shown before that.

import { t } from "./i18n.js";
import { store } from "./store.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";

// ms after which the modules are loaded even if the browser is never idle.
const AT_LATEST = 2000;
const parts = [];
let asked = false;

// Return a component that stands for one of a module that is loaded late. load: imports the module; name: of
// the component. An import that fails is thrown where the component is shown.
export function late(load, name) {
  const part = store({ component: null, error: null });
  const fetched = async () => {
    if (part.component) return;
    try {
      part.component = (await load())[name];
    } catch (error) {
      part.error = error;
    }
  };
  parts.push(fetched);
  return function Late(props) {
    useEffect(() => {
      fetched();
    }, []);
    if (part.component) return h(part.component, props);
    if (part.error) throw part.error;
    return h("p", { class: "opening", role: "status" }, t("Loading…"));
  };
}

// Load all late parts as soon as the browser is idle, once.
export function loadLate() {
  if (asked) return;
  asked = true;
  const all = () => Promise.all(parts.map((fetched) => fetched()));
  if (window.requestIdleCallback) requestIdleCallback(all, { timeout: AT_LATEST });
  else setTimeout(all, AT_LATEST);
}
