// Draws the maze from above: tiles, tokens, wizards and arrows, with what can be tapped and what is pointed
// out.

import { t } from "../../../core/text/i18n.js";
import { h } from "../../../../vendor/preact.js";
import { figures } from "../figures.js";
import {
  ARROWS,
  STARTS,
  STEP,
  arrowName,
  boardAngle,
  lineOf,
  placeLabel,
  rowAndColumn,
  shapeOf,
} from "./board.js";

// Degrees of a quarter turn.
const QUARTER = 90;
// Offsets of wizards that share a tile, as fractions of it: the first stands in the middle, or beside a
// token.
const APART = [
  [0, 0],
  [0.23, 0.14],
  [-0.23, 0.2],
  [0.24, -0.16],
  [-0.05, 0.2],
];
// Offset of a token that shares its tile with a wizard.
const ASIDE = [-0.17, -0.16];

// Render a maze.
// view: tiles, tokens, players and mover, as in the view of a game; closed: the arrow that is closed.
// arrows: Map from arrow to what a tap on it does. places: Map from place to {label, act, takes, quiet:
// whether it is not lit}.
// marks: what is pointed out: {pushed: the arrow of the line that moved, slides: a key where it moves in,
// arrows, way: places, target: place, doubtful: places, wrong: places}.
// drop: function that returns the props of an arrow as a drop target. refuse(what): called by a tap on the
// closed arrow ("closed") or on a place that cannot be tapped ("place"). more: further props.
export function drawMaze(view, options = {}) {
  const { arrows = new Map(), places = new Map(), marks = {}, drop = () => ({}), refuse, more } = options;
  const kind = options.kind ?? "";
  const angle = boardAngle();
  return h(
    "svg",
    {
      class: `maze ${kind}`,
      viewBox: "0.3 0.3 8.4 8.4",
      role: arrows.size || places.size ? "group" : "img",
      "aria-label": options.label ?? t("The maze"),
      ...more,
    },
    h(
      "g",
      { transform: `rotate(${angle} 4.5 4.5)` },
      h("rect", { class: "rim", x: 0.34, y: 0.34, width: 8.32, height: 8.32, rx: 0.16 }),
      h("rect", { class: "ground", x: 0.97, y: 0.97, width: 7.06, height: 7.06 }),
      view.tiles.map((openings, place) => tile(openings, place, marks, refuse)),
      marks.pushed ? changedLine(marks.pushed) : null,
      Object.entries(STARTS).map(([colour, place]) => ring(colour, place)),
      marks.way?.length > 1 ? way(marks.way) : null,
      [...places].map(([place, one]) => lit(place, one)),
      ARROWS.map((name) => arrow(name, view, arrows.get(name), marks, { drop, refuse })),
      halo(view),
      view.tokens.map((one) => token(view, one, angle)),
      view.players.map((player, seat) => wizard(view, player, seat, angle)),
      (marks.doubtful ?? []).map((place) => pointer(place, "doubtful", angle, "?")),
      (marks.wrong ?? []).map((place) => pointer(place, "wrong", angle, "!")),
      marks.target === undefined || marks.target === null ? null : pointer(marks.target, "target", angle, ""),
    ),
  );
}

function centre(place) {
  const [row, column] = rowAndColumn(place);
  return [column + 1.5, row + 1.5];
}

// Render the picture of a tile, one unit wide, round a point. slide: style and class of a tile that moves in.
function tilePicture(openings, [x, y], more = {}) {
  const [shape, quarters] = shapeOf(openings);
  return h("image", {
    href: `/art/master/tile/${shape}.svg`,
    x: x - 0.5,
    y: y - 0.5,
    width: 1,
    height: 1,
    transform: `rotate(${quarters * QUARTER} ${x} ${y})`,
    ...more,
  });
}

function tile(openings, place, { pushed, slides }, refuse) {
  const moves = slides && lineOf(pushed).includes(place);
  const [dx, dy] = moves ? STEP[pushed[0]] : [0, 0];
  return h(
    "g",
    {
      key: moves ? `tile-${place}-${slides}` : `tile-${place}`,
      class: moves ? "slides" : null,
      onclick: refuse ? () => refuse("place") : null,
      style: moves ? { "--dx": `${dx}px`, "--dy": `${dy}px` } : null,
    },
    openings ? tilePicture(openings, centre(place)) : emptyPlace(centre(place)),
  );
}

// A place on which no tile lies yet.
function emptyPlace([x, y]) {
  return h("rect", { class: "empty-place", x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92, rx: 0.08 });
}

function ring(colour, place) {
  const [cx, cy] = centre(place);
  return h(
    "g",
    { key: `ring-${colour}`, style: { "--player": figures[colour].colour } },
    h("circle", { class: "ring-under", cx, cy, r: 0.3 }),
    h("circle", { class: "ring-of", cx, cy, r: 0.3 }),
  );
}

// The row or column that was pushed last.
function changedLine(pushed) {
  const across = "LR".includes(pushed[0]);
  const at = Number(pushed[1]) + 1;
  return h("rect", {
    class: "changed-line",
    x: across ? 1 : at,
    y: across ? at : 1,
    width: across ? 7 : 1,
    height: across ? 1 : 7,
    rx: 0.08,
  });
}

function way(places) {
  const points = places.map((place) => centre(place).join(" ")).join("L");
  const [x, y] = centre(places[0]);
  return [
    h("path", { key: "way-under", class: "way-under", d: `M${points}` }),
    h("path", { key: "way", class: "way", d: `M${points}` }),
    h("circle", { key: "way-start", class: "way-start", cx: x, cy: y, r: 0.12 }),
  ];
}

