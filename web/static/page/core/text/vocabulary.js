// Translated names of the camera's states, and texts about players and points.

import { signed, t } from "./i18n.js";

// The camera's states.
export const CAMERA = {
  preparing: t("preparing"),
  watching: t("watching"),
  hands: t("hands"),
  settling: t("settling"),
  reading: t("reading"),
  needs_you: t("needs you"),
  paused: t("paused"),
  teaching: t("learning"),
  hindered: t("poor view"),
  no_camera: t("no camera"),
  by_hand: t("by hand"),
};

// Return the initial of a seat's player, or "?"; with a second letter of the name where another player of
// the game has the same initial. seats: of the game.
export function letter(seat, seats = []) {
  const name = [...seat.name.trim()];
  const first = initial(seat);
  const others = seats.filter((one) => one.figure !== seat.figure && initial(one) === first);
  const inGame = seats.some((one) => one.figure === seat.figure && one.name === seat.name);
  if (!others.length || !inGame) return first;
  const differs = (at) => name[at].trim() && others.every((one) => [...one.name.trim()][at] !== name[at]);
  return first + (name[[...name.keys()].slice(1).find(differs)] ?? "");
}

function initial({ name }) {
  return ([...name.trim()][0] ?? "?").toUpperCase();
}

// Format a range such as "43–45".
export function between([least, most]) {
  if (least === most) return signed(least);
  return least < 0 ? `${signed(least)} … ${signed(most)}` : `${least}–${most}`;
}
