// Divides the history into rounds and corridors.

import { t } from "../../../core/text/i18n.js";

// Types of moves that belong to what was going on: oracles are named in any phase.
const IN_BETWEEN = ["choose_colours", "keep_tokens", "name_oracle"];

// The moves of a game by round and corridor: {title, round, lines}, in order; round 0 is what was before the
// first. Pure.
export function chapters(lines) {
  const found = [];
  let [round, corridor] = [0, 0];
  for (const line of lines) {
    if (line.type === "lay") [round, corridor] = [round + 1, 0];
    if (line.type === "reveal") corridor += 1;
    const title = titleOf(line.type, round, corridor, found.at(-1)?.title);
    if (found.at(-1)?.title !== title) found.push({ title, round, lines: [] });
    found.at(-1).lines.push(line);
  }
  return found;
}

function titleOf(type, round, corridor, before) {
  if (type === "deal") return t("Preparation");
  if (type === "lay") return t("Round {round}", { round });
  if (type === "reveal") return t("Round {round} · corridor {corridor}", { round, corridor });
  if (IN_BETWEEN.includes(type)) return before ?? t("Preparation");
  return t("Round {round}, souls", { round });
}
