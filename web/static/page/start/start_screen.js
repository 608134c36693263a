// Renders the start screen: play with a camera, by hand, watch the demonstration, or resume a game.

import { correctionPanel } from "../table/camera_view.js";
import { t, tn } from "../core/text/i18n.js";
import { known, loadProfile } from "../setup/profile.js";
import { carryOut, go, say, ui } from "../core/navigation.js";
import { WHILE_CHANGED_OVER, command, live, send } from "../core/live_channel.js";
import { crest, disc } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { newGame } from "./new_game.js";
import { chosen, form } from "./people.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";
import { loadGames, past, seatsOf, titleOf, when } from "../history/saved_games.js";
import { isDemoGame } from "../place/move_options.js";
import { needed } from "../setup/needed_steps.js";
import { wayPicture } from "./start_pictures.js";

// Render the start screen, or the form for the way of playing in the hash.
export function StartScreen({ game }) {
  const host = live.view.you.role === "host";
  useEffect(() => {
    if (host && !known.loaded) loadProfile();
  }, [host]);
  useEffect(() => {
    if (host && live.connected) loadGames();
  }, [host, live.connected, game?.id]);
  if (!host) return waiting(game);
  const way = ui.path[1];
  return ["camera", "hand"].includes(way)
    ? [about(way, game), newGame(way, entered)]
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
          one.figures.map(({ id }) => disc({ figure: id, game: one.id })),
        ),
        h("strong", {}, one.title),
        h("span", {}, playersOf(one), one.minutes ? [" · ", minutesOf(one)] : null),
      ),
    ),
  );
}

// "3 to 5 players".
function playersOf({ players }) {
  const [least, most] = [players[0], players.at(-1)];
  return least === most
    ? tn(most, "{n} player", "{n} players")
    : t("{least} to {most} players", { least, most });
}

// "30 to 40 minutes".
function minutesOf({ minutes: [least, most] }) {
  return t("{least} to {most} minutes", { least, most });
}

// The title above the ways of playing.
function welcome() {
  return (chosen().id === gamePage.id ? gamePage.words.welcome : null) ?? chosen().title;
}

// Whether the chosen game can be played in this way; the simulated table can change over to any game.
function offers(way) {
  const { served, ...game } = chosen();
  return (served || Boolean(live.view.director)) && game[way];
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
      simulated && offers("demo") ? way("demo", t("Watch a demo"), words("demo"), showMe) : null,
    ),
    simulated ? null : [cameraLine(), correctionPanel()],
  );
}

const WORDS = {
  camera: t("A camera above the table reads what happens."),
  hand: t("Tap what everybody does. It needs no camera."),
  byHand: t("Tap what everybody does. Scores follow by themselves."),
  demo: t("The simulated table plays, and its camera reads what happens."),
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

// The screens that the chosen game has besides those of every game, with their addresses: another game's are
// on that game's page.
function ownScreens() {
  const { id } = chosen();
  const page = id === gamePage.id ? "" : `/?game=${id}`;
  return (live.ownScreens[id] ?? []).map((one) => ({ ...one, address: `${page}#${one.name}` }));
}

function others(game) {
  return h(
    "section",
    { key: "others", class: "begin-others" },
    game ? h("a", { class: "button", href: "#table" }, t("Back to the game")) : null,
    ownScreens().map(({ name, title, invitation, address }) => [
      h("a", { class: "button quiet", href: address, "data-test": `open-${name}` }, title),
      h("span", { class: "aside" }, invitation),
    ]),
    savedGames(),
  );
}

// On the simulated table, a camera of this machine takes over first; a table that is set up starts at once.
async function withCamera() {
  if (live.view.director) {
    if (!(await carryOut(send("use_camera", { kind: chosen().id }, WHILE_CHANGED_OVER)))) return;
    await loadProfile();
    say(t("The demonstration has ended. Start the companion again to watch it."));
  }
  go(needed().length ? "#camera" : "#new/camera");
}

// Only a host can start a game.
function waiting(game) {
  return h(
    "section",
    { class: "welcome" },
    gamePage.emblem ? h("img", { class: "emblem", src: gamePage.emblem, alt: "" }) : null,
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
    game && !isDemoGame()
      ? h("p", { class: "aside" }, t("The current game is saved; you can resume it later."))
      : null,
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

async function showMe() {
  if (await carryOut(command("show_me", { kind: chosen().id }))) entered();
}

async function resume(id) {
  if (await carryOut(command("resume_game", { id }, WHILE_CHANGED_OVER))) entered();
}

function entered() {
  go("#table");
}

function savedGames() {
  const others = (past.games ?? [])
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
              seatsOf(one).map((seat) => crest(seat, "small")),
            ),
            h("span", {}, savedLine(one)),
          ),
        ),
      ),
    ),
  ];
}

// Which game it is, if not that of this page, its round, and when it was played last.
function savedLine(one) {
  const round = t("Round {round}, {when}", { round: one.stage.round, when: when(one.played) });
  return [titleOf(one), round].filter(Boolean).join(" · ");
}
