// Opens the sheets in which cards are named by hand, with nothing chosen yet.

import { command, live } from "../../../core/live_channel.js";
import { carryOut, openSheet } from "../../../core/navigation.js";

// Corridors of a round by number of players.
const LAID = { 3: 4, 4: 5, 5: 6 };

// Open the sheet for the cards of the current phase. more: {proposal, picked} to correct what was read.
export function openLaying(game, more = {}) {
  openSheet({
    kind: "laying",
    picked: [],
    // Why the deck could not be loaded.
    failure: "",
    // Oracles are dealt to one seat after the other.
    seat: 0,
    great: game.seats.map(() => []),
    small: game.seats.map(() => []),
    // Corridors of a deck that is described as it is laid.
    cards: Array.from({ length: LAID[game.seats.length] }, () => ({ upper: [], lower: [] })),
    slot: 0,
    ...more,
  });
}

// Open the sheet that names one oracle of a player. Others may move meanwhile.
export function openOracle(player) {
  const concerns = ({ view: { players } }) => JSON.stringify([players[player].great, players[player].small]);
  openSheet({ kind: "oracle", player, what: "great", colours: [], needs: [], reward: [], concerns });
}

// Begin without oracles, which are named one by one later; an error is shown.
export function dealLater() {
  return carryOut(dealNone());
}

// The same; resolves to the answer.
export function dealNone() {
  const none = live.game.seats.map(() => []);
  const move = { type: "deal", great: none, small: none };
  return command("play", { move, at: live.game.number });
}
