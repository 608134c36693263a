// Pictures of what is in the box: icons, tokens, cards.

import { describedFace, OWN_CARDS } from "./entry/card_pictures.js";
import { listed, t } from "../../core/text/i18n.js";
import { h } from "../../../vendor/preact.js";
import { ELEMENTS, tokenName } from "./words.js";

// Render the icon of a card element or sign. Others only decorate the words beside them.
export function icon(name, size = "") {
  const words = ELEMENTS[name];
  return h("img", { class: `icon ${size}`, src: `/art/icon/${name}.svg`, alt: words ?? "", title: words });
}

// Render a token with its rank as bars.
export function token(colour, rank, size = "") {
  return h(
    "span",
    {
      class: `token ${rank} ${size}`,
      role: "img",
      "aria-label": tokenName(rank, colour),
      title: tokenName(rank, colour),
    },
    h("img", { src: `/art/icon/${colour}.svg`, alt: "" }),
    h("i", { class: `bars ${rank}` }),
  );
}

// Render the face of a card with a description for screen readers.
export function cardFace(deck, id, more = {}) {
  const source =
    deck.name === OWN_CARDS
      ? describedFace(deck, id)
      : `/art/deck/${encodeURIComponent(deck.name)}/${encodeURIComponent(id)}.svg`;
  return h("img", { class: "card", src: source, alt: describeCard(deck, id), ...more });
}

// Render the back of a kind of card.
export function cardBack(kind, more = {}) {
  return h("img", { class: "card", src: `/art/back/${kind}.svg`, alt: t("face down"), ...more });
}

function describeCard(deck, id) {
  const words = (names) => listed(names.map((name) => ELEMENTS[name] ?? name));
  const corridor = deck.corridors.find((card) => card.id === id);
  if (corridor)
    return t("Corridor {id}. Upper half: {upper}. Lower half: {lower}", {
      id,
      upper: words(corridor.upper),
      lower: words(corridor.lower),
    });
  const great = deck.great.find((card) => card.id === id);
  if (great)
    return t("Great oracle {id}: {tokens}", {
      id,
      tokens: listed(great.colours.map((colour) => tokenName("high", colour))),
    });
  const small = deck.small.find((card) => card.id === id);
  if (!small) return id;
  const needs = listed(small.needs.map((need) => tokenName(need.rank, need.colour)));
  return t("Small oracle {id}: {needs}; reward: {reward}", { id, needs, reward: words(small.reward) });
}
