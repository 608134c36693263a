// Holds what the profile knows of the table, and names its kinds of pieces.

import { gamePage } from "../core/game_page.js";
import { t } from "../core/text/i18n.js";
import { ask, live } from "../core/live_channel.js";
import { h } from "../../vendor/preact.js";
import { store } from "../core/store.js";

// Whether a kind is held in hands; the others lie on boards.
export function inHands(kind) {
  return known.view.kinds.some((one) => one.kind === kind && one.in_hands);
}

// ms before the profile is requested again.
const ASKED_AGAIN = 2000;
// view: the profile's content from the companion, null while it is not available; refusal: why it is not;
// loaded: whether it has been requested since the screen was opened.
export const known = store({ view: null, refusal: "", loaded: false });

// Store a new view.
export function learn(view, refusal = "") {
  Object.assign(known, { view, refusal });
}

// Return the plural name of a kind.
export function kindName(kind) {
  return gamePage.kindName?.(kind) ?? kind;
}

// Render the icon of a kind.
export function kindSign(kind) {
  return gamePage.kindSign?.(kind) ?? h("span", { class: "crest small" });
}

// Fetch the profile's content.
export async function loadProfile() {
  known.loaded = true;
  try {
    const view = await ask("/api/teaching/known");
    learn(view, view ? "" : notNow());
  } catch (error) {
    learn(null, error.message);
  }
  if (!known.view) {
    setTimeout(() => {
      // The table may still be starting: retried while this screen is shown.
      known.loaded = false;
    }, ASKED_AGAIN);
  }
}

function notNow() {
  return live.view.camera.state === "preparing"
    ? t("The table is still starting. The set-up opens here in a moment.")
    : t("The table cannot be set up now: it is still starting, or it has no camera.");
}

addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#camera")) known.loaded = false;
});
