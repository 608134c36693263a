// What the camera has read of a turn, as small mazes to choose from.

import { h } from "../../../vendor/preact.js";
import { dismiss } from "../../table/question.js";
import { live } from "../../core/live.js";
import { drawMaze } from "./maze.js";
import { enterByHand } from "./entry.js";
import { differingPlaces } from "./board.js";
import { editFrom } from "./lay_board.js";
import { marksOf, proposedView } from "./table_maze.js";

// Render one answer: the maze as it would be, and its lines. shown: all answers that are offered.
export function answer(game, shown, choice) {
  const { moves, text } = shown[choice];
  const view = proposedView(game, choice);
  const doubtful = moves[0]?.type === "lay_board" ? differingPlaces(shown.map((one) => one.moves[0])) : [];
  return [
    view
      ? h(
          "span",
          { key: "maze", class: "answer-maze" },
          drawMaze(view, { marks: { ...marksOf(view), doubtful }, kind: "mini", label: text }),
        )
      : null,
    h("span", { key: "text", class: "answer-text" }, text),
  ];
}

// Open another answer: the board is laid, or the turn is entered, by hand.
export function correct(proposal) {
  const board = proposal.questions[0].choices[0]?.moves.find(({ type }) => type === "lay_board");
  if (board) editFrom(live.game, board);
  else enterByHand(live.game);
  return dismiss(proposal);
}
