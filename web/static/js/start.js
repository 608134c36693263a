// The start: watch the simulated table, begin a game, or go on with one.

import { boxCheck, forgetCount } from "./boxcheck.js";
import { correctionPanel } from "./camera.js";
import { language, t } from "./i18n.js";
import { known } from "./known.js";
import { lesson, load } from "./lesson.js";
import { carryOut, draw, go, say } from "./stage.js";
import { ask, command, live } from "./live.js";
import { button, crest } from "./pieces.js";
import { h } from "./render.js";
import { evenly, seating } from "./seating.js";
import { needed } from "./setup.js";
import { ANIMAL_NAMES, COLOUR_NAMES, PLAYER_COLOURS } from "./words.js";

let people = 0;
const form = { seats: PLAYER_COLOURS.slice(0, 4).map(somebody), saved: null };

function somebody(colour) {
  people += 1;
  return { id: `person-${people}`, name: "", colour };
}

export function startScreen(game) {
  if (live.view.you.role !== "host") return waiting(game);
  if (form.saved === null) loadGames();
  if (!lesson.loaded) load();
  return [
    h(
      "section",
      { class: "welcome" },
      h("img", { class: "labyrinth", src: "/art/tile.svg", alt: "" }),
      h("h2", {}, game ? t("Games") : t("Who enters the labyrinth?")),
      h("p", {}, t("The camera reads every reveal, the companion knows the rules, and everybody sees who gains what.")),
      live.view.director
        ? h("p", { class: "row" }, button(t("Show me"), showMe, "gold large", { disabled: live.busy, "data-test": "show-me" }), h("span", { class: "aside" }, t("Watch four players on the simulated table.")))
        : null,
      game && h("p", { class: "row" }, h("a", { class: "button", href: "#table" }, t("Back to the game"))),
      teachRow(),
      h("p", { class: "row" }, h("a", { class: "button quiet", href: "#scoring", "data-test": "just-score" }, t("Just score us")), h("span", { class: "aside" }, t("Played without the companion? Photograph each board, or fill it in by hand."))),
      live.view.camera.state === "preparing" ? h("p", { class: "aside", role: "status" }, live.view.camera.message) : null,
      live.view.camera.state === "no_camera" ? withoutCamera(live.view.camera.message) : null,
      correctionPanel(),
      savedGames(),
    ),
    newGame(game),
  ];
}

// Whoever does not keep the table waits for who does.
function waiting(game) {
  return h(
    "section",
    { class: "welcome" },
    h("img", { class: "labyrinth", src: "/art/tile.svg", alt: "" }),
    h("h2", {}, game ? t("Games") : t("Who enters the labyrinth?")),
    h("p", {}, t("Games are begun on the device that keeps the table.")),
    h("p", { class: "row" }, h("a", { class: "button gold large", href: "#join" }, t("Join"))),
  );
}

// Before the first evening the table is taught; afterwards that is one thing among others.
function teachRow() {
  const first = !live.view.director && needed().length > 0;
  return h(
    "p",
    { class: "row" },
    h("a", { class: `button ${first ? "gold large" : "quiet"}`, href: "#camera", "data-test": "set-up" }, first ? t("Set up the table") : t("Camera & table")),
    h("span", { class: "aside" }, first && !known.view.calibrated ? t("Show the companion your table, your pieces and your cards. It takes some minutes, once.") : t("Show where the table is and what the pieces look like.")),
  );
}

// What is wrong with the camera; where a phone is to be it, with the code that opens its page.
function withoutCamera(message) {
  return h(
    "div",
    { class: "row without-camera", role: "status" },
    "phone" in document.body.dataset ? h("img", { class: "code", src: "/camera/qr.svg", alt: t("Code that opens the camera page on a phone") }) : null,
    h("p", { class: "aside" }, message),
  );
}

