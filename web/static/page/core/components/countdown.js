// Countdowns that the companion publishes as the seconds that are left.

import { useEffect, useReducer } from "../../../vendor/preact-hooks.js";
import { live } from "../live_channel.js";

// ms from one rendering of a running countdown to the next.
const TICK = 100;

// Hook: return how many of the seconds of the latest view are left now; renders the component repeatedly
// while `running`.
export function useSecondsLeft(seconds, running) {
  const [, tick] = useReducer((ticks) => ticks + 1, 0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(tick, TICK);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, seconds - (performance.now() - live.heardAt) / 1000);
}
