// One player: the board with its tokens, spells and impurity, the oracles, and what to choose now.

import { ask, command, live } from "./live.js";
import { button, cardFace, crest, icon, token } from "./pieces.js";
import { h } from "./render.js";
import { carryOut, draw, say } from "./stage.js";
import { undo } from "./history.js";
import { OPTION_GROUPS, RANKS, SPOTS, count, tokensOf } from "./words.js";

const SHOWN_AT_ONCE = 24;
let offered = { key: null, options: null, wide: new Set() };

export function playerScreen(game, player = currentPlayer(game)) {
  const seat = game.seats[player];
  const holder = game.state.players[player];
  return [
    h(
      "nav",
      { class: "people-tabs", "aria-label": "Players" },
      game.seats.map((one, index) =>
        h("a", { key: `tab-${index}`, class: "person", href: `#player/${index}`, "aria-current": index === player ? "page" : null }, crest(one, "small"), h("span", {}, one.name),
          game.waiting_for.includes(index) && game.state.phase !== "search" ? h("i", { class: "waits", role: "img", "aria-label": "has to choose" }) : null),
      ),
    ),
    h("div", { class: "player-in" }, h("section", { class: "own" }, board(game, seat, holder, player), oracles(game, holder)), choices(game, seat, player)),
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
    h("h2", {}, crest(seat), h("span", {}, seat.name), h("small", {}, count(game.scores[index].total, "point"))),
    [...RANKS].reverse().map((rank) => {
      const tokens = tokensOf(player[rank]);
      return h(
        "div",
        { class: "spots", role: "group", "aria-label": `${rank}: ${tokens.length} of ${SPOTS[rank]}` },
        h("span", { class: "rank-name" }, h("i", { class: `bars ${rank}` }), rank),
        h("span", { class: "spot-row" }, Array.from({ length: SPOTS[rank] }, (_, spot) =>
          h("span", { class: "spot" }, tokens[spot] ? token(tokens[spot], rank) : null),
        )),
      );
    }),
    h(
      "div",
      { class: "stores" },
      store("promotion", player.promotion, "promotion spell"),
      store("colour_change", player.colour_change, "colour-change spell"),
      store("impurity", player.impurity, "impurity", "impurity"),
    ),
    h("p", { class: "aside" }, `Still in hand this round: ${count(player.held.search, "search piece")}${player.held.witch ? ", witch's sign" : ""}${player.held.soul ? ", soul's sign" : ""}.`),
  );
}

function store(name, number, one, many = `${one}s`) {
  return h("span", { class: `store ${number ? "" : "none"}` }, icon(name), h("b", {}, number), h("span", {}, number === 1 ? one : many));
}

function oracles(game, player) {
  const { deck } = game.state;
  const achievedGreat = new Map(player.achieved_great.map((one) => [one.card, one.colours]));
  const face = (id, achieved, colours = []) =>
    h("li", { key: id, class: achieved ? "achieved" : "" }, cardFace(deck, id), colours.map((colour) => token(colour, "high", "on-card")), h("span", {}, achieved ? "achieved" : ""));
  const great = [...new Set([...player.great, ...achievedGreat.keys()])];
  const small = [...new Set([...player.small, ...player.achieved_small])];
  if (!great.length && !small.length) return null;
  return h(
    "ul",
    { class: "oracles", "aria-label": "Oracle cards" },
    great.map((id) => face(id, achievedGreat.has(id), achievedGreat.get(id))),
    small.map((id) => face(id, player.achieved_small.includes(id))),
  );
}

function choices(game, seat, player) {
  const { phase } = game.state;
  if (phase !== "gain" && phase !== "soul") return null;
  if (!game.waiting_for.includes(player)) {
    const others = game.waiting_for.map((index) => game.seats[index].name).join(", ");
    return h("section", { class: "panel choices" }, h("h2", {}, `${seat.name} is done`), others ? h("p", { class: "aside" }, `Still choosing: ${others}.`) : null, undoRow(game));
  }
  const options = optionsOf(game, player);
  if (!options) return h("section", { class: "panel choices" }, h("p", { class: "aside" }, "Looking at what is possible…"));
  return h(
    "section",
    { class: "panel choices" },
    h("h2", {}, phase === "soul" ? "Soul phase" : "Your choice"),
    OPTION_GROUPS.map(([type, title]) => {
      const group = options.filter((option) => option.move.type === type);
      return group.length ? optionGroup(type, title, group) : null;
    }),
    undoRow(game),
  );
}

function optionGroup(type, title, group) {
  const wide = offered.wide.has(type) ? group : group.slice(0, SHOWN_AT_ONCE);
  const rest = group.length - wide.length;
  if (type === "finish_soul") {
    return h("div", { key: type, class: "group" }, group.map((option) => button("Finish the soul phase", () => choose(option), "gold large", { disabled: live.busy, title: option.text, "data-test": "option" })));
  }
  return h(
    "div",
    { key: type, class: "group", role: "group", "aria-label": title },
    h("h3", {}, title),
    h("ul", {}, wide.map((option) => h("li", {}, h("button", { type: "button", class: "button option", disabled: live.busy, onclick: () => choose(option), "data-test": "option" }, picture(option.move), h("span", {}, option.text))))),
    rest ? button(`${rest} more`, () => { offered.wide.add(type); draw(); }, "quiet") : null,
  );
}

// The gems of a choice, so that it is found without reading.
function picture(move) {
  const gems = { choose_colours: move.colours, keep_tokens: move.keep }[move.type] ?? [];
  if (gems.length) return h("span", { class: "gems" }, gems.map((colour) => icon(colour)));
  if (move.lift) return h("span", { class: "gems" }, token(move.lift.colour, move.lift.rank, "tiny"), h("span", {}, "→"), token(move.lift.colour, move.lift.rank === "low" ? "middle" : "high", "tiny"));
  if (move.swap) return h("span", { class: "gems" }, token(move.swap.old, move.swap.rank, "tiny"), h("span", {}, "→"), token(move.swap.new, move.swap.rank, "tiny"));
  return null;
}

function undoRow(game) {
  const last = game.history.at(-1);
  return last ? h("div", { class: "next-step" }, button("Undo", () => undo(game), "quiet", { disabled: live.busy, "data-test": "undo" }), h("span", { class: "last-line" }, last.text)) : null;
}

function choose(option) {
  return carryOut(command("play", { move: option.move, at: offered.number }));
}

// What this player may do in the present state; asked once for each state and drawn when it is there.
function optionsOf(game, player) {
  const key = `${game.id}:${game.number}:${player}`;
  if (offered.key !== key) {
    offered = { key, options: null, number: game.number, wide: new Set() };
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
