// Reads a published proposal and answers it, whatever it was read from.

import { t } from "../core/text/i18n.js";
import { command, live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { carryOut } from "../core/navigation.js";

// Return the waiting proposal for this state of the game; null if there is none. several: true for one with a
// question per player, false for one with a single question.
export function waitingProposal(game, several = false) {
  const { proposal } = live.view;
  if (!proposal || proposal.number !== game.number) return null;
  return proposal.questions.length > 1 === several ? proposal : null;
}

// Return the possible moves of a proposal with a single question, likeliest first.
export function candidates(proposal) {
  return proposal.questions[0].choices.map(({ moves, lines, probability }) => ({
    move: moves[0],
    moves,
    text: lines.join("; "),
    probability,
  }));
}

// Return the doubts of all questions, each with its seat.
export function doubtsOf(proposal) {
  return proposal.questions.flatMap(({ doubts }) => doubts);
}

// Return the seats with a doubt.
export function doubtfulSeats(proposal) {
  return [
    ...new Set(
      doubtsOf(proposal)
        .map((doubt) => doubt.seat)
        .filter((seat) => seat !== null),
    ),
  ];
}

// Format a probability from 0 to 1.
export function chance(probability) {
  const whole = Math.round(probability * 100);
  return whole < 1 ? t("under 1 %") : whole > 99 ? t("over 99 %") : t("{whole} %", { whole });
}

// Accept a proposal: the index of one choice per question, null for what the journal has.
export function accept(proposal, choices) {
  return carryOut(command("accept", { proposal: proposal.id, choices, at: proposal.number }));
}

// Discard a proposal or a comparison; the journal stays as it is.
export function dismiss({ id, number }) {
  return carryOut(command("dismiss", { proposal: id, at: number }));
}

export function acceptButton(proposal) {
  const first = proposal.questions.map(({ choices }) => (choices.length ? 0 : null));
  return button(t("Accept"), () => accept(proposal, first), "gold large", {
    disabled: live.busy,
    "data-test": "take",
  });
}

// Render the button that stops the countdown.
export function stopButton(proposal) {
  const stop = () => carryOut(command("hold", { proposal: proposal.id, at: proposal.number }));
  return button(t("Stop"), stop, "large", { disabled: live.busy, "data-test": "hold" });
}
