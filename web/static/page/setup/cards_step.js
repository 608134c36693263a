// Renders the cards step of the set-up, with the sorts of the game's kit: the printed stand-in deck, an
// imported deck file, or cards enrolled one by one with what they show.

import { t, tn } from "../core/text/i18n.js";
import { CardEditor, nameOf, pictureAddress } from "./card_editor.js";
import { known } from "./profile.js";
import { bringDeck, change, findCard, enrolment, lookAway, lookFor, shootByItself } from "./enrolment.js";
import { live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { h } from "../../vendor/preact.js";
import { store } from "../core/store.js";
import { say } from "../core/navigation.js";
import { onward, refusal, waits, watchLine } from "./step_parts.js";

// State of this step. kind: what is enrolled next, null for the first kind; card: an enrolled one in the
// editor; sure: action that waits for confirmation.
const step = store({ kind: null, card: null, sure: null });

// Component: the step.
export function CardsStep({ next }) {
  if (live.view.director) return simulatedDeck(next);
  if (enrolment.doing === "card") {
    const { draft, card } = enrolment.found;
    return h(CardEditor, { key: draft, given: card.proposed, draft, alike: card.alike, close: () => {} });
  }
  if (step.card) {
    const close = () => {
      step.card = null;
    };
    return h(CardEditor, { key: step.card.id, given: step.card, draft: null, alike: "", close });
  }
  const on = enrolment.watch?.what === "card";
  const kinds = known.view.kit.cards.flatMap(({ shown }) => shown);
  const now = step.kind ?? kinds[0][0];
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
          "Lay one card alone in the middle, its upper edge away from seat 1, and take your hands away. Then check what it shows; tap to correct it.",
        ),
      ),
      h(
        "div",
        { class: "segments", role: "radiogroup", "aria-label": t("Kind of card") },
        kinds.map(([kind, text]) =>
          h(
            "button",
            {
              key: kind,
              type: "button",
              role: "radio",
              class: "segment card-kind",
              "aria-checked": String(now === kind),
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
              button(t("Take it now"), () => findCard(now), "", {
                disabled: live.busy,
                "data-test": "find-card",
              }),
              button(t("Stop"), stop, "quiet"),
            ]
          : [
              button(
                t("Take pictures automatically"),
                () => shootByItself("card", now),
                enough() ? "" : "gold large",
                { disabled: live.busy || !known.view.calibrated, "data-test": "by-itself" },
              ),
              button(t("Take one picture"), () => findCard(now), "", {
                disabled: live.busy || !known.view.calibrated,
                "data-test": "find-card",
              }),
            ],
      ),
    ),
    knownDeck(),
    wholeDecks(),
    onward(next, !on && enough()),
  ];
}

// Backs look alike to whoever does not know the game: the game has a picture of each.
function pictureOf(kind) {
  const source = gamePage.cardPictures[kind];
  return source ? h("img", { src: source, alt: "" }) : null;
}

function enough() {
  return known.view.deck.cards.length > 0 && !known.view.deck.missing;
}

function simulatedDeck(next) {
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
      h("p", { class: "aside" }, cardCount()),
    ),
    onward(next, true),
  ];
}

function cardCount() {
  const { cards } = known.view.deck;
  return cards.length
    ? tn(cards.length, "{n} card is known", "{n} cards are known")
    : t("No card is known yet");
}

function knownDeck() {
  const { cards, missing } = known.view.deck;
  return h(
    "section",
    { key: "deck", class: "panel" },
    h("h3", {}, cardCount()),
    missing
      ? h("p", { class: "verdict bad" }, missing)
      : h(
          "p",
          { class: "verdict good" },
          t("Enough for a game of {players} players or more.", { players: known.view.kit.players[0] }),
        ),
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
        onclick: () => {
          step.card = card;
        },
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
          gamePage.cardSheet
            ? [
                h(
                  "a",
                  { class: "button", href: gamePage.cardSheet, target: "_blank", rel: "noopener" },
                  t("Print the stand-in cards"),
                ),
                button(t("Use the stand-in cards"), () => confirmFirst(standIn), "", {
                  disabled: live.busy,
                  "data-test": "stand-in",
                }),
              ]
            : null,
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
