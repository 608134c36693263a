// Small components that every screen uses: crests, buttons, steppers, sheets, pictures.

import { gamePage } from "../game_page.js";
import { t } from "../text/i18n.js";
import { live } from "../live_channel.js";
import { h } from "../../../vendor/preact.js";
import { letter } from "../text/vocabulary.js";

// Return the figure of a seat: {name, title, colour, picture}, as the game's page defines it or the
// companion lists it. picture: its address, or null. game: id of the seat's game, by default that of this
// page.
export function figureOf({ figure, game = gamePage.id }) {
  const picture = live.figurePictures[game]?.[figure] ?? null;
  const handed = game === gamePage.id ? gamePage.figures[figure] : null;
  if (handed) return { ...handed, picture };
  const known = live.games.find(({ id }) => id === game)?.figures.find(({ id }) => id === figure);
  const name = known?.name ?? figure;
  return { name, title: name, colour: known?.colour ?? "", picture };
}

// Return the style of an element in a player's colour.
export function colourStyle(seat) {
  return { "--player": figureOf(seat).colour };
}

// Render the figure of a seat, {figure, game}, on its colour.
export function disc(seat) {
  const { picture } = figureOf(seat);
  return h(
    "span",
    { key: seat.figure, class: "crest small", style: colourStyle(seat) },
    picture ? h("img", { src: picture, alt: "" }) : null,
  );
}

// Render a player's crest: figure, colour and initial.
export function crest(seat, size = "") {
  const { title, picture } = figureOf(seat);
  const name = t("{name}: {figure}", { name: seat.name, figure: title });
  return h(
    "span",
    {
      class: `crest ${seat.figure} ${size}`,
      style: colourStyle(seat),
      role: "img",
      "aria-label": name,
      title: name,
    },
    picture ? h("img", { src: picture, alt: "" }) : null,
    h("b", { "aria-hidden": "true" }, letter(seat, live.game?.seats)),
  );
}

// Return the address of the picture kept with an entry of the running game.
export function evidenceOf({ id }, number) {
  return `/api/evidence/${number}.jpg?of=${encodeURIComponent(id)}`;
}

// Render a camera's picture, which is hidden if it cannot be loaded. source: its address; words: its
// description.
export function evidence(source, words) {
  return h("img", {
    key: source,
    class: "evidence",
    src: source,
    alt: words,
    onerror: (event) => event.target.classList.add("missing"),
  });
}

// Render a button. act: listener of clicks; kind: CSS classes; more: further props.
export function button(text, act, kind = "", more = {}) {
  return h("button", { type: "button", class: `button ${kind}`, onclick: act, ...more }, text);
}

// Render a number with − and + buttons; `change` is called with the new value.
export function stepper(label, value, least, most, change, picture = null) {
  const step = (by) => () => change(Math.min(most, Math.max(least, value + by)));
  return h(
    "div",
    { class: "stepper", role: "group", "aria-label": label },
    picture,
    h(
      "button",
      {
        type: "button",
        class: "step",
        disabled: value <= least,
        onclick: step(-1),
        "aria-label": t("{label}: one less", { label }),
      },
      "−",
    ),
    h("output", { "aria-live": "polite" }, value),
    h(
      "button",
      {
        type: "button",
        class: "step",
        disabled: value >= most,
        onclick: step(1),
        "aria-label": t("{label}: one more", { label }),
      },
      "+",
    ),
  );
}

// Render a modal dialog. close: called for its close button, for Escape and for a click on the backdrop.
export function sheet(title, close, ...content) {
  return h(
    "dialog",
    {
      key: `sheet-${title}`,
      class: "sheet",
      "aria-label": title,
      ref: showModal,
      oncancel: (event) => {
        event.preventDefault();
        close();
      },
      onclick: (event) => event.target === event.currentTarget && close(),
    },
    h(
      "div",
      { class: "sheet-in" },
      h("header", {}, h("h2", {}, title), button(t("Close"), close, "quiet")),
      ...content,
    ),
  );
}

// Open a dialog when it is inserted into the page, and close it when it is removed, so that the focus returns
// to where it was; to be used as its `ref`.
export function showModal(dialog) {
  dialog.showModal();
  return () => dialog.close();
}
