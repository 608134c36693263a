// Draws the scores on a canvas as a picture to save: the ranking, each player's sums and the chart.

import { plot, roundName } from "./points_chart.js";
import { language, t, signed } from "../core/text/i18n.js";
import { figureOf } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { live } from "../core/live_channel.js";
import { letter } from "../core/text/vocabulary.js";

// px, for the whole picture.
const WIDTH = 1200;
const ROW = 76;
const HEAD = 190;
const CHART = 440;
const INK = {
  ground: "#14121a",
  raised: "#1f1c28",
  text: "#efe6d3",
  soft: "#c4b9a3",
  gold: "#c9a45c",
  bright: "#f1d48e",
  line: "#3d3748",
};
// px: middle of the first column of score lines, the room for all of them, and the most between two.
const [FIRST, ROOM, APART] = [470, 560, 104];

// Return the date in a game's id such as "2026-11-21", or today's.
function dayOf(game) {
  const day = /^(\d{4})(\d{2})(\d{2})-/.exec(game.id);
  return day ? day.slice(1).join("-") : new Date().toLocaleDateString("sv");
}

// Download the scores as a PNG. title: the headline; ranking: scores, best first.
export async function savePicture(game, title, ranking) {
  const canvas = await keepsake(game, title, ranking);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = `${gamePage.fileName ?? game.game}-${dayOf(game)}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

async function keepsake(game, title, ranking) {
  const columns = ranking[0].lines;
  const icons = [
    ...game.seats.map((seat) => figureOf(seat).picture),
    ...columns.map(({ id }) => gamePage.keepsakeIcons[id]),
  ].filter(Boolean);
  const pictures = new Map(
    await Promise.all([...new Set(icons)].map(async (icon) => [icon, await picture(icon)])),
  );
  await document.fonts.ready;
  const way = Boolean(game.chronicle?.rounds?.length);
  const height = HEAD + 44 + ROW * ranking.length + (way ? CHART : 0) + 40;
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH, height });
  const pen = canvas.getContext("2d");
  frame(pen, height);
  write(pen, title, WIDTH / 2, 98, `54px Marcellus, serif`, INK.bright, "center", WIDTH - 160);
  const date = new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${dayOf(game)}T00:00:00Z`),
  );
  write(pen, `${gamePage.title || game.title} · ${date}`, WIDTH / 2, 142, face(22), INK.soft, "center");
  for (const [column, line] of columns.entries()) {
    const icon = pictures.get(gamePage.keepsakeIcons[line.id]);
    const x = at(column, columns);
    if (icon) pen.drawImage(icon, x - 19, HEAD - 10, 38, 38);
    else write(pen, line.name, x, HEAD + 20, face(18), INK.soft, "center", spacing(columns) - 8);
  }
  for (const [place, score] of ranking.entries()) row(pen, game, score, HEAD + 44 + ROW * place, pictures);
  pen.translate(40, HEAD + 54 + ROW * ranking.length);
  if (way) chart(pen, plot(game, WIDTH - 80, CHART - 30), pictures);
  return canvas;
}

function picture(address) {
  return new Promise((done, failed) => {
    const image = new Image();
    image.onload = () => done(image);
    image.onerror = () => failed(new Error(t("The picture could not be drawn. Try again.")));
    image.src = address;
  });
}

function face(size, weight = 400) {
  return `${weight} ${size}px "Source Sans 3", system-ui, sans-serif`;
}

function write(pen, text, x, y, font, colour, align = "left", most = undefined) {
  Object.assign(pen, { font, fillStyle: colour, textAlign: align });
  pen.fillText(text, x, y, most);
}

function frame(pen, height) {
  pen.fillStyle = INK.ground;
  pen.fillRect(0, 0, WIDTH, height);
  pen.strokeStyle = INK.gold;
  pen.lineWidth = 2;
  pen.strokeRect(18, 18, WIDTH - 36, height - 36);
  pen.lineWidth = 1;
  pen.strokeRect(26, 26, WIDTH - 52, height - 52);
}

function spacing(columns) {
  return Math.min(APART, ROOM / Math.max(1, columns.length - 1));
}

function at(column, columns) {
  return FIRST + spacing(columns) * column;
}

function row(pen, game, score, top, pictures) {
  const seat = game.seats[score.player];
  const middle = top + ROW / 2;
  if (score.place === 1) {
    pen.fillStyle = INK.raised;
    pen.fillRect(40, top + 3, WIDTH - 80, ROW - 6);
  }
  write(pen, `${score.place}.`, 64, middle + 11, face(30), INK.soft);
  crest(pen, seat, 140, middle, 27, pictures);
  write(pen, seat.name, 190, middle + 10, face(28, 600), INK.text, "left", 225);
  for (const [column, line] of score.lines.entries()) {
    const count = line.points < 0 ? signed(line.points) : `${line.count}`;
    write(pen, count, at(column, score.lines), middle + 9, face(26), INK.text, "center");
  }
  write(pen, signed(score.total), WIDTH - 64, middle + 15, face(44, 600), INK.bright, "right");
}

function crest(pen, seat, x, y, radius, pictures) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fillStyle = inkOf(seat);
  pen.fill();
  Object.assign(pen, { strokeStyle: INK.text, lineWidth: 2 });
  pen.stroke();
  const icon = pictures.get(figureOf(seat).picture);
  if (icon) pen.drawImage(icon, x - 0.8 * radius, y - 0.8 * radius, 1.6 * radius, 1.6 * radius);
}

// Colour of a player's things on the dark ground of the picture.
function inkOf(seat) {
  const { ink, colour } = figureOf(seat);
  return ink || colour || INK.line;
}

function chart(pen, shape, pictures) {
  pen.lineWidth = 1;
  for (const { points, y } of shape.ticks) {
    pen.strokeStyle = INK.line;
    stroke(pen, [
      [shape.left, y],
      [shape.right, y],
    ]);
    write(pen, signed(points), shape.left - 8, y + 6, face(18), INK.soft, "right");
  }
  for (const one of shape.rounds)
    write(pen, roundName(one), one.x, shape.bottom + 32, face(18), INK.soft, one.round ? "center" : "left");
  for (const line of shape.lines) {
    Object.assign(pen, { strokeStyle: INK.text, lineWidth: 6, lineJoin: "round" });
    stroke(pen, line.spots);
  }
  for (const {
    seat,
    spots,
    dashes,
    label: [x, y],
    total,
  } of shape.lines) {
    Object.assign(pen, { strokeStyle: inkOf(seat), lineWidth: 4 });
    pen.setLineDash(dashes ? dashes.split(" ").map(Number) : []);
    stroke(pen, spots);
    pen.setLineDash([]);
    crest(pen, seat, x, y, 16, pictures);
    write(pen, `${letter(seat, live.game?.seats)} ${signed(total)}`, x + 22, y + 7, face(20, 600), INK.text);
  }
}

function stroke(pen, spots) {
  pen.beginPath();
  for (const [index, [x, y]] of spots.entries()) {
    if (index) pen.lineTo(x, y);
    else pen.moveTo(x, y);
  }
  pen.stroke();
}
