// Who plays the game that is to begin: the game, its players with their figures, and whose cards.

import { live } from "../core/live_channel.js";
import { figureOf } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { store } from "../core/store.js";

const KEPT = "companion.people";
const KEPT_CARDS = "companion.cards";
const KEPT_OPTIONS = "companion.options";
let people = 0;
// chosen: id of the game to begin, null for the one of this page; people: by game the players as they were
// changed here; own: whether the cards are those of the box; options: by game what is chosen of its options.
export const form = store({ chosen: null, people: new Map(), own: ownCards(), options: keptOptions() });
// By game the players before anything is changed: those of the last game.
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

// House rules are kept on this device; who begins is chosen for each game.
function keptOptions() {
  try {
    return JSON.parse(localStorage.getItem(KEPT_OPTIONS)) ?? {};
  } catch {
    return {};
  }
}

// Return the options of the game to begin that can be chosen for this way of playing.
export function optionsFor(way) {
  return chosen().options.filter(({ by_hand: byHand }) => way === "hand" || !byHand);
}

// Return the chosen value of an option: 0 until something is chosen, or where a seat is missing.
export function optionOf({ id, choice }) {
  const value = form.options[chosen().id]?.[id] ?? 0;
  return choice === "seat" && value >= seats().length ? 0 : value;
}

// Choose a value of an option.
export function setOption({ id }, value) {
  const game = chosen().id;
  form.options = { ...form.options, [game]: { ...form.options[game], [id]: value } };
}

// The game to begin, as the companion lists it.
export function chosen() {
  return live.games.find(({ id }) => id === (form.chosen ?? gamePage.id)) ?? live.games[0];
}

function figures() {
  return chosen().figures.map(({ id }) => id);
}

// The players in the form.
export function seats() {
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
  return `${KEPT}.${chosen().id}`;
}

// The players of the last game on this device, as the default. Pages before had one key for all games.
function keptPeople() {
  try {
    const kept = JSON.parse(localStorage.getItem(peopleKey()) ?? localStorage.getItem(KEPT));
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

// Keep the players and their options for the next game, but not who begins.
export function keepPeople() {
  const rules = chosen().options.filter(({ choice }) => choice === "yes_no");
  const options = Object.fromEntries(rules.map((option) => [option.id, optionOf(option)]));
  form.options = { ...form.options, [chosen().id]: options };
  try {
    const kept = seats().map(({ name, figure }) => ({ name, figure }));
    localStorage.setItem(peopleKey(), JSON.stringify(kept));
    localStorage.setItem(KEPT_CARDS, form.own ? "own" : "known");
    localStorage.setItem(KEPT_OPTIONS, JSON.stringify({ ...keptOptions(), [chosen().id]: options }));
  } catch {
    // Without storage the form is empty the next time.
  }
}

// The players with their game, for pictures of their figures.
export function seatsOfGame() {
  return seats().map((one) => ({ ...one, game: chosen().id }));
}

export function change(index, fields) {
  seat(seats().with(index, { ...seats()[index], ...fields }));
}

export function resize(number) {
  const free = figures().filter((figure) => !seats().some((one) => one.figure === figure));
  const more = free.slice(0, Math.max(0, number - seats().length)).map(somebody);
  seat([...seats().slice(0, number), ...more]);
}

// Set the order of the players. A player who was chosen in an option stays chosen.
export function reorder(now) {
  const before = seats();
  seat(now.map(({ game: _, ...one }) => one));
  for (const option of chosen().options.filter(({ choice }) => choice === "seat")) {
    const named = before[optionOf(option)];
    const place = now.findIndex(({ id }) => id === named.id);
    setOption(option, place);
  }
}

// The next figure; a seat that already has it takes this seat's figure.
export function refigure(index) {
  const { figure } = seats()[index];
  const all = figures();
  const next = all[(all.indexOf(figure) + 1) % all.length];
  const other = seats().findIndex((one) => one.figure === next);
  if (other >= 0) change(other, { figure });
  change(index, { figure: next });
}

export function seated() {
  return seats().map(({ name, figure }) => ({
    name: name.trim() || capital(figureOf({ figure, game: chosen().id }).name),
    figure,
  }));
}

export function startOf(players, way) {
  const describes = chosen().undescribed && way === "hand";
  const kind = live.games.length > 1 ? { kind: chosen().id } : {};
  const options = Object.fromEntries(optionsFor(way).map((option) => [option.id, optionOf(option)]));
  return { ...kind, seats: players, way, own_cards: Boolean(describes && form.own), options };
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
