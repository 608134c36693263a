// One player: the board with its tokens, spells and impurity, the oracles, and what to choose now.

import { listed, t, tn } from "./i18n.js";
import { ask, command, live } from "./live.js";
import { button, cardFace, crest, icon, stepper, token } from "./pieces.js";
import { h } from "./render.js";
import { carryOut, draw, say } from "./stage.js";
import { undo } from "./history.js";
import { COLOURS, COLOUR_NAMES, ELEMENTS, OPTION_GROUPS, RANKS, RANK_NAMES, SPOTS, tokensOf } from "./words.js";

const SHOWN_AT_ONCE = 24;
let offered = { key: null, options: null, number: null, wide: new Set(), taken: null };

export function playerScreen(game, player = currentPlayer(game)) {
  const seat = game.seats[player];
  const holder = game.state.players[player];
  const chosen = choices(game, seat, player);
  return [
    h(
      "nav",
      { class: "people-tabs", "aria-label": t("Players") },
      game.seats.map((one, index) =>
        h("a", { key: `tab-${index}`, class: "person", href: `#player/${index}`, "aria-current": index === player ? "page" : null }, crest(one, "small"), h("span", {}, one.name),
          game.waiting_for.includes(index) && game.state.phase !== "search" ? h("i", { class: "waits", role: "img", "aria-label": t("has to choose") }) : null),
      ),
    ),
    h("div", { class: `player-in ${chosen ? "" : "alone"}` }, h("section", { class: "own" }, board(game, seat, holder, player), oracles(game, holder)), chosen),
  ];
}

function currentPlayer(game) {
  const wanted = Number(location.hash.split("/")[1]) || 0;
  return Math.min(Math.max(wanted, 0), game.seats.length - 1);
}

function board(game, seat, player, index) {
  return h(
    "div",
    { class: `board ${seat.colour}` },
    h("h2", {}, crest(seat), h("span", {}, seat.name), h("small", {}, tn(game.scores[index].total, "{n} point", "{n} points"))),
    [...RANKS].reverse().map((rank) => {
      const tokens = tokensOf(player[rank]);
      return h(
        "div",
        { class: "spots", role: "group", "aria-label": t("{rank}: {taken} of {spots}", { rank: RANK_NAMES[rank], taken: tokens.length, spots: SPOTS[rank] }) },
        h("span", { class: "rank-name" }, h("i", { class: `bars ${rank}` }), RANK_NAMES[rank]),
        h("span", { class: "spot-row" }, Array.from({ length: SPOTS[rank] }, (_, spot) =>
          h("span", { class: "spot" }, tokens[spot] ? token(tokens[spot], rank) : null),
        )),
      );
    }),
    h(
      "div",
      { class: "stores" },
      store("promotion", player.promotion, tn(player.promotion, "promotion spell", "promotion spells")),
      store("colour_change", player.colour_change, tn(player.colour_change, "colour-change spell", "colour-change spells")),
      store("impurity", player.impurity, t("impurity")),
    ),
    h("p", { class: "aside" }, t("Still in hand this round: {things}.", { things: listed([tn(player.held.search, "{n} search piece", "{n} search pieces"), player.held.witch && ELEMENTS["sign:witch"], player.held.soul && ELEMENTS["sign:soul"]].filter(Boolean)) })),
  );
}

function store(name, number, words) {
  return h("span", { class: `store ${number ? "" : "none"}` }, icon(name), h("b", {}, number), h("span", {}, words));
}

function oracles(game, player) {
  const { deck } = game.state;
  const achievedGreat = new Map(player.achieved_great.map((one) => [one.card, one.colours]));
  const face = (id, achieved, colours = []) =>
    h("li", { key: id, class: achieved ? "achieved" : "" }, cardFace(deck, id), colours.map((colour) => token(colour, "high", "on-card")), h("span", {}, achieved ? t("achieved") : ""));
  const great = [...new Set([...player.great, ...achievedGreat.keys()])];
  const small = [...new Set([...player.small, ...player.achieved_small])];
  if (!great.length && !small.length) return null;
  return h(
    "ul",
    { class: "oracles", "aria-label": t("Oracle cards") },
    great.map((id) => face(id, achievedGreat.has(id), achievedGreat.get(id))),
    small.map((id) => face(id, player.achieved_small.includes(id))),
  );
}

