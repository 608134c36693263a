// The live channel: keeps the newest publication, sends commands and waits for their answer.

import { io } from "../vendor/socket.io.esm.min.js";
import { t } from "./i18n.js";

const ANSWER_WITHIN = 6000;
const WOKEN_WITHIN = 2500;
const listeners = new Set();
let socket = null;
let game = null;
let gameKey = null;

export const live = { view: null, game: null, connected: false, everConnected: false, busy: false, heardAt: 0 };

export function onChange(listener) {
  listeners.add(listener);
}

function changed(what) {
  for (const listener of listeners) listener(what);
}

export function open() {
  // Some browsers let no web socket through to a certificate that was accepted by hand: then it polls.
  const transports = ["websocket", "polling"];
  socket = io({ transports, tryAllTransports: true, timeout: 5000, reconnectionDelay: 300, reconnectionDelayMax: 2000 });
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
}

// After sleep the connection may be gone without the browser knowing: ask, and connect anew where nothing answers.
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

// Tell something that needs no answer.
export function whisper(event, fields = {}) {
  if (live.connected) socket.emit(event, fields);
}

// Send one command. Answers {ok: true, result} or {ok: false, error: {code, message}}; never sends twice, never later.
export async function send(event, fields = {}, within = ANSWER_WITHIN) {
  if (!live.connected) {
    return { ok: false, error: { code: "offline", message: t("Not connected, so nothing was sent. It tries again by itself.") } };
  }
  if (live.busy) return { ok: false, error: { code: "busy", message: "" } };
  live.busy = true;
  changed("busy");
  let answer;
  try {
    answer = await socket.timeout(within).emitWithAck(event, fields);
  } catch {
    answer = { ok: false, error: { code: "silent", message: t("No answer came. Look whether it was entered before you try again.") } };
  }
  live.busy = false;
  if (!answer.ok && answer.error.code !== "busy") socket.emit("refresh", {});
  changed("busy");
  return answer;
}

export function command(event, fields = {}) {
  return send(event, { ...standing(), ...fields });
}

export async function ask(address) {
  const response = await fetch(address, { headers: { Accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error?.message ?? t("The companion did not answer that."));
  return answer;
}
