// Renders the boards step of the set-up, with the rows and spaces of the game's kit: enrol the printed boards
// in one tap, or each board from a picture of it empty; and a summary of what the camera can read.

import { t } from "../core/text/i18n.js";
import { known } from "./profile.js";
import { back, change, findBoard, finish, enrolment, pointAtBoard, pointedAtBoard } from "./enrolment.js";
import { live } from "../core/live_channel.js";
import { button, disc, figureOf } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { store } from "../core/store.js";
import { paint, sight } from "./picture.js";
import { go, say } from "../core/navigation.js";
import { refusal } from "./step_parts.js";

// mm: the longest and the shortest side of a board that can be entered.
const MOST_MM = 500;
const LEAST_MM = 60;
// Vertices of the polygon that is drawn as a circle.
const RING = 24;

// State of this step. figure: the owner chosen for the board; of: the draft that it was chosen for; size:
// width and height in mm of a board that is marked by hand; taps: points tapped so far, null while the
// corners are being set.
const marking = store({ figure: null, of: null, size: [210, 148], taps: null, corners: null });

// Component: the step. open: names of the steps that are still needed.
export function BoardsStep({ open }) {
  if (enrolment.doing === "board") return foundStep();
  if (enrolment.doing === "pointing") return marking.taps ? spotsStep() : cornersStep();
  return [refusal(), live.view.director ? simulatedBoards() : chooseStep(), summary(open)];
}

// The taps that mark a board, in their order: {place, number} for spots, {place, corner: 0 or 1} for spaces.
function marks() {
  return known.view.kit.board.flatMap((place) =>
    place.spots
      ? Array.from({ length: place.spots }, (_, at) => ({ place, number: at + 1 }))
      : [0, 1].map((corner) => ({ place, corner })),
  );
}

function simulatedBoards() {
  return h(
    "section",
    { key: "boards", class: "panel" },
    h("h2", {}, t("The boards")),
    h("p", {}, t("The simulated table plays with the printed boards and knows them all.")),
    knownBoards(),
  );
}

function chooseStep() {
  const { figures, printed_boards: printable } = known.view.kit;
  const all = figures.every((figure) => known.view.boards.includes(figure));
  return h(
    "section",
    { key: "boards", class: "panel" },
    h("h2", {}, t("The boards")),
    h("p", {}, t("Only needed if you want the camera to read the personal boards and add up the scores.")),
    printable
      ? h(
          "p",
          { class: "row" },
          button(t("We use the printed ones"), printed, all ? "" : "gold large", {
            disabled: live.busy,
            "data-test": "printed-boards",
          }),
        )
      : null,
    h(
      "p",
      { class: "aside" },
      t(
        "Or one by one, under your own light: lay one empty board in the camera's view, and take your hands away.",
      ),
    ),
    h(
      "p",
      { class: "row" },
      printable
        ? button(t("Take a picture of a printed one"), findBoard, "", {
            disabled: live.busy,
            "data-test": "find-board",
          })
        : null,
      button(t("Another board: mark its spots"), point, "", {
        disabled: live.busy,
        "data-test": "point-board",
      }),
    ),
    knownBoards(),
  );
}

async function printed() {
  if (await change("teach_take_printed_boards", {})) say(t("The printed boards are known."));
}

function point() {
  Object.assign(marking, { taps: null, corners: null });
  return pointAtBoard();
}

function knownBoards() {
  const { boards } = known.view;
  if (!boards.length) return null;
  return h(
    "ul",
    { class: "board-grid", "aria-label": t("Known boards") },
    boards.map((board) =>
      h(
        "li",
        { key: board },
        h("img", {
          src: `/api/teaching/boards/${encodeURIComponent(board)}.jpg`,
          alt: t("{board}: the known board", { board: named(board) }),
          loading: "lazy",
        }),
        h("span", {}, named(board)),
        live.view.director
          ? null
          : button(t("Forget"), () => change("teach_forget_board", { board }), "quiet", {
              disabled: live.busy,
              "aria-label": t("Forget the board: {board}", { board: named(board) }),
            }),
      ),
    ),
  );
}

