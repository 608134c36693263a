// Renders the cards step of the set-up: the printed stand-in deck, an imported deck file, or cards enrolled
// one by one with their elements.

import { t, tn } from "../../../core/i18n.js";
import { knownCards } from "./kinds.js";
import { known } from "../../../setup/profile.js";
import {
  back,
  bringDeck,
  change,
  findCard,
  lesson,
  lookAway,
  lookFor,
  shootByItself,
} from "../../../setup/enrolment.js";
import { live } from "../../../core/live.js";
import { button } from "../../../core/components.js";
import { icon } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { store } from "../../../core/store.js";
import { say } from "../../../core/navigation.js";
import { onward, refusal, waits, watchLine } from "../../../setup/step_parts.js";
import { COLOURS, COLOUR_NAMES, ELEMENTS, RANKS, RANK_NAMES } from "../words.js";

const ALL = ["red", "green", "blue", "yellow", "white", "promotion", "colour_change"];
const REWARDS = ["red", "green", "blue", "yellow", "white", "promotion"];
// Elements that a part of a card can hold, at most.
const MOST = { upper: 2, lower: 2, reward: 2, needs: 4 };
const KINDS = [
  ["corridor", t("Corridor")],
  ["great", t("Great oracle")],
  ["small", t("Small oracle")],
  ["back:corridor", t("Back of a corridor")],
  ["back:great", t("Back of a great oracle")],
  ["back:small", t("Back of a small oracle")],
  ["tile", t("Labyrinth tile")],
];
// State of this step. kind: the kind of card to enrol next; card: the card in the editor or null; picture:
// its URL; old: whether it was enrolled before; sure: action that waits for confirmation.
const desk = store({ kind: "corridor", card: null, picture: "", old: false, sure: false });

// Render the step.
export function cardsStep() {
  if (live.view.director) return simulatedDeck();
  if (lesson.doing === "card") openFound();
  if (desk.card) return [editor()];
  const on = lesson.watch?.what === "card";
  return [
    refusal(),
    h(
      "section",
      { key: "by-camera", class: "panel" },
      h("h2", {}, t("The cards")),
      known.view.calibrated
        ? null
        : h("p", { class: "verdict bad" }, t("The table has not been found yet: show the sheet first.")),
      h(
        "p",
        { class: "aside" },
        t(
          "Lay one card alone in the middle, its upper edge away from seat 1, and take your hands away. Its elements are proposed; tap to correct them.",
        ),
      ),
      h(
        "div",
        { class: "segments", role: "radiogroup", "aria-label": t("Kind of card") },
        KINDS.map(([kind, text]) =>
          h(
            "button",
            {
              key: kind,
              type: "button",
              role: "radio",
              class: "segment card-kind",
              "aria-checked": String(desk.kind === kind),
              onclick: () => choose(kind),
            },
            pictureOf(kind),
            text,
          ),
        ),
      ),
      on
        ? watchLine()
        : known.view.calibrated
          ? waits(t("It waits for you to begin: lay a card down and let it shoot by itself."))
          : null,
      h(
        "p",
        { class: "row" },
        on
          ? [
              button(t("Take it now"), () => findCard(desk.kind), "", {
                disabled: live.busy,
                "data-test": "find-card",
              }),
              button(t("Stop"), stop, "quiet"),
            ]
          : [
              button(
                t("Take pictures automatically"),
                () => shootByItself("card", desk.kind),
                enough() ? "" : "gold large",
                { disabled: live.busy || !known.view.calibrated, "data-test": "by-itself" },
              ),
              button(t("Take one picture"), () => findCard(desk.kind), "", {
                disabled: live.busy || !known.view.calibrated,
                "data-test": "find-card",
              }),
            ],
      ),
    ),
    knownDeck(),
    wholeDecks(),
    onward("tokens", t("Next: the tokens"), !on && enough()),
  ];
}

// Backs and the tile look alike to whoever does not know the game: each has its picture.
function pictureOf(kind) {
  const source =
    kind === "tile" ? "/art/tile.svg" : kind.startsWith("back:") ? `/art/back/${kind.slice(5)}.svg` : "";
  return source ? h("img", { src: source, alt: "" }) : null;
}

// Backs and the tile are called by what they are; a card has its name.
function nameOf({ id, kind }) {
  return kind === "back" || kind === "tile" ? (KINDS.find(([one]) => one === id)?.[1] ?? id) : id;
}

function enough() {
  return known.view.deck.cards.length > 0 && !known.view.deck.missing;
}

function simulatedDeck() {
  return [
    refusal(),
    h(
      "section",
      { key: "simulated", class: "panel" },
      h("h2", {}, t("The cards")),
      h(
        "p",
        {},
        t(
          "The simulated table plays with the stand-in cards and knows them all. On a real table, you show the cards here one by one.",
        ),
      ),
      knownCards(),
    ),
    onward("tokens", t("Next: the tokens"), true),
  ];
}

