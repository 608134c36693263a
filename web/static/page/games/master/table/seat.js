// What a plaque at the table shows of a player: wands, tokens, and whether the formula card is noted.

import { signed, t, tn } from "../../../core/text/i18n.js";
import { h } from "../../../../vendor/preact.js";
import { mayAct } from "../../../place/move_options.js";
import { tokenList, wandPictures } from "../tokens.js";

// Return the CSS class of the plaque of the player whose turn it is.
export function seatClasses({ view }, seat) {
  return ["shift", "walk"].includes(view.phase) && view.mover === seat ? "moves" : "";
}

function points(total) {
  return h(
    "span",
    { class: "seat-points" },
    h("b", {}, signed(total)),
    h("small", {}, tn(total, "point", "points")),
  );
}

// Render a plaque's content. controls: false on the wall screen.
export function seatContent(game, seat, _, controls) {
  const player = game.view.players[seat];
  const asks = game.view.phase === "formulas" && !player.noted;
  return [
    h(
      "p",
      { key: "wands", class: "seat-wands" },
      h(
        "span",
        { role: "img", "aria-label": tn(player.wands, "{n} wand", "{n} wands") },
        wandPictures(player.wands),
      ),
      player.noted
        ? h(
            "span",
            {
              class: "noted",
              role: "img",
              "aria-label": t("The formula card is noted."),
              title: t("The formula card is noted."),
            },
            "✓",
          )
        : null,
      controls ? points(game.scores[seat].total) : null,
    ),
    asks && controls && mayAct(seat)
      ? h(
          "a",
          {
            key: "choose",
            class: "button gold choose",
            href: `#player/${seat}`,
            "data-test": `choose-${seat}`,
          },
          t("Formula card"),
        )
      : tokenList(player.tokens, t("Tokens held")),
  ];
}
