// A player's board as it lies: A5 landscape, three rows of spots, two spaces for spells, the impurity beside
// them.

import { t, tn } from "../../core/i18n.js";
import { icon } from "../../core/parts.js";
import { h } from "../../core/render.js";
import { RANKS, RANK_NAMES, SPOTS, tokenName, tokensOf } from "../../core/words.js";

// Where the printed board has its spots and spaces: centres in mm from its middle, y towards the upper edge.
const ROW_AT = { low: -46, middle: -4, high: 38 };
const PITCH = 21;
const ROWS_AT = -27;
export const SPACES = { promotion: [69.5, -7.5], colour_change: [69.5, -45.5] };
export const IMPURITY_AT = [-86, 46];
export const MOST_DRAWN = 4;

// `handle(what)` gives the properties of what can be acted on; without it the board is only looked at.
export function boardFace(game, index, handle = null) {
  const seat = game.seats[index];
  const player = game.state.players[index];
  return h(
    "div",
    {
      class: `board-face ${seat.colour}`,
      role: "group",
      "aria-label": t("{name}'s board", { name: seat.name }),
    },
    h(
      "span",
      { class: "board-art" },
      h("img", { src: `/art/board/${seat.colour}.svg`, alt: "", draggable: "false" }),
    ),
    [...RANKS].reverse().map((rank) => row(player, rank, handle)),
    space(
      player,
      "promotion",
      tn(player.promotion, "{n} promotion spell", "{n} promotion spells"),
      seat,
      handle,
    ),
    space(
      player,
      "colour_change",
      tn(player.colour_change, "{n} colour-change spell", "{n} colour-change spells"),
      seat,
      handle,
    ),
    h(
      "span",
      {
        class: `impurity ${player.impurity ? "" : "none"}`,
        style: at(...IMPURITY_AT),
        role: "img",
        "aria-label": tn(player.impurity, "{n} impurity", "{n} impurity"),
      },
      icon("impurity"),
      h("b", { "aria-hidden": "true" }, player.impurity),
    ),
  );
}

export function at(x, y) {
  return { "--x": x, "--y": y };
}

// Where a spot of a rank is, from the left.
export function spotAt(rank, spot) {
  return at(ROWS_AT + PITCH * (spot - (SPOTS[rank] - 1) / 2), ROW_AT[rank]);
}

function row(player, rank, handle) {
  const tokens = tokensOf(player[rank]);
  const spots = SPOTS[rank];
  return h(
    "div",
    {
      key: rank,
      class: "board-row",
      role: "group",
      "aria-label": t("{rank}: {number} of {of}", {
        rank: RANK_NAMES[rank],
        number: tokens.length,
        of: spots,
      }),
    },
    Array.from({ length: spots }, (_, spot) => {
      const style = spotAt(rank, spot);
      const colour = tokens[spot];
      if (!colour)
        return handle
          ? h("span", {
              key: `${rank}-${spot}`,
              class: `spot-at ${rank}`,
              style,
              ...handle({ kind: "spot", rank }),
            })
          : null;
      const props = { key: `${rank}-${spot}-${colour}`, style, "aria-label": tokenName(rank, colour) };
      const gem = h("img", { src: `/art/icon/${colour}.svg`, alt: "", draggable: "false" });
      if (!handle) return h("span", { ...props, class: `spot-at ${rank}`, role: "img" }, gem);
      const { class: more = "", ...acting } = handle({ kind: "token", rank, colour, spot });
      return h("button", { ...props, type: "button", class: `spot-at ${rank} ${more}`, ...acting }, gem);
    }),
  );
}

// Spells are marked by the player's own search pieces, as on the table (W8).
function space(player, name, words, seat, handle) {
  const number = player[name];
  const pieces = Array.from({ length: Math.min(number, MOST_DRAWN) }, () =>
    h("i", { class: `piece ${seat.colour}` }),
  );
  const inside = [
    h("span", { class: "pieces" }, pieces),
    number > 1 ? h("b", { "aria-hidden": "true" }, number) : null,
  ];
  const props = { key: name, class: `space-at ${name}`, style: at(...SPACES[name]), "aria-label": words };
  if (!handle || !number)
    return h("span", { ...props, role: "img", ...(handle?.({ kind: name }, true) ?? {}) }, inside);
  const { class: more = "", ...acting } = handle({ kind: name });
  return h("button", { ...props, type: "button", class: `space-at ${name} ${more}`, ...acting }, inside);
}
