// Renders the chart of points over the rounds as SVG; lines differ by figure, initial, dashes and colour.

import { t, signed } from "../core/text/i18n.js";
import { crest, figureOf, colourStyle } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { viewport } from "../core/device/viewport.js";
import { live } from "../core/live_channel.js";
import { letter } from "../core/text/vocabulary.js";

// px: dash patterns by seat as in stroke-dasharray.
const DASHES = ["", "14 5", "3 5", "9 4 3 4", "20 4 3 4"];
const WIDEST = 1140;
// px; a page that is not visible yet has no width.
const NARROWEST = 280;
const MARGIN = { top: 22, right: 104, bottom: 40, left: 46 };
// px between two labels at a line's end, and from round to round below which their labels are numbers
// alone; then steps of the scale, in points.
const LABEL = 36;
const ROUND_LABEL = 78;
const STEPS = [1, 2, 5, 10, 20, 50];

// Return the chart's geometry in px for a picture of this size: lines, labels, rounds and ticks. Also used
// for the picture that is saved. Pure.
export function plot(game, width, height) {
  const { start, rounds: later } = game.chronicle;
  const rounds = [{ round: 0, points: start, over: true }, ...later];
  const all = rounds.flatMap((one) => one.points);
  const least = Math.min(0, ...all);
  const most = Math.max(5, ...all);
  const step = STEPS.find((one) => (most - least) / one <= 6) ?? 100;
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const inner = { width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
  const x = (place) => MARGIN.left + (inner.width * place) / Math.max(1, rounds.length - 1);
  const y = (points) => MARGIN.top + inner.height * (1 - (points - low) / (high - low));
  const lines = game.seats.map((seat, index) => ({
    seat,
    index,
    total: rounds.at(-1).points[index],
    dashes: DASHES[index % DASHES.length],
    spots: rounds.map((one, place) => [x(place), y(one.points[index])]),
  }));
  const ends = lines.map((line) => line.spots.at(-1)[1]);
  const labels = apart(ends, LABEL, MARGIN.top, height - MARGIN.bottom + LABEL / 3);
  const ticks = [];
  for (let points = low; points <= high; points += step) ticks.push({ points, y: y(points) });
  return {
    width,
    height,
    rounds: rounds.map((one, place) => ({ ...one, x: x(place) })),
    lines: lines.map((line, index) => ({ ...line, label: [width - MARGIN.right + 26, labels[index]] })),
    ticks,
    left: MARGIN.left,
    right: width - MARGIN.right,
    bottom: height - MARGIN.bottom,
  };
}

// Move labels at least `distance` px apart within [top, bottom], keeping their order; returns the new y
// positions.
export function apart(wanted, distance, top, bottom) {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b]);
  const placed = [...wanted];
  let free = top;
  for (const index of order) {
    placed[index] = Math.max(placed[index], free);
    free = placed[index] + distance;
  }
  let limit = bottom;
  for (const index of [...order].reverse()) {
    placed[index] = Math.min(placed[index], limit);
    limit = placed[index] - distance;
  }
  return placed;
}

// Return the label of a round on the axis.
export function roundName(one) {
  if (one.round === 0) return t("start");
  return one.over ? t("round {round}", { round: one.round }) : t("now");
}

// Render the chart and the same figures as a table; null before the first round.
export function pointsChart(game) {
  if (!game.chronicle?.rounds.length) return null;
  const width = Math.max(NARROWEST, Math.min(WIDEST, viewport.width - 60));
  const { rounds } = plot(game, width, 300);
  return h(
    "section",
    { class: "panel chart" },
    h("h2", {}, t("Points over the rounds")),
    drawn(plot(game, width, 300)),
    h("details", {}, h("summary", {}, t("As a table")), table(game, rounds)),
  );
}

function drawn(shape) {
  return h(
    "svg",
    {
      class: "points-chart",
      width: shape.width,
      height: shape.height,
      viewBox: `0 0 ${shape.width} ${shape.height}`,
      role: "img",
      "aria-label": t("Points over the rounds. The table below shows the same figures."),
    },
    shape.ticks.map(({ points, y }) => [
      h("line", { class: points ? "grid" : "grid nil", x1: shape.left, x2: shape.right, y1: y, y2: y }),
      h("text", { class: "tick", x: shape.left - 8, y: y + 5, "text-anchor": "end" }, signed(points)),
    ]),
    shape.rounds.map((one, place) =>
      h(
        "text",
        { class: "tick", x: one.x, y: shape.bottom + 28, "text-anchor": place ? "middle" : "start" },
        isNarrow(shape) && one.round && one.over ? `${one.round}` : roundName(one),
      ),
    ),
    shape.lines.map((line) => h("path", { class: "rim", d: way(line.spots) })),
    shape.lines.map((line) =>
      h("path", {
        class: "line",
        style: colourStyle(line.seat),
        d: way(line.spots),
        "stroke-dasharray": line.dashes || null,
      }),
    ),
    shape.lines.map((line) => end(line, shape)),
  );
}

function isNarrow({ width, left, right, rounds }) {
  return width < 560 || (right - left) / Math.max(1, rounds.length - 1) < ROUND_LABEL;
}

function way(spots) {
  return spots.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

function end({ seat, total, spots, label: [x, y] }, shape) {
  const { picture } = figureOf(seat);
  return h(
    "g",
    { class: "end", style: colourStyle(seat) },
    h("line", { class: "leader", x1: shape.right, y1: spots.at(-1)[1], x2: x - 15, y2: y }),
    h("circle", { cx: x, cy: y, r: 15 }),
    picture ? h("image", { href: picture, x: x - 12, y: y - 12, width: 24, height: 24 }) : null,
    h("text", { class: "name", x: x + 19, y: y + 6 }, `${letter(seat, live.game?.seats)} ${signed(total)}`),
  );
}

function table(game, rounds) {
  return h(
    "table",
    { class: "points-table" },
    h("caption", {}, t("Points after each round")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        rounds.map((one) => h("th", { scope: "col" }, roundName(one))),
      ),
    ),
    h(
      "tbody",
      {},
      game.seats.map((seat, index) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, crest(seat, "small"), h("span", {}, seat.name)),
          rounds.map((one) => h("td", {}, signed(one.points[index]))),
        ),
      ),
    ),
  );
}