function named(board) {
  return figureOf({ figure: board }).name;
}

// Whose board it is, and whether its spots are right.

function foundStep() {
  const { figures } = known.view.kit;
  const now = owner();
  return h(
    "section",
    { key: "board", class: "panel" },
    h("h2", {}, t("Is it this board?")),
    h(
      "p",
      {},
      t(
        "Rings must surround the spots: one ring in the first row, two in the second and so on. The frames must surround the spaces.",
      ),
    ),
    h("img", {
      key: enrolment.draft,
      class: "board-cut-out",
      src: `/api/teaching/${enrolment.draft}/board.jpg`,
      alt: t("The board as the camera saw it"),
    }),
    h(
      "div",
      { class: "kinds", role: "radiogroup", "aria-label": t("Whose board is it?") },
      figures.map((figure) =>
        h(
          "button",
          {
            key: figure,
            type: "button",
            role: "radio",
            class: "kind",
            "aria-checked": String(now === figure),
            "data-test": `whose-${figure}`,
            onclick: () => Object.assign(marking, { of: enrolment.draft, figure }),
          },
          disc({ figure }),
          h("span", {}, named(figure)),
        ),
      ),
    ),
    refusal(),
    h(
      "p",
      { class: "row" },
      button(t("Keep it"), keep, "gold large", { disabled: live.busy, "data-test": "keep-board" }),
      button(t("Discard"), back, "quiet"),
    ),
  );
}

// Whose board it is: the chosen player, the detected one, or the first without a board.
function owner() {
  const { draft, board } = enrolment.found;
  const { figures } = known.view.kit;
  if (marking.of === draft) return marking.figure;
  return board.proposed ?? figures.find((figure) => !known.view.boards.includes(figure)) ?? figures[0];
}

async function keep() {
  const colour = owner();
  if (!(await change("teach_keep_board", { draft: enrolment.draft, colour }))) return;
  say(t("Learned: {kind}.", { kind: named(colour) }));
}

// Any other board: first its corners, then one tap per spot.

function cornersStep() {
  const side = (index, label) =>
    h(
      "label",
      { class: "side" },
      h("span", {}, label),
      h("input", {
        type: "number",
        min: LEAST_MM,
        max: MOST_MM,
        value: marking.size[index],
        onchange: (event) => resize(index, event.target),
      }),
      " mm",
    );
  const { boards } = known.view;
  return h(
    "section",
    { key: "board-corners", class: "panel" },
    h("h2", {}, t("Mark the board's corners")),
    h("p", {}, t("Drag the four rings onto the corners of the board. The thick gold edge is its upper one.")),
    refusal(),
    h("div", { class: "row" }, side(0, t("Width")), side(1, t("Height"))),
    h(
      "p",
      { class: "row" },
      button(t("Next: its spots"), tapSpots, "gold large", { disabled: live.busy, "data-test": "to-spots" }),
      button(t("Turn it"), turn, ""),
    ),
    boards.length
      ? [
          h("p", { class: "aside" }, t("Or are its spots arranged as on a known board?")),
          h(
            "p",
            { class: "row" },
            boards.map((board) =>
              button(t("As on this one: {board}", { board: named(board) }), () => like(board), "", {
                disabled: live.busy,
                "data-test": `like-${board}`,
              }),
            ),
          ),
        ]
      : null,
    h(
      "p",
      { class: "row" },
      button(t("New picture"), point, "", { disabled: live.busy }),
      button(t("Discard"), back, "quiet"),
    ),
  );
}

function resize(index, input) {
  const wanted = Number(input.value);
  const side = Math.min(MOST_MM, Math.max(LEAST_MM, Number.isFinite(wanted) ? wanted : marking.size[index]));
  marking.size = marking.size.with(index, side);
  input.value = marking.size[index];
}

