// Returns picture addresses for the cards of people who play with their own box and describe them. Pure.

// Name of the deck, as in companion/games/wicked/rules/player_described_cards.py.
export const OWN_CARDS = "own cards";

// Return the URL of a card drawn from its description.
export function describedFace(deck, id) {
  const names = (list) => (list.length ? list.join(".") : "-");
  const corridor = deck.corridors.find((card) => card.id === id);
  if (corridor) return `/art/described/corridor/${names(corridor.upper)}/${names(corridor.lower)}.svg`;
  const great = deck.great.find((card) => card.id === id);
  if (great) return `/art/described/great/${names(great.colours)}.svg`;
  const small = deck.small.find((card) => card.id === id);
  return `/art/described/small/${names((small?.needs ?? []).map(({ colour, rank }) => `${colour}-${rank}`))}/${names(small?.reward ?? [])}.svg`;
}
