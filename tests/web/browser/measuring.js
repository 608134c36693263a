// Run in a page before its own scripts: records every layout shift that no input caused, and finds faults of
// the layout as it is shown.

globalThis.measuring = (() => {
  // What has to be tapped, and what of it a phone's page scrolls to.
  const ACTIONS = [
    ".doing button",
    ".doing a",
    ".dock button",
    ".dock a",
    ".top a",
    ".top button",
    ".row-seat .choose",
    "dialog[open] footer button",
  ];
  const SCROLLED_TO = [".row-seat .choose", ".director *", ".picture *"];
  const BOXES = [
    "dialog",
    ".panel",
    ".row-seat",
    ".ledger",
    ".proposal",
    ".button",
    ".hand",
    ".stepper",
    ".doing",
    ".dock",
    ".top",
    ".lamp",
    ".to-do",
    ".shown-pieces",
    ".summary",
    ".last-result",
    ".gains",
  ];
  const NUMERALS = [
    ".tally:not(.held) .number",
    ".row-seat .place-won",
    ".wall-points b",
    ".wall .tally.held .number",
  ];
  const PHONE = 720;
  const LEAST_CARD = 20;
  const all = (selectors) =>
    [...document.querySelectorAll(selectors.join())].filter((node) =>
      node.checkVisibility({ visibilityProperty: true }),
    );
  const noted = [];

  const box = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");

  function moved({ node, previousRect, currentRect }) {
    const name = !node
      ? "?"
      : node.nodeType === Node.ELEMENT_NODE
        ? `${node.tagName}.${node.className}`
        : `text of .${node.parentElement?.className}`;
    return `${name} [${box(previousRect)} → ${box(currentRect)}]`;
  }

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (!entry.hadRecentInput)
        noted.push({ value: entry.value, at: entry.startTime, moved: entry.sources.map(moved) });
    }
  }).observe({ type: "layout-shift", buffered: true });

  // Rounded corners are not hit: two of four corners tell as well as all.
  function isCovered(node) {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const hit = ([x, y]) => node.contains(document.elementFromPoint(x, y));
    const corners = [
      [left + 6, top + 6],
      [right - 6, top + 6],
      [left + 6, bottom - 6],
      [right - 6, bottom - 6],
    ];
    return !hit([(left + right) / 2, (top + bottom) / 2]) || corners.filter(hit).length < 2;
  }

  return {
    shifts: () => noted.splice(0),

    cutOff: () =>
      all(ACTIONS)
        .filter((node) => getComputedStyle(node).pointerEvents !== "none")
        .filter((node) => innerWidth > PHONE || !node.matches(SCROLLED_TO.join()))
        .flatMap((node) => {
          const { left, top, right, bottom } = node.getBoundingClientRect();
          const name = `${node.className} “${node.textContent.trim().slice(0, 24)}”`;
          if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
            return [`${name} is cut off`];
          return isCovered(node) ? [`${name} is covered`] : [];
        }),

    sticksOut() {
      const page = document.documentElement;
      const found = page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth} px wide`] : [];
      for (const node of all(BOXES)) {
        const scrolls = ["auto", "scroll"].includes(getComputedStyle(node).overflowY);
        if (node.scrollWidth > node.clientWidth + 1) found.push(`${node.className} sticks out sideways`);
        if (!scrolls && node.scrollHeight > node.clientHeight + 2 && !node.matches(".doing, .button, .lamp"))
          found.push(`${node.className} is cut off below`);
      }
      return found;
    },

    clippedTexts: () =>
      [...document.querySelectorAll("main *, header *")]
        .filter(
          (node) => getComputedStyle(node).textOverflow === "ellipsis" && node.scrollWidth > node.clientWidth,
        )
        .map((node) => node.textContent),

    ringSpread() {
      const cards = all([".laid"]);
      if (!cards.length) return [1, 1];
      const ring = document.querySelector(".ring").getBoundingClientRect();
      const at = cards
        .map((node) => node.getBoundingClientRect())
        .filter(({ height }) => height > LEAST_CARD);
      const span = (values) => Math.max(...values) - Math.min(...values);
      return at.length < cards.length
        ? [0, 0]
        : [span(at.map(({ x }) => x)) / ring.width, span(at.map(({ y }) => y)) / ring.height];
    },

    numerals: () => all(NUMERALS).map((node) => parseFloat(getComputedStyle(node).fontSize)),
  };
})();
