// The live channel: keeps the newest publication, sends commands and waits for their answer. Each tap counts
// once.

import { io } from "../../vendor/socket.io.esm.min.js";
import { language, t } from "./i18n.js";

const ANSWER_WITHIN = 6000;
const AGAIN_FOR = 20000;
const WOKEN_WITHIN = 2500;
const listeners = new Set();
let socket = null;
let game = null;
let gameKey = null;

// door: who is there and may do what; told: the line that the companion told this screen last; scoring: the
// boards that are scored without a game, as hosts are told of them.
export const live = {
  view: null,
  game: null,
  door: null,
  scoring: null,
  told: "",
  connected: false,
  everConnected: false,
  busy: false,
  heardAt: 0,
};

export function onChange(listener) {
  listeners.add(listener);
}

function changed(what) {
  for (const listener of listeners) listener(what);
}

export function open() {
  // Some browsers open no web socket to a certificate that was accepted by hand: only then the page polls.
  const transports = location.protocol === "https:" ? ["websocket", "polling"] : ["websocket"];
  // Not every browser says on a web socket which language it wants.
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
    changed(back ? "back" : "connected");
  });
  socket.on("disconnect", () => {
    live.connected = false;
    changed("lost");
  });
  socket.on("connect_error", () => {
    if (live.connected || !live.everConnected) changed("unreachable");
    live.connected = false;
  });
  socket.on("table", receive);
  // The page comes with how the table stood when it was asked for, so that it is seen before the channel is
  // through.
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
    live.told = message;
    changed("told");
  });
}

// After sleep the connection may be gone without the browser knowing: ask, and connect anew where nothing
// answers.
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
  const current = live.view;
  if (current && current.run === message.run && message.version < current.version) return;
  if (message.game) {
    game = message.game;
    gameKey = message.game_key;
  } else if (message.game_key === null) {
    game = null;
    gameKey = null;
  } else if (message.game_key !== gameKey) {
    socket.emit("refresh", {}); // this screen missed the state that the others already have
    return;
  }
  live.view = message;
  live.game = game;
  live.heardAt = performance.now();
  changed("table");
}

export function standing() {
  return { game: live.game?.id ?? null, at: live.game?.number ?? null };
}

// A page that has just been opened shows the table already: what is tapped then waits for the channel.
function atFirst() {
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

// Tell something that needs no answer.
export function whisper(event, fields = {}) {
  if (live.connected) socket.emit(event, fields);
}

// Ask something again and again beside whatever else is done: no button waits for it. Answers as `send` does.
export async function inquire(event, fields = {}, within = ANSWER_WITHIN) {
  await atFirst();
  if (!live.connected) return { ok: false, error: { code: "offline", message: "" } };
  try {
    return await socket.timeout(within).emitWithAck(event, fields);
  } catch {
    return { ok: false, error: { code: "silent", message: "" } };
  }
}

// Send one command. Answers {ok: true, result} or {ok: false, error: {code, message}}. What gets lost with
// the network is sent again under the same name, so the companion enters it once; a tap made without a
// network is never sent.
export async function send(event, fields = {}, within = ANSWER_WITHIN) {
  if (live.busy) return failed("busy", "");
  live.busy = true;
  changed("busy");
  await atFirst();
  const answer = live.connected
    ? await deliver(event, { ...fields, tap: newTap() }, within)
    : failed("offline", t("Not connected, so nothing was sent. It tries again by itself."));
  live.busy = false;
  if (!answer.ok && answer.error.code !== "offline") socket.emit("refresh", {});
  changed("busy");
  return answer;
}

async function deliver(event, fields, within) {
  const { run } = live.view ?? {};
  const until = performance.now() + AGAIN_FOR;
  for (;;) {
    try {
      const answer = await socket.timeout(within).emitWithAck(event, fields);
      const restarted = live.view?.run !== run;
      return restarted && answer.error?.code === "stale" ? unsure() : answer;
    } catch {
      if (!(await there(until))) return unsure();
      // A companion that was restarted knows no taps any more; only what names its state cannot count twice.
      if (live.view?.run !== run && !("at" in fields)) return unsure();
    }
  }
}

function failed(code, message) {
  return { ok: false, error: { code, message } };
}

function unsure() {
  return failed("silent", t("No answer came. Look whether it was entered before you try again."));
}

// Wait until the table is told anew, so that the run of the companion is known; answers whether it came to
// that.
function there(until) {
  return new Promise((done) => {
    const left = until - performance.now();
    const timer = setTimeout(() => finish(false), Math.max(0, left));
    const told = (what) => {
      if (what === "back") socket.emit("refresh", {});
      if (what === "table" && live.connected) finish(true);
    };
    const finish = (found) => {
      clearTimeout(timer);
      listeners.delete(told);
      done(found);
    };
    listeners.add(told);
    if (live.connected && left > 0) socket.emit("refresh", {});
  });
}

function newTap() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export function command(event, fields = {}) {
  return send(event, { ...standing(), ...fields });
}

export async function ask(address) {
  return (await answered(fetch(address, { headers: { Accept: "application/json" } }))).json();
}

// Send a file or a form, and get a file; the headers say that a page of the companion sent it.
export function fetchBy(address, body) {
  return answered(
    fetch(address, {
      method: "POST",
      body,
      headers: { Accept: "application/json", "X-Companion-Page": "1" },
    }),
  );
}

export async function post(address, body) {
  return (await fetchBy(address, body)).json();
}

// Throws the companion's own line where it refuses.
async function answered(asking) {
  const response = await asking;
  if (response.ok) return response;
  let line = "";
  try {
    line = (await response.json()).error.message;
  } catch {
    // What stands between may answer in its own way.
  }
  throw new Error(line || t("The companion did not answer that."));
}
