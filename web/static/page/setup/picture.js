// Draws the camera's picture of the set-up on a canvas: found outlines, four draggable corners with a
// magnifier, and taps.

import { t } from "../core/text/i18n.js";
import { store } from "../core/store.js";

const CORNERS = [
  t("Upper left corner of the sheet: drag it, or move it with the arrow keys"),
  t("Upper right corner of the sheet: drag it, or move it with the arrow keys"),
  t("Lower right corner of the sheet: drag it, or move it with the arrow keys"),
  t("Lower left corner of the sheet: drag it, or move it with the arrow keys"),
];
const BOARD_CORNERS = [
  t("Upper left corner of the board: drag it, or move it with the arrow keys"),
  t("Upper right corner of the board: drag it, or move it with the arrow keys"),
  t("Lower right corner of the board: drag it, or move it with the arrow keys"),
  t("Lower left corner of the board: drag it, or move it with the arrow keys"),
];
const FIRST_SEAT = t("seat 1");
const GOLD = "#f1d48e";
const VELLUM = "#efe6d3";
const INK = "rgb(20 18 26 / 72%)";
const LOUPE = 2.5; // magnification relative to the screen
// Grid lines of the sheet as fractions of its paper: 7 × 5 squares of 36 mm in the middle of 297 × 210 mm.
const ACROSS = Array.from({ length: 8 }, (_, k) => (22.5 + 36 * k) / 297);
const DOWN = Array.from({ length: 6 }, (_, k) => (15 + 36 * k) / 210);

// What is drawn; all positions are [x, y] in px of the camera's picture. picture: canvas or bitmap, or null;
// size: the camera picture's size; corners: four draggable corners or null, board: whether they are a
// board's, not the sheet's; lines: polylines; things: outlines, with `out` for those left out; near: zoom to
// what is drawn. moved(corners, ended) is called on every drag, tapped([x, y]) on a tap.
export const sight = store({
  picture: null,
  size: [1280, 720],
  corners: null,
  lines: [],
  things: [],
  board: false,
  near: false,
  moved: null,
  tapped: null,
});
const ROOM = 0.7; // margin round the corners, as a fraction of their extent
const LESS_ROOM = 0.3; // margin round found outlines
const NEAREST = 0.2; // smallest visible width, as a fraction of the picture's

let host = null;
let canvas = null;
let loupe = null;
let handles = [];
let held = null;
let view = { left: 0, top: 0, width: 1280 };

// Add the canvas, the corner handles and the magnifier to the node.
export function mountSight(node) {
  host = node;
  canvas = document.createElement("canvas");
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", t("The table as the camera sees it"));
  canvas.addEventListener("click", tap);
  loupe = document.createElement("canvas");
  loupe.className = "loupe";
  loupe.hidden = true;
  handles = CORNERS.map(handle);
  host.append(canvas, ...handles, loupe);
  new ResizeObserver(paint).observe(host);
  paint();
}

