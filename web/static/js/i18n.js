// The page's words in the device's language: English is the key, `{name}` is filled in.

const words = new Map();

export function t(text, values = {}) {
  return fill(words.get(text) ?? text, values);
}

// One or many, of a number that the texts name as {n}.
export function tn(number, one, many, values = {}) {
  return t(Math.abs(number) === 1 ? one : many, { n: number < 0 ? `−${-number}` : `${number}`, ...values });
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
