// Renders the sheets in which unknown cards are described by tapping their elements; this device remembers
// corridors.

import { OWN_CARDS } from "./card_pictures.js";
import { t } from "../../../core/text/i18n.js";
import { command, live } from "../../../core/live_channel.js";
import { button, sheet } from "../../../core/components/basic_components.js";
import { icon, token } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { roundSummary } from "../round_summary.js";
import { carryOut, closeSheet } from "../../../core/navigation.js";
import { COLOURS, COLOUR_NAMES, ELEMENTS, RANKS, RANK_NAMES } from "../words.js";

// Key in localStorage, and how many corridors are stored.
const KEPT = "companion.corridors";
const MOST_KEPT = 60;
const MOST = 2; // elements per half
const MOST_NEEDS = 4;
const ALL = ["red", "green", "blue", "yellow", "white", "promotion", "colour_change"];
const REWARDS = ["red", "green", "blue", "yellow", "white", "promotion"];

// Corridors

// Render the sheet that describes the corridors of a round.
export function DescribingSheet({ game, open }) {
  const known = kept().filter(({ upper, lower }) => !used(game, open, upper, lower));
  return sheet(
    t("Round {round}: which corridors lie round the tile?", game.view),
    () => closeSheet(open),
    roundSummary(game),
    game.view.round === 1 && game.view.players.every(lacksOracles)
      ? h(
          "p",
          { class: "aside" },
          t("Deal the oracles as the rules say; name them at any time under Boards."),
        )
      : null,
    h(
      "p",
      { class: "aside" },
      t(
        "Tap what each card shows: its upper half in the upper row, its lower half in the lower row. Go clockwise, first the card above the witch's head. For an empty card, only 1st and 2nd are worked out.",
      ),
    ),
    describedCards(open.cards, open.slot, (slot, card) => {
      open.cards = open.cards.with(slot, card);
      open.slot = slot;
    }),
    known.length
      ? [
          h("h3", {}, t("Described before: tap one to use it for the next card")),
          h(
            "div",
            { class: "describe-known" },
            known.map((card) => knownCard(open, card)),
          ),
        ]
      : null,
    h(
      "footer",
      {},
      button(
        open.cards.some(isDescribed) ? t("Lay them") : t("Skip: only 1st and 2nd"),
        () => lay(game, open),
        "gold large",
        { disabled: live.busy, "data-test": "enter" },
      ),
    ),
  );
}

function isDescribed({ upper, lower }) {
  return upper.length + lower.length > 0;
}

// Render corridors whose elements can be tapped. current: the slot that is marked;
// change(slot, card): called with the edited card.
export function describedCards(cards, current, change) {
  return h(
    "ol",
    { class: "describe-cards" },
    cards.map((card, slot) =>
      h(
        "li",
        { key: `slot-${slot}`, class: `describe-card ${slot === current ? "now" : ""}` },
        h("b", { "aria-hidden": "true" }, slot + 1),
        h(
          "div",
          {},
          half(card, slot, "upper", t("Upper half"), change),
          half(card, slot, "lower", t("Lower half"), change),
        ),
      ),
    ),
  );
}

// A tap cycles an element through once, twice and not at all.
function half(card, slot, field, title, change) {
  const chosen = card[field];
  const tap = (name) => {
    const times = chosen.filter((one) => one === name).length;
    const others = chosen.filter((one) => one !== name);
    const twice = times === 1 && !others.length;
    const now = times && !twice ? others : [...chosen, name].slice(-MOST);
    change(slot, { ...card, [field]: now });
  };
  return h(
    "div",
    {
      class: "elements",
      role: "group",
      "aria-label": t("Card {number}: {half}", { number: slot + 1, half: title }),
    },
    ALL.map((name) => {
      const times = chosen.filter((one) => one === name).length;
      return h(
        "button",
        {
          key: name,
          type: "button",
          class: "element",
          "aria-pressed": String(times > 0),
          "aria-label": ELEMENTS[name],
          title: ELEMENTS[name],
          onclick: () => tap(name),
          "data-test": `${field}-${slot}-${name}`,
        },
        icon(name),
        times > 1 ? h("small", {}, `${times}×`) : null,
      );
    }),
  );
}

