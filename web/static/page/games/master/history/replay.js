// The history of a game as mazes: each step with the line that was pushed and the wizard's way.

import { t, tn } from "../../../core/text/i18n.js";
import { h } from "../../../../vendor/preact.js";
import { drawMaze } from "../maze/maze.js";
import { marksOf } from "../maze/table_maze.js";
import { tokenList, wandPictures } from "../tokens.js";

// Types of moves that begin a turn, unless it has begun, and that end it; a promise comes before the shift.
const BEGINNING = ["deal", "shift"];
const ENDING = ["walk", "stay"];
// Phases after play.
const AFTER_PLAY = ["formulas", "over"];

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

// Return the moves turn by turn: {title, round, lines}. In each round every player has one turn; an extra one
// by a wand is part of it. What follows after play is the last chapter. Pure.
export function chapters(lines, seats, { phase }) {
  const found = [];
  let turns = 0;
  let goesOn = false;
  const after = AFTER_PLAY.includes(phase) ? lastOfPlay(lines) + 1 : lines.length;
  for (const line of lines.slice(0, after)) {
    const begins = BEGINNING.includes(line.type) && !goesOn;
    if (begins) turns += 1;
    if (begins || !found.length) {
      const round = Math.ceil(turns / seats.length);
      found.push({ title: titleOf(round, seats[line.player]), round, lines: [] });
    }
    found.at(-1).lines.push(line);
    goesOn = (goesOn || begins || line.type === "use_wand") && !ENDING.includes(line.type);
  }
  const round = found.at(-1)?.round ?? 0;
  return after === lines.length
    ? found
    : [...found, { title: t("The formula cards are shown"), round, lines: lines.slice(after) }];
}

// Index of the move that ended play: that the players agreed to end, else the last turn.
function lastOfPlay(lines) {
  const agreed = lines.findLastIndex(({ type }) => type === "end_game");
  return agreed < 0 ? lines.findLastIndex(({ type }) => ENDING.includes(type)) : agreed;
}

function titleOf(round, seat) {
  return round ? t("Round {round}: {name}", { round, name: seat.name }) : t("Preparation");
}
