// The table of a game without pictures of its own: its name in the middle, and whose turn it is.

import { listed, t } from "../core/text/i18n.js";
import { h } from "../../vendor/preact.js";

// Render the middle of the table.
export function middle(game) {
  return h(
    "div",
    { class: "ring plain-middle" },
    h("span", { class: "plain-disc" }, h("strong", {}, game.title)),
  );
}

// Return who has to move, as a line below the middle.
export function captionOf(game) {
  if (!game.waiting_for.length) return t("Everybody plays at the same time");
  return t("Waiting for {names}.", { names: listed(game.waiting_for.map((seat) => game.seats[seat].name)) });
}