function knownDeck() {
  const { cards, missing } = known.view.deck;
  return h(
    "section",
    { key: "deck", class: "panel" },
    h(
      "h3",
      {},
      cards.length ? tn(cards.length, "{n} card is known", "{n} cards are known") : t("No card is known yet"),
    ),
    missing
      ? h("p", { class: "verdict bad" }, missing)
      : h("p", { class: "verdict good" }, t("Enough for a game of three players or more.")),
    cards.length ? h("ul", { class: "card-grid" }, cards.map(knownCard)) : null,
  );
}

function knownCard(card) {
  return h(
    "li",
    { key: card.id },
    h(
      "button",
      {
        type: "button",
        class: "known-card",
        "aria-label": t("{card}: open it", { card: nameOf(card) }),
        onclick: () => openKnown(card),
      },
      h("img", { src: address(card.id), alt: "", loading: "lazy" }),
      h("span", {}, nameOf(card)),
    ),
  );
}

function address(id) {
  return `/api/teaching/cards/${encodeURIComponent(id)}.png`;
}

function wholeDecks() {
  return h(
    "section",
    { key: "whole", class: "panel" },
    h("h3", {}, t("A whole deck at once")),
    h(
      "p",
      { class: "aside" },
      t(
        "The printed stand-in cards need no pictures, and somebody with the same cards can send you a file of them. Either replaces the cards that are known now.",
      ),
    ),
    desk.sure
      ? h(
          "p",
          { class: "row" },
          h("span", {}, t("This forgets the cards that are known now.")),
          button(t("Continue"), desk.sure, "gold", { disabled: live.busy, "data-test": "sure" }),
          button(t("Discard"), () => ask(null), "quiet"),
        )
      : h(
          "p",
          { class: "row" },
          h(
            "a",
            { class: "button", href: "/art/print/deck.pdf", target: "_blank", rel: "noopener" },
            t("Print the stand-in cards"),
          ),
          button(t("Use the stand-in cards"), () => confirmFirst(standIn), "", {
            disabled: live.busy,
            "data-test": "stand-in",
          }),
          h(
            "label",
            { class: "button" },
            t("Import a file"),
            h("input", {
              type: "file",
              class: "file",
              accept: ".zip,application/zip",
              "aria-label": t("File of a shared deck"),
              onchange: (event) => importFile(event.target),
            }),
          ),
        ),
  );
}

// Confirm first if the action would delete enrolled cards.
function confirmFirst(act) {
  if (known.view.deck.cards.length) ask(act);
  else act();
}

function ask(act) {
  desk.sure = act;
}

async function standIn() {
  desk.sure = null;
  if (await change("teach_take_standin", {})) say(t("The stand-in cards are known."));
}

function importFile(input) {
  const file = input.files[0];
  input.value = "";
  if (!file) return;
  confirmFirst(() => {
    desk.sure = null;
    bringDeck(file);
  });
}

function choose(kind) {
  desk.kind = kind;
  if (lesson.watch?.what === "card") lookFor("card", kind);
}

function stop() {
  lookAway();
}

// The editor of one card.

function openFound() {
  const { draft, card } = lesson.found;
  const picture = `/api/teaching/${draft}/card.png`;
  if (desk.picture === picture) return;
  Object.assign(desk, { card: store(structuredClone(card.proposed)), picture, old: false });
}

function openKnown(card) {
  Object.assign(desk, { card: store(structuredClone(card)), picture: address(card.id), old: true });
}

function close() {
  desk.card = null;
  desk.picture = "";
  back();
}

function editor() {
  const { card, old } = desk;
  const alike = alikeCard();
  return h(
    "section",
    { key: "card", class: "panel card-editor" },
    h("h2", {}, old ? t("Card {card}", { card: nameOf(card) }) : t("Is this right?")),
    h(
      "div",
      { class: "card-editor-in" },
      h("img", {
        key: desk.picture,
        class: "cut-out",
        src: desk.picture,
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
  const alike = desk.old ? "" : (lesson.found?.card?.alike ?? "");
  return alike === desk.card.id.trim() ? "" : alike;
}

function fields(card) {
  if (card.kind === "tile") return h("p", {}, t("The labyrinth tile in the middle of the table."));
  if (card.kind === "back") return h("p", {}, t("The back of cards that lie face down."));
  return [
    desk.old ? null : name(card),
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
  const { old } = desk;
  const card = { ...desk.card, id: desk.card.id.trim() };
  const kept = old
    ? await change("teach_correct_card", { card })
    : await change("teach_keep_card", { draft: lesson.draft, card, force: alikeCard() !== "" });
  if (!kept) return;
  say(t("Learned: {kind}.", { kind: nameOf(card) }));
  close();
}

async function forget() {
  if (await change("teach_forget_card", { id: desk.card.id })) close();
}
