// Translated names of the game's values, and the constants of the game that its screens need.

import { t } from "../../core/text/i18n.js";

export const ANIMAL_NAMES = {
  purple: t("wolf"),
  green: t("rabbit"),
  red: t("eagle"),
  black: t("cat"),
  yellow: t("sheep"),
};
// The two signs that everybody has once.
export const SIGNS = ["witch", "soul"];
// The colours of players, and those of tokens.
export const PLAYER_COLOURS = Object.keys(ANIMAL_NAMES);
export const COLOURS = ["red", "green", "blue", "yellow"];
export const COLOUR_NAMES = {
  red: t("red"),
  green: t("green"),
  blue: t("blue"),
  yellow: t("yellow"),
  purple: t("purple"),
  black: t("black"),
};
export const RANKS = ["low", "middle", "high"];
export const RANK_NAMES = { low: t("low"), middle: t("middle"), high: t("high") };
// Spots of each rank on a personal board.
export const SPOTS = { low: 6, middle: 5, high: 4 };
// Points of a token of each rank and of an achieved card.
export const VALUES = { low: 1, middle: 2, high: 5, great: 5, small: 2 };

// Why a player has their place.
export const REASONS = {
  most: t("most search pieces"),
  tie_for_most: t("a tie for the most"),
  second_most: t("second-most search pieces"),
  behind_a_tie: t("behind a tie for the most"),
  too_few: t("too few search pieces"),
  no_search_piece: t("no search piece"),
};

export const PLACES = { first: t("1st"), second: t("2nd") };

export const ELEMENTS = {
  red: t("red fragment"),
  green: t("green fragment"),
  blue: t("blue fragment"),
  yellow: t("yellow fragment"),
  white: t("white fragment: any colour"),
  promotion: t("promotion spell"),
  colour_change: t("colour-change spell"),
  impurity: t("impurity"),
  "sign:witch": t("witch's sign"),
  "sign:soul": t("soul's sign"),
};

export function tokenName(rank, colour) {
  return t("{rank} {colour}", { rank: RANK_NAMES[rank], colour: COLOUR_NAMES[colour] });
}

// Return the heading of the game's phase.
export function phaseWords(view) {
  const { round } = view;
  switch (view.phase) {
    case "deal":
      return t("Oracles are dealt");
    case "lay":
      return t("Round {round}: lay the corridors", { round });
    case "search":
      return t("Round {round} · corridor {number} of {of}", {
        round,
        number: view.corridor + 1,
        of: view.corridors.length,
      });
    case "gain":
      return t("Round {round} · gains are chosen", { round });
    case "soul":
      return t("Round {round} · soul phase", { round });
    default:
      return t("Final scoring");
  }
}

// Return the colours of the tokens of one rank, one item per token.
export function tokensOf(tokens) {
  return COLOURS.flatMap((colour) => Array(tokens[colour]).fill(colour));
}
