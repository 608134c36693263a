// Renders the seating: crests round a table, placed by dragging or with the arrow keys.

import { t } from "../core/text/i18n.js";
import { live, send } from "../core/live_channel.js";
import { byHand } from "../place/move_options.js";
import { button, crest, figureOf, sheet } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { h } from "../../vendor/preact.js";
import { store } from "../core/store.js";
import { carryOut, closeSheet, isHost } from "../core/navigation.js";

const [ACROSS, DOWN] = [39, 38]; // radii of the oval of seats, per cent of the box's width and height
const MIDDLE = 46; // y of the oval's centre, per cent of the box's height
const [WIDE, NARROW] = [1.42, 1.1]; // aspect ratio of the box, as in setup/steps.css
const A_DRAG = 6; // px that the pointer must move before a drag begins
const STEP = 5; // degrees per key press
const LEAST_GAP = 20; // degrees between neighbours, so that their crests do not overlap
const narrow = matchMedia("(max-width: 480px)");

// held: drag in progress, {id: of the seat, from: start in px, at: angle in degrees once it moves}, or null;
// chosen: optimistic update, {angles: not yet published, instead: set of seatings, as texts, that may be
// published until they are}, or null; sending: whether angles are being sent.
const state = store({ held: null, chosen: null, sending: false });

// Return the angle of each seat in degrees, clockwise from the near edge of the camera's picture.
export function anglesFor(count) {
  const published = publishedFor(count);
  return state.chosen?.instead.has(String(published)) ? state.chosen.angles : published;
}

function publishedFor(count) {
  return live.view.seatings.find((angles) => angles.length === count) ?? even(count);
}

// Render the seating. seats: clockwise, each with its own id; reorder: called with the seats in a new order,
// or null during a game, whose order is fixed.
export function seating(seats, reorder = null) {
  const angles = anglesFor(seats.length);
  const table = { seats, angles, reorder };
  return h(
    "div",
    { class: "round-table", role: "group", "aria-label": t("Seats round the table") },
    h(
      "div",
      { class: "round-top", "aria-hidden": "true" },
      gamePage.emblem ? h("img", { src: gamePage.emblem, alt: "" }) : null,
    ),
    seats.map((seat, index) => place(table, seat, index)),
    h(
      "p",
      { class: "near-edge aside" },
      byHand() && !reorder ? t("near edge of this screen") : t("near edge of the camera's picture"),
    ),
  );
}

// Render the button that spaces the seats evenly; disabled if they already are.
export function evenly(count) {
  const spaced = String(anglesFor(count)) === String(even(count));
  return button(t("Space evenly"), () => sit(even(count)), "quiet", {
    disabled: spaced,
    "data-test": "evenly",
  });
}

// Render the seating of a running game as a sheet; the order of the seats is fixed.
export function SeatsSheet({ game, open }) {
  const seats = game.seats.map((seat, index) => ({ ...seat, id: `seat-${index}` }));
  return sheet(
    t("Where everybody sits"),
    () => closeSheet(open),
    h(
      "p",
      { class: "aside" },
      byHand()
        ? t("Drag everybody to where they sit at the table.")
        : t("Drag everybody to where they sit at the table. Hands are read anew at once."),
    ),
    seating(seats),
    h(
      "footer",
      {},
      evenly(seats.length),
      button(t("Done"), () => closeSheet(open), "gold"),
    ),
  );
}

function even(count) {
  return Array.from({ length: count }, (_, index) => Math.round((36000 * index) / count) / 100);
}

