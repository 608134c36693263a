// What this device wants: kept in cookies, so that the companion knows it before the first word is drawn, and
// in the device's own store what only the page needs.

const YEAR = 60 * 60 * 24 * 365;
const root = document.documentElement;

export const LANGUAGES = { en: "English", ja: "日本語", pt: "Português" };

export function language() {
  return root.lang.slice(0, 2) || "en";
}

// Words are read once, when the page begins; so the page begins anew.
export function speak(code) {
  if (!(code in LANGUAGES) || code === language()) return;
  keep("language", code);
  location.reload();
}

export function theme() {
  return root.dataset.theme || "dark";
}

// Dark unless the device is asked for its own wish, or light is chosen: it is evening at the table.
export function paintAs(name) {
  keep("theme", name === "dark" ? "" : name);
  root.dataset.theme = name;
  const light = document.getElementById("light");
  if (light) light.media = { light: "all", dark: "not all" }[name] ?? "(prefers-color-scheme: light)";
  tint();
}

// The frame that the device draws round an installed page takes the page's ground.
export function tint() {
  const ground = getComputedStyle(root).getPropertyValue("--ink").trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", ground);
}

// Whether this device is a developer's: it shows what is of use only to them.
export function developing() {
  try {
    return localStorage.getItem("developer") === "on";
  } catch {
    return false;
  }
}

export function develop(on) {
  try {
    localStorage.setItem("developer", on ? "on" : "off");
  } catch {
    // It is not kept.
  }
}

// A browser that keeps nothing for anybody gives no store; then sound is off with every reload.
export function sound() {
  try {
    return localStorage.getItem("sound") === "on";
  } catch {
    return false;
  }
}

export function sing(on) {
  try {
    localStorage.setItem("sound", on ? "on" : "off");
  } catch {
    // It is not kept.
  }
}

export function stillness() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function keep(name, value) {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Lax`;
}

matchMedia("(prefers-color-scheme: light)").addEventListener("change", tint);
