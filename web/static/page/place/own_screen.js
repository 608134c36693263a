// Renders a player's own screen on the phone: the board and what to do now; the table on a second tab or by a
// swipe.

import { gamePage } from "../core/game_page.js";
import { t, tn } from "../core/text/i18n.js";
import { you } from "./move_options.js";
import { peopleTabs, placeOf } from "./boards_screen.js";
import { crest } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { ui } from "../core/navigation.js";
import { store } from "../core/store.js";
import { TableScreen } from "../table/table_screen.js";

// px that a finger must move sideways.
const SWIPE = 60;
// side: "board" or "table".
const place = store({ side: "board" });
// Where a touch began, {x, y} in px, or null.
let start = null;

// Render the player's own screen; a host can choose the seat.
export function MeScreen({ game }) {
  const seat = mySeat(game);
  if (seat === null)
    return h(
      "p",
      { class: "aside" },
      gamePage.words.spectator ?? t("You are a spectator: you see the table."),
      " ",
      h("a", { href: "#table" }, t("See the table")),
    );
  const tab = (name, ...content) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        class: "me-tab",
        id: `me-${name}`,
        "aria-selected": String(place.side === name),
        tabindex: place.side === name ? "0" : "-1",
        onclick: () => turn(name),
        "data-test": `me-${name}`,
      },
      ...content,
    );
  return [
    you().role === "host" ? peopleTabs(game, seat, (index) => `#me/${index}`) : null,
    h(
      "div",
      { class: "me-tabs", role: "tablist", "aria-label": t("My place"), onkeydown: arrows },
      tab(
        "board",
        crest(game.seats[seat], "small"),
        h("strong", {}, game.seats[seat].name),
        h("span", { class: "points" }, tn(game.scores[seat].total, "{n} point", "{n} points")),
      ),
      tab("table", t("Table")),
    ),
    h(
      "div",
      {
        key: `side-${place.side}`,
        class: `me-side ${place.side}`,
        role: "tabpanel",
        "aria-labelledby": `me-${place.side}`,
        onpointerdown: touch,
        onpointerup: swipe,
      },
      place.side === "board"
        ? placeOf(game, seat)
        : h("div", { class: "screen table" }, h(TableScreen, { game })),
    ),
  ];
}

// Return the seat whose place is shown, or null while the table is.
export function shownSeat(game) {
  return place.side === "board" ? mySeat(game) : null;
}

// Return the seat of this screen, or null: a player's comes from the companion, a host chooses one in the
// hash.
export function mySeat(game) {
  const { role, seat } = you();
  if (role === "player") return seat;
  const wanted = Number(ui.path[1]) || 0;
  return role === "host" ? Math.min(Math.max(wanted, 0), game.seats.length - 1) : null;
}

function turn(name) {
  place.side = name;
}

function arrows(event) {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  turn(place.side === "board" ? "table" : "board");
  requestAnimationFrame(() => document.getElementById(`me-${place.side}`)?.focus({ preventScroll: true }));
}

function touch(event) {
  start =
    event.pointerType === "mouse" || event.target.closest("[data-drag], input, .stepper")
      ? null
      : { x: event.clientX, y: event.clientY };
}

function swipe(event) {
  if (!start) return;
  const [x, y] = [event.clientX - start.x, event.clientY - start.y];
  start = null;
  if (Math.abs(x) < SWIPE || Math.abs(y) > Math.abs(x) / 2) return;
  const next = x < 0 ? "table" : "board";
  if (next !== place.side) turn(next);
}
