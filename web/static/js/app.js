// The page: its frame, the screens in it, and what happens when the table publishes.

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
import { h, patch } from "./core/render.js";
import { revealSheet } from "./games/wicked/reveal.js";
import { followReveals } from "./games/wicked/reveals.js";
import { revisionSheet } from "./history/revision.js";
import { scoresScreen } from "./table/scores.js";
import { scoringScreen } from "./games/wicked/scoring.js";
import { seatsSheet } from "./table/seating.js";
import { setupScreen } from "./setup/setup.js";
import { draw, go, onDraw, route, say, ui, unsay } from "./core/stage.js";
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
  more: (game) => moreScreen(game, Object.keys(screens).filter(keeps)),
};
const sheets = {
  oracle: oracleSheet,
  reveal: revealSheet,
  revision: revisionSheet,
  laying: layingSheet,
  boards: boardsSheet,
  seats: seatsSheet,
};
// Screens that there are also while no game is on.
const WITHOUT_GAME = ["camera", "more", "join", "health", "history", "scoring"];
const FOR_HOSTS = ["new", "camera", "scoring"];
const TITLES = {
  camera: t("Camera & table"),
  more: t("Everything else"),
  health: t("Health"),
  scoring: t("Just score us"),
  join: t("Join the table"),
};
let unreachable = false;
let shownGame = null;
let toldNotices = "";
let raised = null;

function page() {
  const game = live.game;
  const wanted = game || WITHOUT_GAME.includes(ui.screen) ? ui.screen : "new";
  const screen = keeps(wanted) || wanted === "new" ? wanted : "join";
  return [
    header(game, screen),
    live.connected || !(live.everConnected || unreachable)
      ? null
      : h(
          "p",
          { class: "band lost", role: "status" },
          t("Connection lost. The page tries again by itself; until then nothing can be changed."),
        ),
    looksOn(game, screen)
      ? h(
          "p",
          { key: "take-seat", class: "take-seat-band" },
          h("span", {}, t("You are looking on.")),
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

// Whoever has no seat yet gets one from every screen of a game but a wall's.
function looksOn(game, screen) {
  return Boolean(game) && you().role === "onlooker" && !["join", "wall"].includes(screen);
}

// Whether a screen is for this device: some are only for whoever keeps the table.
function keeps(screen) {
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
      keeps("new") && link("#new", "new", t("Games"), game ? "wide" : ""),
      keeps("camera") && link("#camera", "camera", t("Camera"), game ? "wide" : ""),
      !game && !keeps("new") && link("#join", "join", t("Join")),
      link("#more", "more", t("More")),
    ),
  );
}

// An open dialog lies in the browser's top layer: only a popover that was shown after it is seen above it.
function raiseToast() {
  const toasts = app.querySelector(".toasts");
  if (!toasts?.showPopover || raised === ui.toast) return;
  raised = ui.toast;
  if (toasts.matches(":popover-open")) toasts.hidePopover();
  if (ui.toast) toasts.showPopover();
}

// A notice is told once, when it is new.
function tellNotices() {
  const { notices } = live.view;
  const all = notices.join("\n");
  if (all !== toldNotices && notices.length) say(notices.at(-1));
  toldNotices = all;
}

function follow() {
  tellNotices();
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
      say(t("The table has moved on, so what was open is closed. This is the table as it is now."));
  }
}

onChange((what) => {
  unreachable = what === "unreachable";
  document.body.dataset.live = live.connected ? "on" : "off";
  comeBack(what);
  if (what === "table") follow();
  draw();
});
onDraw(() => {
  patch(app, page());
  raiseToast();
});
addEventListener("hashchange", () => {
  route();
  if (ui.screen !== "camera") leaveSetup();
});
// A browser that old.js has refused shows its line and nothing else.
if (document.body.dataset.tooOld === undefined) {
  tint();
  route();
  open();
  install();
  setInterval(() => live.view?.proposal?.certain && draw(), 100);
}
