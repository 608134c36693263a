// What the round that has just ended brought: how much everybody gained, and the ranking.

import { tn } from "../../core/text/i18n.js";

// The round that is over and, by seat, the points that it brought and everybody's place; null while no round
// is over.
export function roundOver(game) {
  const rounds = (game.chronicle?.rounds ?? []).filter(({ over }) => over);
  if (game.view.phase !== "lay" || !rounds.length) return null;
  const [before, last] = [rounds.at(-2), rounds.at(-1)];
  return {
    round: last.round,
    seats: game.seats.map((_, seat) => ({
      by: last.points[seat] - (before?.points[seat] ?? 0),
      place: game.scores[seat].place,
    })),
  };
}

export function brought(by) {
  return tn(by, "{sign}{n} point in this round", "{sign}{n} points in this round", {
    sign: by > 0 ? "+" : "",
  });
}
