// Renders the start screen: play with a camera, by hand, watch the demonstration, or resume a game.

import { boxCheck, forgetCount } from "./box_check.js";
import { correctionPanel } from "../table/camera_view.js";
import { language, t } from "../core/i18n.js";
import { known } from "../setup/profile.js";
import { lesson, load } from "../setup/enrolment.js";
import { carryOut, go, say, ui } from "../core/navigation.js";
import { ask, command, live, send } from "../core/live.js";
import { button, crest } from "../core/components.js";
import { h } from "../../vendor/preact.js";
import { store } from "../core/store.js";
import { evenly, seating } from "../table/seating.js";
import { needed } from "../setup/setup_screen.js";
import { wayPicture } from "./start_pictures.js";
import { ANIMAL_NAMES, COLOUR_NAMES, PLAYER_COLOURS } from "../core/vocabulary.js";

let people = 0;
const KEPT = "companion.people";
// ms for the simulated table to end and a camera to open.
const WHILE_CHANGED_OVER = 60_000;
const KEPT_CARDS = "companion.cards";
const form = store({
  seats: keptPeople() ?? PLAYER_COLOURS.slice(0, 4).map(somebody),
  saved: null,
  own: ownCards(),
});

function somebody(figure) {
  people += 1;
  return { id: `person-${people}`, name: "", figure };
}

function ownCards() {
  try {
    return localStorage.getItem(KEPT_CARDS) !== "known";
  } catch {
    return true;
  }
}

// The players of the last game on this device, as the default.
function keptPeople() {
  try {
    // Earlier versions stored the figure as `colour`.
    const kept = JSON.parse(localStorage.getItem(KEPT)).map(({ name, figure, colour }) => ({
      name,
      figure: figure ?? colour,
    }));
    const colours = new Set(kept.map(({ figure }) => figure));
    if (
      kept.length < 3 ||
      kept.length > 5 ||
      colours.size < kept.length ||
      ![...colours].every((one) => PLAYER_COLOURS.includes(one))
    )
      return null;
    return kept.map(({ name, figure }) => ({ ...somebody(figure), name: String(name).slice(0, 20) }));
  } catch {
    return null;
  }
}

function keepPeople() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(form.seats.map(({ name, figure }) => ({ name, figure }))));
    localStorage.setItem(KEPT_CARDS, form.own ? "own" : "known");
  } catch {
    // Without storage the form is empty the next time.
  }
}

// Render the start screen, or the form for the way of playing in the hash.
export function StartScreen({ game }) {
  if (live.view.you.role !== "host") return waiting(game);
  if (form.saved === null) loadGames();
  if (!lesson.loaded) load();
  const way = ui.path[1];
  return ["camera", "hand"].includes(way) ? [about(way, game), newGame(way)] : [ways(game), others(game)];
}

// The ways of playing, each with its picture.
function ways(game) {
  const simulated = Boolean(live.view.director);
  const cameraText =
    simulated || known.view?.calibrated
      ? t("A camera above the table reads every reveal.")
      : t("A camera above the table reads every reveal. Set the table up first, once.");
  return h(
    "section",
    { key: "ways", class: "begin" },
    h("h2", {}, game ? t("Games") : t("Who enters the labyrinth?")),
    h(
      "p",
      { class: "begin-lead" },
      t("The companion knows the rules, and everybody sees who gains what. How do you want to play?"),
    ),
    h(
      "div",
      { class: "begin-ways" },
      way("camera", t("With a camera"), cameraText, withCamera),
      way("hand", t("By hand"), t("Tap what everybody reveals. It needs no camera."), () => go("#new/hand")),
      simulated
        ? way("demo", t("Watch a demo"), t("One round on the simulated table, in about a minute."), showMe)
        : null,
    ),
    simulated ? null : [cameraLine(), correctionPanel()],
  );
}

const TESTS = { demo: "show-me" };

function way(name, title, text, act) {
  return h(
    "button",
    {
      type: "button",
      key: name,
      class: "begin-way",
      onclick: act,
      disabled: live.busy,
      "data-test": TESTS[name] ?? `way-${name}`,
    },
    wayPicture(name),
    h("strong", {}, title),
    h("span", {}, text),
  );
}

