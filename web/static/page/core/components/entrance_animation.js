// Entrance animations of pieces and gains, which explain a change; a cross-fade if the device asks for
// reduced motion.

import { h } from "../../../vendor/preact.js";
import { useLayoutEffect, useRef } from "../../../vendor/preact-hooks.js";

// ms: length of one animation, delay from one element to the next, and time after the page was opened
// during which nothing is animated.
const EACH = 300;
const BETWEEN = 70;
const STARTS = 1200;
const still = matchMedia("(prefers-reduced-motion: reduce)");

// Return whether elements may be animated: not those that were there when the page was opened.
function mayMove() {
  return !document.hidden && performance.now() > STARTS;
}

// Animate a new element from an offset in px; `place` is its index among those that arrive together.
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

// Component: an element. tag: its name; animate(node): called once, after it was inserted into the page.
export function Animated({ tag, animate, children, ...props }) {
  const ref = useRef(null);
  useLayoutEffect(() => animate?.(ref.current), []);
  return h(tag, { ...props, ref }, children);
}

// Return an animation for Animated that moves a piece in from its player's seat. towards: unit vector from
// the middle of the table to the seat; place: index among the pieces.
export function fromHand(towards, place) {
  return (node) => arrive(node, [towards[0] * 90, towards[1] * 90], place);
}

// Return an animation for Animated that moves a gain in from the card in the middle. place: index in the
// order of the rules, signs before the card.
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
