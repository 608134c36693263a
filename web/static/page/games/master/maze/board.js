// The geometry of the maze: places, tiles, shifts and ways, without drawing; and the names of places, arrows
// and sides as this screen draws the board.
//
// A place is a number, 7 · row + column; openings are letters in the order T R B L; an arrow is its side
// and its row or column, such as "T1".

import { listed, t } from "../../../core/text/i18n.js";
import { side } from "../../../core/viewing_side.js";

export const SIZE = 7;
const SIDES = "TRBL";
export const STEP = { T: [0, -1], R: [1, 0], B: [0, 1], L: [-1, 0] };
export const ARROWS = ["T", "R", "B", "L"].flatMap((side) => [1, 3, 5].map((line) => `${side}${line}`));
// Places where the wizards begin.
export const STARTS = { red: 16, brown: 18, blue: 32, white: 30 };
// The fixed tiles by place.
export const FIXED = new Map(
  [
    ["RB", "RBL", "RBL", "BL"],
    ["TRB", "TRB", "RBL", "TBL"],
    ["TRB", "TRL", "TBL", "TBL"],
    ["TR", "TRL", "TRL", "TL"],
  ].flatMap((line, row) => line.map((openings, column) => [SIZE * 2 * row + 2 * column, openings])),
);
// Places of the loose tiles, in reading order.
export const LOOSE = Array.from({ length: SIZE * SIZE }, (_, place) => place).filter(
  (place) => !FIXED.has(place),
);
// Loose tiles in the box by shape: straight ones, corners and T pieces.
export const BOX = { TB: 13, TR: 15, TRL: 6 };
// Numbers of the tokens, and the places on which they lie at first.
export const TOKENS = [...Array.from({ length: 20 }, (_, index) => index + 1), 25];
export const TOKEN_PLACES = [1, 2, 3, 4, 5]
  .flatMap((row) => [1, 2, 3, 4, 5].map((column) => SIZE * row + column))
  .filter((place) => !Object.values(STARTS).includes(place));

// Return openings after clockwise quarter turns.
export function rotated(openings, quarters) {
  const turned = [...openings].map((side) => SIDES[(SIDES.indexOf(side) + quarters) % 4]);
  return [...SIDES].filter((side) => turned.includes(side)).join("");
}

// Return the different rotations of a tile: two of a straight one, else four.
export function rotations(openings) {
  return [...new Set([0, 1, 2, 3].map((quarters) => rotated(openings, quarters)))];
}

// Return the shape of a tile, a key of `BOX`, and the quarter turns that lead from it to these openings.
export function shapeOf(openings) {
  for (const shape of Object.keys(BOX))
    for (const quarters of [0, 1, 2, 3]) if (rotated(shape, quarters) === openings) return [shape, quarters];
  return [null, 0];
}

// Return row and column of a place.
export function rowAndColumn(place) {
  return [Math.floor(place / SIZE), place % SIZE];
}

// Return the places of an arrow's line, in the direction in which they move.
export function lineOf(arrow) {
  const number = Number(arrow[1]);
  const along = Array.from({ length: SIZE }, (_, index) =>
    "TB".includes(arrow[0]) ? SIZE * index + number : SIZE * number + index,
  );
  return "TL".includes(arrow[0]) ? along : along.reverse();
}

// Return where a shift carries what stands on a place; what is pushed out comes onto the tile pushed in.
export function carried(arrow, place) {
  const line = lineOf(arrow);
  const index = line.indexOf(place);
  return index < 0 ? place : line[(index + 1) % SIZE];
}

// Return a view of the game as it is after the spare is pushed in.
export function shifted(view, arrow, openings) {
  const line = lineOf(arrow);
  const tiles = [...view.tiles];
  for (const [index, place] of line.entries()) tiles[place] = index ? view.tiles[line[index - 1]] : openings;
  return {
    ...view,
    tiles,
    spare: view.tiles[line.at(-1)],
    tokens: view.tokens.map(([number, place]) => [number, carried(arrow, place)]),
    players: view.players.map((player) => ({ ...player, place: carried(arrow, player.place) })),
  };
}

// Return the places of a shortest way between two places, both included; none where no way leads there.
export function wayBetween(tiles, start, end) {
  const previous = new Map([[start, null]]);
  for (const place of previous.keys())
    for (const side of tiles[place]) {
      const next = neighbour(place, side);
      if (next !== null && !previous.has(next) && tiles[next].includes(rotated(side, 2)))
        previous.set(next, place);
    }
  const way = [];
  if (previous.has(end))
    for (let place = end; place !== null; place = previous.get(place)) way.unshift(place);
  return way;
}

function neighbour(place, side) {
  const [row, column] = rowAndColumn(place);
  const [x, y] = [column + STEP[side][0], row + STEP[side][1]];
  return x >= 0 && x < SIZE && y >= 0 && y < SIZE ? SIZE * y + x : null;
}

// Return the places whose tile or token is not the same on all boards, which are moves.
export function differingPlaces(boards) {
  const [first, ...others] = boards.filter((move) => move?.type === "lay_board");
  const tiles = LOOSE.filter((_, index) => others.some(({ loose }) => loose[index] !== first.loose[index]));
  const tokens = TOKEN_PLACES.filter((_, index) =>
    others.some((other) => other.tokens[index] !== first.tokens[index]),
  );
  return [...new Set([...tiles, ...tokens])];
}

// Return the angle in degrees by which this screen draws the board.
export function boardAngle() {
  return -90 * ((4 - side.quarters) % 4);
}

// Return row and column of a place as this screen draws the board.
function drawnAt(place) {
  let [row, column] = rowAndColumn(place);
  for (let turn = side.quarters; turn > 0; turn -= 1) [row, column] = [column, SIZE - 1 - row];
  return [row, column];
}

// Return where an arrow is, for the middle of a sentence.
export function arrowName(arrow) {
  const edge = rotated(arrow[0], side.quarters);
  const [row, column] = drawnAt(lineOf(arrow)[0]);
  const number = 1 + ("TB".includes(edge) ? column : row);
  return {
    T: t("at the top of column {number}", { number }),
    B: t("at the bottom of column {number}", { number }),
    L: t("at the left of row {number}", { number }),
    R: t("at the right of row {number}", { number }),
  }[edge];
}

// Return a place by row and column, counted from 1, as a label.
export function placeLabel(place) {
  const [row, column] = drawnAt(place);
  return t("Row {row}, column {column}", { row: row + 1, column: column + 1 });
}

// Return a place by row and column, counted from 1, for the middle of a sentence.
export function placeName(place) {
  const [row, column] = drawnAt(place);
  return t("row {row}, column {column}", { row: row + 1, column: column + 1 });
}

// Return a tile's shape and open sides as a label.
export function tileLabel(openings) {
  const names = { T: t("top"), R: t("right"), B: t("bottom"), L: t("left") };
  const sides = listed([...rotated(openings, side.quarters)].map((one) => names[one]));
  return t("{shape}, open at the {sides}", { shape: shapeName(shapeOf(openings)[0]), sides });
}

// Return the name of a tile's shape.
export function shapeName(shape) {
  return { TB: t("straight"), TR: t("corner"), TRL: t("T piece") }[shape];
}
