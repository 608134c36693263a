// Renders the editor of one card: its picture, and what the fields of its sort show, with taps to correct it.

import { t } from "../core/text/i18n.js";
import { button } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { live } from "../core/live_channel.js";
import { say } from "../core/navigation.js";
import { store } from "../core/store.js";
import { h } from "../../vendor/preact.js";
import { useState } from "../../vendor/preact-hooks.js";
import { back, change } from "./enrolment.js";
import { known } from "./profile.js";
import { refusal } from "./step_parts.js";

function sortOf({ kind }) {
  return known.view.kit.cards.find(({ id }) => id === kind);
}

// Return the name of a card: fixed ones are called by what they are.
export function nameOf(card) {
  const { fixed, shown } = sortOf(card);
  return (fixed && shown.find(([id]) => id === card.id)?.[1]) || card.id;
}

// Return the address of an enrolled card's picture.
export function pictureAddress(id) {
  return `/api/teaching/cards/${encodeURIComponent(id)}.png`;
}

// Component: the editor. given: {id, kind, values}, to begin with; draft: id of the picture in which the card
// was found, null for an enrolled one; alike: id of an enrolled card that looks the same, or ""; close().
export function CardEditor({ given, draft, alike, close }) {
  const [card] = useState(() =>
    store({ id: given.id, kind: given.kind, values: store(structuredClone(given.values)) }),
  );
  const old = draft === null;
  const sort = sortOf(card);
  // Enrolling a known card again is no confusion.
  const other = alike === card.id.trim() ? "" : alike;
  return h(
    "section",
    { class: "panel card-editor" },
    h("h2", {}, old ? t("Card {card}", { card: nameOf(card) }) : t("Is this right?")),
    h(
      "div",
      { class: "card-editor-in" },
      h("img", {
        class: "cut-out",
        src: old ? pictureAddress(card.id) : `/api/teaching/${draft}/card.png`,
        alt: t("The card as the camera saw it"),
      }),
      h(
        "div",
        { class: "card-says" },
        sort.fields.length
          ? [
              old ? null : name(card),
              sort.fields.map((field) =>
                field.parts.length === 1 ? words(card.values, field) : rows(card.values, field),
              ),
            ]
          : h("p", {}, sort.about),
      ),
    ),
    other
      ? h(
          "p",
          { class: "verdict bad", role: "alert" },
          t(
            "It looks like {card}, which is known already: the camera cannot tell them apart. If it is the same card, discard it. If you keep both, you are asked each time which one it is.",
            { card: other },
          ),
        )
      : null,
    refusal(),
    h(
      "p",
      { class: "row" },
      button(
        other ? t("Keep both") : t("Keep it"),
        () => keep(card, draft, other, close),
        other ? "large" : "gold large",
        { disabled: live.busy, "data-test": "keep-card" },
      ),
      button(
        t("Discard"),
        () => {
          back();
          close();
        },
        "quiet",
      ),
      old && button(t("Forget this card"), () => forget(card, close), "", { disabled: live.busy }),
    ),
  );
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

// A field whose values are single words: a tap takes a word in or out, or in once more where it may repeat.
function words(values, { name: field, title, parts, most, repeats }) {
  const chosen = values[field];
  const times = (word) => chosen.filter((one) => one === word).length;
  const tap = (word) => {
    const more = !times(word) || (repeats && chosen.length < most);
    values[field] = more ? [...chosen, word].slice(-most) : chosen.filter((one) => one !== word);
  };
  return h(
    "fieldset",
    { key: field, class: "elements" },
    h("legend", {}, title),
    parts[0].map((word) => wordButton(word, times(word), () => tap(word))),
  );
}

// A field whose values have several parts: a row for each value.
function rows(values, { name: field, title, parts, fewest, most }) {
  const chosen = values[field];
  const set = (at, part, word) => {
    values[field] = chosen.with(at, chosen[at].with(part, word));
  };
  return h(
    "fieldset",
    { key: field, class: "elements" },
    h("legend", {}, title),
    chosen.map((value, at) =>
      h(
        "div",
        { key: `value-${at}`, class: "need" },
        parts.map((all, part) =>
          h(
            "div",
            { key: `part-${part}`, class: "elements" },
            all.map((word) => wordButton(word, Number(value[part] === word), () => set(at, part, word))),
          ),
        ),
        chosen.length > fewest
          ? button(
              "−",
              () => {
                values[field] = chosen.toSpliced(at, 1);
              },
              "quiet",
              { "aria-label": t("Remove this") },
            )
          : null,
      ),
    ),
    chosen.length < most
      ? button(
          t("One more"),
          () => {
            values[field] = [...chosen, parts.map(([first]) => first)];
          },
          "",
        )
      : null,
  );
}

// A word as the game draws it, or as it names it.
function wordButton(word, times, act) {
  const sign = gamePage.wordSign?.(word) ?? null;
  return h(
    "button",
    {
      key: word,
      type: "button",
      class: sign ? "element" : "segment",
      "aria-pressed": String(times > 0),
      onclick: act,
    },
    sign ?? gamePage.wordName?.(word) ?? word,
    times > 1 ? h("small", {}, `${times}×`) : null,
  );
}

async function keep({ id, kind, values }, draft, alike, close) {
  const card = { id: id.trim(), kind, values: { ...values } };
  const kept =
    draft === null
      ? await change("teach_correct_card", { card })
      : await change("teach_keep_card", { draft, card, force: alike !== "" });
  if (!kept) return;
  say(t("Learned: {kind}.", { kind: nameOf(card) }));
  close();
}

async function forget({ id }, close) {
  if (await change("teach_forget_card", { id })) close();
}