function others(game) {
  return h(
    "section",
    { key: "others", class: "begin-others" },
    game ? h("a", { class: "button", href: "#table" }, t("Back to the game")) : null,
    h("a", { class: "button quiet", href: "#scoring", "data-test": "just-score" }, t("Just score us")),
    h(
      "span",
      { class: "aside" },
      t("Played without the companion? Photograph each board, or fill it in by hand."),
    ),
    savedGames(),
  );
}

// On the simulated table, a camera of this machine takes over first; a table that is set up starts at once.
async function withCamera() {
  if (live.view.director) {
    if (!(await carryOut(send("use_camera", {}, WHILE_CHANGED_OVER)))) return;
    await load();
  }
  go(needed().length ? "#camera" : "#new/camera");
}

// Only a host can start a game.
function waiting(game) {
  return h(
    "section",
    { class: "welcome" },
    h("img", { class: "labyrinth", src: "/art/tile.svg", alt: "" }),
    h("h2", {}, game ? t("Games") : t("Who enters the labyrinth?")),
    h("p", {}, t("Only a host can begin a game.")),
    h("p", { class: "row" }, h("a", { class: "button gold large", href: "#join" }, t("Join"))),
  );
}

// Beside the form: a description of this way of playing, with the camera's state if it uses one.
function about(way, game) {
  return h(
    "section",
    { key: `about-${way}`, class: "welcome" },
    wayPicture(way),
    h("h2", {}, way === "camera" ? t("With a camera") : t("By hand")),
    h(
      "p",
      {},
      way === "camera"
        ? t("The camera reads every reveal and asks only where it is not sure.")
        : t("After each reveal, tap what everybody shows. Ranks, gains and scores follow by themselves."),
    ),
    way === "camera" ? [setUpRow(), cameraLine(), correctionPanel()] : null,
    h("p", { class: "row" }, h("a", { class: "button quiet", href: "#new" }, t("Back"))),
    game ? h("p", { class: "aside" }, t("The current game is saved; you can resume it later.")) : null,
  );
}

function setUpRow() {
  const first = needed().length > 0;
  return h(
    "p",
    { class: "row" },
    h(
      "a",
      { class: `button ${first ? "gold large" : "quiet"}`, href: "#camera", "data-test": "set-up" },
      first ? t("Set up the table") : t("Camera & table"),
    ),
    h(
      "span",
      { class: "aside" },
      first && !known.view.calibrated
        ? t("Show the companion your table, your pieces and your cards. It takes some minutes, once.")
        : t("Show where the table is and what the pieces look like."),
    ),
  );
}

// What is wrong with the camera, with a QR code if a phone can be the camera.
function cameraLine() {
  const { state, message } = live.view.camera;
  if (state === "preparing") return h("p", { class: "aside", role: "status" }, message);
  if (state !== "no_camera") return null;
  return h(
    "div",
    { class: "row without-camera", role: "status" },
    "phone" in document.body.dataset
      ? h("img", {
          class: "code",
          src: "/camera/qr.svg",
          alt: t("QR code that opens the camera page on a phone"),
        })
      : null,
    h("p", { class: "aside" }, message),
  );
}

function newGame(way) {
  return h(
    "section",
    { key: "new-game", class: "panel new-game" },
    h("h2", {}, t("Who plays?")),
    h(
      "div",
      { class: "segments", role: "radiogroup", "aria-label": t("Players") },
      [3, 4, 5].map((number) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            class: "segment",
            "aria-checked": String(form.seats.length === number),
            onclick: () => resize(number),
          },
          t("{number} players", { number }),
        ),
      ),
    ),
    way === "camera"
      ? [
          h(
            "p",
            { class: "aside" },
            t(
              "Drag each crest to where its player sits; two can share a side. Seats are numbered clockwise.",
            ),
          ),
          seating(form.seats, reorder),
          h("p", { class: "row" }, evenly(form.seats.length)),
        ]
      : h(
          "p",
          { class: "aside" },
          t("Clockwise, in the order in which you sit. Names are optional; tap an animal to change it."),
        ),
    h("ol", { class: "seats" }, form.seats.map(seatRow)),
    way === "hand" ? whichCards() : null,
    button(t("Begin"), () => begin(way), "gold large", { disabled: live.busy, "data-test": "begin" }),
    way === "camera" ? boxCheck(seated()) : null,
  );
}

