// What moves, and when: only what explains, only while nobody has to decide, and not for people who want it
// still.

const EACH = 300;
const BETWEEN = 70;
const STARTS = 1200;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// What was there when the page opened stays where it is.
function mayMove() {
  return !document.hidden && performance.now() > STARTS;
}

// Let a new thing come in from a shift in px, the `place`-th of its kind.
export function arrive(node, shift, place = 0) {
  if (!mayMove()) return;
  const from = still.matches
    ? { opacity: 0 }
    : { opacity: 0, transform: `translate(${shift[0]}px, ${shift[1]}px) scale(1.25)` };
  node.animate([from, { opacity: 1, transform: "none" }], {
    duration: EACH,
    delay: still.matches ? 0 : place * BETWEEN,
    easing: "cubic-bezier(.2, .7, .3, 1)",
    fill: "backwards",
  });
}

// Pieces come from where the hand is: from outside the table, at the player's seat. towards: the seat, as
// seen from the middle.
export function fromHand(towards, place) {
  return (node) => arrive(node, [towards[0] * 90, towards[1] * 90], place);
}

// Gains come from the card in the middle, after the hands: signs first, then the card.
export function fromCard(place) {
  return (node) => {
    const card = document.querySelector(".ring .current") ?? document.querySelector(".ring");
    if (!card) return;
    const [to, from] = [node.getBoundingClientRect(), card.getBoundingClientRect()];
    arrive(
      node,
      [from.x + from.width / 2 - to.x - to.width / 2, from.y + from.height / 2 - to.y - to.height / 2],
      place,
    );
  };
}
