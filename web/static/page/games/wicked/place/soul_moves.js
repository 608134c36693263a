// Maps the soul phase to the board: which legal moves belong to a token, a spell or a card, which question is
// left, and why something is impossible. Pure.

import { listed, t, tn } from "../../../core/text/i18n.js";
import { COLOURS, COLOUR_NAMES, RANKS, RANK_NAMES, SPOTS, tokenName } from "../words.js";

const same = (lift, what) => lift?.rank === what.rank && lift?.colour === what.colour;

// Return the legal moves of a selected thing, by action.
export function movesFor(options, what) {
  const of = (type) => options.filter((move) => move.type === type);
  switch (what.kind) {
    case "token":
      return {
        promote: of("promote").filter((move) => same(move.lift, what)),
        promotion: of("cast_promotion").filter((move) => same(move.lift, what)),
        colour_change: of("cast_colour_change").filter(
          (move) => move.swap?.rank === what.rank && move.swap.old === what.colour,
        ),
      };
    case "promotion":
      return { nothing: of("cast_promotion").filter((move) => !move.lift) };
    case "colour_change":
      return { nothing: of("cast_colour_change").filter((move) => !move.swap) };
    default:
      return { achieve: options.filter((move) => move.card === what.card) };
  }
}

// Whether a thing has a legal move, by itself or with the selected spell.
export function serves(options, what, picked) {
  const moves = movesFor(options, what);
  if (what.kind === "token" && (picked?.kind === "promotion" || picked?.kind === "colour_change"))
    return moves[picked.kind].length > 0;
  return Object.values(moves).some((list) => list.length);
}

// Return why an action is impossible.
export function whyNot(player, act, what) {
  if (act === "promote") {
    if (what.rank === "high") return t("High is the highest rank: this token cannot rise.");
    return t("Two alike are needed, and you have only one {token}.", {
      token: tokenName(what.rank, what.colour),
    });
  }
  if (act === "promotion") {
    if (!player.promotion) return t("You have no promotion spell.");
    return t("High is the highest rank: this token cannot rise.");
  }
  if (act === "colour_change") return t("You have no colour-change spell.");
  return t("The rules do not allow that now.");
}

// Return {moves, why, card} of a drag: its legal moves, or why there are none.
export function dropped(options, player, from, to) {
  if (to.kind === "oracle" || from.kind === "oracle") {
    const card = to.kind === "oracle" ? to : from;
    return { moves: movesFor(options, card).achieve, card };
  }
  if (from.kind === "promotion" || from.kind === "colour_change") {
    if (to.kind !== "token") return { moves: [], why: t("Drop the spell on one of your tokens.") };
    return { moves: movesFor(options, to)[from.kind], why: whyNot(player, from.kind, to) };
  }
  if (to.kind === "promotion" || to.kind === "colour_change")
    return { moves: movesFor(options, from)[to.kind], why: whyNot(player, to.kind, from) };
  if (to.kind === "spot" && to.rank !== above(from.rank))
    return { moves: [], why: t("Drop it on an equal token, or on a spot in the next row.") };
  if (to.kind === "token" && (to.rank !== from.rank || to.colour !== from.colour)) {
    return { moves: [], why: t("Only two equal tokens can be promoted: same colour and same rank.") };
  }
  return { moves: movesFor(options, from).promote, why: whyNot(player, "promote", from) };
}

// Return one question that distinguishes the remaining moves, and for each answer the moves it leaves.
export function question(moves, player, deck) {
  for (const [aspect, key] of ASPECTS) {
    const groups = new Map();
    for (const move of moves) {
      const value = key(move);
      groups.set(value, [...(groups.get(value) ?? []), move]);
    }
    if (groups.size > 1)
      return {
        text: TEXTS[aspect](moves[0]),
        answers: [...groups.values()].map((left) => answer(aspect, left, player, deck)),
      };
  }
  return { text: "", answers: [] };
}

const ASPECTS = [
  ["colours", (move) => move.colours?.join()],
  ["keep", (move) => move.keep?.join()],
  ["change", (move) => move.swap?.new],
  ["lift", (move) => move.lift && `${move.lift.rank} ${move.lift.colour}`],
  ["displaced", (move) => move.lift?.displaced],
];

const TEXTS = {
  colours: () => t("Which colour do you take?"),
  keep: () => t("The low row is full. What goes back?"),
  change: () => t("Which colour should it become?"),
  lift: () => t("Which token rises?"),
  displaced: (move) =>
    t("The {rank} row is full. What goes back?", { rank: RANK_NAMES[above(move.lift.rank)] }),
};

function answer(aspect, moves, player, deck) {
  const [move] = moves;
  if (aspect === "change") return tokensPlaced(moves, [move.swap.new], move.swap.rank);
  if (aspect === "colours") return tokensPlaced(moves, move.colours, "low");
  if (aspect === "keep") return tokensPlaced(moves, given(move, player, deck), "low");
  if (aspect === "lift")
    return {
      ...tokensPlaced(moves, [move.lift.colour], move.lift.rank),
      text: tokenName(move.lift.rank, move.lift.colour),
    };
  return tokensPlaced(moves, [move.lift.displaced], above(move.lift.rank));
}

function tokensPlaced(moves, colours, rank) {
  return { moves, colours, rank, text: listed(colours.map((colour) => COLOUR_NAMES[colour])) };
}

// The promotions by which every pair rises as far as it can, low ones first; none where a row lacks the room,
// because then somebody has to choose. ranks: those from which they rise. Pure.
export function allRise(player, index, ranks = RANKS.slice(0, -1)) {
  const rows = Object.fromEntries(RANKS.map((rank) => [rank, { ...player[rank] }]));
  const moves = [];
  for (const rank of ranks) {
    const next = rows[above(rank)];
    for (const colour of COLOURS) {
      for (; rows[rank][colour] >= 2; rows[rank][colour] -= 2) {
        if (COLOURS.reduce((sum, one) => sum + next[one], 0) >= SPOTS[above(rank)]) return [];
        next[colour] += 1;
        moves.push({ type: "promote", player: index, lift: { colour, rank, displaced: null } });
      }
    }
  }
  return moves;
}

export function above(rank) {
  return RANKS[RANKS.indexOf(rank) + 1];
}

// The low tokens that a choice of six leaves out.
function given(move, player, deck) {
  const reward = deck.small.find((card) => card.id === move.card)?.reward ?? [];
  const came = [...reward.filter((one) => COLOURS.includes(one)), ...move.colours];
  const number = (list, colour) => list.filter((one) => one === colour).length;
  return COLOURS.flatMap((colour) =>
    Array(Math.max(0, player.low[colour] + number(came, colour) - number(move.keep, colour))).fill(colour),
  );
}

// Format the tokens that a card lacks: "one more high red", equal ones counted.
export function missingWords(missing) {
  const alike = new Map();
  for (const need of missing) {
    const key = `${need.rank} ${need.colour}`;
    alike.set(key, { ...need, n: (alike.get(key)?.n ?? 0) + 1 });
  }
  return listed(
    [...alike.values()].map(({ rank, colour, n }) =>
      tn(n, "one more {token}", "{n} more {token}", { token: tokenName(rank, colour) }),
    ),
  );
}
