// Who sits where: crests round a table, to be dragged to other seats, or moved with the arrow keys.

import { t } from "./i18n.js";
import { crest } from "./pieces.js";
import { h } from "./render.js";
import { draw } from "./stage.js";
import { ANIMAL_NAMES } from "./words.js";

const [ACROSS, DOWN] = [39, 38]; // how far from the middle the seats are, per cent of the table's room
const A_DRAG = 6; // px

let held = null; // who is being dragged, and where to

// seats: in order, clockwise from the near edge of the camera's picture; each with an id of its own.
export function seating(seats) {
  return h(
    "div",
    { class: "round-table", role: "group", "aria-label": t("Seats round the table") },
    h("div", { class: "round-top", "aria-hidden": "true" }, h("img", { src: "/art/tile.svg", alt: "" })),
    seats.map((seat, index) => place(seats, seat, index)),
    h("p", { class: "near-edge aside" }, t("near edge of the camera's picture")),
  );
}

function place(seats, seat, index) {
  const [x, y] = held?.id === seat.id && held.at ? held.at : spot(index, seats.length);
  const name = seat.name.trim() || ANIMAL_NAMES[seat.colour];
  return h(
    "button",
    {
      key: seat.id,
      type: "button",
      class: `round-seat ${held?.id === seat.id && held.at ? "held" : ""}`,
      style: { left: `${x}%`, top: `${y}%` },
      "aria-label": t("{name} on seat {number}: drag to another seat, or move with the arrow keys", { name, number: index + 1 }),
      "aria-keyshortcuts": "ArrowLeft ArrowRight",
      "data-test": `seat-${index + 1}`,
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        held = { id: seat.id, from: [event.clientX, event.clientY], at: null };
      },
      onpointermove: (event) => drag(event, seat),
      onpointerup: () => drop(seats, seat),
      onpointercancel: () => letGo(),
      onkeydown: (event) => key(event, seats, seat),
    },
    crest({ name, colour: seat.colour }),
    h("span", {}, name),
  );
}

// Where a seat is, per cent of the room: seat 1 at the bottom, the others clockwise.
function spot(index, count) {
  const angle = (2 * Math.PI * index) / count;
  return [50 - ACROSS * Math.sin(angle), 46 + DOWN * Math.cos(angle)];
}

function drag(event, seat) {
  if (held?.id !== seat.id) return;
  const far = Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]);
  if (!held.at && far < A_DRAG) return;
  const box = event.currentTarget.parentElement.getBoundingClientRect();
  const per = (value, from, room) => Math.min(100, Math.max(0, (100 * (value - from)) / room));
  held.at = [per(event.clientX, box.left, box.width), per(event.clientY, box.top, box.height)];
  draw();
}

function drop(seats, seat) {
  const at = held?.id === seat.id ? held.at : null;
  letGo();
  if (!at) return;
  const away = seats.map((_, index) => Math.hypot(...spot(index, seats.length).map((value, k) => value - at[k])));
  move(seats, seat, away.indexOf(Math.min(...away)));
}

function letGo() {
  held = null;
  draw();
}

// Arrow right is clockwise, as the seats are numbered.
function key(event, seats, seat) {
  const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  move(seats, seat, (seats.indexOf(seat) + by + seats.length) % seats.length);
}

// The two change seats.
function move(seats, seat, to) {
  const from = seats.indexOf(seat);
  [seats[from], seats[to]] = [seats[to], seats[from]];
  draw();
}
