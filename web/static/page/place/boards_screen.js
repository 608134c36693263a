// Renders the boards screen: one player's place at a time, with a tab per player.

import { t } from "../core/text/i18n.js";
import { gamePage } from "../core/game_page.js";
import { plainPlace } from "./plain_place.js";
import { crest } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { ui } from "../core/navigation.js";

// Component: the place of the player whose seat is in the hash.
export function PlayerScreen({ game }) {
  const player = currentPlayer(game);
  return [
    peopleTabs(game, player, (index) => `#player/${index}`),
    h("h2", { class: "person-name" }, game.seats[player].name),
    placeOf(game, player),
  ];
}

// Render a player's place, as the game draws it or plainly.
export function placeOf(game, player) {
  return gamePage.place?.(game, player) ?? plainPlace(game, player);
}

// Render links to all seats; `address(index)` returns the hash of a seat.
export function peopleTabs(game, player, address) {
  return h(
    "nav",
    { class: "people-tabs", "aria-label": t("Players") },
    game.seats.map((one, index) =>
      h(
        "a",
        {
          key: `tab-${index}`,
          class: "person",
          href: address(index),
          "aria-current": index === player ? "page" : null,
        },
        crest(one, "small"),
        h("span", {}, one.name),
        game.waiting_for.includes(index) && !gamePage.together?.(game)
          ? h("i", { class: "waits", role: "img", "aria-label": t("has to choose") })
          : null,
      ),
    ),
  );
}

// Return the seat in the hash.
export function currentPlayer(game) {
  const wanted = Number(ui.path[1]) || 0;
  return Math.min(Math.max(wanted, 0), game.seats.length - 1);
}