// By hand, cards of the box are described when they are laid; printed or enrolled ones are picked from
// pictures.
function whichCards() {
  const choose = (own) => () => {
    form.own = own;
  };
  return h(
    "div",
    { class: "which-cards", role: "radiogroup", "aria-label": t("Which cards?") },
    h(
      "div",
      { class: "segments" },
      [
        [true, t("Cards from the box")],
        [false, t("Printed from here, or shown to the camera")],
      ].map(([own, text]) =>
        h(
          "button",
          {
            type: "button",
            key: text,
            role: "radio",
            class: "segment",
            "aria-checked": String(form.own === own),
            onclick: choose(own),
            "data-test": own ? "own-cards" : "known-cards",
          },
          text,
        ),
      ),
    ),
    h(
      "p",
      { class: "aside" },
      form.own
        ? t("Tap what each card shows when it is laid, or skip it.")
        : t("You pick each card by its picture."),
    ),
  );
}

function seatRow(seat, index) {
  const told = { number: index + 1, animal: ANIMAL_NAMES[seat.figure], colour: COLOUR_NAMES[seat.figure] };
  return h(
    "li",
    { key: seat.id, class: "seat-choice" },
    h("b", { class: "seat-number", "aria-hidden": "true" }, index + 1),
    h(
      "button",
      {
        type: "button",
        class: "crest-choice",
        "aria-label": t("Seat {number} plays the {animal} ({colour}): change", told),
        onclick: () => recolour(index),
      },
      crest({ name: seat.name || String(index + 1), figure: seat.figure }),
    ),
    h("input", {
      type: "text",
      value: seat.name,
      maxlength: 20,
      placeholder: t("Seat {number}: the {animal}", told),
      "aria-label": t("Name of seat {number}", told),
      autocomplete: "off",
      oninput: (event) => {
        change(index, { name: event.target.value });
      },
    }),
  );
}

function change(index, fields) {
  form.seats = form.seats.with(index, { ...form.seats[index], ...fields });
}

function resize(number) {
  if (form.seats.length > number) form.seats = form.seats.slice(0, number);
  while (form.seats.length < number) form.seats = [...form.seats, somebody(free()[0])];
  forgetCount();
}

function reorder(seats) {
  form.seats = seats;
  forgetCount();
}

function free() {
  return PLAYER_COLOURS.filter((colour) => !form.seats.some((seat) => seat.figure === colour));
}

// The next colour; a seat that already has it takes this seat's colour.
function recolour(index) {
  const seat = form.seats[index];
  const next = PLAYER_COLOURS[(PLAYER_COLOURS.indexOf(seat.figure) + 1) % PLAYER_COLOURS.length];
  const other = form.seats.findIndex((one) => one.figure === next);
  if (other >= 0) change(other, { figure: seat.figure });
  change(index, { figure: next });
  forgetCount();
}

function seated() {
  return form.seats.map(({ name, figure }) => ({
    name: name.trim() || capital(ANIMAL_NAMES[figure]),
    figure,
  }));
}

async function begin(way) {
  const seats = seated();
  if (new Set(seats.map((seat) => seat.name.toLowerCase())).size < seats.length) {
    say(t("Two players have the same name. Give each their own."), "wrong");
    return;
  }
  if (!(await carryOut(command("start_game", { seats, way, own_cards: way === "hand" && form.own })))) return;
  keepPeople();
  entered();
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
}

function savedGames() {
  const others = form.saved
    .filter((one) => one.id !== live.game?.id && one.stage.phase !== "over")
    .slice(0, 5);
  if (!others.length) return null;
  return [
    h("h3", {}, t("Resume")),
    h(
      "ul",
      { class: "saved" },
      others.map((one) =>
        h(
          "li",
          { key: one.id },
          h(
            "button",
            { type: "button", class: "button saved-game", onclick: () => resume(one.id) },
            h(
              "span",
              { class: "crests" },
              one.seats.map((seat) => crest(seat, "small")),
            ),
            h("span", {}, t("Round {round}, {when}", { round: one.stage.round, when: when(one.played) })),
          ),
        ),
      ),
    ),
  ];
}

function when(iso) {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf())
    ? ""
    : time.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
