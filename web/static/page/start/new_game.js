// Renders the form of a new game: the number of players, where they sit, their names and figures.

import {
  change,
  chosen,
  form,
  keepPeople,
  optionOf,
  optionsFor,
  refigure,
  reorder,
  resize,
  seated,
  seats,
  seatsOfGame,
  setOption,
  startOf,
} from "./people.js";
import { t } from "../core/text/i18n.js";
import { command, live } from "../core/live_channel.js";
import { button, crest, figureOf } from "../core/components/basic_components.js";
import { carryOut, say } from "../core/navigation.js";
import { evenly, seating } from "../table/seating.js";
import { late } from "../core/components/late_component.js";
import { h } from "../../vendor/preact.js";

// ms until Begin is sent again, which begins no second game
const BEGUN_WITHIN = 3000;
const BoxCheck = late(() => import("./box_check.js"), "BoxCheck");

// way: "camera" or "hand"; entered: called when the game has begun.
export function newGame(way, entered) {
  return h(
    "section",
    { key: "new-game", class: "panel new-game" },
    h("h2", {}, t("Who plays?")),
    h(
      "div",
      { class: "segments", role: "radiogroup", "aria-label": t("Players") },
      chosen().players.map((number) =>
        h(
          "button",
          {
            type: "button",
            role: "radio",
            class: "segment",
            "aria-checked": String(seats().length === number),
            onclick: () => resize(number),
          },
          t("{number} players", { number }),
        ),
      ),
    ),
    way === "camera"
      ? [
          h(
            "p",
            { class: "aside" },
            t(
              "Drag each crest to where its player sits; two can share a side. Seats are numbered clockwise.",
            ),
          ),
          seating(seatsOfGame(), reorder),
          h("p", { class: "row" }, evenly(seats().length)),
        ]
      : h(
          "p",
          { class: "aside" },
          t("Clockwise, in the order in which you sit. Names are optional; tap a crest to change it."),
        ),
    h("ol", { class: "seats" }, seats().map(seatRow)),
    way === "hand" && chosen().undescribed ? whichCards() : null,
    optionsFor(way).map(setupOption),
    button(
      live.repeated ? t("Still trying…") : t("Begin"),
      () => begin(way, entered),
      "gold large begin-now",
      {
        disabled: live.busy,
        "data-test": "begin",
      },
    ),
    way === "camera" ? h(BoxCheck, { seats: seated() }) : null,
  );
}

// By hand, cards of the box are described when they are laid; printed or enrolled ones are picked from
// pictures.
function whichCards() {
  const choose = (own) => () => {
    form.own = own;
  };
  return h(
    "div",
    { class: "which-cards", role: "radiogroup", "aria-label": t("Which cards?") },
    h(
      "div",
      { class: "segments" },
      [
        [true, t("Cards from the box")],
        [false, t("The companion's printed cards")],
      ].map(([own, text]) =>
        h(
          "button",
          {
            type: "button",
            key: text,
            role: "radio",
            class: "segment",
            "aria-checked": String(form.own === own),
            onclick: choose(own),
            "data-test": own ? "own-cards" : "known-cards",
          },
          text,
        ),
      ),
    ),
    h(
      "p",
      { class: "aside" },
      form.own
        ? t("Tap what each card shows when it is laid, or skip it.")
        : t("You pick each card by its picture."),
    ),
  );
}

// An option of the game: a check box, or the player whom it concerns.
function setupOption(option) {
  const { id, name, about, choice } = option;
  const value = optionOf(option);
  if (choice === "seat")
    return h(
      "label",
      { key: id, class: "setup-option row" },
      h("span", {}, name),
      h(
        "select",
        {
          value,
          onchange: (event) => setOption(option, Number(event.currentTarget.value)),
          "data-test": `option-${id}`,
        },
        seated().map((one, index) => h("option", { key: index, value: index }, one.name)),
      ),
    );
  return h(
    "label",
    { key: id, class: "setup-option" },
    h("input", {
      type: "checkbox",
      checked: Boolean(value),
      onchange: (event) => setOption(option, Number(event.currentTarget.checked)),
      "data-test": `option-${id}`,
    }),
    h("span", {}, h("strong", {}, name), about ? h("small", {}, about) : null),
  );
}

function seatRow(seat, index) {
  const one = { ...seat, game: chosen().id };
  const { name, title } = figureOf(one);
  const values = { number: index + 1, figure: title };
  return h(
    "li",
    { key: seat.id, class: "seat-choice" },
    h("b", { class: "seat-number", "aria-hidden": "true" }, index + 1),
    h(
      "button",
      {
        type: "button",
        class: "crest-choice",
        "aria-label": t("Seat {number} plays {figure}: change", values),
        onclick: () => refigure(index),
      },
      crest({ ...one, name: seat.name || String(index + 1) }),
    ),
    h("input", {
      type: "text",
      value: seat.name,
      maxlength: 20,
      placeholder: t("Seat {number}: {figure}", { number: index + 1, figure: name }),
      "aria-label": t("Name of seat {number}", values),
      autocomplete: "off",
      oninput: (event) => {
        change(index, { name: event.target.value });
      },
    }),
  );
}

async function begin(way, entered) {
  const players = seated();
  if (new Set(players.map((one) => one.name.toLowerCase())).size < players.length) {
    say(t("Two players have the same name. Give each their own."), "wrong");
    return;
  }
  const previous = live.game?.id ?? null;
  // The game may be here although its acknowledgement is lost.
  const hasBegun = () => live.game !== null && live.game.id !== previous;
  if (!(await carryOut(command("start_game", startOf(players, way), BEGUN_WITHIN, hasBegun)))) return;
  keepPeople();
  entered();
}
