// Names and icons of the kinds of pieces and cards that are enrolled.

import { icon } from "../pieces.js";
import { ANIMALS } from "../words.js";
import { listed, t, tn } from "../../../core/i18n.js";
import { colourStyle } from "../../../core/components.js";
import { known } from "../../../setup/profile.js";
import { h } from "../../../../vendor/preact.js";

const KINDS = {
  "search:purple": t("wolves"),
  "search:green": t("rabbits"),
  "search:red": t("eagles"),
  "search:black": t("cats"),
  "search:yellow": tn(2, "sheep", "sheep"),
  "sign:witch": t("witch's signs"),
  "sign:soul": t("soul's signs"),
  "token:red": t("red tokens"),
  "token:green": t("green tokens"),
  "token:blue": t("blue tokens"),
  "token:yellow": t("yellow tokens"),
  "impurity:1": t("impurity tiles of 1"),
  "impurity:3": t("impurity tiles of 3"),
};
const CARDS = {
  corridor: (number) => tn(number, "{n} corridor", "{n} corridors"),
  great: (number) => tn(number, "{n} great oracle", "{n} great oracles"),
  small: (number) => tn(number, "{n} small oracle", "{n} small oracles"),
};

// Return the kind of the pieces of a figure.
export function pieceOf(figure) {
  return `search:${figure}`;
}

// Return the plural name of a kind.
export function kindName(kind) {
  return KINDS[kind] ?? kind;
}

// Render the icon of a kind.
export function kindSign(kind) {
  const [group, which] = kind.split(":");
  if (group === "search")
    return h(
      "span",
      { class: "crest small", style: colourStyle({ figure: which }) },
      h("img", { src: `/art/icon/${ANIMALS[which]}.svg`, alt: "" }),
    );
  if (group === "impurity") return h("span", { class: "twofold" }, icon("impurity"), h("b", {}, which));
  return icon(group === "token" ? which : kind);
}

// Render how many cards of each kind are enrolled.
export function knownCards() {
  const counts = Object.entries(CARDS)
    .filter(([kind]) => known.view.cards[kind])
    .map(([kind, words]) => words(known.view.cards[kind]));
  return h(
    "p",
    { class: "aside" },
    counts.length
      ? t("Cards known: {cards}.", { cards: listed(counts) })
      : t("No cards are known yet: enrol them with companion enrol card."),
  );
}
