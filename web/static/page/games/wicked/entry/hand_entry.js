// Renders play without a camera: what has to be entered now, with as few taps as possible.

import { listed, t, tn } from "../../../core/text/i18n.js";
import { command, live } from "../../../core/live_channel.js";
import { button, crest } from "../../../core/components/basic_components.js";
import { icon } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { useEffect } from "../../../../vendor/preact-hooks.js";
import { store } from "../../../core/store.js";
import { carryOut, go, ui } from "../../../core/navigation.js";
import { COLOURS, COLOUR_NAMES, SIGNS, SPOTS } from "../words.js";
import { OWN_CARDS } from "./card_pictures.js";
import { dealLater, dealNone, openLaying } from "./open_cards.js";

const SIGN_NAMES = { witch: t("witch's sign"), soul: t("soul's sign") };
const PAIRS = COLOURS.flatMap((one, place) => COLOURS.slice(place).map((other) => [one, other]));
// ms without a tap after which a reveal that everybody is counted in is entered by itself
const ENTERED_AFTER = 2500;
// The entry in progress, of one reveal or of its gains. counted: seats that were tapped; assumed: whether the
// others count as 0; failed: whether it was not entered when it should have been; taken: what was tapped so
// far, by the choice that it is for; last: the previous reveal, which is restored after an undo.
let timer = 0;
let last = null;
const pad = store({
  key: "",
  hands: [],
  counted: new Set(),
  assumed: true,
  touched: false,
  failed: false,
  opened: false,
  taken: new Map(),
});

// Clear the entry when the game has moved on.
export function followEntry(game) {
  const key = game && keyOf(game);
  if (game && pad.key !== key) begin(key, game);
}

// What others enter meanwhile, such as the name of an oracle or their own gains, leaves the entry as it is.
function keyOf({ id, number, view }) {
  const { phase, round, corridor, players } = view;
  if (!["search", "gain"].includes(phase)) return `${id}:${number}`;
  return JSON.stringify([id, phase, round, corridor, players.map(({ held }) => held)]);
}

// Render what is entered now; null where nothing is.
export function handStep(game) {
  switch (game.view.phase) {
    case "deal":
      return game.view.deck.name === OWN_CARDS
        ? h(Opened, { act: dealNone }, laterButton())
        : h(Opened, { act: openCards }, laterButton(), pickButton(t("Pick the oracles now"), "large"));
    case "lay":
      return h(
        Opened,
        { act: openCards },
        pickButton(t("Which corridors lie round the tile?"), "gold large"),
      );
    case "search":
      return revealing(game);
    case "gain":
      return h(
        "div",
        { class: "hand-step" },
        whitesTitle(game),
        game.seats.map((_, seat) => gainRow(game, seat)),
      );
    case "soul":
      return toSouls(game);
    default:
      return null;
  }
}

// One button leads through everybody's souls, one player after another.
function toSouls(game) {
  const [seat, ...others] = game.waiting_for;
  if (seat === undefined) return null;
  const { name } = game.seats[seat];
  return h(
    "div",
    { class: "hand-step row" },
    button(
      others.length
        ? t("Process the souls, {name} first", { name })
        : t("Process the souls of {name}", { name }),
      () => go(`#player/${seat}`),
      "gold large",
      { "data-test": "souls" },
    ),
  );
}

function begin(key, game) {
  const { players, corridor, corridors } = game.view;
  const all = corridor === corridors.length - 1;
  const again =
    last?.place === placeOf(game) &&
    players.every(({ held }, seat) =>
      ["search", ...SIGNS].every((what) => last.hands[seat][what] <= held[what]),
    );
  const hands = players.map(({ held }, seat) =>
    all ? { ...held } : again ? last.hands[seat] : { search: 0, witch: 0, soul: 0 },
  );
  clearTimeout(timer);
  Object.assign(pad, {
    key,
    opened: false,
    failed: false,
    touched: all || again,
    assumed: !all && !again,
    counted: new Set(),
    taken: new Map(),
    hands,
  });
}

function placeOf({ id, view }) {
  return `${id}:${view.round}:${view.corridor}`;
}

// Component: a step whose action is begun by itself once; the buttons are for whoever left it. Cards that
// the companion does not know cannot be picked, so there the oracles are named later at once; another screen
// may be first.
function Opened({ act, children }) {
  const { key } = pad;
  useEffect(() => {
    if (pad.opened || pad.key !== key) return; // the game may have moved on since this was rendered
    pad.opened = true;
    act();
  }, [key]);
  return h("div", { class: "hand-step row" }, children);
}