function handle(name, index) {
  const node = document.createElement("button");
  node.type = "button";
  node.className = "corner";
  node.setAttribute("aria-label", name);
  node.addEventListener("pointerdown", (event) => {
    node.setPointerCapture(event.pointerId);
    const [x, y] = sight.corners[index];
    const [px, py] = place(event);
    held = { index, dx: x - px, dy: y - py };
    paint(true);
  });
  node.addEventListener("pointermove", (event) => {
    if (held?.index !== index) return;
    const [px, py] = place(event);
    move(index, [px + held.dx, py + held.dy], false);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    node.addEventListener(end, () => {
      if (held?.index !== index) return;
      held = null;
      move(index, sight.corners[index], true);
    });
  }
  node.addEventListener("keydown", (event) => {
    const step = event.shiftKey ? 10 : 1;
    const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[
      event.key
    ];
    if (!by) return;
    event.preventDefault();
    const [x, y] = sight.corners[index];
    move(index, [x + by[0], y + by[1]], true);
  });
  node.addEventListener("focus", paint);
  node.addEventListener("blur", paint);
  return node;
}

function move(index, [x, y], ended) {
  const [width, height] = sight.size;
  sight.corners[index] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  sight.lines = [];
  paint(!ended);
  sight.moved?.(sight.corners, ended);
}

// Return the position of a pointer event in px of the camera's picture.
function place(event) {
  const box = canvas.getBoundingClientRect();
  const scale = view.width / box.width;
  return [view.left + (event.clientX - box.left) * scale, view.top + (event.clientY - box.top) * scale];
}

function tap(event) {
  sight.tapped?.(place(event));
}

// Redraw. still: keep the visible part of the picture, as during a drag.
export function paint(still = false) {
  if (!canvas?.isConnected) return;
  const [width, height] = sight.size;
  host.style.setProperty("aspect-ratio", `${width} / ${height}`);
  const room = host.clientWidth;
  if (!room) return;
  if (still !== true) view = chosenView();
  const scale = (room * Math.min(2, devicePixelRatio)) / view.width;
  canvas.width = Math.round(view.width * scale);
  canvas.height = Math.round(((view.width * height) / width) * scale);
  const pen = canvas.getContext("2d");
  pen.translate(-view.left * scale, -view.top * scale);
  draw(pen, scale);
  placeHandles();
  paintLoupe(room / view.width);
}

// The visible part of the picture: all of it, or a zoom to what is drawn.
function chosenView() {
  const [width, height] = sight.size;
  const points = [
    ...(sight.corners ?? []),
    ...sight.lines.flat(),
    ...sight.things.flatMap(({ outline }) => outline),
  ];
  if (!sight.near || !points.length) return { left: 0, top: 0, width };
  const [xs, ys] = [0, 1].map((k) => points.map((point) => point[k]));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const across =
    (1 + 2 * (sight.corners ? ROOM : LESS_ROOM)) * Math.max(right - left, ((bottom - top) * width) / height);
  const shown = Math.min(width, Math.max(NEAREST * width, across));
  const inside = (middle, part, whole) => Math.min(whole - part, Math.max(0, middle - part / 2));
  return {
    left: inside((left + right) / 2, shown, width),
    top: inside((top + bottom) / 2, (shown * height) / width, height),
    width: shown,
  };
}

// scale: canvas px per px of the camera's picture.
function draw(pen, scale) {
  const thin = Math.max(1, devicePixelRatio);
  if (sight.picture) pen.drawImage(sight.picture, 0, 0, sight.size[0] * scale, sight.size[1] * scale);
  const line = (points, closed = false) => {
    pen.beginPath();
    for (const [k, [x, y]] of points.entries()) {
      if (k) pen.lineTo(x * scale, y * scale);
      else pen.moveTo(x * scale, y * scale);
    }
    if (closed) pen.closePath();
  };
  const stroke = (colour, wide) => {
    pen.lineWidth = (wide + 2) * thin;
    pen.strokeStyle = INK;
    pen.stroke();
    pen.lineWidth = wide * thin;
    pen.strokeStyle = colour;
    pen.stroke();
  };
  for (const points of sight.lines) {
    line(points);
    stroke(GOLD, 1.5);
  }
  if (sight.corners) {
    if (!sight.lines.length && !sight.board) {
      for (const points of gridOf(sight.corners)) {
        line(points);
        stroke(GOLD, 1);
      }
    }
    line(sight.corners, true);
    stroke(VELLUM, 2);
    // Orientation: the thick edge is the one at seat 1, or the upper one of a board.
    line(sight.board ? [sight.corners[0], sight.corners[1]] : [sight.corners[3], sight.corners[2]]);
    stroke(GOLD, 5);
    if (!sight.board) label(pen, scale, thin);
  }
  for (const thing of sight.things) {
    line(thing.outline, true);
    pen.setLineDash(thing.out ? [5 * thin, 5 * thin] : []);
    stroke(thing.out ? "#ff9d8c" : GOLD, 2);
    pen.setLineDash([]);
  }
}

// Label the sheet's edge at seat 1.
function label(pen, scale, thin) {
  const [, , right, left] = sight.corners;
  const middle = [0, 1].map((k) => sight.corners.reduce((sum, corner) => sum + corner[k], 0) / 4);
  const x = ((left[0] + right[0]) / 2) * 1.16 - middle[0] * 0.16;
  const y = ((left[1] + right[1]) / 2) * 1.16 - middle[1] * 0.16;
  pen.font = `600 ${17 * thin}px "Source Sans 3", sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const room = pen.measureText(FIRST_SEAT).width / 2 + 8 * thin;
  pen.fillStyle = INK;
  pen.fillRect(x * scale - room, y * scale - 14 * thin, 2 * room, 28 * thin);
  pen.fillStyle = GOLD;
  pen.fillText(FIRST_SEAT, x * scale, y * scale);
}

function placeHandles() {
  handles.forEach((node, index) => {
    node.hidden = !sight.corners;
    if (!sight.corners) return;
    node.setAttribute("aria-label", (sight.board ? BOARD_CORNERS : CORNERS)[index]);
    const [x, y] = sight.corners[index];
    const high = (view.width * sight.size[1]) / sight.size[0];
    node.style.setProperty("left", `${((x - view.left) / view.width) * 100}%`);
    node.style.setProperty("top", `${((y - view.top) / high) * 100}%`);
  });
}

// The magnifier shows what is under the finger, on the other half of the picture.
function paintLoupe(shown) {
  const focused = handles.indexOf(document.activeElement);
  const index = held?.index ?? (handles[focused]?.matches(":focus-visible") ? focused : -1);
  loupe.hidden = !sight.corners || index < 0;
  if (loupe.hidden) return;
  const [x, y] = sight.corners[index];
  loupe.classList.toggle("right", x < view.left + view.width / 2);
  const side = loupe.clientWidth * devicePixelRatio;
  loupe.width = loupe.height = side;
  const scale = shown * LOUPE * devicePixelRatio;
  const pen = loupe.getContext("2d");
  pen.translate(side / 2 - x * scale, side / 2 - y * scale);
  draw(pen, scale);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.strokeStyle = VELLUM;
  pen.lineWidth = devicePixelRatio;
  pen.beginPath();
  pen.moveTo(side / 2, side * 0.38);
  pen.lineTo(side / 2, side * 0.62);
  pen.moveTo(side * 0.38, side / 2);
  pen.lineTo(side * 0.62, side / 2);
  pen.stroke();
}

function gridOf(corners) {
  const at = projection(corners);
  if (!at) return [];
  const [left, right] = [ACROSS[0], ACROSS.at(-1)];
  const [top, bottom] = [DOWN[0], DOWN.at(-1)];
  return [...ACROSS.map((u) => [at(u, top), at(u, bottom)]), ...DOWN.map((v) => [at(left, v), at(right, v)])];
}

// Return the homography from the unit square (u right, v down) to four corners; null if they are degenerate.
function projection([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [dx1, dx2, sx] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, sy] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const turn = dx1 * dy2 - dx2 * dy1;
  if (Math.abs(turn) < 1e-6) return null;
  const g = (sx * dy2 - dx2 * sy) / turn;
  const k = (dx1 * sy - sx * dy1) / turn;
  return (u, v) => {
    const depth = g * u + k * v + 1;
    return [
      ((x1 - x0 + g * x1) * u + (x3 - x0 + k * x3) * v + x0) / depth,
      ((y1 - y0 + g * y1) * u + (y3 - y0 + k * y3) * v + y0) / depth,
    ];
  };
}

// Draw a square cut-out round an outline on a small canvas.
export function cutOut(target, outline) {
  if (!sight.picture) return;
  const xs = outline.map(([x]) => x);
  const ys = outline.map(([, y]) => y);
  const side = 1.5 * Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const scale = sight.picture.width / sight.size[0];
  const left = (Math.min(...xs) + Math.max(...xs) - side) / 2;
  const top = (Math.min(...ys) + Math.max(...ys) - side) / 2;
  const pen = target.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(
    sight.picture,
    left * scale,
    top * scale,
    side * scale,
    side * scale,
    0,
    0,
    target.width,
    target.height,
  );
}

// Whether a point lies inside an outline.
export function within([x, y], outline) {
  let inside = false;
  for (let k = 0, j = outline.length - 1; k < outline.length; j = k++) {
    const [[xk, yk], [xj, yj]] = [outline[k], outline[j]];
    if (yk > y !== yj > y && x < ((xj - xk) * (y - yk)) / (yj - yk) + xk) inside = !inside;
  }
  return inside;
}
