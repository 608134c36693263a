// Opens the correction of a count of pieces that the plaques show.

import { openAmend, shownReveal } from "../shown_reveal.js";
import { live } from "../../../core/live_channel.js";
import { openRevision } from "../../../history/revision.js";

// Correct a count: amend the proposal while it waits, or revise the entry once it is in the journal.
export function correct(game, index) {
  const { proposal } = live.view;
  const reveal = shownReveal(game);
  if (reveal?.proposed) return openAmend(proposal, index);
  const entry = game.history.findLast((line) => line.type === "reveal");
  if (entry) openRevision(entry.number, index);
}
