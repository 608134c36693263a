// Cache of saved games: fetches lists, games and single states from the companion once for each viewer.

import { t } from "../core/text/i18n.js";
import { gamePage } from "../core/game_page.js";
import { ask, live, onChange } from "../core/live_channel.js";
import { say } from "../core/navigation.js";
import { store } from "../core/store.js";

// Cached states, at most.
const MOST_MOMENTS = 200;

// Cached answers: the list of games (null before it is fetched), games with their steps, and single states.
export const past = store({ games: null, stories: new Map(), moments: new Map() });

const asked = new Set();

// By id the latest state of each game that has run on this page; the other games do not change.
const numbers = new Map();

function follow() {
  if (live.game) numbers.set(live.game.id, live.game.number);
}

follow();
onChange((what) => {
  follow();
  // Games that ran while this page was not connected may have changed.
  if (what === "back") Object.assign(past, { stories: new Map(), moments: new Map() });
});

// Cache key: a game is fetched again after a move, and for another viewer.
function key(id) {
  const { role, seat } = live.view.you;
  return JSON.stringify([id, numbers.get(id), role, seat]);
}

// Fetch the list of saved games.
export function loadGames() {
  return load("games", "/api/history", (answer) => (past.games = answer.games));
}

// Return a game with its steps; null before loadStory() has fetched it, {error} if it cannot be read.
export function storyOf(id) {
  return past.stories.get(key(id)) ?? null;
}

// Fetch a game with its steps, unless it is cached.
export function loadStory(id) {
  const name = key(id);
  if (past.stories.has(name)) return;
  load(
    `story ${name}`,
    `/api/history/${encodeURIComponent(id)}`,
    (story) => keep("stories", name, story, 6),
    (error) => keep("stories", name, { error }, 6),
  );
}

// Return the state after a step; null before loadMoment() has fetched it.
export function momentOf(id, place) {
  return past.moments.get(`${key(id)} ${place}`) ?? null;
}

// Fetch the state after a step, unless it is cached.
export function loadMoment(id, place) {
  const name = `${key(id)} ${place}`;
  if (past.moments.has(name)) return;
  load(`moment ${name}`, `/api/history/${encodeURIComponent(id)}/${place}`, (moment) =>
    keep("moments", name, moment, MOST_MOMENTS),
  );
}

// Forget which games could not be read, so that they are fetched again.
export function forgetFailures() {
  past.stories = new Map([...past.stories].filter(([, story]) => !story.error));
}

// Add an answer to a cache, "stories" or "moments", and drop the oldest ones.
function keep(cache, name, value, most) {
  past[cache] = new Map([...past[cache], [name, value]].slice(-most));
}

async function load(name, address, take, failed = (message) => say(message, "wrong")) {
  if (asked.has(name)) return;
  asked.add(name);
  try {
    take(await ask(address));
  } catch (error) {
    failed(error.message);
  }
  asked.delete(name);
}

// Format an ISO time in the page's language; "" if it is not valid.
export function when(iso) {
  const time = new Date(iso);
  return Number.isNaN(time.valueOf())
    ? ""
    : time.toLocaleString(document.documentElement.lang || [], { dateStyle: "medium", timeStyle: "short" });
}

// Return the URL of the picture kept with an entry.
export function pictureOf(id, number) {
  return `/api/history/${encodeURIComponent(id)}/evidence/${number}.jpg`;
}

// Return the players of a saved game or of a state of it, with the game that their figures belong to.
export function seatsOf({ game, seats }) {
  return seats.map((seat) => ({ ...seat, game }));
}

// Return the title of the game that was played, "" if it is this page's.
export function titleOf({ game }) {
  return game === gamePage.id ? "" : (live.games.find(({ id }) => id === game)?.title ?? "");
}

// Return who won a saved game, or in which round it stopped.
export function stageOf(game) {
  if (game.stage.phase !== "over") return t("Unfinished, round {round}", { round: game.stage.round });
  const names = game.winners.map((seat) => game.seats[seat].name);
  if (!names.length) return t("Over");
  return names.length === 1
    ? t("{name} won", { name: names[0] })
    : t("{names} shared the victory", { names: names.join(", ") });
}