function choices(game, seat, player) {
  const { phase } = game.state;
  if (phase !== "gain" && phase !== "soul") return null;
  if (!game.waiting_for.includes(player)) {
    const others = game.waiting_for.map((index) => game.seats[index].name);
    return h("section", { class: "panel choices" }, h("h2", {}, t("{name} is done", { name: seat.name })), others.length ? h("p", { class: "aside" }, t("Still choosing: {names}.", { names: listed(others) })) : null, undoRow(game));
  }
  const options = optionsOf(game, player);
  if (!options) return h("section", { class: "panel choices" }, h("p", { class: "aside" }, t("Looking at what is possible…")));
  return h(
    "section",
    { class: "panel choices" },
    h("h2", {}, phase === "soul" ? t("Soul phase") : t("Your choice")),
    OPTION_GROUPS.map(([type, title]) => {
      const group = options.filter((option) => option.move.type === type);
      if (!group.length) return null;
      const counted = (type === "choose_colours" || type === "keep_tokens") && group.length > COLOURS.length;
      return counted ? taking(game, player, type, title) : optionGroup(seat, type, title, group);
    }),
    undoRow(game),
  );
}

// Many colours at once: count them instead of choosing one of a long list.
function taking(game, player, type, title) {
  const { pending, low } = game.state.players[player];
  const choosing = type === "choose_colours";
  const total = choosing ? pending.whites : SPOTS.low;
  const most = (colour) => (choosing ? total : low[colour] + pending.gained[colour]);
  offered.taken ??= Object.fromEntries(COLOURS.map((colour) => [colour, choosing ? 0 : most(colour)]));
  const taken = COLOURS.flatMap((colour) => Array(offered.taken[colour]).fill(colour));
  const move = { type, player, [choosing ? "colours" : "keep"]: taken };
  return h(
    "div",
    { key: type, class: "group", role: "group", "aria-label": title },
    h("h3", {}, title),
    h("div", { class: "takes" }, COLOURS.filter((colour) => most(colour)).map((colour) =>
      stepper(COLOUR_NAMES[colour], offered.taken[colour], 0, choosing ? Math.min(most(colour), offered.taken[colour] + total - taken.length) : most(colour), (value) => {
        offered.taken[colour] = value;
        draw();
      }, icon(colour)),
    )),
    button(taken.length === total ? (choosing ? t("Take these") : t("Keep these")) : t("{taken} of {total}", { taken: taken.length, total }), () => choose({ move }), "gold large", { disabled: live.busy || taken.length !== total, "data-test": "option" }),
  );
}

function optionGroup(seat, type, title, group) {
  const wide = offered.wide.has(type) ? group : group.slice(0, SHOWN_AT_ONCE);
  const rest = group.length - wide.length;
  if (type === "finish_soul") {
    return h("div", { key: type, class: "group" }, group.map((option) => button(t("Finish the soul phase"), () => choose(option), "gold large", { disabled: live.busy, title: option.text, "data-test": "option" })));
  }
  return h(
    "div",
    { key: type, class: "group", role: "group", "aria-label": title },
    h("h3", {}, title),
    h("ul", {}, wide.map((option) => h("li", {}, h("button", { type: "button", class: "button option", disabled: live.busy, onclick: () => choose(option), "data-test": "option" }, picture(option.move), h("span", {}, told(option.text, seat.name)))))),
    rest ? button(t("{rest} more", { rest }), () => { offered.wide.add(type); draw(); }, "quiet") : null,
  );
}

// On one's own board the name is left out: "Ada promotes…" is "Promotes…".
function told(text, name) {
  const rest = text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
  return rest[0].toUpperCase() + rest.slice(1);
}

// The gems of a choice, so that it is found without reading.
function picture(move) {
  const gems = { choose_colours: move.colours, keep_tokens: move.keep }[move.type] ?? [];
  if (gems.length) return h("span", { class: "gems" }, gems.map((colour) => icon(colour)));
  if (move.lift) return h("span", { class: "gems" }, token(move.lift.colour, move.lift.rank, "small"), h("span", {}, "→"), token(move.lift.colour, move.lift.rank === "low" ? "middle" : "high", "small"));
  if (move.swap) return h("span", { class: "gems" }, token(move.swap.old, move.swap.rank, "small"), h("span", {}, "→"), token(move.swap.new, move.swap.rank, "small"));
  return null;
}

function undoRow(game) {
  const last = game.history.at(-1);
  return last ? h("div", { class: "next-step" }, button(t("Undo"), () => undo(game), "quiet", { disabled: live.busy, "data-test": "undo" }), h("span", { class: "last-line" }, last.text)) : null;
}

function choose(option) {
  return carryOut(command("play", { move: option.move, at: offered.number }));
}

// What this player may do in the present state; asked once for each state and drawn when it is there.
function optionsOf(game, player) {
  const key = `${game.id}:${game.number}:${player}`;
  if (offered.key !== key) {
    offered = { key, options: null, number: game.number, wide: new Set(), taken: null };
    load(key, player);
  }
  return offered.options;
}

async function load(key, player) {
  try {
    const answer = await ask(`/api/options/${player}`);
    if (offered.key === key) {
      offered.options = answer.options;
      offered.number = answer.number;
    }
  } catch (error) {
    say(error.message, "wrong");
  }
  draw();
}
