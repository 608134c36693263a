// What a proposal of the camera shows beyond its lines: hands, and the sheets that correct it.

import { handView } from "../entry/hand_counts.js";
import { openLaying } from "../entry/open_cards.js";
import { openAmend, sameHand } from "../shown_reveal.js";
import { t } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { candidates } from "../../../table/question.js";

// Whether the plaques show what a candidate says, so that its line is not needed.
export function isDrawn(candidate) {
  return candidate.move.type === "reveal";
}

// Render what distinguishes an answer from the others: only the hands in which they differ; null for cards.
export function answer(game, shown, choice) {
  if (!isDrawn(shown[choice])) return null;
  const all = shown.map((candidate) => candidate.move.hands);
  const hands = shown[choice].move.hands;
  const open = game.seats
    .map((_, seat) => seat)
    .filter((seat) => all.some((other) => !sameHand(other[seat], hands[seat])));
  const seats = open.length ? open : game.seats.map((_, seat) => seat);
  return seats.map((seat) => handView(game, seat, hands[seat]));
}

// Return the description of a picture of one hand.
export function pictureText(name) {
  return t("{name}'s hand as the camera saw it", { name });
}

// Open the sheet in which another answer is entered.
export function correct(proposal) {
  const [{ move }] = candidates(proposal);
  if (move.type === "reveal") return openAmend(proposal);
  return openLaying(live.game, { proposal: proposal.id, picked: move.type === "lay" ? [...move.cards] : [] });
}
