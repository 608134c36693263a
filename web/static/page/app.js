// The table page: renders header, current screen, sheet and toast, and reacts to live-channel events. The
// module of a game starts it with begin().

import { followKeyboard } from "./core/device/keyboard.js";
import { keepAwake } from "./core/device/wake_lock.js";
import { CameraLamp } from "./table/camera_view.js";
import { Screen } from "./core/components/failed_screen.js";
import { gamePage } from "./core/game_page.js";
import { headingOf } from "./core/text/heading.js";
import { comeBack, install } from "./core/reconnection.js";
import { t } from "./core/text/i18n.js";
import { late, loadLate } from "./core/components/late_component.js";
import { JoinScreen } from "./join/join_screen.js";
import { live, onChange, open } from "./core/live_channel.js";
import { MeScreen, mySeat, shownSeat } from "./place/own_screen.js";
import { prepareDesk, you } from "./place/move_options.js";
import { MoreScreen } from "./more/more_screen.js";
import { currentPlayer, PlayerScreen } from "./place/boards_screen.js";
import { tint } from "./core/device/preferences.js";
import { h, options, render } from "../vendor/preact.js";
import { useEffect, useLayoutEffect, useRef } from "../vendor/preact-hooks.js";
import { effect, untracked } from "../vendor/preact-signals.js";
import { ScoresScreen } from "./scores/scores_screen.js";
import { SeatsSheet } from "./table/seating.js";
import { go, route, say, setScreens, ui, unsay } from "./core/navigation.js";
import { chosen } from "./start/people.js";
import { StartScreen } from "./start/start_screen.js";
import { nearSeat, turnedTo } from "./table/near_seat.js";
import { showFrom } from "./core/viewing_side.js";
import { TableScreen, WallScreen } from "./table/table_screen.js";

const app = document.getElementById("app");
const screens = {
  new: StartScreen,
  table: TableScreen,
  wall: WallScreen,
  me: MeScreen,
  player: PlayerScreen,
  scores: ScoresScreen,
  history: late(() => import("./history/history_screen.js"), "HistoryScreen"),
  health: late(() => import("./health/health_screen.js"), "HealthScreen"),
  camera: late(() => import("./setup/setup_screen.js"), "SetupScreen"),
  join: JoinScreen,
  more: ({ game }) => h(MoreScreen, { game, screens: Object.keys(screens).filter(mayOpen) }),
};
const sheets = {
  revision: late(() => import("./history/correction.js"), "RevisionSheet"),
  seats: SeatsSheet,
};
// Screens that can be opened while no game is running.
const WITHOUT_GAME = ["camera", "more", "join", "health", "history"];
// Screens that only a host may open.
const FOR_HOSTS = ["new", "camera"];
const TITLES = {
  camera: t("Camera & table"),
  more: t("Everything else"),
  health: t("Health"),
  join: t("Join the table"),
};
let shownGame = null;
let noticed = 0;

// Component: header, current screen, open sheet and toast.
function Page() {
  if (isForAnotherPage()) return h("p", { class: "opening", role: "status" }, t("Opening the game…"));
  const game = gameOfPage();
  const wanted = game || WITHOUT_GAME.includes(ui.screen) ? ui.screen : "new";
  const screen = mayOpen(wanted) || wanted === "new" ? wanted : "join";
  return [
    h(Header, { screen }),
    h(ConnectionBand),
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
      { key: screen + (game?.stage.phase === "over" ? "-over" : ""), class: `screen ${screen}` },
      h(Screen, { show: screens[screen], game }),
    ),
    game && ui.sheet ? h(sheets[ui.sheet.kind], { game, open: ui.sheet }) : null,
    h(Toasts),
  ];
}

// Component: a line that is shown while the connection is lost.
function ConnectionBand() {
  if (live.connected || !(live.everConnected || live.unreachable)) return null;
  return h(
    "p",
    { class: "band lost", role: "status" },
    live.refusal ||
      t("Connection lost. The page reconnects by itself; until then you cannot change anything."),
  );
}

// Whether to offer a spectator a seat: on every screen of a game except the join screen and the wall screen.
function offersSeat(game, screen) {
  return Boolean(game) && you().role === "onlooker" && !["join", "wall"].includes(screen);
}

// Whether this device may open the screen.
function mayOpen(screen) {
  return !FOR_HOSTS.includes(screen) || live.view.you.role === "host";
}

