// What marks the players: an animal and a colour each.

import { ANIMAL_NAMES, COLOUR_NAMES } from "./words.js";
import { t } from "../../core/text/i18n.js";

// Colours on the dark ground of the saved picture.
const INK = { purple: "#8d5cc0", green: "#3aa35c", red: "#d4444c", black: "#37333d", yellow: "#dca51f" };

// By id: {name, title, colour, ink}.
export const figures = Object.fromEntries(
  Object.entries(ANIMAL_NAMES).map(([colour, animal]) => [
    colour,
    {
      name: animal,
      title: t("{animal}, {colour}", { animal, colour: COLOUR_NAMES[colour] }),
      colour: `var(--${colour})`,
      ink: INK[colour],
    },
  ]),
);
