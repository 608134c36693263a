// Names and icons of the kinds of pieces that are enrolled, and of the words on cards.

import { icon } from "./pieces.js";
import { RANK_NAMES } from "./words.js";
import { t, tn } from "../../core/text/i18n.js";
import { disc } from "../../core/components/basic_components.js";
import { h } from "../../../vendor/preact.js";

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
  if (group === "search") return disc({ figure: which });
  if (group === "impurity") return h("span", { class: "twofold" }, icon("impurity"), h("b", {}, which));
  return icon(group === "token" ? which : kind);
}

// Return the name of a word that has no icon.
export function wordName(word) {
  return RANK_NAMES[word];
}

// Render the icon of a word on a card; null for ranks.
export function wordSign(word) {
  return word in RANK_NAMES ? null : icon(word);
}
