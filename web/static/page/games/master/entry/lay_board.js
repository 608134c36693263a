// Enters the board as people laid it: a shape is chosen, places are tapped to lay and turn tiles, then the
// tokens in their order.

import { t } from "../../../core/text/i18n.js";
import { button } from "../../../core/components/basic_components.js";
import { command, live } from "../../../core/live_channel.js";
import { carryOut, isHost, say } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { h } from "../../../../vendor/preact.js";
import {
  BOX,
  FIXED,
  LOOSE,
  TOKENS,
  TOKEN_PLACES,
  placeLabel,
  rotated,
  rotations,
  shapeName,
  shapeOf,
  tileLabel,
} from "../maze/board.js";
import { drawMaze } from "../maze/maze.js";
import { tileImage } from "../maze/spare.js";
import { tokenName, tokenPicture } from "../tokens.js";

const KEPT = "companion.maze";
// game: id of the game whose board is laid; tiles: openings by place of the tiles laid so far; tokens:
// places in the order of `TOKENS`; shape: of the next tile; turned: by shape how the next one lies; stage:
// "tiles" or "tokens".
const board = store(fresh(null));

function fresh(game) {
  return {
    game,
    tiles: {},
    tokens: [],
    shape: "TB",
    turned: { TB: "TB", TR: "TR", TRL: "TRL" },
    stage: "tiles",
  };
}

// Take up what was laid for this game on this device, or begin.
export function followLaying(game) {
  if (game?.view.phase !== "board" || board.game === game.id) return;
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(KEPT));
  } catch {
    // Without storage the board is begun anew after a reload.
  }
  Object.assign(board, fresh(game.id), kept?.game === game.id ? kept : {});
}

function change(fields) {
  Object.assign(board, fields);
  const { game, tiles, tokens, stage } = board;
  try {
    localStorage.setItem(KEPT, JSON.stringify({ game, tiles, tokens, stage }));
  } catch {
    // Without storage the board is lost on reload.
  }
}

// Take a board that the camera has read as what is laid so far.
export function editFrom(game, { loose, tokens }) {
  const tiles = Object.fromEntries(LOOSE.map((place, index) => [place, loose[index]]));
  Object.assign(board, fresh(game.id));
  change({ tiles, tokens: TOKENS.map((number) => TOKEN_PLACES[tokens.indexOf(number)]) });
}

// How many tiles of each shape are not laid yet, the spare included.
function left() {
  const laid = Object.values(board.tiles).map((openings) => shapeOf(openings)[0]);
  return Object.fromEntries(
    Object.entries(BOX).map(([shape, number]) => [
      shape,
      number - laid.filter((one) => one === shape).length,
    ]),
  );
}

const allLaid = () => LOOSE.every((place) => place in board.tiles);

// The spare tile is the one that is left over.
function spareShape() {
  return Object.entries(left()).find(([, number]) => number > 0)?.[0] ?? "TB";
}

// Render the board as far as it is laid. acts: whether its places can be tapped.
export function laying(game, acts) {
  const tiles = Array.from({ length: 49 }, (_, place) => FIXED.get(place) ?? board.tiles[place] ?? "");
  const tokens = board.tokens.map((place, index) => [TOKENS[index], place]);
  const view = { ...game.view, tiles, tokens, closed: null, mover: null };
  const tappable = board.stage === "tiles" ? LOOSE : TOKEN_PLACES;
  const places = acts
    ? new Map(tappable.map((place) => [place, { act: () => tap(place), label: label(place) }]))
    : new Map();
  return drawMaze(view, {
    places,
    kind: "laying",
    label: t("The board as it is laid"),
    more: { "data-test": "laying" },
  });
}

function label(place) {
  const number = TOKENS[board.tokens.indexOf(place)];
  if (board.stage === "tokens" && number !== undefined)
    return t("{place}: token {number}", { place: placeLabel(place), number });
  const openings = board.tiles[place];
  if (!openings) return placeLabel(place);
  return t("{place}: {tile}", { place: placeLabel(place), tile: tileLabel(openings) });
}

function tap(place) {
  if (board.stage === "tokens") return tapToken(place);
  const here = board.tiles[place];
  const { shape, turned } = board;
  // A second tap on a tile of the chosen shape turns it, and the next ones lie like it.
  const again = here !== undefined && shapeOf(here)[0] === shape;
  if (!again && left()[shape] < 1)
    return say(t("All tiles of this shape are laid. Choose another shape."), "wrong");
  const openings = again ? following(here) : turned[shape];
  return change({ tiles: { ...board.tiles, [place]: openings }, turned: { ...turned, [shape]: openings } });
}

