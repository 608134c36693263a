// What the signs on cards, tokens and pieces mean, for people who play for the first time.

import { icon, token } from "./pieces.js";
import { t } from "../../core/text/i18n.js";
import { h } from "../../../vendor/preact.js";

// Return {sign, name, about} for each sign.
export function legend() {
  return [
    {
      sign: icon("sign:witch"),
      name: t("Witch's sign"),
      about: t("A piece that everybody has once. Each one shown gives every 1st and 2nd an impurity."),
    },
    {
      sign: icon("sign:soul"),
      name: t("Soul's sign"),
      about: t(
        "A piece that everybody has once. Each one shown gives every 1st and 2nd a low token in the colour of the card's lower half.",
      ),
    },
    {
      sign: icon("impurity"),
      name: t("Impurity"),
      about: t("A point less at the end. Each achieved great oracle takes away two."),
    },
    {
      sign: icon("white"),
      name: t("White fragment"),
      about: t("Becomes a low token of any colour."),
    },
    {
      sign: icon("promotion"),
      name: t("Promotion"),
      about: t(
        "In the soul phase, one token rises. Without the spell, two equal tokens become one of the next rank.",
      ),
    },
    {
      sign: icon("colour_change"),
      name: t("Colour change"),
      about: t("In the soul phase, one token takes another colour."),
    },
    {
      sign: [token("red", "low", "small"), token("red", "middle", "small"), token("red", "high", "small")],
      name: t("Low, middle and high tokens"),
      about: t("One, two and three bars: 1, 2 and 5 points."),
    },
    {
      sign: h("img", { class: "icon", src: "/art/icon/points5.svg", alt: "" }),
      name: t("Oracles"),
      about: t("A great oracle takes two high tokens of its colours and scores 5; a small one scores 2."),
    },
  ];
}
