// What a reveal shows now: what is proposed, else what was entered last, for as long as people take what it
// gives.

import { t, tn } from "../../core/i18n.js";
import { live } from "../../core/live.js";
import { draw, openSheet } from "../../core/stage.js";

const LARGE_FOR = 12_000; // ms: an outcome stays large so long, or until the next hands come
// The outcome that was entered last, as this page heard of it. moves: how many had been made by then.
const latest = { key: null, moves: null, until: 0, rested: false };

export function shownReveal(game) {
  const { proposal, outcomes } = live.view;
  const move = proposal?.number === game.number ? proposal.candidates[0].move : null;
  if (move?.type === "reveal") {
    const decides = proposal.held || !proposal.certain || proposal.doubts.length > 0;
    return {
      hands: move.hands,
      outcome: outcomes[0],
      proposed: true,
      decides,
      doubts: proposal.doubts,
      key: keyOf(game, move.hands),
    };
  }
  const { outcome, phase } = game.state;
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

export function outcomeTitle({ gains }) {
  return gains.some((gain) => gain?.impurity)
    ? t("What this corridor gives: each impurity costs a point")
    : t("What this corridor gives");
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
  const { outcome, phase, corridor } = game.state;
  return phase === "search" && corridor > 0 ? outcome : null;
}

// Whether an outcome came about while this page was open, and nothing has begun since then.
function isFresh(game) {
  return latest.key === outcomeKey(game) && performance.now() < latest.until;
}

// The next corridor begins: what the last one gave is small from now on.
export function endResult() {
  latest.until = 0;
  draw();
}

// Hear of each state of the table, in order. What the page was opened with, and what an undo brings back, is
// not new; what a correction changed is.
export function followReveals(game) {
  const key = outcomeKey(game);
  const moves = game?.history.length ?? 0;
  if (key !== latest.key) {
    const isNew = key !== null && latest.moves !== null && moves >= latest.moves;
    Object.assign(latest, { key, until: isNew ? performance.now() + LARGE_FOR : 0, rested: false });
    if (isNew) setTimeout(draw, LARGE_FOR + 20);
  }
  latest.moves = moves;
  if (live.view.camera.state !== "hands") latest.rested = true;
  else if (latest.rested && game?.state.phase !== "gain") latest.until = 0;
}

// Each corridor card is searched once in a game.
function outcomeKey(game) {
  const outcome = game?.state.outcome;
  return outcome ? `${game.id}:${outcome.card}:${handsKey(outcome.hands)}` : null;
}

// The same reveal keeps its key from the proposal to its entry, so that hands come in only once.
function keyOf(game, hands) {
  return `${game.id}:${game.state.round}:${handsKey(hands)}`;
}

function handsKey(hands) {
  return hands.map((hand) => `${hand.search}.${hand.witch}.${hand.soul}`).join("-");
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
  openSheet({
    kind: "reveal",
    mode: "amend",
    proposal,
    hands,
    seat: seat ?? doubtful[0] ?? 0,
    settled: hands.map((_, at) => at).filter((at) => !doubtful.includes(at)),
  });
}
