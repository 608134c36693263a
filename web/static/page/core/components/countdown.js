// Countdowns, of which the companion publishes the seconds left.

import { useEffect, useReducer } from "../../../vendor/preact-hooks.js";
import { live } from "../live_channel.js";

// ms between two renderings of a running countdown.
const TICK = 100;

// Hook: return how many seconds are left now. seconds: left at the time of the latest view. While
// `running`, the component is rendered repeatedly.
export function useSecondsLeft(seconds, running) {
  const [, tick] = useReducer((ticks) => ticks + 1, 0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setInterval(tick, TICK);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(0, seconds - (performance.now() - live.heardAt) / 1000);
}
