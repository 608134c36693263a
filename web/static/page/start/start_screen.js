// Renders the start screen: play with a camera, by hand, watch the demonstration, or resume a game.

import { boxCheck, forgetCount } from "./box_check.js";
import { correctionPanel } from "../table/camera_view.js";
import { language, t, tn } from "../core/i18n.js";
import { known } from "../setup/profile.js";
import { lesson, load } from "../setup/enrolment.js";
import { carryOut, go, say, ui } from "../core/navigation.js";
import { ask, command, live, send } from "../core/live.js";
import { button, crest, figureOf, figureStyle } from "../core/components.js";
import { gamePage } from "../core/game_page.js";
import { chosenGame } from "./chosen_game.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";
import { store } from "../core/store.js";
import { evenly, seating } from "../table/seating.js";
import { needed } from "../setup/setup_screen.js";
import { wayPicture } from "./start_pictures.js";

let people = 0;
const KEPT = "companion.people";
// ms for the simulated table to end and a camera to open.
const WHILE_CHANGED_OVER = 60_000;
const KEPT_CARDS = "companion.cards";
// chosen: id of the game to begin, null for the one of this page; people: the players by game, until they are
// changed those of the last game; saved: the saved games, null before they are fetched; own: whether the cards
// are those of the box.
const form = store({ chosen: null, people: new Map(), saved: null, own: ownCards() });
const usual = new Map();

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

// The game to begin, as the companion lists it.
function chosen() {
  return chosenGame(form.chosen);
}

function figures() {
  return chosen().figures.map(({ id }) => id);
}

// The players in the form.
function seats() {
  const { id } = chosen();
  if (form.people.has(id)) return form.people.get(id);
  if (!usual.has(id)) usual.set(id, keptPeople() ?? somePeople());
  return usual.get(id);
}

function seat(now) {
  form.people = new Map([...form.people, [chosen().id, now]]);
}

// Players without names: four, or as many as the game allows.
function somePeople() {
  const { players } = chosen();
  const number = players.includes(4) ? 4 : players.at(-1);
  return figures().slice(0, number).map(somebody);
}

function peopleKey() {
  const { id } = chosen();
  return id === gamePage.id ? KEPT : `${KEPT}.${id}`;
}

// The players of the last game on this device, as the default.
function keptPeople() {
  try {
    const kept = JSON.parse(localStorage.getItem(peopleKey()));
    const taken = new Set(kept.map(figureIn));
    if (
      !chosen().players.includes(kept.length) ||
      taken.size < kept.length ||
      ![...taken].every((one) => figures().includes(one))
    )
      return null;
    return kept.map((one) => ({ ...somebody(figureIn(one)), name: String(one.name).slice(0, 20) }));
  } catch {
    return null;
  }
}

// Pages before had the figure in `colour`.
function figureIn({ figure, colour }) {
  return figure ?? colour;
}

function keepPeople() {
  try {
    const kept = seats().map(({ name, figure }) => ({ name, figure }));
    localStorage.setItem(peopleKey(), JSON.stringify(kept));
    localStorage.setItem(KEPT_CARDS, form.own ? "own" : "known");
  } catch {
    // Without storage the form is empty the next time.
  }
}

// Render the start screen, or the form for the way of playing in the hash.
export function StartScreen({ game }) {
  const host = live.view.you.role === "host";
  useEffect(() => {
    if (!host) return;
    if (form.saved === null) loadGames();
    if (!lesson.loaded) load();
  }, [host, form.saved === null]);
  if (!host) return waiting(game);
  const way = ui.path[1];
  return ["camera", "hand"].includes(way)
    ? [about(way, game), newGame(way)]
    : [gamesList(), ways(game), others(game)];
}

// The games to choose from, as large cards; nothing where there is one.
function gamesList() {
  const { games } = live;
  if (games.length < 2) return null;
  const now = chosen().id;
  return h(
    "section",
    { key: "games", class: "begin-games", role: "radiogroup", "aria-label": t("Which game?") },
    games.map((one) =>
      h(
        "button",
        {
          key: one.id,
          type: "button",
          role: "radio",
          class: "begin-game",
          "aria-checked": String(one.id === now),
          onclick: () => {
            form.chosen = one.id;
          },
          "data-test": `game-${one.id}`,
        },
        h(
          "span",
          { class: "begin-figures", "aria-hidden": "true" },
          one.figures.map(({ id }) => figureDisc({ figure: id, game: one.id })),
        ),
        h("strong", {}, one.title),
        h("span", {}, playersOf(one)),
      ),
    ),
  );
}

function figureDisc(seat) {
  const { picture } = figureOf(seat);
  return h(
    "span",
    { key: seat.figure, class: "crest small", style: figureStyle(seat) },
    picture ? h("img", { src: picture, alt: "" }) : null,
  );
}

// "3 to 5 players", with the minutes that a game takes where they are known.
function playersOf({ players, minutes }) {
  const [least, most] = [players[0], players.at(-1)];
  const many =
    least === most ? tn(most, "{n} player", "{n} players") : t("{least} to {most} players", { least, most });
  return minutes ? `${many} · ${t("{minutes} minutes", { minutes })}` : many;
}

// The title above the ways of playing.
function welcome() {
  return (chosen().id === gamePage.id ? gamePage.words.welcome : null) ?? chosen().title;
}

