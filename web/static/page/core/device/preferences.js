// Preferences of this device. Those that the server needs to render the page are stored in cookies, the
// others in localStorage.

import { store } from "../store.js";

// s
const YEAR = 60 * 60 * 24 * 365;
const root = document.documentElement;
const preferences = store({
  theme: root.dataset.theme || "dark",
  developer: stored("developer"),
  sound: stored("sound"),
});

// Name of each language in itself, by its code.
export const LANGUAGES = { en: "English", ja: "日本語", pt: "Português" };

// Return the page's language code.
export function language() {
  return root.lang.slice(0, 2) || "en";
}

// Change the language: texts are translated at import time, so the page is reloaded.
export function setLanguage(code) {
  if (!(code in LANGUAGES) || code === language()) return;
  keep("language", code);
  location.reload();
}

// Return the theme: "dark", "light" or "auto".
export function theme() {
  return preferences.theme;
}

// Set the theme: "dark", which is the default, "light", or "auto" for the device's setting.
export function setTheme(name) {
  keep("theme", name === "dark" ? "" : name);
  root.dataset.theme = name;
  preferences.theme = name;
  const light = document.getElementById("light");
  if (light) light.media = { light: "all", dark: "not all" }[name] ?? "(prefers-color-scheme: light)";
  tint();
}

// Set the theme-color, with which the device paints the frame of an installed page, to the page's
// background.
export function tint() {
  const ground = getComputedStyle(root).getPropertyValue("--ink").trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", ground);
}

// Return whether developer tools are shown on this device.
export function showsDeveloperTools() {
  return preferences.developer;
}

// Turn the developer tools on or off.
export function setDeveloperTools(on) {
  change("developer", on);
}

// Return whether sounds are on.
export function sound() {
  return preferences.sound;
}

// Turn sounds on or off.
export function setSound(on) {
  change("sound", on);
}

function stored(name) {
  try {
    return localStorage.getItem(name) === "on";
  } catch {
    return false;
  }
}

function change(name, on) {
  preferences[name] = on;
  try {
    localStorage.setItem(name, on ? "on" : "off");
  } catch {
    // Without storage, as in private browsing, the choice is lost on reload.
  }
}

// Return whether the device asks for reduced motion.
export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function keep(name, value) {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${value ? YEAR : 0}; SameSite=Lax`;
}

matchMedia("(prefers-color-scheme: light)").addEventListener("change", tint);
