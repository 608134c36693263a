// The page's own words for the game's values.

export const ANIMALS = { purple: "wolf", green: "rabbit", red: "eagle", black: "cat", yellow: "sheep" };
export const PLAYER_COLOURS = Object.keys(ANIMALS);
export const COLOURS = ["red", "green", "blue", "yellow"];
export const RANKS = ["low", "middle", "high"];
export const SPOTS = { low: 6, middle: 5, high: 4 };
export const VALUES = { low: 1, middle: 2, high: 5, great: 5, small: 2 };

export const CAMERA = {
  preparing: "preparing",
  watching: "watching",
  hands: "hands",
  settling: "settling",
  reading: "reading",
  needs_you: "needs you",
  paused: "paused",
  teaching: "learning",
  hindered: "sees badly",
  no_camera: "no camera",
};

export const REASONS = {
  most: "most search pieces",
  tie_for_most: "a tie for the most",
  second_most: "second-most search pieces",
  behind_a_tie: "behind a tie for the most",
  too_few: "too few search pieces",
  no_search_piece: "no search piece",
};

export const PLACES = { first: "1st", second: "2nd" };

export const ELEMENTS = {
  red: "red fragment",
  green: "green fragment",
  blue: "blue fragment",
  yellow: "yellow fragment",
  white: "white fragment: any colour",
  promotion: "promotion spell",
  colour_change: "colour-change spell",
  impurity: "impurity",
  "sign:witch": "witch's sign",
  "sign:soul": "soul's sign",
};

export const OPTION_GROUPS = [
  ["choose_colours", "White fragments: choose their colours"],
  ["keep_tokens", "The low row is full: keep six"],
  ["promote", "Promote two alike"],
  ["cast_promotion", "Spend a promotion spell"],
  ["cast_colour_change", "Spend a colour-change spell"],
  ["achieve_small", "Achieve a small oracle"],
  ["achieve_great", "Achieve a great oracle"],
  ["finish_soul", "Done"],
];

export const DECIDED = {
  great: "more great oracles",
  high: "more high tokens",
  middle: "more middle tokens",
  low: "more low tokens",
  impurity: "less impurity left",
};

export function letter(seat) {
  return (seat.name.trim()[0] ?? "?").toUpperCase();
}

export function count(number, one, many = `${one}s`) {
  return `${signed(number)} ${Math.abs(number) === 1 ? one : many}`;
}

export function signed(number) {
  return number < 0 ? `−${-number}` : `${number}`;
}

export function phaseWords(state) {
  const of = state.corridors.length;
  switch (state.phase) {
    case "deal":
      return "Oracles are dealt";
    case "lay":
      return `Round ${state.round}: corridors are laid`;
    case "search":
      return `Round ${state.round} · corridor ${state.corridor + 1} of ${of}`;
    case "gain":
      return `Round ${state.round} · gains are chosen`;
    case "soul":
      return `Round ${state.round} · soul phase`;
    default:
      return "Final scoring";
  }
}

export function tokensOf(tokens) {
  return COLOURS.flatMap((colour) => Array(tokens[colour]).fill(colour));
}
