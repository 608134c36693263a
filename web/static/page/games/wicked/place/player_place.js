// Renders one player's place: the board, the oracle cards with what they lack, and the dock with what to do
// now. Everything works by tap, drag and keyboard.

import { dock } from "./dock.js";
import { boardFace } from "./board.js";
import { draggable, target } from "../../../core/components/drag_and_drop.js";
import { marked } from "./hints.js";
import { missingFor } from "./own_moves.js";
import { lacksOracles } from "../entry/card_description.js";
import { openOracle } from "../entry/open_cards.js";
import { t } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import {
  byHand,
  choose,
  desk,
  explain,
  mayAct,
  offered,
  pick,
  undoOwn,
} from "../../../place/move_options.js";
import { button } from "../../../core/components/basic_components.js";
import { cardFace, token } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { ui } from "../../../core/navigation.js";
import { dropped, missingWords, movesFor, serves } from "./soul_moves.js";

let shown = null; // whose place is on the screen, for the keyboard

// Render the place of the player at seat `index`.
export function person(game, index) {
  shown = { game, index };
  const player = game.view.players[index];
  const acting = game.view.phase === "soul" && !player.finished && mayAct(index) && offered();
  return h(
    "div",
    { class: "own-place" },
    h(
      "div",
      { class: "person-view", role: "region", tabindex: "0", "aria-label": t("Board and cards") },
      boardFace(game, index, acting ? handle(player) : null),
      oracles(game, player, acting),
      nameOracle(game, index, player),
    ),
    h("div", { class: "dock-place", "aria-live": "polite" }, dock(game, index, player)),
  );
}

// Return handle(what, empty) for the board: the props with which a thing reacts to tap, drag and drop.
function handle(player) {
  return (what, empty = false) => {
    if (what.kind === "spot" || empty) return target(what);
    const { picked } = desk;
    const options = offered();
    const can = serves(options, what, picked);
    const chosen = picked && key(picked) === key(what);
    const named = marked(player, what);
    return {
      class: `${can ? "can" : ""} ${chosen ? "picked" : ""}${named ? " named" : ""}`,
      "aria-description": named ? t("The hint refers to this.") : null,
      "aria-pressed": String(Boolean(chosen)),
      onclick: () => tap(player, what),
      ...target(what),
      ...draggable(
        what,
        (from, to) => dropped(options, player, from, to).moves.length > 0,
        (from, to) => drop(player, from, to),
      ),
    };
  };
}

function key(what) {
  return [what.kind, what.rank, what.colour, what.spot, what.card].join();
}

function tap(player, what) {
  const { picked } = desk;
  const options = offered();
  if (picked && key(picked) === key(what)) return pick(null);
  if (what.kind === "token" && (picked?.kind === "promotion" || picked?.kind === "colour_change"))
    return drop(player, picked, what);
  if (
    what.kind === "token" &&
    picked?.kind === "token" &&
    picked.rank === what.rank &&
    picked.colour === what.colour
  ) {
    const { promote } = movesFor(options, what);
    if (promote.length) return choose(promote);
  }
  return pick(what);
}

function drop(player, from, to) {
  const { moves, why, card } = dropped(offered(), player, from, to);
  if (moves.length) {
    pick(from);
    return choose(moves);
  }
  if (card) return pick(card);
  pick(from);
  return explain(why);
}

function oracles(game, player, acting) {
  const { deck } = game.view;
  const great = player.achieved_great ?? [];
  const open = [...(player.great ?? []), ...(player.small ?? [])];
  const done = [
    ...great.map((one) => [one.card, one.colours]),
    ...(player.achieved_small ?? []).map((card) => [card, []]),
  ];
  if (!open.length && !done.length) return null;
  return h(
    "ul",
    { class: "oracle-row", "aria-label": t("Oracle cards") },
    open.map((card) =>
      h("li", { key: card }, acting ? openCard(deck, player, card) : [cardFace(deck, card), waits(card)]),
    ),
    done.map(([card, colours]) =>
      h(
        "li",
        { key: card, class: "achieved" },
        h("span", { class: "card-face" }, cardFace(deck, card)),
        h(
          "span",
          { class: "caption" },
          colours.map((colour) => token(colour, "high", "tiny")),
          t("achieved"),
        ),
      ),
    ),
  );
}

// Oracles that were skipped at the deal are named before they can be achieved.
function nameOracle(game, index, player) {
  if (["deal", "over"].includes(game.view.phase) || !byHand() || !mayAct(index) || !lacksOracles(player))
    return null;
  return button(t("Name an oracle"), () => openOracle(index), "quiet", {
    "data-test": "name-oracle",
  });
}

function openCard(deck, player, card) {
  const what = { kind: "oracle", card };
  const props = handle(player)(what);
  return [
    h(
      "button",
      { ...props, type: "button", class: `card-face ${props.class}`, "data-test": `oracle-${card}` },
      cardFace(deck, card, { draggable: "false" }),
    ),
    waits(card),
  ];
}

// The missing tokens as icons; the text is in the card's own panel and for screen readers.
function waits(card) {
  const missing = missingFor(card);
  if (!missing) return null;
  if (!missing.length) return h("span", { class: "caption ready" }, t("ready"));
  return h(
    "span",
    {
      class: "caption",
      role: "img",
      "aria-label": t("Missing: {tokens}", { tokens: missingWords(missing) }),
    },
    h("span", { class: "plus", "aria-hidden": "true" }, "+"),
    missing.map((need) => token(need.colour, need.rank, "tiny")),
  );
}

addEventListener("keydown", (event) => {
  if (
    !shown ||
    !["me", "player"].includes(ui.screen) ||
    ui.sheet ||
    event.target.closest?.("input, textarea, dialog")
  )
    return;
  if (event.key === "Escape") pick(null);
  if (
    event.key.toLowerCase() === "z" &&
    (event.ctrlKey || event.metaKey) &&
    !event.shiftKey &&
    mayAct(shown.index)
  ) {
    event.preventDefault();
    undoOwn(live.game ?? shown.game, shown.index);
  }
});
