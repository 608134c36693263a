// Edits a move of a turn in the correction sheet, on the maze as it was: another arrow and rotation, or
// another place where the wizard ended.

import { t } from "../../../core/text/i18n.js";
import { h } from "../../../../vendor/preact.js";
import { wayBetween } from "../maze/board.js";
import { drawMaze } from "../maze/maze.js";
import { spareTiles } from "../maze/spare.js";
import { marksOf } from "../maze/table_maze.js";

// Render the editor of a move; null for one that is chosen from a list. edit: the move with its state, a
// store; change(move): called with the edited move.
export function turnEditor(_, edit, change) {
  const type = edit.was.move?.type;
  if (type === "shift") return shiftEditor(edit, change);
  return ["walk", "stay"].includes(type) ? walkEditor(edit, change) : null;
}

function shiftEditor(edit, change) {
  const { view } = edit.was.before;
  const { move } = edit;
  const possible = edit.was.options.map((option) => option.move).filter(({ type }) => type === "shift");
  // After a correction the spare tile may be another one, which cannot be turned as the move says.
  const fits = possible.some(({ openings }) => openings === move.openings);
  const turned = edit.picked ?? (fits ? move.openings : view.spare);
  const arrows = possible.filter(({ openings }) => openings === turned);
  const turn = (openings) => {
    edit.picked = openings;
    const other = possible.find((one) => one.arrow === move.arrow && one.openings === openings);
    if (other) change(other);
  };
  return editor(
    t("Where did the spare tile go in?"),
    drawMaze(view, {
      arrows: new Map(arrows.map((one) => [one.arrow, () => change(one)])),
      marks: { arrows: arrows.some(({ arrow }) => arrow === move.arrow) ? [move.arrow] : [] },
    }),
    spareTiles(view.spare, turned, turn),
  );
}

function walkEditor(edit, change) {
  const { view } = edit.was.before;
  const { player } = edit.was.move;
  const here = view.players[player].place;
  const ends = new Map();
  for (const { move } of edit.was.options) {
    if (move.type === "stay") ends.set(here, move);
    if (move.type === "walk" && (move.take || !ends.has(move.place))) ends.set(move.place, move);
  }
  const end = edit.move.place ?? here;
  const possible = ends.has(end); // not where a correction has made the move impossible
  const players = view.players.map((one, seat) =>
    seat === player && possible ? { ...one, place: end } : one,
  );
  const places = [...ends].map(([place, move]) => [
    place,
    {
      act: () => change(move),
      takes: move.take ?? false,
      label: move.type === "stay" ? t("Stay here") : null,
    },
  ]);
  return editor(
    t("Where did the turn end?"),
    drawMaze(
      { ...view, players },
      {
        places: new Map(places),
        marks: { ...marksOf(view), way: wayBetween(view.tiles, here, end), target: possible ? end : null },
      },
    ),
    leaving(edit, change),
  );
}

// Whether the token at the chosen place was left lying; null where none could be taken.
function leaving(edit, change) {
  const both = edit.was.options.map(({ move }) => move).filter(({ place }) => place === edit.move.place);
  if (edit.move.type !== "walk" || both.length < 2) return null;
  return h(
    "label",
    { class: "leave-token" },
    h("input", {
      type: "checkbox",
      checked: !edit.move.take,
      onchange: (event) => change(both.find(({ take }) => take !== event.currentTarget.checked)),
    }),
    t("Leave the token lying"),
  );
}

function editor(question, maze, more) {
  return h(
    "div",
    { class: "turn-editor", "data-test": "turn-editor" },
    h("p", { class: "question" }, question),
    more,
    h("div", { class: "turn-editor-maze" }, maze),
  );
}
