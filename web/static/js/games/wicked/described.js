// The deck of people who play with cards of their own, and the pictures of the cards that they described.
// Pure.

export const OWN_CARDS = "own cards"; // the deck's name, as in companion/games/wicked/described.py

// The picture of a card that was described, by what it shows.
export function describedFace(deck, id) {
  const names = (list) => (list.length ? list.join(".") : "-");
  const corridor = deck.corridors.find((card) => card.id === id);
  if (corridor) return `/art/described/corridor/${names(corridor.upper)}/${names(corridor.lower)}.svg`;
  const great = deck.great.find((card) => card.id === id);
  if (great) return `/art/described/great/${names(great.colours)}.svg`;
  const small = deck.small.find((card) => card.id === id);
  return `/art/described/small/${names((small?.needs ?? []).map(({ colour, rank }) => `${colour}-${rank}`))}/${names(small?.reward ?? [])}.svg`;
}
