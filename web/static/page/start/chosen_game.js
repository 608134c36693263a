// The games that can be begun at this companion.

import { gamePage } from "../core/game_page.js";
import { live } from "../core/live.js";

// Return a game by its id as the companion lists it, {id, title, players, figures, ways}; null for this page's own.
export function chosenGame(id) {
  return live.games.find((one) => one.id === (id ?? gamePage.id)) ?? live.games[0];
}
