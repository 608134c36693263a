// Renders the More screen: links to the other screens, the game's settings and this device's preferences.

import { t } from "../core/text/i18n.js";
import { live, send } from "../core/live_channel.js";
import { gamePage } from "../core/game_page.js";
import { h } from "../../vendor/preact.js";
import { carryOut, isHost } from "../core/navigation.js";
import { viewport } from "../core/device/viewport.js";
import {
  setDeveloperTools,
  showsDeveloperTools,
  LANGUAGES,
  language,
  setTheme,
  setSound,
  sound,
  setLanguage,
  prefersReducedMotion,
  theme,
} from "../core/device/preferences.js";

// px, least width of a wall screen.
const WIDE = 900;
// Screens without a tab on phones: name, title, purpose.
const WAYS = [
  ["history", t("History"), t("Every move with its picture; undo and correct.")],
  ["new", t("Games"), t("Begin a new game, or resume one.")],
  ["camera", t("Camera & table"), t("Set up the camera, the table and the pieces.")],
  ["join", t("Join"), t("Connect more phones and screens.")],
  ["wall", t("Wall screen"), t("Only the table, large, for a projector.")],
  ["health", t("Health"), t("How the camera and the companion are doing.")],
];
const ON_OFF = { on: t("On"), off: t("Off") };
const THEMES = { dark: t("Dark"), light: t("Light"), auto: t("Same as the device") };

// The ways with the game's own screens, which come before the way to join.
function everyWay() {
  const at = WAYS.findIndex(([name]) => name === "join");
  const own = live.ownScreens[gamePage.id] ?? [];
  return WAYS.toSpliced(at, 0, ...own.map(({ name, title, about }) => [name, title, about]));
}

// What the game's signs mean, in a sentence each.
function signs(legend) {
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("What the signs mean")),
    h(
      "ul",
      { class: "sign-meanings", "data-test": "signs" },
      legend.map(({ sign, name, about }) =>
        h(
          "li",
          { key: name },
          h("span", { class: "sign" }, sign),
          h("span", {}, h("strong", {}, name), " ", about),
        ),
      ),
    ),
  );
}

// Component: the More screen. screens: names of those that this device may open.
export function MoreScreen({ game, screens }) {
  return [
    h(
      "section",
      { class: "panel" },
      h("h2", {}, t("Everything else")),
      h(
        "ul",
        { class: "ways" },
        everyWay()
          .filter(([name]) => screens.includes(name) && (name !== "wall" || (game && viewport.width >= WIDE)))
          .map(([name, title, about]) =>
            h(
              "li",
              { key: name },
              h(
                "a",
                { class: "way", href: `#${name}` },
                h("strong", {}, title),
                h("span", { class: "aside" }, about),
              ),
            ),
          ),
      ),
    ),
    game && live.view.settings ? thisGame(game, live.view.settings) : null,
    gamePage.legend().length ? signs(gamePage.legend()) : null,
    h(
      "section",
      { class: "panel preferences" },
      h("h2", {}, t("This device")),
      choice(t("Language"), LANGUAGES, language(), setLanguage, (code) => ({
        lang: code,
        "data-test": `language-${code}`,
      })),
      choice(
        t("Colours"),
        THEMES,
        theme(),
        (name) => {
          setTheme(name);
        },
        (name) => ({ "data-test": `theme-${name}` }),
      ),
      choice(
        t("Sound"),
        ON_OFF,
        sound() ? "on" : "off",
        (name) => {
          setSound(name === "on");
        },
        (name) => ({ "data-test": `sound-${name}` }),
      ),
      isHost()
        ? choice(
            t("For developers"),
            ON_OFF,
            showsDeveloperTools() ? "on" : "off",
            (name) => {
              setDeveloperTools(name === "on");
            },
            (name) => ({ "data-test": `developer-${name}` }),
          )
        : null,
      h(
        "p",
        { class: "aside" },
        prefersReducedMotion()
          ? t("Your device is set to reduced motion, so nothing flies across the screen.")
          : t("For less motion, turn on reduced motion on your device."),
      ),
    ),
  ];
}

// Settings of the game: chosen by a host, shown to everyone.
function thisGame(game, { hints, reminders }) {
  const wish = (changed) =>
    carryOut(send("choose_settings", { game: game.id, hints, reminders, ...changed }));
  const either = (title, about, name, now) => [
    isHost()
      ? choice(
          title,
          ON_OFF,
          now ? "on" : "off",
          (chosen) => wish({ [name]: chosen === "on" }),
          (chosen) => ({ "data-test": `${name}-${chosen}` }),
        )
      : h(
          "div",
          { class: "preference" },
          h("h3", {}, title),
          h("p", { "data-test": name }, now ? t("On") : t("Off")),
        ),
    h("p", { class: "aside" }, about),
  ];
  const about = gamePage.settings;
  if (!about.hints && !about.reminders) return null;
  return h(
    "section",
    { class: "panel preferences" },
    h("h2", {}, t("This game")),
    about.hints ? either(t("Hints"), about.hints, "hints", hints) : null,
    about.reminders ? either(t("Reminders"), about.reminders, "reminders", reminders) : null,
    isHost() ? null : h("p", { class: "aside" }, t("The host chooses this for everybody.")),
  );
}

function choice(title, names, chosen, choose, more) {
  return h(
    "div",
    { class: "preference", role: "radiogroup", "aria-label": title },
    h("h3", {}, title),
    h(
      "div",
      { class: "segments" },
      Object.entries(names).map(([name, text]) =>
        h(
          "button",
          {
            type: "button",
            key: name,
            role: "radio",
            class: "segment",
            "aria-checked": String(name === chosen),
            onclick: () => choose(name),
            ...more(name),
          },
          text,
        ),
      ),
    ),
  );
}
