// Translations of the page: the English text is the key, `{name}` a placeholder. The catalogue is loaded by
// a script before this module, so texts can be translated at import time; a change of language reloads the
// page.

const words = globalThis.companionWords ?? {};

export const language = document.documentElement.lang || "en";

// Return the translation of `text` with its placeholders filled in.
export function t(text, values = {}) {
  const found = words[text] ?? text;
  return fill(typeof found === "string" ? found : found[0], values);
}

// Return the singular or plural form for `number`, which the texts can show as {n}. Catalogues list all
// forms under the singular text.
export function tn(number, one, many, values = {}) {
  const forms = words[one] ?? [one, many];
  const form = typeof forms === "string" ? forms : forms[Math.min(which(Math.abs(number)), forms.length - 1)];
  return fill(form, { n: signed(number), ...values });
}

// Index of the plural form for a number, as in the Plural-Forms header of the language's catalogue.
function which(number) {
  return language.startsWith("pt") ? Number(number > 1) : Number(number !== 1);
}

// Format a number with a proper minus sign.
export function signed(number) {
  return number < 0 ? `−${-number}` : `${number}`;
}

// Join texts to a list in the page's language: "a, b and c".
export function listed(texts) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(texts);
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
