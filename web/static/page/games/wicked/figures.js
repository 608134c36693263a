// What marks the players: an animal and a colour each.

import { ANIMALS, ANIMAL_NAMES, COLOUR_NAMES } from "./words.js";
import { t } from "../../core/i18n.js";

// Colours on the dark ground of the saved picture.
const INK = { purple: "#8d5cc0", green: "#3aa35c", red: "#d4444c", black: "#37333d", yellow: "#dca51f" };

// By id: {name, title, colour, ink, picture}.
export const figures = Object.fromEntries(
  Object.entries(ANIMALS).map(([colour, animal]) => [
    colour,
    {
      name: ANIMAL_NAMES[colour],
      title: t("{animal}, {colour}", { animal: ANIMAL_NAMES[colour], colour: COLOUR_NAMES[colour] }),
      colour: `var(--${colour})`,
      ink: INK[colour],
      picture: `/art/icon/${animal}.svg`,
    },
  ]),
);
