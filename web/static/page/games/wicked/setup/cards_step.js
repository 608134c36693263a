// Renders the cards step of the set-up: the printed stand-in deck, an imported deck file, or cards enrolled
// one by one with their elements.

import { t, tn } from "../../../core/i18n.js";
import { KINDS, cardEditor, isEditing, nameOf, openFound, openKnown, pictureAddress } from "./card_editor.js";
import { knownCards } from "./kinds.js";
import { known } from "../../../setup/profile.js";
import {
  bringDeck,
  change,
  findCard,
  enrolment,
  lookAway,
  lookFor,
  shootByItself,
} from "../../../setup/enrolment.js";
import { live } from "../../../core/live.js";
import { button } from "../../../core/components.js";
import { h } from "../../../../vendor/preact.js";
import { store } from "../../../core/store.js";
import { say } from "../../../core/navigation.js";
import { onward, refusal, waits, watchLine } from "../../../setup/step_parts.js";

// State of this step. kind: the kind of card to enrol next; sure: action that waits for confirmation.
const step = store({ kind: "corridor", sure: null });

// Render the step.
export function cardsStep() {
  if (live.view.director) return simulatedDeck();
  if (enrolment.doing === "card") openFound();
  if (isEditing()) return [cardEditor()];
  const on = enrolment.watch?.what === "card";
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
              "aria-checked": String(step.kind === kind),
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
              button(t("Take it now"), () => findCard(step.kind), "", {
                disabled: live.busy,
                "data-test": "find-card",
              }),
              button(t("Stop"), stop, "quiet"),
            ]
          : [
              button(
                t("Take pictures automatically"),
                () => shootByItself("card", step.kind),
                enough() ? "" : "gold large",
                { disabled: live.busy || !known.view.calibrated, "data-test": "by-itself" },
              ),
              button(t("Take one picture"), () => findCard(step.kind), "", {
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
      h("img", { src: pictureAddress(card.id), alt: "", loading: "lazy" }),
      h("span", {}, nameOf(card)),
    ),
  );
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
    step.sure
      ? h(
          "p",
          { class: "row" },
          h("span", {}, t("This forgets the cards that are known now.")),
          button(t("Continue"), step.sure, "gold", { disabled: live.busy, "data-test": "sure" }),
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
  step.sure = act;
}

async function standIn() {
  step.sure = null;
  if (await change("teach_take_standin", {})) say(t("The stand-in cards are known."));
}

function importFile(input) {
  const file = input.files[0];
  input.value = "";
  if (!file) return;
  confirmFirst(() => {
    step.sure = null;
    bringDeck(file);
  });
}

function choose(kind) {
  step.kind = kind;
  if (enrolment.watch?.what === "card") lookFor("card", kind);
}

function stop() {
  lookAway();
}
