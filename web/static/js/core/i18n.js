// The page's words in the device's language: English is the key, `{name}` is filled in. The catalogue comes
// with the page, in a script before this one, so that words are there when modules begin; another language
// reloads the page.

const words = globalThis.companionWords ?? {};

export const language = document.documentElement.lang || "en";

export function t(text, values = {}) {
  const found = words[text] ?? text;
  return fill(typeof found === "string" ? found : found[0], values);
}

// One or many, of a number that the texts name as {n}. A catalogue has a list of forms under the text for
// one.
export function tn(number, one, many, values = {}) {
  const forms = words[one] ?? [one, many];
  const form = typeof forms === "string" ? forms : forms[Math.min(which(Math.abs(number)), forms.length - 1)];
  return fill(form, { n: signed(number), ...values });
}

// Which form a number takes, as the catalogues' headers say.
function which(number) {
  return language === "pt" ? Number(number > 1) : Number(number !== 1);
}

export function signed(number) {
  return number < 0 ? `−${-number}` : `${number}`;
}

// Words as a sentence joins them: "a, b and c".
export function listed(texts) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(texts);
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
