// What can be done with the souls at once, row by row, each by one tap: pairs that rise, oracles, spells.

import { listed, t, tn } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { cardFace, icon, token } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { COLOUR_NAMES, ELEMENTS, RANK_NAMES, tokenName } from "../words.js";
import { choose, desk, offered, playAll } from "../../../place/move_options.js";
import { above, allRise, question } from "./soul_moves.js";

export function possible(game, index, player) {
  const { deck } = game.view;
  const moves = offered();
  return h(
    "div",
    { class: "possible" },
    pairs(moves, index, player),
    cards(moves, player, deck),
    spells(moves, "promotion", t("Promotion spell")),
    spells(moves, "colour_change", t("Colour-change spell")),
  );
}

function row(key, picture, title, ...chips) {
  return h(
    "div",
    { key, class: "choice-row", role: "group", "aria-label": title, title },
    h("span", { class: "choice-what", "aria-hidden": "true" }, picture),
    h("span", { class: "chips" }, chips),
  );
}

function chip(key, words, moves, test, ...content) {
  return h(
    "button",
    {
      type: "button",
      key,
      class: "chip",
      disabled: live.busy || !desk.options,
      "aria-label": words,
      title: words,
      onclick: () => choose(moves),
      "data-test": test,
    },
    content,
  );
}

function grouped(moves, keyOf) {
  const groups = new Map();
  for (const move of moves) groups.set(keyOf(move), [...(groups.get(keyOf(move)) ?? []), move]);
  return [...groups];
}

// Two alike become one of the next rank; where several pairs lie there, one tap lifts them all.
function pairs(moves, index, player) {
  const groups = grouped(
    moves.filter(({ type }) => type === "promote"),
    ({ lift }) => `${lift.rank} ${lift.colour}`,
  );
  if (!groups.length) return null;
  const low = allRise(player, index, ["low"]);
  const all = allRise(player, index);
  return row(
    "pairs",
    h("b", {}, "2 → 1"),
    t("Two alike rise"),
    groups.map(([key, alike]) => {
      const { rank, colour } = alike[0].lift;
      const words = t("Two {token} can rise to {rank}.", {
        token: tokenName(rank, colour),
        rank: RANK_NAMES[above(rank)],
      });
      return chip(
        key,
        words,
        alike,
        "possible",
        token(colour, rank, "small"),
        h("i", { class: "becomes-mark" }, "→"),
        token(colour, above(rank), "small"),
      );
    }),
    low.length > 1 && low.length !== all.length ? everyPair("low", t("All low:"), low) : null,
    all.length > 1 ? everyPair("all", t("All:"), all) : null,
  );
}

function everyPair(key, text, all) {
  const words = tn(all.length, "All pairs rise: {n} step", "All pairs rise: {n} steps");
  return h(
    "button",
    {
      type: "button",
      key,
      class: "chip all",
      disabled: live.busy || !desk.options,
      "aria-label": words,
      onclick: () => playAll(all),
      "data-test": `${key}-rise`,
    },
    text,
    all.map(({ lift }) => token(lift.colour, above(lift.rank), "small")),
  );
}

// Each oracle that can be achieved, with what has to be chosen for it.
function cards(moves, player, deck) {
  return grouped(
    moves.filter(({ type }) => type.startsWith("achieve")),
    ({ card }) => card,
  ).map(([card, all]) => {
    const { text, answers } = all.length > 1 ? question(all, player, deck) : { text: "", answers: [] };
    const words = achieving(deck, card);
    return row(
      card,
      cardFace(deck, card),
      words,
      text ? h("small", {}, text) : null,
      answers.length
        ? answers.map((one) =>
            chip(
              one.text,
              `${words} ${one.text}`,
              one.moves,
              `achieve-${card}`,
              one.colours.map((colour) => token(colour, one.rank, "small")),
            ),
          )
        : chip("achieve", words, all, `achieve-${card}`, t("Achieve it")),
    );
  });
}

function achieving(deck, card) {
  const great = deck.great.find(({ id }) => id === card);
  if (great)
    return t("The great oracle of {colours} can be achieved.", {
      colours: listed(great.colours.map((colour) => COLOUR_NAMES[colour])),
    });
  const { reward } = deck.small.find(({ id }) => id === card);
  return t("A small oracle can be achieved. It gives: {things}.", {
    things: listed(reward.map((name) => ELEMENTS[name])),
  });
}

// The tokens that a spell can be spent on.
function spells(moves, kind, title) {
  const groups = grouped(
    moves.filter((move) => move.type === `cast_${kind}` && (move.lift ?? move.swap)),
    ({ lift, swap }) => `${(lift ?? swap).rank} ${lift?.colour ?? swap.old}`,
  );
  if (!groups.length) return null;
  return row(
    kind,
    icon(kind),
    title,
    groups.map(([key, alike]) => {
      const [rank, colour] = key.split(" ");
      return chip(
        key,
        `${title}: ${tokenName(rank, colour)}`,
        alike,
        `${kind}-${rank}-${colour}`,
        token(colour, rank, "small"),
      );
    }),
  );
}