// Whether the chosen game can be played in this way.
function offers(way) {
  return chosen().ways.includes(way);
}

// The ways of playing, each with its picture.
function ways(game) {
  const simulated = Boolean(live.view.director);
  const cameraText =
    simulated || known.view?.calibrated
      ? words("camera")
      : [words("camera"), " ", t("Set the table up first, once.")];
  return h(
    "section",
    { key: "ways", class: "begin" },
    h("h2", {}, game ? t("Games") : welcome()),
    h(
      "p",
      { class: "begin-lead" },
      t("The companion knows the rules, and everybody sees who gains what. How do you want to play?"),
    ),
    h(
      "div",
      { class: "begin-ways" },
      offers("camera") ? way("camera", t("With a camera"), cameraText, withCamera) : null,
      way("hand", t("By hand"), words("hand"), () => go("#new/hand")),
      simulated && offers("demo")
        ? way("demo", t("Watch a demo"), t("One round on the simulated table, in about a minute."), showMe)
        : null,
    ),
    simulated ? null : [cameraLine(), correctionPanel()],
  );
}

const WORDS = {
  camera: t("A camera above the table reads what happens."),
  hand: t("Tap what everybody does. It needs no camera."),
  byHand: t("Tap what everybody does. Scores follow by themselves."),
};

// A text of the start page: the game's own, or one that fits every game.
function words(name) {
  return (chosen().id === gamePage.id ? gamePage.words[name] : null) ?? WORDS[name];
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
    gamePage.screens
      .filter(({ invitation }) => invitation)
      .map(({ name, title, invitation }) => [
        h("a", { class: "button quiet", href: `#${name}`, "data-test": `open-${name}` }, title),
        h("span", { class: "aside" }, invitation),
      ]),
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
    gamePage.emblem ? h("img", { class: "labyrinth", src: gamePage.emblem, alt: "" }) : null,
    h("h2", {}, game ? t("Games") : welcome()),
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
        ? t("The camera reads what happens and asks only where it is not sure.")
        : words("byHand"),
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
      chosen().players.map((number) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            class: "segment",
            "aria-checked": String(seats().length === number),
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
          seating(seatsOfGame(), reorder),
          h("p", { class: "row" }, evenly(seats().length)),
        ]
      : h(
          "p",
          { class: "aside" },
          t("Clockwise, in the order in which you sit. Names are optional; tap a crest to change it."),
        ),
    h("ol", { class: "seats" }, seats().map(seatRow)),
    way === "hand" && chosen().id === gamePage.id && gamePage.describesCards ? whichCards() : null,
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
  const one = { ...seat, game: chosen().id };
  const { name, title } = figureOf(one);
  const told = { number: index + 1, figure: title };
  return h(
    "li",
    { key: seat.id, class: "seat-choice" },
    h("b", { class: "seat-number", "aria-hidden": "true" }, index + 1),
    h(
      "button",
      {
        type: "button",
        class: "crest-choice",
        "aria-label": t("Seat {number} plays {figure}: change", told),
        onclick: () => refigure(index),
      },
      crest({ ...one, name: seat.name || String(index + 1) }),
    ),
    h("input", {
      type: "text",
      value: seat.name,
      maxlength: 20,
      placeholder: t("Seat {number}: {figure}", { number: index + 1, figure: name }),
      "aria-label": t("Name of seat {number}", told),
      autocomplete: "off",
      oninput: (event) => {
        change(index, { name: event.target.value });
      },
    }),
  );
}

// The players with their game, for pictures of their figures.
function seatsOfGame() {
  return seats().map((one) => ({ ...one, game: chosen().id }));
}

function change(index, fields) {
  seat(seats().with(index, { ...seats()[index], ...fields }));
}

function resize(number) {
  const free = figures().filter((figure) => !seats().some((one) => one.figure === figure));
  const more = free.slice(0, Math.max(0, number - seats().length)).map(somebody);
  seat([...seats().slice(0, number), ...more]);
  forgetCount();
}

function reorder(now) {
  seat(now.map(({ game: _, ...one }) => one));
  forgetCount();
}

// The next figure; a seat that already has it takes this seat's figure.
function refigure(index) {
  const { figure } = seats()[index];
  const all = figures();
  const next = all[(all.indexOf(figure) + 1) % all.length];
  const other = seats().findIndex((one) => one.figure === next);
  if (other >= 0) change(other, { figure });
  change(index, { figure: next });
  forgetCount();
}

function seated() {
  return seats().map(({ name, figure }) => ({
    name: name.trim() || capital(figureOf({ figure, game: chosen().id }).name),
    figure,
  }));
}

function startOf(players, way) {
  const describes = chosen().id === gamePage.id && gamePage.describesCards && way === "hand";
  const kind = live.games.length > 1 ? { kind: chosen().id } : {};
  return { ...kind, seats: players, way, own_cards: Boolean(describes && form.own) };
}

async function begin(way) {
  const players = seated();
  if (new Set(players.map((one) => one.name.toLowerCase())).size < players.length) {
    say(t("Two players have the same name. Give each their own."), "wrong");
    return;
  }
  if (!(await carryOut(command("start_game", startOf(players, way))))) return;
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
  const others = (form.saved ?? [])
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