function laterButton() {
  return button(t("Name the oracles later"), dealLater, "gold large", {
    disabled: live.busy,
    "data-test": "deal-later",
  });
}

function openCards() {
  if (ui.sheet === null) pickCards();
}

function pickCards() {
  openLaying(live.game);
}

function pickButton(text, kind) {
  return button(text, pickCards, kind, { "data-test": "pick" });
}

// One pad for all seats: the number and signs of each, entered together.
function revealing(game) {
  const { players, corridor, corridors } = game.view;
  const all = corridor === corridors.length - 1;
  const counted = !all && pad.counted.size === players.length;
  const byItself = counted && !pad.failed;
  return h(
    "div",
    { class: "hand-step" },
    h(
      "p",
      { class: "hand-title" },
      all
        ? t("Last corridor of the round: everybody shows all that is left.")
        : byItself
          ? t("All are counted: this is entered in a moment. Tap a number to change it.")
          : counted
            ? t("All are counted: tap Enter.")
            : t("Corridor {number}: what does everybody show?", { number: corridor + 1 }),
      legend(players),
    ),
    h(
      "div",
      { class: "hand-pad" },
      game.seats.map((seat, index) => padRow(seat, index, players[index].held, all)),
      button(t("Enter"), enter, `large ${pad.touched ? "gold" : ""} ${byItself ? "by-itself" : ""}`, {
        key: `enter-${byItself ? JSON.stringify(pad.hands) : ""}`,
        disabled: live.busy || !pad.touched,
        "data-test": "enter",
      }),
    ),
  );
}

// The names of the signs on the pad's buttons.
function legend(players) {
  return h(
    "span",
    { class: "pad-legend", "aria-hidden": "true" },
    SIGNS.filter((sign) => players.some(({ held }) => held[sign])).map((sign) =>
      h("span", { key: sign }, icon(`sign:${sign}`), SIGN_NAMES[sign]),
    ),
  );
}

async function enter() {
  clearTimeout(timer);
  const { game } = live;
  const { key, hands } = pad;
  last = { place: placeOf(game), hands };
  const done = await carryOut(command("play", { move: { type: "reveal", hands }, at: game.number }));
  if (pad.key === key) pad.failed = !done;
}

// Debounce: each tap restarts the timer, and so does what is in the way of the entry.
function enterSoon() {
  clearTimeout(timer);
  const { key } = pad;
  if (pad.counted.size < pad.hands.length) return;
  timer = setTimeout(() => {
    if (pad.key === key) (ui.sheet || live.busy || !live.connected ? enterSoon : enter)();
  }, ENTERED_AFTER);
}

function padRow(seat, index, held, all) {
  const hand = pad.hands[index];
  const assumed = pad.assumed && !pad.counted.has(index);
  const set = (changed) => () => {
    pad.hands = pad.hands.map((one, seat) => (seat === index ? { ...hand, ...changed } : one));
    pad.touched = true;
    pad.failed = false;
    pad.counted = new Set([...pad.counted, index]);
    enterSoon();
  };
  return h(
    "div",
    { key: `pad-${index}`, class: "pad-row", role: "group", "aria-label": seat.name },
    crest(seat, "small"),
    h("span", { class: "pad-name", "aria-hidden": "true" }, seat.name),
    h(
      "span",
      { class: "pad-keys" },
      Array.from({ length: held.search + 1 }, (_, number) =>
        h(
          "button",
          {
            type: "button",
            key: number,
            class: `pad-number ${assumed && number === 0 ? "assumed" : ""}`,
            "aria-pressed": String(!assumed && hand.search === number),
            disabled: all && number !== held.search,
            onclick: set({ search: number }),
            "aria-label": tn(number, "{name} shows {n} search piece", "{name} shows {n} search pieces", {
              name: seat.name,
            }),
          },
          number,
        ),
      ),
    ),
    h(
      "span",
      { class: "pad-keys" },
      SIGNS.filter((sign) => held[sign]).map((sign) =>
        h(
          "button",
          {
            type: "button",
            key: sign,
            class: "pad-number",
            "aria-pressed": String(Boolean(hand[sign])),
            disabled: all,
            onclick: set({ [sign]: hand[sign] ? 0 : 1 }),
            "aria-label": t("{name} shows the {sign}", { name: seat.name, sign: SIGN_NAMES[sign] }),
            title: SIGN_NAMES[sign],
          },
          icon(`sign:${sign}`),
        ),
      ),
    ),
  );
}

