// Renders what a correction changes in a player's things.

import { icon, token } from "../pieces.js";
import { COLOURS, RANKS } from "../words.js";
import { signed, t } from "../../../core/text/i18n.js";
import { h } from "../../../../vendor/preact.js";

const STORES = ["promotion", "colour_change", "impurity"];

// Render the tokens, spells, impurity and oracles of a player that differ. before, after: states with their
// view.
export function changedThings(before, after, index) {
  const [was, is] = [before.view.players[index], after.view.players[index]];
  return [...tokens(was, is), ...stores(was, is), ...achieved(was, is)];
}

function times(by, key, picture) {
  return h(
    "span",
    { key, class: `thing ${by > 0 ? "more" : "less"}` },
    h("b", {}, by > 0 ? `+${by}` : signed(by)),
    picture,
  );
}

function tokens(was, is) {
  return RANKS.flatMap((rank) =>
    COLOURS.filter((colour) => was[rank][colour] !== is[rank][colour]).map((colour) =>
      times(is[rank][colour] - was[rank][colour], `${rank}${colour}`, token(colour, rank, "small")),
    ),
  );
}

function stores(was, is) {
  return STORES.filter((name) => was[name] !== is[name]).map((name) =>
    times(is[name] - was[name], name, icon(name)),
  );
}

function achieved(was, is) {
  const cards = (player) => [...player.achieved_great.map((one) => one.card), ...player.achieved_small];
  const [old, now] = [cards(was), cards(is)];
  return [...new Set([...old, ...now])]
    .filter((card) => old.includes(card) !== now.includes(card))
    .map((card) => times(now.includes(card) ? 1 : -1, card, h("span", {}, t("oracle {card}", { card }))));
}