function knownCard(open, { upper, lower }) {
  const take = () => {
    const slot = open.cards.findIndex((card) => !isDescribed(card));
    if (slot < 0) return;
    open.cards = open.cards.with(slot, { upper: [...upper], lower: [...lower] });
    open.slot = Math.min(slot + 1, open.cards.length - 1);
  };
  const show = (names) =>
    h(
      "span",
      {},
      names.map((name) => icon(name)),
    );
  return h(
    "button",
    {
      type: "button",
      key: `${upper}/${lower}`,
      class: "known-corridor",
      onclick: take,
      "data-test": "known-corridor",
    },
    show(upper),
    show(lower),
  );
}

// A card occurs once per game, and two cards with the same elements cannot be distinguished.
function used(game, open, upper, lower) {
  const same = (card) => card.upper.join() === upper.join() && card.lower.join() === lower.join();
  return open.cards.some(same) || game.view.deck.corridors.some(same);
}

async function lay(game, open) {
  const { round } = game.view;
  const described = open.cards.map(({ upper, lower }, slot) => ({
    id: `R${round}.${slot + 1}`,
    upper,
    lower,
  }));
  if (
    !(await carryOut(
      command("play", {
        move: { type: "lay", cards: described.map(({ id }) => id), described },
        at: open.number,
      }),
    ))
  )
    return;
  keep(open.cards.filter(isDescribed));
  closeSheet(open);
}

function kept() {
  try {
    const cards = JSON.parse(localStorage.getItem(KEPT)) ?? [];
    return cards.filter(({ upper, lower }) => [...upper, ...lower].every((name) => ALL.includes(name)));
  } catch {
    return [];
  }
}

function keep(cards) {
  const all = [...kept(), ...cards];
  const once = all.filter(
    (card, place) => all.findIndex((other) => JSON.stringify(other) === JSON.stringify(card)) === place,
  );
  try {
    localStorage.setItem(KEPT, JSON.stringify(once.slice(-MOST_KEPT)));
  } catch {
    // Without storage the cards have to be described again.
  }
}

// Oracles: one at a time, described or, with a known deck, picked

// Whether a player still has unnamed oracles.
export function lacksOracles(player) {
  return (
    player.great.length + player.achieved_great.length < 2 ||
    player.small.length + player.achieved_small.length < 2
  );
}

// Render the sheet that names one oracle of a player.
export function OracleSheet({ game, open }) {
  const player = game.view.players[open.player];
  const { deck } = game.view;
  const kinds = [
    player.great.length + player.achieved_great.length < 2 ? ["great", t("Great oracle")] : null,
    player.small.length + player.achieved_small.length < 2 ? ["small", t("Small oracle")] : null,
  ].filter(Boolean);
  if (!kinds.length) return null;
  const what = kinds.some(([kind]) => kind === open.what) ? open.what : kinds[0][0];
  return sheet(
    t("Which oracle lies in front of {name}?", { name: game.seats[open.player].name }),
    () => closeSheet(open),
    h(
      "div",
      { class: "segments", role: "radiogroup", "aria-label": t("Kind of card") },
      kinds.map(([kind, text]) =>
        h(
          "button",
          {
            key: kind,
            type: "button",
            role: "radio",
            class: "segment",
            "aria-checked": String(what === kind),
            onclick: () => {
              open.what = kind;
            },
          },
          text,
        ),
      ),
    ),
    deck.name === OWN_CARDS
      ? what === "great"
        ? describeGreat(game, open)
        : describeSmall(game, open)
      : knownOracles(game, open, what),
  );
}

// The two colours of a great oracle; the second tap enters it.
function describeGreat(game, open) {
  const tap = (colour) => () => {
    open.colours = [...open.colours, colour];
    if (open.colours.length === 2) nameIt(game, open, { colours: open.colours });
  };
  return [
    h("p", {}, open.colours.length ? t("Tap its second colour.") : t("Tap its two colours.")),
    h(
      "div",
      { class: "elements" },
      COLOURS.map((colour) =>
        h(
          "button",
          {
            key: colour,
            type: "button",
            class: "element",
            disabled: live.busy,
            "aria-label": COLOUR_NAMES[colour],
            "aria-pressed": String(open.colours.includes(colour)),
            onclick: tap(colour),
            "data-test": `great-${colour}`,
          },
          icon(colour),
        ),
      ),
    ),
  ];
}

