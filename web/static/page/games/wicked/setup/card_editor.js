// Renders the editor of one card: its picture and what it shows, with taps to correct it.

import { icon } from "../pieces.js";
import { COLOURS, COLOUR_NAMES, ELEMENTS, RANKS, RANK_NAMES } from "../words.js";
import { button } from "../../../core/components.js";
import { t } from "../../../core/i18n.js";
import { live } from "../../../core/live.js";
import { say } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { back, change, enrolment } from "../../../setup/enrolment.js";
import { refusal } from "../../../setup/step_parts.js";
import { h } from "../../../../vendor/preact.js";

const ALL = ["red", "green", "blue", "yellow", "white", "promotion", "colour_change"];
const REWARDS = ["red", "green", "blue", "yellow", "white", "promotion"];
// Elements that a part of a card can hold, at most.
const MOST = { upper: 2, lower: 2, reward: 2, needs: 4 };
// Kinds of cards with their names.
export const KINDS = [
  ["corridor", t("Corridor")],
  ["great", t("Great oracle")],
  ["small", t("Small oracle")],
  ["back:corridor", t("Back of a corridor")],
  ["back:great", t("Back of a great oracle")],
  ["back:small", t("Back of a small oracle")],
  ["tile", t("Labyrinth tile")],
];
// card: the card in the editor or null; picture: its URL; old: whether it was enrolled before.
const edited = store({ card: null, picture: "", old: false });

// Return whether a card is open.
export function isEditing() {
  return edited.card !== null;
}

// Backs and the tile are called by what they are; a card has its name.
export function nameOf({ id, kind }) {
  return kind === "back" || kind === "tile" ? (KINDS.find(([one]) => one === id)?.[1] ?? id) : id;
}

// Return the address of an enrolled card's picture.
export function pictureAddress(id) {
  return `/api/teaching/cards/${encodeURIComponent(id)}.png`;
}

// Open the card that was just found.
export function openFound() {
  const { draft, card } = enrolment.found;
  const picture = `/api/teaching/${draft}/card.png`;
  if (edited.picture === picture) return;
  Object.assign(edited, { card: editable(card.proposed), picture, old: false });
}

// Open an enrolled card.
export function openKnown(card) {
  Object.assign(edited, { card: editable(card), picture: pictureAddress(card.id), old: true });
}

// A card whose id and values are rendered again when they change.
function editable({ id, kind, values }) {
  return store({ id, kind, values: store(structuredClone(values)) });
}

function close() {
  edited.card = null;
  edited.picture = "";
  back();
}

// Render the editor.
export function cardEditor() {
  const { card, old } = edited;
  const alike = alikeCard();
  return h(
    "section",
    { key: "card", class: "panel card-editor" },
    h("h2", {}, old ? t("Card {card}", { card: nameOf(card) }) : t("Is this right?")),
    h(
      "div",
      { class: "card-editor-in" },
      h("img", {
        key: edited.picture,
        class: "cut-out",
        src: edited.picture,
        alt: t("The card as the camera saw it"),
      }),
      h("div", { class: "card-says" }, fields(card)),
    ),
    alike
      ? h(
          "p",
          { class: "verdict bad", role: "alert" },
          t(
            "It looks like {card}, which is known already: the camera cannot tell them apart. If it is the same card, discard it. If you keep both, you are asked each time which one it is.",
            { card: alike },
          ),
        )
      : null,
    refusal(),
    h(
      "p",
      { class: "row" },
      button(alike ? t("Keep both") : t("Keep it"), keep, alike ? "large" : "gold large", {
        disabled: live.busy,
        "data-test": "keep-card",
      }),
      button(t("Discard"), close, "quiet"),
      old && button(t("Forget this card"), forget, "", { disabled: live.busy }),
    ),
  );
}

// Return the id of an enrolled card that the new one cannot be distinguished from, or ""; enrolling a known
// card again does not count.
function alikeCard() {
  const alike = edited.old ? "" : (enrolment.found?.card?.alike ?? "");
  return alike === edited.card.id.trim() ? "" : alike;
}

