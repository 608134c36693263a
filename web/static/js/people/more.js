// More: the way to every other screen, and what this device wants.

import { t } from "../core/i18n.js";
import { live, send } from "../core/live.js";
import { h } from "../core/render.js";
import { carryOut, draw, isHost } from "../core/stage.js";
import {
  develop,
  developing,
  LANGUAGES,
  language,
  paintAs,
  sing,
  sound,
  speak,
  stillness,
  theme,
} from "../core/preferences.js";

// Every screen that is not in the bar of a phone: its name, its title, and what it is for.
const WAYS = [
  ["history", t("History"), t("Every move, with its picture, and taking back.")],
  ["new", t("Games"), t("A new game, or one that was broken off.")],
  ["camera", t("Camera & table"), t("Where the table is and what the pieces look like.")],
  ["scoring", t("Just score us"), t("Points and winner of a game that was played without the companion.")],
  ["join", t("Join"), t("More phones and screens at this table.")],
  ["wall", t("Wall screen"), t("Only the table, large, for a projector.")],
  ["health", t("Health"), t("How the camera and the companion do.")],
];
const ON_OFF = { on: t("On"), off: t("Off") };
const THEMES = { dark: t("Dark"), light: t("Light"), auto: t("As the device") };

export function moreScreen(game, ways) {
  return [
    h(
      "section",
      { class: "panel" },
      h("h2", {}, t("Everything else")),
      h(
        "ul",
        { class: "ways" },
        WAYS.filter(([name]) => ways.includes(name) && (game || name !== "wall")).map(
          ([name, title, about]) =>
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
    h(
      "section",
      { class: "panel preferences" },
      h("h2", {}, t("This device")),
      choice(t("Language"), LANGUAGES, language(), speak, (code) => ({
        lang: code,
        "data-test": `language-${code}`,
      })),
      choice(
        t("Colours"),
        THEMES,
        theme(),
        (name) => {
          paintAs(name);
          draw();
        },
        (name) => ({ "data-test": `theme-${name}` }),
      ),
      choice(
        t("Sound"),
        ON_OFF,
        sound() ? "on" : "off",
        (name) => {
          sing(name === "on");
          draw();
        },
        (name) => ({ "data-test": `sound-${name}` }),
      ),
      isHost()
        ? choice(
            t("For developers"),
            ON_OFF,
            developing() ? "on" : "off",
            (name) => {
              develop(name === "on");
              draw();
            },
            (name) => ({ "data-test": `developer-${name}` }),
          )
        : null,
      h(
        "p",
        { class: "aside" },
        stillness()
          ? t("Your device asks for little movement, so nothing flies across the screen.")
          : t("For less movement, ask your device for it: the page follows."),
      ),
    ),
  ];
}

// What the host chooses for everybody; the others see how it is.
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
  return h(
    "section",
    { class: "panel preferences" },
    h("h2", {}, t("This game")),
    either(
      t("Hints"),
      t(
        "In the soul phase everybody may ask what is best for the own board. Everybody sees whether hints are on.",
      ),
      "hints",
      hints,
    ),
    either(
      t("Nothing forgotten"),
      t("Who is done with their souls is told once what lies open, such as a pair that could rise."),
      "reminders",
      reminders,
    ),
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