// What happens by a tap, by a click or with the keyboard.
function tapped(act) {
  return {
    role: "button",
    tabindex: 0,
    onclick: act,
    onkeydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    },
  };
}

function lit(place, { label, act, takes, chosen, quiet, test = `place-${place}` }) {
  const [x, y] = centre(place);
  const name = label ?? placeLabel(place);
  return h(
    "g",
    {
      key: `lit-${place}`,
      class: `place ${takes ? "takes-token" : ""} ${chosen ? "chosen" : ""} ${quiet ? "quiet" : ""}`,
      "aria-label": takes ? t("{place}: take the token", { place: name }) : name,
      "aria-pressed": chosen === undefined ? null : String(chosen),
      "data-test": test,
      ...tapped(act),
    },
    h("rect", { class: "lit", x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92, rx: 0.1 }),
  );
}

// Where an arrow stands, and how far it is turned.
function stand(name) {
  const [dx, dy] = STEP[name[0]];
  const line = Number(name[1]);
  return {
    x: dx ? 4.5 + dx * 3.84 : line + 1.5,
    y: dy ? 4.5 + dy * 3.84 : line + 1.5,
    turn: { T: 180, R: 270, B: 0, L: 90 }[name[0]],
  };
}

function arrow(name, view, act, { pushed, arrows = [] }, { drop, refuse }) {
  const { x, y, turn } = stand(name);
  const shape = h("path", {
    class: "head",
    d: "M0 -.2L.25 .14L0 .06L-.25 .14Z",
    transform: `translate(${x} ${y}) rotate(${turn})`,
  });
  const closed = view.closed === name;
  const marked = [
    ["closed", closed],
    ["pushed", pushed === name],
    ["chosen", arrows.includes(name)],
  ];
  const kind = ["arrow", ...marked.filter(([, on]) => on).map(([mark]) => mark)].join(" ");
  if (!act)
    return h(
      "g",
      { key: name, class: kind, onclick: closed && refuse ? () => refuse("closed") : null },
      shape,
      closed
        ? [
            h("rect", { key: "touch", class: "touch", x: x - 0.5, y: y - 0.5, width: 1, height: 1 }),
            h("path", {
              key: "cross",
              class: "cross",
              d: `M${x - 0.17} ${y - 0.17}l.34 .34m0 -.34l-.34 .34`,
            }),
            h("title", { key: "title" }, t("Closed: the spare tile came out here last")),
          ]
        : null,
    );
  return h(
    "g",
    {
      key: name,
      class: `${kind} open`,
      "aria-label": t("Push the spare tile in: {arrow}", { arrow: arrowName(name) }),
      "data-test": `arrow-${name}`,
      ...tapped(act),
      ...drop(name),
    },
    h("rect", { class: "touch", x: x - 0.5, y: y - 0.5, width: 1, height: 1 }),
    h("circle", { cx: x, cy: y, r: 0.31 }),
    shape,
  );
}

function token(view, [number, place], angle) {
  const next = number === view.tokens[0][0];
  const [x, y] = centre(place);
  const [dx, dy] = view.players.some((player) => player.place === place) ? ASIDE : [0, 0];
  return h(
    "g",
    {
      key: `token-${number}`,
      class: `disc ${next ? "next" : ""}`,
      transform: `rotate(${-angle} ${x} ${y}) translate(${dx} ${dy})`,
    },
    h("circle", { cx: x, cy: y, r: next ? 0.33 : 0.29 }),
    h("text", { transform: `translate(${x} ${y + 0.14}) scale(0.01)` }, number),
    h("title", {}, next ? t("Token {number}: the next one", { number }) : t("Token {number}", { number })),
  );
}

function wizard(view, player, seat, angle) {
  const sharing = view.players.slice(0, seat).filter((other) => other.place === player.place).length;
  const disc = view.tokens.some(([, place]) => place === player.place);
  const [dx, dy] = APART[sharing + Number(disc)];
  const [x, y] = centre(player.place);
  const { colour, title } = figures[player.colour];
  return h(
    "g",
    {
      key: `wizard-${seat}`,
      class: "wizard",
      transform: `rotate(${-angle} ${x} ${y}) translate(${x + dx} ${y + dy})`,
      style: { "--player": colour },
    },
    h("ellipse", { class: "shadow", cx: 0.02, cy: 0.27, rx: 0.23, ry: 0.09 }),
    h("path", { class: "robe", d: "M0 -.06C.1 -.02 .2 .16 .22 .26Q0 .34 -.22 .26C-.2 .16 -.1 -.02 0 -.06Z" }),
    h("circle", { class: "face", cx: 0, cy: -0.08, r: 0.095 }),
    h("path", { class: "hat", d: "M-.2 -.12Q0 -.05 .2 -.12L.11 -.17L.03 -.46L-.11 -.17Z" }),
    h("title", {}, title),
  );
}

// A disc under the token and the wizard of the player whose turn it is.
function halo(view) {
  const place = view.players[view.mover]?.place;
  if (place === undefined) return null;
  const [cx, cy] = centre(place);
  return h("circle", { key: "halo", class: "halo", cx, cy, r: 0.44 });
}

// A frame round a place that is pointed out.
function pointer(place, kind, angle, sign) {
  const [x, y] = centre(place);
  return h(
    "g",
    { key: `${kind}-${place}`, class: `pointer ${kind}` },
    h("rect", { x: x - 0.47, y: y - 0.47, width: 0.94, height: 0.94, rx: 0.1 }),
    sign
      ? h(
          "g",
          { transform: `rotate(${-angle} ${x} ${y})` },
          h("circle", { cx: x + 0.32, cy: y - 0.32, r: 0.2 }),
          h("text", { transform: `translate(${x + 0.32} ${y - 0.2}) scale(0.01)` }, sign),
        )
      : null,
  );
}
