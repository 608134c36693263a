// Renders the entry of hands, usable with one thumb: seats above, signs and a number pad below, evidence
// beside it.

import { t, tn } from "../../../core/text/i18n.js";
import { crest } from "../../../core/components/basic_components.js";
import { icon } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";

// Render the pad. hands, most: the counts and their limits by seat; active: the seat that is counted;
// turn(seat) selects one; change(seat, hand, counted) sets a hand, counted is true for a number; beside:
// pictures and likely counts; doubted: seats that need confirmation.
export function counting({ seats, hands, most, active, turn, change, beside = null, doubted = [] }) {
  const seat = seats[active];
  const hand = hands[active];
  const signs = ["witch", "soul"].filter((sign) => most[active][sign] || hand[sign]);
  return h(
    "div",
    { class: "counting" },
    h(
      "div",
      { class: "hands", role: "group", "aria-label": t("Whose hand?") },
      seats.map((one, index) =>
        h(
          "button",
          {
            type: "button",
            key: `hand-${index}`,
            class: `hand ${one.colour} ${doubted.includes(index) ? "doubted" : ""}`,
            "aria-pressed": String(index === active),
            "aria-label": tn(hands[index].search, "{name}: {n} search piece", "{name}: {n} search pieces", {
              name: one.name,
            }),
            onclick: () => turn(index),
          },
          crest(one, "small"),
          h(
            "b",
            { class: "number" },
            doubted.includes(index) ? `${hands[index].search}?` : hands[index].search,
          ),
          h(
            "span",
            { class: "signs" },
            hands[index].witch ? icon("sign:witch") : null,
            hands[index].soul ? icon("sign:soul") : null,
          ),
        ),
      ),
    ),
    h(
      "div",
      { class: "counting-in" },
      h("div", { key: `beside-${active}`, class: "beside" }, beside),
      h(
        "div",
        { class: "pad-side" },
        h("h3", {}, t("{name} shows", { name: seat.name })),
        signs.length
          ? h(
              "div",
              { class: "pad-signs" },
              signs.map((sign) =>
                h(
                  "button",
                  {
                    type: "button",
                    key: sign,
                    class: "segment",
                    "aria-pressed": String(Boolean(hand[sign])),
                    onclick: () => change(active, { ...hand, [sign]: hand[sign] ? 0 : 1 }, false),
                  },
                  icon(`sign:${sign}`),
                  sign === "witch" ? t("witch's sign") : t("soul's sign"),
                ),
              ),
            )
          : null,
        h(
          "div",
          { class: "pad", role: "group", "aria-label": t("{name}, search pieces", { name: seat.name }) },
          Array.from({ length: Math.max(most[active].search, hand.search) + 1 }, (_, number) =>
            h(
              "button",
              {
                type: "button",
                key: `pad-${number}`,
                class: "pad-key",
                "aria-pressed": String(hand.search === number),
                "aria-label": tn(number, "{name} shows {n} search piece", "{name} shows {n} search pieces", {
                  name: seat.name,
                }),
                disabled: number > most[active].search,
                onclick: () => change(active, { ...hand, search: number }, true),
              },
              number,
            ),
          ),
        ),
      ),
    ),
  );
}

// Render a hand: crest, count and signs.
export function handView(game, seat, hand) {
  return h(
    "span",
    { key: `hand-${seat}`, class: "answer-hand" },
    crest(game.seats[seat], "small"),
    h("b", {}, hand.search),
    Array(hand.witch).fill(icon("sign:witch")),
    Array(hand.soul).fill(icon("sign:soul")),
  );
}
