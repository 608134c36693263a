// The state that the camera's lamp shows: each for long enough to be read, a warning or a question at once.

import { useEffect, useReducer, useRef } from "../../vendor/preact-hooks.js";

// ms for which a state is shown before one that passes takes its place.
const READABLE_FOR = 1000;
// States that follow one another by themselves while the camera reads; nobody has to act on them.
const PASSING = ["watching", "hands", "settling", "reading"];

// Return what the lamp shows at `now`, as {state, since}; times in ms. shown: what it showed before. Pure.
export function shownAt(now, shown, state) {
  const waits = PASSING.includes(state) && now < shown.since + READABLE_FOR;
  return waits || state === shown.state ? shown : { state, since: now };
}

// Hook: return the state to show while the camera is in this one; renders the component again when a passing
// state has waited for its turn.
export function useShownState(state) {
  const now = performance.now();
  const shown = useRef({ state, since: now });
  const [, renderAgain] = useReducer((times) => times + 1, 0);
  shown.current = shownAt(now, shown.current, state);
  const { state: current, since } = shown.current;
  useEffect(() => {
    if (current === state) return undefined;
    const timer = setTimeout(renderAgain, since + READABLE_FOR - performance.now());
    return () => clearTimeout(timer);
  });
  return current;
}