function turn() {
  sight.corners = [...sight.corners.slice(1), sight.corners[0]];
  paint();
}

function like(board) {
  return pointedAtBoard("teach_point_board_like", { corners: sight.corners, board });
}

function tapSpots() {
  Object.assign(marking, { taps: [], corners: sight.corners });
  Object.assign(sight, {
    corners: null,
    lines: [[...marking.corners, marking.corners[0]]],
    near: true,
    tapped,
  });
  shown();
  paint();
}

function tapped(spot) {
  const { length } = marks();
  if (marking.taps.length === length || live.busy) return;
  marking.taps = [...marking.taps, spot];
  shown();
  if (marking.taps.length === length) send();
}

async function send() {
  const { taps, corners, size } = marking;
  const all = marks();
  const tapped = (name) => taps.filter((_, at) => all[at].place.name === name);
  const spaces = known.view.kit.board.filter(({ spots }) => !spots).map(({ name }) => [name, tapped(name)]);
  await pointedAtBoard("teach_point_board", {
    corners,
    size,
    spots: taps.filter((_, at) => all[at].place.spots),
    spaces: Object.fromEntries(spaces),
  });
}

// Draw the taps: a ring round each spot, a small one at each corner of a space.
function shown() {
  const [[left, top], [right, lower]] = marking.corners;
  const spot = (Math.hypot(right - left, lower - top) / marking.size[0]) * 8;
  const all = marks();
  sight.things = marking.taps.map(([x, y], index) => {
    const radius = all[index].place.spots ? spot : spot / 3;
    const outline = Array.from({ length: RING }, (_, k) => [
      x + radius * Math.cos((2 * Math.PI * k) / RING),
      y + radius * Math.sin((2 * Math.PI * k) / RING),
    ]);
    return { outline, out: false };
  });
  paint(true);
}

function spotsStep() {
  return h(
    "section",
    { key: "board-spots", class: "panel" },
    h("h2", {}, t("Tap its spots")),
    h("p", { role: "status", "data-test": "tap-next" }, wanted()),
    refusal(),
    h(
      "p",
      { class: "row" },
      button(t("Undo the last tap"), untap, "", { disabled: live.busy || !marking.taps.length }),
      button(t("Start over"), point, "", { disabled: live.busy }),
      button(t("Discard"), back, "quiet"),
    ),
  );
}

function untap() {
  enrolment.refusal = "";
  marking.taps = marking.taps.slice(0, -1);
  shown();
}

// The instruction for the next tap.
function wanted() {
  const mark = marks()[marking.taps.length];
  if (!mark) return t("Checking whether it fits…");
  const { title, spots } = mark.place;
  if (spots)
    return t("Tap {row} from left to right: spot {number} of {of}.", {
      row: title,
      number: mark.number,
      of: spots,
    });
  return mark.corner
    ? t("Tap its lower right corner.")
    : t("Tap the upper left corner of {space}.", { space: title });
}

// What the camera can read with everything enrolled so far.

function summary(open) {
  return h(
    "section",
    { key: "summary", class: "panel" },
    h("h2", {}, t("What the camera can do now")),
    open.length
      ? h("p", { class: "verdict bad" }, t("The set-up is not finished: complete the steps without a tick."))
      : null,
    h(
      "ul",
      { class: "works" },
      known.view.abilities.map(({ works, line }) =>
        h(
          "li",
          { key: line, class: works ? "right" : "short" },
          h("b", { "aria-hidden": "true" }, works ? "✓" : "–"),
          h("span", {}, line),
        ),
      ),
    ),
    enrolment.unread && h("p", { class: "aside" }, enrolment.unread),
    h(
      "p",
      { class: "row onward" },
      button(t("Begin a game"), begin, "gold large", { disabled: live.busy, "data-test": "to-game" }),
    ),
  );
}

async function begin() {
  await finish();
  go("#new/camera");
}