function newGame(game) {
  return h(
    "section",
    { class: "panel new-game" },
    h("h2", {}, t("New game")),
    h(
      "div",
      { class: "segments", role: "radiogroup", "aria-label": t("Players") },
      [3, 4, 5].map((number) =>
        h("button", { type: "button", role: "radio", class: "segment", "aria-checked": String(form.seats.length === number), onclick: () => resize(number) }, t("{number} players", { number })),
      ),
    ),
    h("p", { class: "aside" }, t("Drag everybody to where they sit at the table, also two on one side. Seats are numbered clockwise.")),
    seating(form.seats, reorder),
    h("p", { class: "row" }, evenly(form.seats.length)),
    h("ol", { class: "seats" }, form.seats.map(seatRow)),
    game
      ? h("p", { class: "aside" }, t("The game that is on now is kept; you can go on with it later."))
      : null,
    button(t("Begin"), begin, "gold large", { disabled: live.busy, "data-test": "begin" }),
    boxCheck(seated()),
  );
}

function seatRow(seat, index) {
  const told = { number: index + 1, animal: ANIMAL_NAMES[seat.colour], colour: COLOUR_NAMES[seat.colour] };
  return h(
    "li",
    { key: seat.id, class: "seat-choice" },
    h("b", { class: "seat-number", "aria-hidden": "true" }, index + 1),
    h("button", {
      type: "button",
      class: "crest-choice",
      "aria-label": t("Seat {number} plays the {animal} ({colour}): change", told),
      onclick: () => recolour(index),
    }, crest({ name: seat.name || String(index + 1), colour: seat.colour })),
    h("input", {
      type: "text",
      value: seat.name,
      maxlength: 20,
      placeholder: t("Seat {number}: the {animal}", told),
      "aria-label": t("Name of seat {number}", told),
      autocomplete: "off",
      oninput: (event) => {
        seat.name = event.target.value;
        draw();
      },
    }),
  );
}

function resize(number) {
  while (form.seats.length > number) form.seats.pop();
  while (form.seats.length < number) form.seats.push(somebody(free()[0]));
  forgetCount();
  draw();
}

function reorder(seats) {
  form.seats = seats;
  forgetCount();
  draw();
}

function free() {
  return PLAYER_COLOURS.filter((colour) => !form.seats.some((seat) => seat.colour === colour));
}

// The next colour; where another seat has it already, the two change colours.
function recolour(index) {
  const seat = form.seats[index];
  const next = PLAYER_COLOURS[(PLAYER_COLOURS.indexOf(seat.colour) + 1) % PLAYER_COLOURS.length];
  const other = form.seats.find((one) => one.colour === next);
  if (other) other.colour = seat.colour;
  seat.colour = next;
  forgetCount();
  draw();
}

function seated() {
  return form.seats.map(({ name, colour }) => ({ name: name.trim() || capital(ANIMAL_NAMES[colour]), colour }));
}

async function begin() {
  const seats = seated();
  if (new Set(seats.map((seat) => seat.name.toLowerCase())).size < seats.length) {
    say(t("Two players have the same name. Give each their own."), "wrong");
    return;
  }
  if (await carryOut(command("start_game", { seats }))) entered();
}

async function showMe() {
  if (await carryOut(command("show_me"))) entered();
}

async function resume(id) {
  if (await carryOut(command("resume_game", { id }))) entered();
}

function entered() {
  form.saved = null;
  go("#table");
}

async function loadGames() {
  form.saved = [];
  try {
    form.saved = (await ask("/api/games")).games;
  } catch (error) {
    say(error.message, "wrong");
  }
  draw();
}

function savedGames() {
  const others = form.saved.filter((one) => one.id !== live.game?.id && one.phase !== "over").slice(0, 5);
  if (!others.length) return null;
  return [
    h("h3", {}, t("Go on with")),
    h("ul", { class: "saved" }, others.map((one) =>
      h("li", { key: one.id }, h("button", { type: "button", class: "button saved-game", onclick: () => resume(one.id) },
        h("span", { class: "crests" }, one.seats.map((seat) => crest(seat, "small"))),
        h("span", {}, t("Round {round}, {when}", { round: one.round, when: when(one.played) })),
      )),
    )),
  ];
}

function when(iso) {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf()) ? "" : time.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
