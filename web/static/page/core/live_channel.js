// The live channel: stores the newest view that the companion published, sends commands and waits for their
// acknowledgement. Each command carries an idempotency key, so that one tap is executed once.

import { io } from "../../vendor/socket.io.esm.min.js";
import { language, t } from "./text/i18n.js";
import { batch } from "../../vendor/preact-signals.js";
import { fromThisSide } from "./viewing_side.js";
import { store } from "./store.js";

// ms until a command without an acknowledgement counts as lost.
const ANSWER_WITHIN = 6000;
// ms until that of a command for which the simulated table may end and a camera open.
export const WHILE_CHANGED_OVER = 60_000;
// ms for which a command without an acknowledgement is repeated.
const AGAIN_FOR = 20000;
// ms within which the companion must answer after the device was asleep.
const WOKEN_WITHIN = 2500;
// ms after which a refused connection is tried again: Socket.IO itself repeats only those that were lost.
const REFUSED_WAIT = 5000;
const listeners = new Set();
let socket = null;
let game = null;
let gameKey = null;

// Latest state of the channel. view: the published table; game: the game that it shows; games: those that
// can be started; figurePictures: addresses of pictures by game and figure; ownScreens: by game the screens
// that only its page has, {name, title, about, invitation}; door: devices and their roles;
// scoring: the boards that are scored without a game, for hosts only; message: the last message for this
// screen; connected, everConnected: now, and since the page was opened; unreachable: whether no connection
// was possible since then; refusal: why the companion refused the connection, "" if it did not; busy:
// whether a command waits for its answer; repeated: whether it was sent again; heardAt: time of the last
// view, ms.
export const live = store({
  view: null,
  game: null,
  games: [],
  figurePictures: {},
  ownScreens: {},
  door: null,
  scoring: null,
  message: "",
  connected: false,
  everConnected: false,
  unreachable: false,
  refusal: "",
  busy: false,
  repeated: false,
  heardAt: 0,
});

// Register a listener. It is called with "connected", "back" (connected again), "lost" (disconnected),
// "unreachable", "busy", "message", or the name of the event that was received: "table", "door" or
// "scoring".
export function onChange(listener) {
  listeners.add(listener);
}

function changed(what) {
  for (const listener of listeners) listener(what);
}

// Connect to the companion and render the view that came with the page.
export function open() {
  // Over https polling is the fallback: some browsers refuse a WebSocket to a host whose certificate was
  // accepted by hand.
  const transports = location.protocol === "https:" ? ["websocket", "polling"] : ["websocket"];
  // Not every browser sends Accept-Language with a WebSocket.
  const query = { language: language.slice(0, 2) };
  socket = io({
    transports,
    query,
    tryAllTransports: true,
    timeout: 5000,
    reconnectionDelay: 300,
    reconnectionDelayMax: 2000,
  });
  socket.on("connect", () => {
    const back = live.everConnected;
    live.connected = true;
    live.everConnected = true;
    live.refusal = "";
    changed(back ? "back" : "connected");
  });
  socket.on("disconnect", () => {
    live.connected = false;
    changed("lost");
  });
  socket.on("connect_error", ({ message }) => {
    if (live.connected || !live.everConnected) changed("unreachable");
    live.connected = false;
    live.refusal = socket.active ? "" : message;
    if (live.refusal) setTimeout(() => socket.connect(), REFUSED_WAIT);
  });
  socket.on("table", receive);
  // The view is embedded in the page, so that the table is visible before the connection is up.
  receive(JSON.parse(document.getElementById("first").textContent));
  socket.on("door", (door) => {
    live.door = door;
    changed("door");
  });
  socket.on("scoring", (scoring) => {
    live.scoring = scoring;
    changed("scoring");
  });
  socket.on("told", ({ message }) => {
    live.message = message;
    changed("message");
  });
}

// Check the connection, which the device may have lost unnoticed while asleep, and reconnect if the
// companion does not answer.
export async function wake() {
  if (!socket) return;
  if (!socket.connected) {
    socket.connect();
    return;
  }
  try {
    await socket.timeout(WOKEN_WITHIN).emitWithAck("refresh", {});
  } catch {
    socket.disconnect();
    socket.connect();
  }
}

function receive(message) {
  fromThisSide(message);
  const current = live.view;
  if (current && current.run === message.run && message.version < current.version) return;
  if (message.game) {
    game = message.game;
    gameKey = message.game_key;
  } else if (message.game_key === null) {
    game = null;
    gameKey = null;
  } else if (message.game_key !== gameKey) {
    // This screen missed the game that the view refers to.
    socket.emit("refresh", {});
    return;
  }
  if (message.games)
    Object.assign(live, {
      games: message.games,
      figurePictures: message.figure_pictures,
      ownScreens: message.own_screens,
    });
  batch(() => Object.assign(live, { view: message, game, heardAt: performance.now() }));
  changed("table");
}

// Return the fields that name the state for which a command is made. The companion rejects a command as
// stale if the state has changed.
export function standing() {
  return { game: live.game?.id ?? null, at: live.game?.number ?? null };
}

