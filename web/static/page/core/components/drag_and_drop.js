// Drag and drop with finger, pen or mouse: a copy of the dragged element follows the pointer and valid drop
// targets are highlighted. A pointer that stays in place is a tap, so whatever can be dragged can also be
// tapped.

// px that the pointer must move before a drag begins.
const FAR_ENOUGH = 9;
let drag = null;

// Return the props of a draggable element. what: its payload; takes(what, target): returns whether a target
// accepts it; drop(what, target): called when it is dropped there.
export function draggable(what, takes, drop) {
  return {
    "data-drag": "",
    onpointerdown: (event) => begin(event, what, takes, drop),
    onpointermove: move,
    onpointerup: end,
    onpointercancel: cancel,
    ondragstart: (event) => event.preventDefault(),
  };
}

// Return the props of a drop target. what: identifies it for takes() and drop(); serialisable as JSON.
export function target(what) {
  return { "data-drop": JSON.stringify(what) };
}

function begin(event, what, takes, drop) {
  if (!event.isPrimary || event.button !== 0) return;
  cancel();
  drag = {
    what,
    takes,
    drop,
    from: event.currentTarget,
    x: event.clientX,
    y: event.clientY,
    ghost: null,
    over: null,
  };
}

function move(event) {
  if (!drag || !event.isPrimary) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR_ENOUGH) return;
    lift(event);
  }
  drag.ghost.style.setProperty(
    "transform",
    `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -72%)`,
  );
  const over = under(event);
  if (over === drag.over) return;
  drag.over?.classList.remove("over");
  over?.classList.add("over");
  drag.over = over;
}

function lift(event) {
  drag.from.setPointerCapture(event.pointerId);
  drag.ghost = document.createElement("div");
  drag.ghost.className = "ghost";
  drag.ghost.append(drag.from.querySelector("img, .piece").cloneNode(true));
  document.body.append(drag.ghost);
  drag.from.classList.add("lifted");
  for (const node of document.querySelectorAll("[data-drop]")) {
    if (node !== drag.from && drag.takes(drag.what, JSON.parse(node.dataset.drop)))
      node.classList.add("takes");
  }
}

function under(event) {
  const node = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-drop]") ?? null;
  return node === drag.from ? null : node;
}

function end(event) {
  if (!drag || !event.isPrimary) return;
  const { ghost, what, drop } = drag;
  const over = ghost ? under(event) : null;
  if (ghost) swallowClick(drag.from);
  cancel();
  if (over) drop(what, JSON.parse(over.dataset.drop));
}

// The browser fires a click after a drag that ends on its own element; suppress it.
function swallowClick(node) {
  const swallow = (event) => event.stopImmediatePropagation();
  node.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => node.removeEventListener("click", swallow, { capture: true }), 0);
}

function cancel() {
  if (!drag) return;
  drag.ghost?.remove();
  drag.from.classList.remove("lifted");
  for (const node of document.querySelectorAll(".takes, .over")) node.classList.remove("takes", "over");
  drag = null;
}
