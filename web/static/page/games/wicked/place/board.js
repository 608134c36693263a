// Renders a player's personal board as it is printed: three rows of spots, two spell spaces, the impurity
// beside it.

import { t, tn } from "../../../core/text/i18n.js";
import { icon } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { RANKS, RANK_NAMES, SPOTS, tokenName, tokensOf } from "../words.js";

// Geometry of the printed board in mm from its centre, y upwards.
const ROW_AT = { low: -46, middle: -4, high: 38 };
// mm from one spot to the next, and x of the middle of the rows.
const PITCH = 21;
const ROWS_AT = -27;
export const SPACES = { promotion: [69.5, -7.5], colour_change: [69.5, -45.5] };
export const IMPURITY_AT = [-86, 46];
// Pieces drawn in a spell space, at most.
export const MOST_DRAWN = 4;

// Render the board. handle(what) returns the props of a token, spot or space that can be tapped; null for a
// board without controls.
export function boardFace(game, index, handle = null) {
  const seat = game.seats[index];
  const player = game.view.players[index];
  return boardFrame(
    seat,
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

// Render an empty board with its parts.
export function boardFrame(seat, ...parts) {
  return h(
    "div",
    {
      class: `board-face ${seat.figure}`,
      role: "group",
      "aria-label": t("{name}'s board", { name: seat.name }),
    },
    h(
      "span",
      { class: "board-art" },
      h("img", { src: `/art/board/${seat.figure}.svg`, alt: "", draggable: "false" }),
    ),
    ...parts,
  );
}

// Return the style of a position in mm.
export function at(x, y) {
  return { "--x": x, "--y": y };
}

// Return the style of a spot, counted from the left.
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

// Spells are marked with the player's own search pieces, as on the table (rule W8).
function space(player, name, words, seat, handle) {
  const number = player[name];
  const pieces = Array.from({ length: Math.min(number, MOST_DRAWN) }, () =>
    h("i", { class: `piece ${seat.figure}` }),
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
