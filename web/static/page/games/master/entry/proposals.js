// What the camera has read of a turn, as small mazes to choose from.

import { t } from "../../../core/text/i18n.js";
import { h } from "../../../../vendor/preact.js";
import { dismiss } from "../../../table/question.js";
import { live } from "../../../core/live_channel.js";
import { drawMaze } from "../maze/maze.js";
import { enterByHand } from "./entry.js";
import { TOKEN_PLACES, arrowName, differingPlaces, placeName, shapeName, shapeOf } from "../maze/board.js";
import { openHoldings } from "./holdings.js";
import { editFrom } from "./lay_board.js";
import { tileImage } from "../maze/spare.js";
import { marksOf, proposedView } from "../maze/table_maze.js";
import { tokenName, tokenPicture } from "../tokens.js";

// Render one answer: the maze as it would be, and its lines; of boards that differ in one place, what lies
// there.
// shown: all answers that are offered.
export function answer(game, shown, choice) {
  const { moves, text } = shown[choice];
  if (["count_holdings", "note_formula"].includes(moves[0]?.type)) return alone(game, moves[0], text);
  const view = proposedView(game, choice);
  if (moves[0]?.type === "lay_board") {
    const places = differingPlaces(shown.map((one) => one.moves[0]));
    const alone = places.length === 1 && view ? whatLies(view, places[0], shown) : null;
    return alone ?? picture(view, { doubtful: places }, text);
  }
  return picture(view, view ? marksOf(view) : {}, shortLine(moves, view) ?? text);
}

// What a player holds or shows after play: the tokens that it is about.
function alone(game, move, text) {
  const { players } = game.view;
  const moved = (move.tokens ?? []).flatMap((held, seat) =>
    held.filter((number) => !players[seat].tokens.includes(number)).map((number) => ({ number, seat })),
  );
  const numbers = move.numbers ?? moved.map(({ number }) => number);
  const line = moved.length === 1 ? t("{name} has it", { name: game.seats[moved[0].seat].name }) : text;
  return [
    h(
      "span",
      { key: "alone", class: "answer-alone held-tokens" },
      numbers.map((number) => tokenPicture(number)),
    ),
    h("span", { key: "text", class: "answer-text" }, line),
  ];
}

// What distinguishes a turn from others: where the spare tile went in, and where the turn ended; null for
// others.
function shortLine(moves, view) {
  const shift = moves.find(({ type }) => type === "shift");
  const end = moves.find(({ type }) => ["walk", "stay"].includes(type));
  const number = view?.latest?.taken ?? null;
  const ended = !end
    ? null
    : end.type === "stay"
      ? t("stays")
      : end.take && number !== null
        ? t("takes {number}", { number })
        : t("to {place}", { place: placeName(end.place) });
  const all = [shift ? arrowName(shift.arrow) : null, ended].filter(Boolean);
  return all.length ? all.join(", ") : null;
}

function picture(view, marks, text) {
  return [
    view
      ? h("span", { key: "maze", class: "answer-maze" }, drawMaze(view, { marks, kind: "mini", label: text }))
      : null,
    h("span", { key: "text", class: "answer-text" }, text),
  ];
}

// The token at a place where the tokens differ, else the tile.
function whatLies(view, place, shown) {
  const index = TOKEN_PLACES.indexOf(place);
  const numbers = index < 0 ? [] : shown.map(({ moves: [move] }) => move.tokens[index]);
  const number = numbers.some((one) => one !== numbers[0]) ? tokenAt(view, place) : undefined;
  const [shape] = shapeOf(view.tiles[place]);
  return [
    h(
      "span",
      { key: "alone", class: "answer-alone" },
      number === undefined ? tileImage(view.tiles[place]) : tokenPicture(number),
    ),
    h(
      "span",
      { key: "text", class: "answer-text" },
      number === undefined ? shapeName(shape) : tokenName(number),
    ),
  ];
}

function tokenAt(view, place) {
  return view.tokens.find(([, one]) => one === place)?.[0];
}

// Open another answer: the board is laid, or the turn is entered, by hand.
export function correct(proposal) {
  const [move] = proposal.questions[0].choices[0]?.moves ?? [];
  if (move?.type === "count_holdings") openHoldings(live.game, move);
  else if (move?.type === "lay_board") editFrom(live.game, move);
  else if (move?.type !== "note_formula") enterByHand(live.game);
  return dismiss(proposal);
}