function fields(card) {
  if (card.kind === "tile") return h("p", {}, t("The labyrinth tile in the middle of the table."));
  if (card.kind === "back") return h("p", {}, t("The back of cards that lie face down."));
  return [
    edited.old ? null : name(card),
    card.kind === "corridor" && [
      half(card.values, "upper", t("Upper half"), ALL),
      half(card.values, "lower", t("Lower half"), ALL),
    ],
    card.kind === "great" && [
      colour(card.values, 0, t("First colour")),
      colour(card.values, 1, t("Second colour")),
    ],
    card.kind === "small" && [needs(card.values), half(card.values, "reward", t("It gives"), REWARDS)],
  ];
}

function name(card) {
  return h(
    "label",
    { class: "card-name" },
    h("span", {}, t("Name")),
    h("input", {
      type: "text",
      value: card.id,
      maxlength: 40,
      autocomplete: "off",
      "data-test": "card-name",
      oninput: (event) => {
        card.id = event.target.value;
      },
    }),
  );
}

function half(card, field, title, names) {
  const toggle = (one) => {
    const chosen = card[field];
    card[field] = chosen.includes(one)
      ? chosen.filter((other) => other !== one)
      : [...chosen, one].slice(-MOST[field]);
  };
  return h(
    "fieldset",
    { key: field, class: "elements" },
    h("legend", {}, title),
    names.map((one) =>
      h(
        "button",
        {
          key: one,
          type: "button",
          class: "element",
          "aria-pressed": String(card[field].includes(one)),
          "aria-label": ELEMENTS[one],
          onclick: () => toggle(one),
        },
        icon(one),
      ),
    ),
  );
}

function colour(card, at, title) {
  const set = (one) => {
    card.colours = [0, 1].map((place) => (place === at ? one : card.colours[place])).filter(Boolean);
  };
  return h(
    "fieldset",
    { key: `colour-${at}`, class: "elements" },
    h("legend", {}, title),
    COLOURS.map((one) =>
      h(
        "button",
        {
          key: one,
          type: "button",
          class: "element",
          "aria-pressed": String(card.colours[at] === one),
          "aria-label": COLOUR_NAMES[one],
          onclick: () => set(one),
        },
        icon(one),
      ),
    ),
  );
}

function needs(card) {
  const set = (at, pair) => {
    card.needs = pair
      ? card.needs.map((old, place) => (place === at ? pair : old))
      : card.needs.filter((_, place) => place !== at);
  };
  const add = () => {
    card.needs = [...card.needs, ["red", "low"]];
  };
  return h(
    "fieldset",
    { key: "needs", class: "elements" },
    h("legend", {}, t("It requires")),
    card.needs.map(([one, rank], at) =>
      h(
        "div",
        { key: `need-${at}`, class: "need" },
        h(
          "div",
          { class: "elements" },
          COLOURS.map((other) =>
            h(
              "button",
              {
                key: other,
                type: "button",
                class: "element",
                "aria-pressed": String(one === other),
                "aria-label": COLOUR_NAMES[other],
                onclick: () => set(at, [other, rank]),
              },
              icon(other),
            ),
          ),
        ),
        h(
          "div",
          { class: "segments" },
          RANKS.map((other) =>
            h(
              "button",
              {
                key: other,
                type: "button",
                class: "segment",
                "aria-pressed": String(rank === other),
                onclick: () => set(at, [one, other]),
              },
              RANK_NAMES[other],
            ),
          ),
          button("−", () => set(at, null), "quiet", { "aria-label": t("Remove this") }),
        ),
      ),
    ),
    card.needs.length < MOST.needs ? button(t("One more token"), add, "") : null,
  );
}

async function keep() {
  const { old } = edited;
  const { id, kind, values } = edited.card;
  const card = { id: id.trim(), kind, values: { ...values } };
  const kept = old
    ? await change("teach_correct_card", { card })
    : await change("teach_keep_card", { draft: enrolment.draft, card, force: alikeCard() !== "" });
  if (!kept) return;
  say(t("Learned: {kind}.", { kind: nameOf(card) }));
  close();
}

async function forget() {
  if (await change("teach_forget_card", { id: edited.card.id })) close();
}
