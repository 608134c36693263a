// Keyboard operation of the whole page: arrow keys in groups of radio buttons, and a focus that is not lost
// when the focused control disappears.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

// The control that was reached by keyboard, and the elements around it from the inside out.
let focused = [];

// Operate the controls within an element by the keyboard, now and whatever is rendered there later.
export function followKeyboard(root) {
  root.addEventListener("keydown", chooseByArrow);
  root.addEventListener("pointerdown", () => (focused = []));
  root.addEventListener("focusin", ({ target }) => {
    focused = [];
    if (!target.matches(":focus-visible")) return;
    for (let node = target; root.contains(node); node = node.parentElement) focused.push(node);
  });
  // Browsers notice only with the next frame that a control cannot have the focus any more.
  const keep = () => requestAnimationFrame(() => requestAnimationFrame(keepFocus));
  const changes = { childList: true, subtree: true, attributeFilter: ["tabindex", "disabled"] };
  new MutationObserver(keep).observe(root, changes);
}

// Choose the next radio button of the group, or the one before, like native ones.
function chooseByArrow(event) {
  const step = STEPS[event.key];
  const group = event.target.closest("[role=radio]")?.closest("[role=radiogroup]");
  if (!step || !group || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const radios = [...group.querySelectorAll("[role=radio]:not(:disabled)")];
  const next = radios.at((radios.indexOf(event.target) + step) % radios.length);
  next.focus();
  next.click();
}

// Focus what is left around a control that lost the focus by a change of the page, so that Tab goes on there.
function keepFocus() {
  const [, ...around] = focused;
  if (document.activeElement !== document.body) return;
  const left = around.find((node) => node.isConnected);
  if (!left) return;
  if (!left.hasAttribute("tabindex")) left.tabIndex = -1;
  left.focus({ preventScroll: true });
}
