// The history of a game as mazes: each step with the line that was pushed and the wizard's way.

import { t, tn } from "../../../core/i18n.js";
import { live } from "../../../core/live.js";
import { h } from "../../../../vendor/preact.js";
import { drawMaze } from "../maze/maze.js";
import { marksOf } from "../maze/table_maze.js";
import { tokenList, wandPictures } from "../tokens.js";

// Types of moves that begin a turn; a promise and a wand come before the shift.
const BEGINNING = ["deal", "use_wand", "shift"];

// Render the maze after a step of the replay.
export function replayTable({ view }) {
  if (!view.tiles.length) return null;
  return h(
    "div",
    { class: "replay-maze" },
    drawMaze(view, { marks: marksOf(view), label: t("The maze after this step") }),
  );
}

// Render what a player has after a step of the replay.
export function replaySeat({ view }, _, seat) {
  const player = view.players[seat];
  return h(
    "div",
    { class: "replay-held" },
    h(
      "span",
      { class: "seat-wands", role: "img", "aria-label": tn(player.wands, "{n} wand", "{n} wands") },
      wandPictures(player.wands),
    ),
    tokenList(player.tokens, t("Tokens held")),
  );
}

// Return the history turn by turn: {title, round, lines}. Pure but for the players' names.
export function chapters(history) {
  const found = [];
  let turns = 0;
  for (const line of history) {
    const last = found.at(-1);
    const opens =
      BEGINNING.includes(line.type) && !last?.lines.every(({ type }) => ["deal", "use_wand"].includes(type));
    if (opens) turns += 1;
    if (!last || opens) found.push({ title: titleOf(line, turns), round: turns, lines: [] });
    found.at(-1).lines.push(line);
  }
  return found;
}

function titleOf(line, turns) {
  if (!turns) return t("Preparation");
  return t("Turn {number}: {name}", { number: turns, name: live.game?.seats[line.player]?.name ?? "" });
}
