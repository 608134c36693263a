// What the camera has read of a turn, as small mazes to choose from.

import { h } from "../../../vendor/preact.js";
import { dismiss } from "../../table/question.js";
import { live } from "../../core/live.js";
import { drawMaze } from "./maze.js";
import { enterByHand } from "./entry.js";
import { differingPlaces, laidView } from "./board.js";
import { editFrom } from "./lay_board.js";
import { afterTurn } from "./table_maze.js";

// Render one answer: the maze as it would be, and its lines. shown: all answers that are offered.
export function answer(game, shown, choice) {
  const { moves, text } = shown[choice];
  const [view, marks] = drawn(game, moves, shown);
  return [
    h("span", { class: "answer-maze" }, drawMaze(view, { marks, kind: "mini", label: text })),
    h("span", { class: "answer-text" }, text),
  ];
}

function drawn(game, moves, shown) {
  const [move] = moves;
  if (move?.type !== "lay_board") return afterTurn(game.view, moves);
  return [laidView(game.view, move), { doubtful: differingPlaces(shown.map(({ moves: [one] }) => one)) }];
}

// Open another answer: the board is laid, or the turn is entered, by hand.
export function correct(proposal) {
  const board = proposal.questions[0].choices[0]?.moves.find(({ type }) => type === "lay_board");
  if (board) editFrom(live.game, board);
  else enterByHand(live.game);
  return dismiss(proposal);
}
