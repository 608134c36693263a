// The table of a game without pictures of its own: its name in the middle, whose turn it is, and who chooses.

import { listed, t } from "../core/i18n.js";
import { crest } from "../core/components.js";
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

// Render a large link to the place of each player who has to move, where the options are.
export function choosing(game) {
  return h(
    "div",
    { class: "hand-step row" },
    game.waiting_for.map((seat) =>
      h(
        "a",
        { key: seat, class: "button gold large", href: `#player/${seat}`, "data-test": `choose-${seat}` },
        crest(game.seats[seat], "small"),
        t("{name} chooses", { name: game.seats[seat].name }),
      ),
    ),
  );
}
