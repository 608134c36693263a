// Size of the page's viewport in px: a component that reads it is rendered again when it changes.

import { store } from "../store.js";

export const viewport = store(measured());

function measured() {
  return { width: document.documentElement.clientWidth, height: innerHeight };
}

addEventListener("resize", () => Object.assign(viewport, measured()));