function place(table, seat, index) {
  const { angles } = table;
  const dragged = state.held?.id === seat.id && state.held.at !== null;
  const [x, y] = spot(dragged ? state.held.at : angles[index]);
  const name = seat.name.trim() || figureOf(seat).name;
  const values = { name, number: index + 1, degrees: Math.round(angles[index]) };
  return h(
    "button",
    {
      key: seat.id,
      type: "button",
      class: `round-seat ${dragged ? "held" : ""}`,
      style: { left: `${x}%`, top: `${y}%` },
      "aria-label": table.reorder
        ? t(
            "{name}, seat {number}, at {degrees} degrees: drag, or move with the arrow keys; with Shift, change places",
            values,
          )
        : t("{name}, seat {number}, at {degrees} degrees: drag, or move with the arrow keys", values),
      "aria-keyshortcuts": `ArrowLeft ArrowRight${table.reorder ? " Shift+ArrowLeft Shift+ArrowRight" : ""}`,
      "data-test": `seat-${index + 1}`,
      "data-angle": Math.round(angles[index]),
      onpointerdown: (event) => {
        if (!event.isPrimary || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        state.held = { id: seat.id, from: [event.clientX, event.clientY], at: null };
      },
      onpointermove: (event) => drag(event, table, seat),
      onpointerup: () => drop(table, seat),
      onpointercancel: letGo,
      onkeydown: (event) => key(event, table, seat),
    },
    crest({ ...seat, name }),
    h("span", {}, name),
  );
}

// Return where an angle meets the oval of seats, in per cent of the box. The picture is to scale: left on it
// is left at the table.
function spot(degrees) {
  const angle = (degrees * Math.PI) / 180;
  const room = narrow.matches ? NARROW : WIDE;
  const [x, y] = [-Math.sin(angle), Math.cos(angle) * room];
  const far = 1 / Math.hypot(x / ACROSS, y / DOWN);
  return [50 + far * x, MIDDLE + far * y];
}

function drag(event, { seats, angles, reorder }, seat) {
  if (state.held?.id !== seat.id) return;
  const far = Math.hypot(event.clientX - state.held.from[0], event.clientY - state.held.from[1]);
  if (state.held.at === null && far < A_DRAG) return;
  const box = event.currentTarget.parentElement.getBoundingClientRect();
  const x = event.clientX - box.left - box.width / 2;
  const y = event.clientY - box.top - (box.height * MIDDLE) / 100;
  const at = turned((Math.atan2(-x, y) * 180) / Math.PI);
  state.held = { ...state.held, at: reorder ? at : between(angles, seats.indexOf(seat), at) };
}

function drop(table, seat) {
  const at = state.held?.id === seat.id ? state.held.at : null;
  letGo();
  if (at !== null) move(table, table.seats.indexOf(seat), Math.round(at));
}

function letGo() {
  state.held = null;
}

// Right is clockwise, as the seats are numbered.
function key(event, table, seat) {
  const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const { seats, reorder } = table;
  const index = seats.indexOf(seat);
  if (event.shiftKey) {
    if (reorder) reorder(swapped(seats, index, (index + by + seats.length) % seats.length));
    return;
  }
  move(table, index, turned(Math.round(anglesFor(seats.length)[index] + by * STEP)));
}

// Seats that meet swap places; during a game the moved seat stops beside its neighbour.
function move({ seats, reorder }, index, at) {
  const angles = anglesFor(seats.length); // what is drawn may be a moment old
  if (!reorder) {
    sit(angles.map((angle, other) => (other === index ? between(angles, index, at) : angle)));
    return;
  }
  const other = angles.findIndex((angle, number) => number !== index && apart(angle, at) < LEAST_GAP);
  if (other >= 0) {
    reorder(swapped(seats, index, other));
    return;
  }
  const now = angles.map((angle, number) => (number === index ? at : angle));
  const order = seats
    .map((_, number) => number)
    .sort((a, b) => turned(now[a] - now[0]) - turned(now[b] - now[0]));
  if (order.some((number, k) => number !== k)) reorder(order.map((number) => seats[number]));
  sit(order.map((number) => now[number]));
}

// Seats that are moved before the command before is answered are sent after it; what that one changed may be
// published in between.
async function sit(angles) {
  const published = String(publishedFor(angles.length));
  const earlier = state.chosen?.instead.has(published) ? state.chosen.instead : [];
  const instead = new Set([...earlier, String(anglesFor(angles.length)), published]);
  state.chosen = { angles, instead };
  if (state.sending) return;
  state.sending = true;
  let kept = isHost();
  for (let sent = null; kept && sent !== state.chosen.angles; ) {
    sent = state.chosen.angles;
    kept = await carryOut(send("seat_people", { angles: sent }));
  }
  state.sending = false;
  if (!kept) state.chosen = null;
}

function swapped(seats, one, other) {
  const now = [...seats];
  [now[one], now[other]] = [now[other], now[one]];
  return now;
}

// Return the angle nearest to `at` that keeps the least gap to both neighbours.
function between(angles, index, at) {
  const before = angles[(index + angles.length - 1) % angles.length];
  const room = turned(angles[(index + 1) % angles.length] - before) - LEAST_GAP;
  const on = turned(at - before);
  if (on >= LEAST_GAP && on <= room) return at;
  return turned(
    before +
      (apart(before + LEAST_GAP, at) <= apart(before + room, at) ? LEAST_GAP : Math.max(LEAST_GAP, room)),
  );
}

function turned(degrees) {
  return ((degrees % 360) + 360) % 360;
}

function apart(one, other) {
  return Math.abs(turned(one - other + 180) - 180);
}