function describeSmall(game, open) {
  const add = (colour, rank) => () => {
    open.needs = [...open.needs, { colour, rank }].slice(-MOST_NEEDS);
  };
  const drop = (place) => () => {
    open.needs = open.needs.filter((_, at) => at !== place);
  };
  const give = (name) => () => {
    open.reward = open.reward.includes(name)
      ? open.reward.filter((one) => one !== name)
      : [...open.reward, name].slice(-MOST);
  };
  return [
    h("h3", {}, t("It requires")),
    h(
      "div",
      { class: "elements" },
      open.needs.map(({ colour, rank }, place) =>
        h(
          "button",
          {
            type: "button",
            key: `need-${place}`,
            class: "element",
            "aria-pressed": "true",
            "aria-label": t("Remove this"),
            onclick: drop(place),
          },
          token(colour, rank, "small"),
        ),
      ),
    ),
    RANKS.map((rank) =>
      h(
        "div",
        { key: rank, class: "elements", role: "group", "aria-label": RANK_NAMES[rank] },
        COLOURS.map((colour) =>
          h(
            "button",
            {
              type: "button",
              key: colour,
              class: "element",
              disabled: open.needs.length >= MOST_NEEDS,
              onclick: add(colour, rank),
              "data-test": `need-${rank}-${colour}`,
            },
            token(colour, rank, "small"),
          ),
        ),
      ),
    ),
    h("h3", {}, t("It gives")),
    h(
      "div",
      { class: "elements" },
      REWARDS.map((name) =>
        h(
          "button",
          {
            type: "button",
            key: name,
            class: "element",
            "aria-pressed": String(open.reward.includes(name)),
            "aria-label": ELEMENTS[name],
            onclick: give(name),
            "data-test": `reward-${name}`,
          },
          icon(name),
        ),
      ),
    ),
    h(
      "footer",
      {},
      button(t("Enter"), () => nameIt(game, open, { needs: open.needs, reward: open.reward }), "gold large", {
        disabled: live.busy || !open.needs.length,
        "data-test": "enter",
      }),
    ),
  ];
}

function knownOracles(game, open, what) {
  const { deck, players } = game.view;
  const taken = players.flatMap((player) => [
    ...player.great,
    ...player.small,
    ...player.achieved_small,
    ...player.achieved_great.map(({ card }) => card),
  ]);
  const cards = deck[what].filter(({ id }) => !taken.includes(id));
  return h(
    "ul",
    { class: "grid-cards" },
    cards.map(({ id }) =>
      h(
        "li",
        { key: id },
        h(
          "button",
          {
            type: "button",
            class: "pick",
            disabled: live.busy,
            "aria-label": id,
            onclick: () => nameKnown(open, id),
            "data-test": `oracle-${id}`,
          },
          h("img", {
            class: "card",
            src: `/art/deck/${encodeURIComponent(deck.name)}/${encodeURIComponent(id)}.svg`,
            alt: "",
          }),
        ),
      ),
    ),
  );
}

function nameIt(game, open, shown) {
  const card = freeId(game.view.deck);
  return name(open, { card, described: { id: card, ...shown } });
}

// Return an id for the next oracle; ids of earlier ones are free again once these are taken back.
function freeId({ corridors, great, small }) {
  const ids = [...corridors, ...great, ...small].map(({ id }) => id);
  let number = 1;
  while (ids.includes(`O${number}`)) number += 1;
  return `O${number}`;
}

function nameKnown(open, card) {
  return name(open, { card });
}

async function name(open, fields) {
  const move = { type: "name_oracle", player: open.player, ...fields };
  if (await carryOut(command("play", { move, at: live.game.number }))) closeSheet(open);
  else Object.assign(open, { colours: [] });
}
