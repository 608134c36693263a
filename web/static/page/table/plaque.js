// Renders one player's plaque at the table: name, points, and what the game shows of the player.

import { signed, t, tn } from "../core/text/i18n.js";
import { crest, colourStyle } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { mayAct } from "../place/move_options.js";
import { h } from "../../vendor/preact.js";

// Render a plaque. where: its grid area; towards: unit vector from the middle to the seat, x to the right and
// y down; controls: false on the wall screen.
export function plaque(game, index, { where, towards }, controls = true) {
  const seat = game.seats[index];
  const form = where.includes("-") ? "half" : ["near", "far"].includes(where) ? "flat" : "tall";
  const { total } = game.scores[index];
  return h(
    "li",
    {
      key: `row-${index}`,
      class: `row-seat ${form} ${seat.figure} at-${where} ${gamePage.seatClasses?.(game, index) ?? ""}`,
      style: colourStyle(seat),
    },
    h(
      controls ? "a" : "span",
      { class: "who", href: controls ? `#player/${index}` : null },
      crest(seat),
      h(
        "span",
        {},
        h("strong", { dir: "auto" }, seat.name),
        controls ? h("small", {}, tn(total, "{n} point", "{n} points")) : null,
      ),
      controls
        ? null
        : h(
            "span",
            { class: "wall-points" },
            h("b", {}, signed(total)),
            h("small", {}, tn(total, "point", "points")),
          ),
    ),
    gamePage.seatContent?.(game, index, towards, controls) ?? turn(game, index, controls),
  );
}

// Whether the player has to move; on a screen that moves for the player, a link to the options.
function turn(game, index, controls) {
  const waits = game.waiting_for.includes(index);
  return [
    h(
      "span",
      { key: "standing", class: "tally held standing" },
      h("b", { class: "number" }, t("{place}.", { place: game.scores[index].place })),
    ),
    h("span", { key: "result", class: "result last-result" }, waits ? t("to move") : ""),
    waits && controls && mayAct(index)
      ? h(
          "a",
          {
            key: "choose",
            class: "button gold choose",
            href: `#player/${index}`,
            "data-test": `choose-${index}`,
          },
          t("Choose"),
        )
      : null,
  ];
}
