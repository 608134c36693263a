// State that the page shows: a component that reads a field is rendered again when the field changes.

import { signal } from "../../vendor/preact-signals.js";

// Return an object with these fields, each of them backed by a signal. Only assignments count: a list or
// map in a field is replaced, never changed in place.
export function store(fields) {
  const signals = new Map();
  const signalOf = (name) => {
    if (!signals.has(name)) signals.set(name, signal(fields[name]));
    return signals.get(name);
  };
  return new Proxy(fields, {
    get: (_, name) => signalOf(name).value,
    set: (target, name, value) => {
      target[name] = value;
      signalOf(name).value = value;
      return true;
    },
  });
}
