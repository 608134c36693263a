// What a reveal shows now: what is proposed, else what was entered last.

import { t } from "./i18n.js";
import { live } from "./live.js";
import { openSheet } from "./stage.js";

export function shownReveal(game) {
  const { proposal, outcomes } = live.view;
  const move = proposal?.number === game.number ? proposal.candidates[0].move : null;
  if (move?.type === "reveal") {
    const decides = proposal.held || !proposal.certain || proposal.doubts.length > 0;
    return { hands: move.hands, outcome: outcomes[0], proposed: true, decides, doubts: proposal.doubts, key: keyOf(game, move.hands) };
  }
  const { outcome } = game.state;
  return outcome ? { hands: outcome.hands, outcome, proposed: false, decides: false, doubts: [], key: keyOf(game, outcome.hands) } : null;
}

// The same reveal keeps its key from the proposal to its entry, so that hands come in only once.
function keyOf(game, hands) {
  const { round } = game.state;
  return `${game.id}:${round}:${hands.map((hand) => `${hand.search}.${hand.witch}.${hand.soul}`).join("-")}`;
}

// The seats about which the camera is not sure.
export function doubtfulSeats(proposal) {
  return [...new Set(proposal.doubts.map((doubt) => doubt.seat).filter((seat) => seat !== null))];
}

// What one hand may be instead, likeliest first, each with the probability of all candidates that say so.
export function alternatives(proposal, seat) {
  const found = new Map();
  for (const { move, probability } of proposal.candidates) {
    const hand = move.hands[seat];
    const key = `${hand.search}.${hand.witch}.${hand.soul}`;
    const known = found.get(key) ?? { hand, probability: 0 };
    known.probability += probability;
    found.set(key, known);
  }
  return [...found.values()].sort((one, other) => other.probability - one.probability);
}

export function sameHand(one, other) {
  return one.search === other.search && one.witch === other.witch && one.soul === other.soul;
}

export function chance(probability) {
  const whole = Math.round(probability * 100);
  return whole < 1 ? t("under 1 %") : whole > 99 ? t("over 99 %") : t("{whole} %", { whole });
}

// Open what the camera proposes to be corrected, at a player or at the first doubtful one.
export function openAmend(proposal, seat = null) {
  const { hands } = proposal.candidates[0].move;
  const doubtful = doubtfulSeats(proposal);
  openSheet({ kind: "reveal", mode: "amend", proposal, hands, seat: seat ?? doubtful[0] ?? 0, settled: hands.map((_, at) => at).filter((at) => !doubtful.includes(at)) });
}