function following(openings) {
  const all = rotations(openings);
  return all[(all.indexOf(rotated(openings, 1)) + all.length) % all.length];
}

// A token is laid on an empty place; a tap on a token takes it and all later ones back.
function tapToken(place) {
  const index = board.tokens.indexOf(place);
  const tokens = index < 0 ? [...board.tokens, place] : board.tokens.slice(0, index);
  const free = TOKEN_PLACES.filter((one) => !tokens.includes(one));
  // The last one has one place left.
  change({ tokens: index < 0 && free.length === 1 ? [...tokens, ...free] : tokens });
}

function shuffled(things) {
  const all = [...things];
  for (let last = all.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [all[last], all[other]] = [all[other], all[last]];
  }
  return all;
}

// Lay what is missing at random, to be copied on the table.
function fill() {
  if (board.stage === "tokens") {
    const free = shuffled(TOKEN_PLACES.filter((place) => !board.tokens.includes(place)));
    return change({ tokens: [...board.tokens, ...free] });
  }
  const bag = shuffled(Object.entries(left()).flatMap(([shape, number]) => Array(number).fill(shape)));
  const tiles = { ...board.tiles };
  for (const place of LOOSE.filter((one) => !(one in tiles)))
    tiles[place] = shuffled(rotations(bag.pop()))[0];
  return change({ tiles });
}

// Render what to do now while the board is laid.
export function layingTools(game) {
  if (!isHost())
    return h("p", { class: "aside" }, t("A host taps in the board on the tablet beside the table."));
  return h(
    "div",
    { class: "hand-step laying-tools" },
    board.stage === "tiles" ? shapes() : nextToken(),
    h("p", { class: "question" }, task()),
    h("span", { class: "maze-step-more" }, stageButtons(game)),
  );
}

function shapes() {
  const rest = left();
  return h(
    "div",
    { class: "spare-tiles", role: "radiogroup", "aria-label": t("Shape of the next tile") },
    Object.keys(BOX).map((shape) =>
      h(
        "button",
        {
          key: shape,
          type: "button",
          role: "radio",
          class: "spare-tile",
          "aria-checked": String(board.shape === shape),
          "aria-label": t("{shape}: {number} left", { shape: shapeName(shape), number: rest[shape] }),
          onclick: () => (board.shape = shape),
          "data-test": `shape-${shape}`,
        },
        tileImage(board.turned[shape]),
        h("b", { "aria-hidden": "true" }, rest[shape]),
      ),
    ),
  );
}

function nextToken() {
  const number = TOKENS[board.tokens.length];
  return number === undefined ? null : tokenPicture(number, "great");
}

function task() {
  if (board.stage === "tokens") {
    const number = TOKENS[board.tokens.length];
    return number === undefined
      ? t("All tokens lie on the board.")
      : t("Tap the place of {token}.", { token: tokenName(number) });
  }
  return allLaid()
    ? t("The spare tile is a {shape}.", { shape: shapeName(spareShape()) })
    : t("Choose a shape, tap its places; a second tap turns the tile.");
}

function stageButtons(game) {
  const tiles = board.stage === "tiles";
  const done = tiles ? allLaid() : board.tokens.length === TOKENS.length;
  return [
    tiles ? null : button(t("Back to the tiles"), () => change({ stage: "tiles" }), "quiet", { key: "back" }),
    done
      ? null
      : button(t("The rest at random"), fill, "quiet", { key: "fill", "data-test": "lay-at-random" }),
    tiles
      ? button(t("Now the tokens"), () => change({ stage: "tokens" }), done ? "gold" : "quiet", {
          key: "tokens",
          disabled: !done,
          "data-test": "now-tokens",
        })
      : button(t("Play on this board"), () => lay(game), done ? "gold" : "quiet", {
          key: "lay",
          disabled: !done || live.busy,
          "data-test": "lay-board",
        }),
  ];
}

function lay(game) {
  const numbers = TOKEN_PLACES.map((place) => TOKENS[board.tokens.indexOf(place)]);
  const loose = LOOSE.map((place) => board.tiles[place]);
  const move = { type: "lay_board", loose, spare: spareShape(), tokens: numbers };
  return carryOut(command("play", { move, at: game.number }));
}
