// The side from which this screen shows the table, and texts that depend on it.

import { store } from "./store.js";

// quarters: clockwise quarter turns, 0 to 3, by which boards are drawn; 0 is the side of seat 1.
export const side = store({ quarters: 0 });

// Set the side. turned: rotation of the table on this screen, as a fraction of a full turn.
export function showFrom(turned) {
  side.quarters = ((-Math.round(turned * 4) % 4) + 4) % 4;
}

// Change a value that the companion sent, in place, and return it: each {sides} in it, a list of texts by
// quarter turns, becomes a property that returns the text for the present side.
export function fromThisSide(value) {
  if (value === null || typeof value !== "object") return value;
  for (const [key, each] of Object.entries(value)) {
    if (Array.isArray(each?.sides))
      Object.defineProperty(value, key, { enumerable: true, get: () => each.sides[side.quarters] });
    else fromThisSide(each);
  }
  return value;
}
