// What marks the players: a wizard of another colour each.

import { t } from "../../core/text/i18n.js";

const COLOURS = { red: "#bf3038", brown: "#a5794b", blue: "#3f6fb5", white: "#e8e2d4" };
const TITLES = {
  red: t("red wizard"),
  brown: t("brown wizard"),
  blue: t("blue wizard"),
  white: t("white wizard"),
};

// By id: {name, title, colour, ink}.
export const figures = Object.fromEntries(
  Object.entries(COLOURS).map(([id, colour]) => [
    id,
    { name: TITLES[id], title: TITLES[id], colour, ink: colour },
  ]),
);
