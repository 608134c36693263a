// Draws the maze from above: tiles, tokens, wizards, arrows, and what can be tapped.

import { t } from "../../core/i18n.js";
import { h } from "../../../vendor/preact.js";
import { figures } from "./figures.js";
import { canAct, openArrows, push, spare, turnSpare, walks } from "./turn.js";
import { play } from "../../place/move_options.js";

const SIZE = 7;
const STEP = { T: [0, -1], R: [1, 0], B: [0, 1], L: [-1, 0] };
// Offsets of wizards that share a tile, as fractions of it.
const APART = [
  [0, 0],
  [0.3, 0.3],
  [-0.3, 0.3],
  [0.3, -0.3],
];
// Degrees of a quarter turn: the board is drawn from the side that is nearest.
const QUARTER = 90;

// Render the board with its arrows. turned: how far the table is turned on this screen, as a fraction of a
// full turn.
export function maze(game, turned = 0) {
  const { view } = game;
  if (!view.tiles.length) return null;
  const angle = -Math.round(turned * 4) * QUARTER;
  const arrows = canAct(game) ? openArrows(game) : new Set();
  const ends = canAct(game) ? walks(game) : new Map();
  return h(
    "svg",
    {
      class: "maze",
      viewBox: "0 0 9 9",
      role: "group",
      "aria-label": t("The maze"),
      "data-test": "maze",
    },
    h(
      "g",
      { transform: `rotate(${angle} 4.5 4.5)` },
      view.tiles.map((openings, place) => tile(place, openings, ends.get(place))),
      ["T", "R", "B", "L"].flatMap((side) => [1, 3, 5].map((line) => arrow(game, side, line, arrows))),
      view.tokens.map(([number, place]) => token(number, place, angle, number === view.tokens[0][0])),
      view.players.map((player, seat) => wizard(view, player, seat, angle)),
    ),
  );
}

function centre(place) {
  return [(place % SIZE) + 1.5, Math.floor(place / SIZE) + 1.5];
}

// Render a path of openings round the middle of a tile.
function paths(openings, [x, y]) {
  const arms = [...openings].map((side) => `M${x} ${y}l${STEP[side][0] / 2} ${STEP[side][1] / 2}`).join("");
  return [
    h("path", { class: "hedge", d: arms }),
    h("circle", { class: "hedge-end", cx: x, cy: y, r: 0.21 }),
    h("path", { class: "way", d: arms }),
    h("circle", { class: "way-end", cx: x, cy: y, r: 0.16 }),
  ];
}

function tile(place, openings, move) {
  const [x, y] = centre(place);
  const fixed = Math.floor(place / SIZE) % 2 === 0 && (place % SIZE) % 2 === 0;
  const drawn = [
    h("rect", { x: x - 0.48, y: y - 0.48, width: 0.96, height: 0.96, rx: 0.06 }),
    paths(openings, [x, y]),
  ];
  if (!move) return h("g", { key: place, class: `tile ${fixed ? "fixed" : ""}` }, drawn);
  const label =
    move.type === "stay"
      ? t("Stay here")
      : t("Row {row}, column {column}", { row: Math.floor(place / SIZE) + 1, column: (place % SIZE) + 1 });
  return h(
    "g",
    {
      key: place,
      class: `tile reachable ${fixed ? "fixed" : ""}`,
      role: "button",
      tabindex: 0,
      "aria-label": move.take ? t("{place}: take the token", { place: label }) : label,
      onclick: () => play(move),
      onkeydown: (event) => (event.key === "Enter" || event.key === " ") && play(move),
      "data-test": `place-${place}`,
    },
    drawn,
    h("rect", { class: "lit", x: x - 0.45, y: y - 0.45, width: 0.9, height: 0.9, rx: 0.06 }),
  );
}

function arrow(game, side, line, open) {
  const name = `${side}${line}`;
  const [dx, dy] = STEP[side];
  const x = dx ? 4.5 + dx * 4 : line + 1.5;
  const y = dy ? 4.5 + dy * 4 : line + 1.5;
  const turn = { T: 180, R: 270, B: 0, L: 90 }[side];
  const shape = h("path", {
    d: "M0 -.26L.28 .2L-.28 .2Z",
    transform: `translate(${x} ${y}) rotate(${turn})`,
  });
  const closed = game.view.closed === name;
  if (!open.has(name))
    return h(
      "g",
      { key: name, class: `arrow ${closed ? "closed" : ""}` },
      shape,
      closed ? h("path", { class: "cross", d: `M${x - 0.2} ${y - 0.2}l.4 .4m0 -.4l-.4 .4` }) : null,
      closed ? h("title", {}, t("Closed: the spare tile came out here last")) : null,
    );
  return h(
    "g",
    {
      key: name,
      class: "arrow open",
      role: "button",
      tabindex: 0,
      "aria-label": t("Push the spare tile in: {arrow}", { arrow: arrowName(side, line) }),
      onclick: () => push(game, name),
      onkeydown: (event) => (event.key === "Enter" || event.key === " ") && push(game, name),
      "data-test": `arrow-${name}`,
    },
    h("circle", { cx: x, cy: y, r: 0.44 }),
    shape,
  );
}

function arrowName(side, line) {
  const number = line + 1;
  return {
    T: t("at the top of column {number}", { number }),
    B: t("at the bottom of column {number}", { number }),
    L: t("at the left of row {number}", { number }),
    R: t("at the right of row {number}", { number }),
  }[side];
}

function token(number, place, angle, next) {
  const [x, y] = centre(place);
  return h(
    "g",
    {
      key: `token-${number}`,
      class: `token ${next ? "next" : ""}`,
      transform: `rotate(${-angle} ${x} ${y})`,
    },
    h("circle", { cx: x, cy: y, r: 0.29 }),
    h("text", { transform: `translate(${x} ${y + 0.13}) scale(0.01)` }, number),
    h("title", {}, next ? t("Token {number}: the next one", { number }) : t("Token {number}", { number })),
  );
}

function wizard(view, player, seat, angle) {
  const sharing = view.players.slice(0, seat).filter((other) => other.place === player.place).length;
  const token = view.tokens.some(([, place]) => place === player.place);
  const [dx, dy] = APART[(sharing + Number(token)) % APART.length];
  const [x, y] = centre(player.place);
  return h(
    "g",
    {
      key: `wizard-${seat}`,
      class: `wizard ${seat === view.mover ? "moves" : ""}`,
      transform: `rotate(${-angle} ${x} ${y}) translate(${x + dx} ${y + dy})`,
      style: { "--player": figures[player.colour].colour },
    },
    h("path", { d: "M0 -.34L.17 .06A.2 .2 0 0 1 .2 .24L-.2 .24A.2 .2 0 0 1 -.17 .06Z" }),
    h("title", {}, figures[player.colour].title),
  );
}

// Render the spare tile beside its button.
export function spareTile(game) {
  return h(
    "button",
    {
      type: "button",
      class: "button spare",
      onclick: () => turnSpare(game),
      disabled: !canAct(game) || game.view.phase !== "shift",
      "aria-label": t("The spare tile: tap to turn it"),
      title: t("The spare tile: tap to turn it"),
      "data-test": "spare",
    },
    h(
      "svg",
      { viewBox: "0 0 1 1", class: "maze", "aria-hidden": "true" },
      h(
        "g",
        { class: "tile" },
        h("rect", { x: 0.02, y: 0.02, width: 0.96, height: 0.96, rx: 0.06 }),
        paths(spare(game), [0.5, 0.5]),
      ),
    ),
    h("span", {}, t("Turn")),
  );
}
