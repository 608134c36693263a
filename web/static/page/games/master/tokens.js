// Tokens as pictures, and their names.

import { t } from "../../core/text/i18n.js";
import { h } from "../../../vendor/preact.js";

// Names by number.
const TOKEN_NAMES = {
  1: t("crab apples"),
  2: t("pine cone"),
  3: t("oak leaf"),
  4: t("slug oil"),
  5: t("clover"),
  6: t("garlic"),
  7: t("raven's feather"),
  8: t("henbane"),
  9: t("spider"),
  10: t("skull"),
  11: t("blindworm"),
  12: t("quartz"),
  13: t("toad"),
  14: t("salamander"),
  15: t("weasel"),
  16: t("silver thistle"),
  17: t("snake"),
  18: t("emerald"),
  19: t("mandrake"),
  20: t("black rooster"),
  25: t("mistletoe"),
};

// Return the number and name of a token.
export function tokenName(number) {
  return t("{number}, {token}", { number, token: TOKEN_NAMES[number] });
}

// Render a token with its number. kind: CSS classes.
export function tokenPicture(number, kind = "") {
  return h(
    "span",
    { class: `token-face ${kind}`, title: tokenName(number) },
    h("img", { src: `/art/master/token/${number}.svg`, alt: "" }),
    h("b", {}, number),
  );
}

// Render tokens as a list. kindOf(number): CSS classes of one.
export function tokenList(numbers, label, kindOf = () => "") {
  return h(
    "ul",
    { class: "held-tokens", "aria-label": label },
    [...numbers].map((number) => h("li", { key: number }, tokenPicture(number, kindOf(number)))),
  );
}

// Render this many wands.
export function wandPictures(number) {
  return Array.from({ length: number }, (_, index) =>
    h(
      "svg",
      { key: index, class: "wand", viewBox: "0 0 12 32", "aria-hidden": "true" },
      h("path", { class: "stick", d: "M6 31V9" }),
      h("path", {
        class: "star",
        d: "M6 .8L7.4 4.2L11 4.5L8.2 6.8L9.1 10.4L6 8.4L2.9 10.4L3.8 6.8L1 4.5L4.6 4.2Z",
      }),
    ),
  );
}
