// From which side this screen shows the table, and the texts that are read from that side.

import { store } from "./store.js";

// quarters: clockwise quarter turns, 0 to 3, by which a game's board is drawn; 0 is from the side of seat 1.
export const side = store({ quarters: 0 });

// Show boards from another side. turned: how far the table is turned, as a fraction of a full turn.
export function showFrom(turned) {
  side.quarters = ((-Math.round(turned * 4) % 4) + 4) % 4;
}

// Return a value that the companion sent with each {sides}, a text by quarter turns, as the text that this
// screen reads. It is chosen when it is read, since another screen may show the table from another side.
export function fromThisSide(value) {
  if (value === null || typeof value !== "object") return value;
  for (const [key, each] of Object.entries(value)) {
    if (Array.isArray(each?.sides))
      Object.defineProperty(value, key, { enumerable: true, get: () => each.sides[side.quarters] });
    else fromThisSide(each);
  }
  return value;
}
