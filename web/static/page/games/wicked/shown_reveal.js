// Decides which reveal is shown large: the proposed one, otherwise the latest entered one for a few seconds.

import { t, tn } from "../../core/text/i18n.js";
import { live } from "../../core/live_channel.js";
import { openSheet } from "../../core/navigation.js";
import { store } from "../../core/store.js";
import { candidates, doubtfulSeats, doubtsOf, waitingProposal } from "../../table/question.js";

// ms for which an outcome stays large, unless the next hands come earlier.
const LARGE_FOR = 12_000;
// The latest entered outcome, as this page received it. moves: number of moves at that time; large: whether
// it is shown large; rested: the hands have left since.
const latest = store({ key: null, moves: null, large: false, rested: false });
let timer = 0;

// Return the reveal to show as {hands, outcome, proposed, decides, doubts, key}; null for none. decides: it
// waits for an answer.
export function shownReveal(game) {
  const { outcomes } = live.view;
  const proposal = waitingProposal(game);
  const move = proposal ? candidates(proposal)[0].move : null;
  if (move?.type === "reveal") {
    const doubts = doubtsOf(proposal);
    const decides = proposal.held || !proposal.certain || doubts.length > 0;
    return {
      hands: move.hands,
      outcome: outcomes[0],
      proposed: true,
      decides,
      doubts,
      key: keyOf(game, move.hands),
    };
  }
  const { outcome, phase } = game.view;
  if (!outcome || !(phase === "gain" || (["search", "soul"].includes(phase) && isFresh(game)))) return null;
  return {
    hands: outcome.hands,
    outcome,
    proposed: false,
    decides: false,
    doubts: [],
    key: keyOf(game, outcome.hands),
  };
}

// The place in the ring of the corridor that is searched now; it stays open while its gains are chosen.
export function searchedSlot({ phase, corridor }) {
  return ["search", "gain"].includes(phase) ? corridor : null;
}

// The heading of an outcome. earlier: whether it was entered already and the next corridor is asked about.
export function outcomeTitle({ gains }, earlier) {
  const costs = gains.some((gain) => gain?.impurity);
  if (earlier)
    return costs
      ? t("What the last corridor gave: each impurity costs a point")
      : t("What the last corridor gave");
  return costs ? t("What this corridor gives: each impurity costs a point") : t("What this corridor gives");
}

// How a gain is counted, and for what takes points away, why.
export function countedGain(name, times) {
  if (name !== "impurity") return { text: times > 1 ? `${times}×` : null, props: { class: "gain" } };
  return {
    text: `−${times}`,
    props: {
      class: "gain costs",
      title: tn(times, "{n} impurity: a point less", "{n} impurity: {n} points less"),
    },
  };
}

// The outcome of this round's corridor before the one that is searched now.
export function lastOutcome(game) {
  const { outcome, phase, corridor } = game.view;
  return phase === "search" && corridor > 0 ? outcome : null;
}

// Whether the outcome was entered while this page was open, and is still to be shown large.
function isFresh(game) {
  return latest.key === outcomeKey(game) && latest.large;
}

// Stop showing the outcome large, because the next corridor begins.
export function endResult() {
  latest.large = false;
}

// Record each state, in order. The outcome in the first state and one that an undo restores are not new; a
// corrected one is.
export function followReveals(game) {
  const key = outcomeKey(game);
  const moves = game?.history.length ?? 0;
  if (key !== latest.key) {
    const isNew = key !== null && latest.moves !== null && moves >= latest.moves;
    Object.assign(latest, { key, large: isNew, rested: false });
    clearTimeout(timer);
    if (isNew) timer = setTimeout(endResult, LARGE_FOR);
  }
  latest.moves = moves;
  if (live.view.camera.state !== "hands") latest.rested = true;
  else if (latest.rested && game?.view.phase !== "gain") latest.large = false;
}

// Unique, because each corridor card is searched once per game.
function outcomeKey(game) {
  const outcome = game?.view.outcome;
  return outcome ? `${game.id}:${outcome.card}:${handsKey(outcome.hands)}` : null;
}

// A reveal keeps its key from the proposal to its entry, so that its pieces are animated once.
function keyOf(game, hands) {
  return `${game.id}:${game.view.round}:${handsKey(hands)}`;
}

function handsKey(hands) {
  return hands.map((hand) => `${hand.search}.${hand.witch}.${hand.soul}`).join("-");
}

// Return the possible readings of one hand, most probable first; each with the sum over all candidates that
// contain it.
export function alternatives(proposal, seat) {
  const found = new Map();
  for (const { move, probability } of candidates(proposal)) {
    const hand = move.hands[seat];
    const key = `${hand.search}.${hand.witch}.${hand.soul}`;
    const known = found.get(key) ?? { hand, probability: 0 };
    known.probability += probability;
    found.set(key, known);
  }
  return [...found.values()].sort((one, other) => other.probability - one.probability);
}

// Whether two hands are equal.
export function sameHand(one, other) {
  return one.search === other.search && one.witch === other.witch && one.soul === other.soul;
}

// Open the proposal in the sheet for correction, at a player or at the first doubtful one.
export function openAmend(proposal, seat = null) {
  const { hands } = candidates(proposal)[0].move;
  const doubtful = doubtfulSeats(proposal);
  openSheet({
    kind: "reveal",
    mode: "amend",
    proposal,
    hands,
    seat: seat ?? doubtful[0] ?? 0,
    settled: hands.map((_, at) => at).filter((at) => !doubtful.includes(at)),
  });
}
