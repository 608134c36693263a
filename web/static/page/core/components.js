// Small components that every screen uses: crests, icons, tokens, buttons, steppers, sheets, cards.

import { describedFace, OWN_CARDS } from "../games/wicked/entry/card_pictures.js";
import { listed, t } from "./i18n.js";
import { h } from "../../vendor/preact.js";
import { ANIMALS, ANIMAL_NAMES, COLOUR_NAMES, ELEMENTS, letter, tokenName } from "./vocabulary.js";

// Render a player's crest: animal, colour and initial.
export function crest(seat, size = "") {
  const name = t("{name}: {animal}, {colour}", {
    name: seat.name,
    animal: ANIMAL_NAMES[seat.figure],
    colour: COLOUR_NAMES[seat.figure],
  });
  return h(
    "span",
    { class: `crest ${seat.figure} ${size}`, role: "img", "aria-label": name, title: name },
    h("img", { src: `/art/icon/${ANIMALS[seat.figure]}.svg`, alt: "" }),
    h("b", { "aria-hidden": "true" }, letter(seat)),
  );
}

// Render the icon of a card element or sign.
export function icon(name, size = "") {
  const words = ELEMENTS[name] ?? name;
  return h("img", { class: `icon ${size}`, src: `/art/icon/${name}.svg`, alt: words, title: words });
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

// Render a button; `kind` are CSS classes, `more` further props.
export function button(text, act, kind = "", more = {}) {
  return h("button", { type: "button", class: `button ${kind}`, onclick: act, ...more }, text);
}

// Render a number with − and + buttons; `change` is called with the new value.
export function stepper(label, value, least, most, change, picture = null) {
  const step = (by) => () => change(Math.min(most, Math.max(least, value + by)));
  return h(
    "div",
    { class: "stepper", role: "group", "aria-label": label },
    picture,
    h(
      "button",
      {
        type: "button",
        class: "step",
        disabled: value <= least,
        onclick: step(-1),
        "aria-label": t("{label}: one less", { label }),
      },
      "−",
    ),
    h("output", { "aria-live": "polite" }, value),
    h(
      "button",
      {
        type: "button",
        class: "step",
        disabled: value >= most,
        onclick: step(1),
        "aria-label": t("{label}: one more", { label }),
      },
      "+",
    ),
  );
}

// Render a modal dialog; `close` is called by the button, by Escape and by a click on the backdrop.
export function sheet(title, close, ...content) {
  return h(
    "dialog",
    {
      key: `sheet-${title}`,
      class: "sheet",
      "aria-label": title,
      ref: showModal,
      oncancel: (event) => {
        event.preventDefault();
        close();
      },
      onclick: (event) => event.target === event.currentTarget && close(),
    },
    h(
      "div",
      { class: "sheet-in" },
      h("header", {}, h("h2", {}, title), button(t("Close"), close, "quiet")),
      ...content,
    ),
  );
}

// Open a dialog when it is inserted into the page; for `ref`.
export function showModal(dialog) {
  dialog?.showModal();
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