// Component: title, camera lamp and links to the screens.
function Header({ screen }) {
  const game = gameOfPage();
  const link = (hash, name, text, kind = "") =>
    h("a", { href: hash, class: `tab ${kind}`, "aria-current": screen === name ? "page" : null }, text);
  const before = screen === "new" ? chosen()?.title : gamePage.title;
  const own = live.ownScreens[gamePage.id]?.find(({ name }) => name === screen);
  const title = TITLES[screen] ?? own?.title ?? (game ? headingOf(game) : before || t("Companion"));
  return h(
    "header",
    { class: "top" },
    h("h1", {}, h("span", { key: title }, title)),
    h(CameraLamp),
    h(
      "nav",
      { "aria-label": t("Screens") },
      game && [
        you().role === "player" ? link("#me", "me", gamePage.words.ownPlace ?? t("My place")) : null,
        link("#table", "table", t("Table")),
        link(`#player/${ui.player}`, "player", gamePage.words.places ?? t("Players")),
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

// Component: the toast. An open dialog is in the browser's top layer, and only a popover that is shown after
// it appears above it. A tap hides it and reaches what lies beneath, unless it stays until it is tapped.
function Toasts() {
  const popover = useRef(null);
  const { toast } = ui;
  useEffect(() => {
    const hideAt = ({ clientX, clientY }) => {
      const box = popover.current.querySelector("div")?.getBoundingClientRect();
      if (box && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom)
        unsay();
    };
    document.addEventListener("pointerdown", hideAt);
    return () => document.removeEventListener("pointerdown", hideAt);
  }, []);
  useLayoutEffect(() => {
    const node = popover.current;
    if (!node.showPopover) return;
    if (node.matches(":popover-open")) node.hidePopover();
    if (toast) node.showPopover();
  }, [toast]);
  return h(
    "div",
    { ref: popover, class: "toasts", role: "status", popover: "manual" },
    toast && h(toast.kind === "stays" ? "button" : "div", toastProperties(toast.kind), toast.text),
  );
}

function toastProperties(kind) {
  const stays = kind === "stays" && { type: "button", onclick: unsay };
  return { class: `toast ${kind}`, ...stays };
}

// Show the newest notice in a toast, once.
function showNewNotices() {
  const { notices } = live.view;
  if (live.view.noticed !== noticed && notices.length) say(notices.at(-1));
  noticed = live.view.noticed;
}

// React to a new state: reset the sheet when the game or its state changed, and set the hooks for the tests.
function follow() {
  showNewNotices();
  const game = gameOfPage();
  const id = game?.id ?? null;
  if (shownGame !== null && id !== shownGame) {
    ui.sheet = null;
    ui.player = 0;
    if (ui.screen === "new") go("#table");
  }
  shownGame = id;
  gamePage.follow?.(game);
  document.body.dataset.number = game?.number ?? "";
  document.body.dataset.view = live.view.version;
  keepAwake(game !== null && game.stage.phase !== "over");
  if (ui.sheet && !ui.sheet.isCurrent()) {
    ui.sheet = null;
    if (!live.busy)
      say(t("The game has moved on, so the open window was closed. This is the table as it is now."));
  }
}

// Keep the desk at the seat whose moves this screen offers, in the state that it shows.
function followSeat() {
  const game = gameOfPage();
  if (!game) return;
  const seat = gamePage.seatToMove?.(game) ?? seatOfScreen(game);
  if (seat !== null) untracked(() => prepareDesk(game, seat));
}

function seatOfScreen(game) {
  if (ui.screen === "player") return currentPlayer(game);
  return ui.screen === "me" ? mySeat(game) : null;
}

// Show boards from the side of the player whose place is open, else as the table is turned on this screen.
function followSide() {
  const game = gameOfPage();
  if (!game) return;
  const own = { player: currentPlayer, me: shownSeat }[ui.screen]?.(game) ?? null;
  showFrom(turnedTo(game, own ?? nearSeat(game)));
}

// The running game, null if there is none or it is another one than this page was made for.
function gameOfPage() {
  return live.game?.game === gamePage.id ? live.game : null;
}

// Whether the screen is for the usual page: all but this game's own screens are, where another game runs or
// this page was opened for them.
function isForAnotherPage() {
  if (ui.screen in gamePage.screens && mayOpen(ui.screen)) return false;
  return live.game !== gameOfPage() || new URLSearchParams(location.search).has("game");
}

// Load the usual page, that of the running game if there is one.
function loadUsualPage(hash) {
  const address = new URL(location.href);
  address.searchParams.delete("game");
  address.hash = hash;
  history.replaceState(null, "", address);
  location.reload();
}

// Add the screens and sheets of the game.
function addParts() {
  Object.assign(sheets, gamePage.sheets);
  Object.assign(screens, gamePage.screens);
  FOR_HOSTS.push(...Object.keys(gamePage.screens));
  WITHOUT_GAME.push(...Object.keys(gamePage.screens));
  setScreens(Object.keys(screens));
}

// Start the page with what the game hands over; see core/game_page.js.
export function begin(parts) {
  Object.assign(gamePage, { id: document.body.dataset.game }, parts);
  addParts();
  onChange((what) => {
    live.unreachable = what === "unreachable";
    document.body.dataset.live = live.connected ? "on" : "off";
    // The page of a game that has begun takes over, and shows its table where this one offered games.
    if (what === "table" && isForAnotherPage()) {
      loadUsualPage(ui.screen === "new" ? "#table" : location.hash);
      return;
    }
    comeBack(what);
    if (what === "table") {
      follow();
      loadLate();
    }
  });
  // At most one rendering per animation frame, however many signals change.
  options.debounceRendering = requestAnimationFrame;
  addEventListener("hashchange", () => {
    route();
    if (isForAnotherPage()) loadUsualPage(location.hash);
  });
  // In a browser that unsupported_browser.js has rejected the page shows only its message.
  if (document.body.dataset.tooOld !== undefined) return;
  tint();
  route();
  open();
  install();
  effect(followSeat);
  effect(followSide);
  app.replaceChildren();
  followKeyboard(app);
  render(h(Page), app);
}
