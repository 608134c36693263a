// The entry of this game's page: hands its parts over to the shared page and starts it.

import { begin } from "../../app.js";
import { caption, endButton, entry } from "./entry.js";
import { figures } from "./figures.js";
import { maze } from "./maze.js";
import { place } from "./player_place.js";
import { seatToMove } from "./turn.js";
import { t } from "../../core/i18n.js";
import { h } from "../../../vendor/preact.js";

begin({
  title: t("Master Labyrinth"),
  fileName: "master-labyrinth",
  figures,
  words: {
    welcome: t("Who enters the maze?"),
    byHand: t(
      "Lay the board as the screen shows it. Then tap each turn: an arrow, and the place where it ends.",
    ),
  },
  middle: (game, turned) => h("div", { class: "ring maze-ring" }, maze(game, turned)),
  caption,
  handStep: entry,
  steps: endButton,
  place,
  seatToMove,
  victory: (name) => t("{name} masters the labyrinth", { name }),
});