// The row of a player who chooses; it stays where it is until everybody has chosen.
function gainRow(game, seat) {
  if (game.waiting_for.includes(seat)) return gaining(game, seat);
  const gain = game.view.outcome?.gains[seat];
  if (!gain || ![...gain.sign_elements, ...gain.card_elements].includes("white")) return null;
  return h(
    "div",
    { key: `gain-${seat}`, class: "hand-gain" },
    crest(game.seats[seat], "small"),
    h("span", { class: "hand-question chosen" }, t("{name} has chosen.", { name: game.seats[seat].name })),
  );
}

// What a player still has to choose; the last tap enters it.
function gaining(game, seat) {
  const { pending, low } = game.view.players[seat];
  return h(
    "div",
    { key: `gain-${seat}`, class: "hand-gain" },
    crest(game.seats[seat], "small"),
    pending.whites ? whites(game, seat, pending.whites) : keeping(game, seat, low, pending.gained),
  );
}

// Said once above everybody's rows.
function whitesTitle({ view, waiting_for: waiting }) {
  const most = Math.max(...waiting.map((seat) => view.players[seat].pending.whites));
  if (!most) return null;
  return h(
    "p",
    { class: "hand-title" },
    most > 1
      ? t("White fragments: tap what they become, two at a time.")
      : t("White fragments: tap what they become."),
  );
}

function play(game, move) {
  return carryOut(command("play", { move, at: game.number }));
}

// What was tapped so far for a player's choice, and how it is changed.
function taking(game, player) {
  const { low, pending } = game.view.players[player];
  const choice = JSON.stringify([player, low, pending]);
  const take = (taken) => {
    pad.taken = new Map([...pad.taken, [choice, taken]]);
  };
  return [pad.taken.get(choice) ?? [], take];
}

function whites(game, player, number) {
  const [taken, take] = taking(game, player);
  const add = (some) => async () => {
    const colours = [...taken, ...some];
    if (colours.length < number) take(colours);
    else if (await play(game, { type: "choose_colours", player, colours })) take([]);
  };
  const { name } = game.seats[player];
  const left = number - taken.length;
  const choices = left === 1 ? COLOURS.map((colour) => [colour]) : PAIRS; // two at once are taken by one tap
  return [
    h("span", { class: "hand-question whites" }, h("b", {}, `${left}×`), icon("white"), "→"),
    taken.length
      ? h(
          "button",
          {
            type: "button",
            class: "hand-taken",
            onclick: () => take([]),
            "aria-label": t("Choose these again"),
            title: t("Choose these again"),
          },
          taken.map((colour) => icon(colour)),
          "×",
        )
      : null,
    h(
      "span",
      { class: "pad-keys" },
      choices.map((colours) =>
        h(
          "button",
          {
            type: "button",
            key: colours.join(),
            class: `pad-number ${colours.length > 1 ? "pair" : ""}`,
            disabled: live.busy,
            onclick: add(colours),
            "aria-label": t("{name} takes {colour}", {
              name,
              colour: listed(colours.map((colour) => COLOUR_NAMES[colour])),
            }),
            "data-test": `white-${colours.join("-")}`,
          },
          colours.map((colour) => icon(colour)),
        ),
      ),
    ),
  ];
}

function keeping(game, player, low, gained) {
  const pool = COLOURS.flatMap((colour) => Array(low[colour] + gained[colour]).fill(colour));
  const [back, take] = taking(game, player);
  const left = pool.length - SPOTS.low - back.length;
  const remove = (place) => async () => {
    const gone = [...back, place];
    const keep = pool.filter((_, at) => !gone.includes(at));
    if (keep.length > SPOTS.low) take(gone);
    else if (await play(game, { type: "keep_tokens", player, keep })) take([]);
  };
  const old = COLOURS.flatMap((colour) => Array(low[colour]).fill(colour));
  const keepOld = () => play(game, { type: "keep_tokens", player, keep: old });
  const { name } = game.seats[player];
  return [
    h(
      "span",
      { class: "hand-question" },
      tn(
        left,
        "{name}: the low row holds six. Tap the one that goes back.",
        "{name}: the low row holds six. Tap the {n} that go back.",
        { name },
      ),
    ),
    h(
      "span",
      { class: "pad-keys" },
      pool.map((colour, place) =>
        back.includes(place)
          ? null
          : h(
              "button",
              {
                type: "button",
                key: place,
                class: "pad-number",
                disabled: live.busy,
                onclick: remove(place),
                "aria-label": t("{colour} goes back", { colour: COLOUR_NAMES[colour] }),
                "data-test": "goes-back",
              },
              icon(colour),
            ),
      ),
    ),
    old.length === SPOTS.low && left > 1 && !back.length
      ? button(t("Keep the row as it was"), keepOld, "", { disabled: live.busy, "data-test": "keep-old" })
      : null,
  ];
}
