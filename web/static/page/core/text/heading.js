// The heading of a game's state.

import { gamePage } from "../game_page.js";
import { t } from "./i18n.js";

// Return the heading. state: a game, or another state of it with its `stage` and `view`.
export function headingOf(game, state = game) {
  if (gamePage.heading) return gamePage.heading(state);
  const { phase, round } = state.stage;
  if (phase === "over") return t("{game}: final scores", { game: game.title });
  return round > 1 ? t("{game}: round {round}", { game: game.title, round }) : game.title;
}
