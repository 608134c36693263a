// Saved games: what the companion told about them, asked once and kept for a while.

import { t } from "../core/i18n.js";
import { ask, live } from "../core/live.js";
import { draw, say } from "../core/stage.js";

const MOST_MOMENTS = 200;

export const past = { games: null, stories: new Map(), moments: new Map() };

const asked = new Set();

// A game that is played now is told anew with every state; others do not change while one looks at them.
function key(id) {
  return live.game?.id === id ? `${id}:${live.game.number}` : id;
}

// The list of all saved games, null while it is not there yet.
export function savedGames() {
  if (past.games === null) load("games", "/api/history", (answer) => (past.games = answer.games));
  return past.games;
}

export function forgetGames() {
  past.games = null;
  asked.delete("games");
}

// A game move by move, null while it is not there yet, {error} where it cannot be told.
export function storyOf(id) {
  const name = key(id);
  if (!past.stories.has(name)) {
    load(
      `story ${name}`,
      `/api/history/${encodeURIComponent(id)}`,
      (story) => keep(past.stories, name, story, 6),
      (error) => keep(past.stories, name, { error }, 6),
    );
  }
  return past.stories.get(name) ?? null;
}

// How things stood after a step, null while it is not there yet.
export function momentOf(id, place) {
  const name = `${key(id)} ${place}`;
  if (!past.moments.has(name))
    load(`moment ${name}`, `/api/history/${encodeURIComponent(id)}/${place}`, (moment) =>
      keep(past.moments, name, moment, MOST_MOMENTS),
    );
  return past.moments.get(name) ?? null;
}

function keep(map, name, value, most) {
  map.set(name, value);
  while (map.size > most) map.delete(map.keys().next().value);
}

async function load(name, address, take, failed = (message) => say(message, "wrong")) {
  if (asked.has(name)) return;
  asked.add(name);
  try {
    take(await ask(address));
  } catch (error) {
    failed(error.message);
  }
  if (name !== "games") asked.delete(name);
  draw();
}

export function when(iso) {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf())
    ? ""
    : time.toLocaleString(document.documentElement.lang || [], { dateStyle: "medium", timeStyle: "short" });
}

export function pictureOf(id, number) {
  return `/api/history/${encodeURIComponent(id)}/evidence/${number}.jpg`;
}

export function stageOf(game) {
  if (game.phase !== "over") return t("Broken off in round {round}", { round: game.round });
  const names = game.winners.map((seat) => game.seats[seat].name);
  if (!names.length) return t("Over");
  return names.length === 1
    ? t("{name} won", { name: names[0] })
    : t("{names} shared the victory", { names: names.join(", ") });
}