// Resolve when the first connection is up, or after a time limit. The page shows the table before it is up.
function firstConnection() {
  if (live.connected || live.everConnected) return null;
  return new Promise((done) => {
    const timer = setTimeout(finish, ANSWER_WITHIN);
    function finish(what) {
      if (what !== undefined && !live.connected) return;
      clearTimeout(timer);
      listeners.delete(finish);
      done();
    }
    listeners.add(finish);
  });
}

// Emit an event that needs no acknowledgement.
export function emitEvent(event, fields = {}) {
  if (live.connected) socket.emit(event, fields);
}

// Send an event that only asks for an answer: unlike a command, it blocks no buttons and is not repeated.
// Resolves as send() does.
export async function sendQuery(event, fields = {}, within = ANSWER_WITHIN) {
  await firstConnection();
  if (!live.connected) return { ok: false, error: { code: "offline", message: "" } };
  try {
    return fromThisSide(await socket.timeout(within).emitWithAck(event, fields));
  } catch {
    return { ok: false, error: { code: "silent", message: "" } };
  }
}

// Send one command. Resolves to {ok: true, result} or {ok: false, error: {code, message}}. A command that
// is not acknowledged is repeated with the same idempotency key, so that it is executed once; one made
// while offline is not sent. within: ms per attempt; isDone(): returns whether the view shows that the
// command was executed, so that no answer is needed.
export async function send(event, fields = {}, within = ANSWER_WITHIN, isDone = () => false) {
  if (live.busy) return failed("busy", "");
  live.busy = true;
  changed("busy");
  await firstConnection();
  const answer = live.connected
    ? await deliver(event, { ...fields, tap: idempotencyKey() }, within, isDone)
    : failed("offline", t("Not connected, so nothing was sent. The page reconnects by itself."));
  Object.assign(live, { busy: false, repeated: false });
  if (!answer.ok && answer.error.code !== "offline") socket.emit("refresh", {});
  changed("busy");
  return answer;
}

// Emit an event with these fields until it is acknowledged; resolves as send() does.
async function deliver(event, fields, within, isDone) {
  const { run } = live.view ?? {};
  const unanswered = () => (isDone() ? { ok: true } : unacknowledged());
  const until = performance.now() + AGAIN_FOR;
  for (;;) {
    try {
      const answer = fromThisSide(await socket.timeout(within).emitWithAck(event, fields));
      const restarted = live.view?.run !== run;
      return restarted && answer.error?.code === "stale" ? unanswered() : answer;
    } catch {
      if (isDone()) return { ok: true };
      live.repeated = true;
      if (!(await reconnected(until)) || isDone()) return unanswered();
      // A restarted companion has lost its idempotency keys; only a command that names its state is safe to
      // repeat.
      if (live.view?.run !== run && !("at" in fields)) return unacknowledged();
    }
  }
}

function failed(code, message) {
  return { ok: false, error: { code, message } };
}

function unacknowledged() {
  return failed("silent", t("No answer came. Check whether it was entered before you try again."));
}

// Resolve to true when a new view has arrived after a reconnection, or to false at the time `until` (ms).
function reconnected(until) {
  return new Promise((done) => {
    const left = until - performance.now();
    const timer = setTimeout(() => finish(false), Math.max(0, left));
    const onRefresh = (what) => {
      if (what === "back") socket.emit("refresh", {});
      if (what === "table" && live.connected) finish(true);
    };
    const finish = (found) => {
      clearTimeout(timer);
      listeners.delete(onRefresh);
      done(found);
    };
    listeners.add(onRefresh);
    if (live.connected && left > 0) socket.emit("refresh", {});
  });
}

// Return a random idempotency key.
function idempotencyKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

// Send a command for the present state of the game; as send() otherwise.
export function command(event, fields = {}, within = ANSWER_WITHIN, isDone = undefined) {
  return send(event, { ...standing(), ...fields }, within, isDone);
}

// Headers of a request: its answer is for the page's scripts, and in the page's language, which can be another
// one than the browser's.
const HEADERS = { Accept: "application/json", "Accept-Language": language };

// Resolve to the JSON that a GET request returns. Throws an Error with the companion's message.
export async function ask(address) {
  const response = await answered(fetch(address, { headers: HEADERS }));
  return fromThisSide(await response.json());
}

// POST a file or form and resolve to the response. A header marks the request as sent by the companion's
// page.
export function fetchBy(address, body) {
  return answered(
    fetch(address, {
      method: "POST",
      body,
      headers: { ...HEADERS, "X-Companion-Page": "1" },
    }),
  );
}

// POST a body and resolve to the JSON of the response.
export async function post(address, body) {
  return fromThisSide(await (await fetchBy(address, body)).json());
}

// Resolve to the response if it is ok; throw an Error with the companion's message otherwise.
async function answered(asking) {
  const response = await asking.catch(() => null);
  if (response?.ok) return response;
  let line = "";
  try {
    line = (await response.json()).error.message;
  } catch {
    // There is no response, or a proxy's one without a JSON body.
  }
  throw new Error(line || t("The companion did not answer. Try again."));
}
