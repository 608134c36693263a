// The seat that this screen draws at its lower edge.

import { store } from "../core/store.js";
import { you } from "../place/move_options.js";
import { anglesFor } from "./seating.js";

const KEPT = "companion.near";
// chosen: index of the seat, as somebody chose it on this device, or null.
const near = store({ chosen: stored() });

function stored() {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === null ? null : Number(kept) || 0;
  } catch {
    return null;
  }
}

// Return the seat that is drawn at the lower edge: the chosen one, else a player's own, else the first.
export function nearSeat({ seats }) {
  return (near.chosen ?? you().seat ?? 0) % seats.length;
}

// Turn the table by one seat, so that each screen can show it from its own side.
export function turnTable(game) {
  near.chosen = (nearSeat(game) + 1) % game.seats.length;
  try {
    localStorage.setItem(KEPT, String(near.chosen));
  } catch {
    // Without storage the rotation is lost on reload.
  }
}

// Return how far the table is turned where a seat is drawn at the lower edge, as a fraction of a full turn.
export function turnedTo({ seats }, seat) {
  return anglesFor(seats.length)[seat] / 360;
}
