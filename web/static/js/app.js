// Entry module of the table page: renders header, current screen, sheet and toast, and reacts to live-channel
// events.

import { keepAwake } from "./core/awake.js";
import { boardsSheet } from "./games/wicked/boardcheck.js";
import { camera } from "./table/camera.js";
import { comeBack, install } from "./core/comeback.js";
import { oracleSheet } from "./games/wicked/describing.js";
import { healthScreen } from "./people/health.js";
import { historyScreen } from "./history/history.js";
import { t } from "./core/i18n.js";
import { joinScreen } from "./people/join.js";
import { layingSheet } from "./games/wicked/laying.js";
import { leaveSetup } from "./setup/lesson.js";
import { live, onChange, open } from "./core/live.js";
import { meScreen } from "./table/me.js";
import { you } from "./table/options.js";
import { moreScreen } from "./people/more.js";
import { playerScreen } from "./table/player.js";
import { tint } from "./core/preferences.js";
import { h, render } from "../vendor/preact.js";
import { revealSheet } from "./games/wicked/reveal.js";
import { followReveals } from "./games/wicked/reveals.js";
import { revisionSheet } from "./history/revision.js";
import { scoresScreen } from "./table/scores.js";
import { scoringScreen } from "./games/wicked/scoring.js";
import { seatsSheet } from "./table/seating.js";
import { setupScreen } from "./setup/setup.js";
import { draw, go, onDraw, route, say, setScreens, ui, unsay } from "./core/stage.js";
import { startScreen } from "./setup/start.js";
import { tableScreen, wallScreen } from "./table/table.js";
import { phaseWords } from "./core/words.js";

const app = document.getElementById("app");
const screens = {
  new: startScreen,
  table: tableScreen,
  wall: wallScreen,
  me: meScreen,
  player: playerScreen,
  scores: scoresScreen,
  scoring: scoringScreen,
  history: historyScreen,
  health: healthScreen,
  camera: setupScreen,
  join: joinScreen,
  more: (game) => moreScreen(game, Object.keys(screens).filter(mayOpen)),
};
const sheets = {
  oracle: oracleSheet,
  reveal: revealSheet,
  revision: revisionSheet,
  laying: layingSheet,
  boards: boardsSheet,
  seats: seatsSheet,
};
// Screens that can be opened while no game is running.
const WITHOUT_GAME = ["camera", "more", "join", "health", "history", "scoring"];
// Screens that only a host may open.
const FOR_HOSTS = ["new", "camera", "scoring"];
const TITLES = {
  camera: t("Camera & table"),
  more: t("Everything else"),
  health: t("Health"),
  scoring: t("Just score us"),
  join: t("Join the table"),
};
let unreachable = false;
// Whether the companion could not be reached at all since the page was opened.
let shownGame = null;
let shownNotices = "";
let shownToast = null;
// The toast that the popover currently shows.

function page() {
  const game = live.game;
  const wanted = game || WITHOUT_GAME.includes(ui.screen) ? ui.screen : "new";
  const screen = mayOpen(wanted) || wanted === "new" ? wanted : "join";
  return [
    header(game, screen),
    live.connected || !(live.everConnected || unreachable)
      ? null
      : h(
          "p",
          { class: "band lost", role: "status" },
          t("Connection lost. The page reconnects by itself; until then you cannot change anything."),
        ),
    offersSeat(game, screen)
      ? h(
          "p",
          { key: "take-seat", class: "take-seat-band" },
          h("span", {}, t("You are a spectator.")),
          h("a", { class: "button gold", href: "#join", "data-test": "take-a-seat" }, t("Take a seat")),
        )
      : null,
    h(
      "main",
      { key: screen + (game?.state.phase === "over" ? "-over" : ""), class: `screen ${screen}` },
      screens[screen](game),
    ),
    game && ui.sheet ? sheets[ui.sheet.kind](game, ui.sheet) : null,
    h(
      "div",
      { class: "toasts", role: "status", popover: "manual" },
      ui.toast &&
        h("button", { type: "button", class: `toast ${ui.toast.kind}`, onclick: unsay }, ui.toast.text),
    ),
  ];
}

// Whether to offer a spectator a seat: on every screen of a game except the join screen and the wall screen.
function offersSeat(game, screen) {
  return Boolean(game) && you().role === "onlooker" && !["join", "wall"].includes(screen);
}

// Whether this device may open the screen.
function mayOpen(screen) {
  return !FOR_HOSTS.includes(screen) || live.view.you.role === "host";
}

function header(game, screen) {
  const link = (hash, name, text, kind = "") =>
    h("a", { href: hash, class: `tab ${kind}`, "aria-current": screen === name ? "page" : null }, text);
  const title = TITLES[screen] ?? (game ? phaseWords(game.state) : t("The Wicked Labyrinth"));
  return h(
    "header",
    { class: "top" },
    h("h1", {}, h("span", { key: title }, title)),
    camera(live.view),
    h(
      "nav",
      { "aria-label": t("Screens") },
      game && [
        you().role === "player" ? link("#me", "me", t("My board")) : null,
        link("#table", "table", t("Table")),
        link(`#player/${ui.player}`, "player", t("Boards")),
        link("#scores", "scores", t("Scores")),
        link("#history", "history", t("History"), "wide"),
      ],
      mayOpen("new") && link("#new", "new", t("Games"), game ? "wide" : ""),
      mayOpen("camera") && link("#camera", "camera", t("Camera"), game ? "wide" : ""),
      !game && !mayOpen("new") && link("#join", "join", t("Join")),
      link("#more", "more", t("More")),
    ),
  );
}

// An open dialog is in the browser's top layer: only a popover that is shown after it appears above it.
function raiseToast() {
  const toasts = app.querySelector(".toasts");
  if (!toasts?.showPopover || shownToast === ui.toast) return;
  shownToast = ui.toast;
  if (toasts.matches(":popover-open")) toasts.hidePopover();
  if (ui.toast) toasts.showPopover();
}

// Show the newest notice in a toast, once.
function showNewNotices() {
  const { notices } = live.view;
  const all = notices.join("\n");
  if (all !== shownNotices && notices.length) say(notices.at(-1));
  shownNotices = all;
}

// React to a new state: reset the sheet when the game or its state changed, and set the hooks for the tests.
function follow() {
  showNewNotices();
  const id = live.game?.id ?? null;
  if (shownGame !== null && id !== shownGame) {
    ui.sheet = null;
    ui.player = 0;
    if (ui.screen === "new") go("#table");
  }
  shownGame = id;
  followReveals(live.game);
  document.body.dataset.number = live.game?.number ?? "";
  document.body.dataset.view = live.view.version;
  keepAwake(live.game !== null && live.game.state.phase !== "over");
  if (ui.sheet && ui.sheet.number !== live.game?.number) {
    ui.sheet = null;
    if (!live.busy)
      say(t("The game has moved on, so the open window was closed. This is the table as it is now."));
  }
}

onChange((what) => {
  unreachable = what === "unreachable";
  document.body.dataset.live = live.connected ? "on" : "off";
  comeBack(what);
  if (what === "table") follow();
  draw();
});
setScreens(Object.keys(screens));
onDraw(() => {
  render(page(), app);
  raiseToast();
});
addEventListener("hashchange", () => {
  route();
  if (ui.screen !== "camera") leaveSetup();
});
// In a browser that old.js has rejected the page shows only old.js's message.
if (document.body.dataset.tooOld === undefined) {
  app.replaceChildren();
  tint();
  route();
  open();
  install();
  // The countdown of a proposal is redrawn ten times a second.
  setInterval(() => live.view?.proposal?.certain && draw(), 100);
}
