// Renders what a player's plaque shows below the name: shown pieces, place and gains.

import { correct } from "./correct_count.js";
import { icon, token } from "../pieces.js";
import { brought, roundOver } from "../round_result.js";
import { countedGain, lastOutcome, shownReveal } from "../shown_reveal.js";
import { PLACES, RANKS, REASONS, SIGNS, tokensOf } from "../words.js";
import { t, tn } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { Animated, fromCard, fromHand } from "../../../core/components/entrance_animation.js";
import { isHost } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { byHand, mayAct } from "../../../place/move_options.js";
import { h } from "../../../../vendor/preact.js";

const explained = store({ key: null, seat: null });

// Return the CSS classes that the shown reveal adds to a plaque.
export function seatClasses(game, index) {
  const reveal = shownReveal(game);
  return `${reveal?.outcome?.gains[index]?.place ?? ""} ${isDoubted(reveal, index) ? "doubted" : ""}`;
}

function isDoubted(reveal, index) {
  return Boolean(reveal?.doubts.some((one) => one.seat === index));
}

// Render the content of a plaque. towards: unit vector from the middle to the seat, x to the right and y
// down; controls: false on the wall screen.
export function seatContent(game, index, towards, controls) {
  const reveal = shownReveal(game);
  return [
    reveal
      ? [
          tally(game, index, reveal, isDoubted(reveal, index), towards, controls),
          result(index, reveal, controls),
        ]
      : game.view.phase === "soul"
        ? summary(game.view.players[index])
        : (standing(game, index) ?? [inHand(game, index), lastResult(game, index, controls)]),
    controls && mayAct(index) ? action(game, index) : null,
  ];
}

// Between two rounds: everybody's place and what the round brought; nothing at other times.
function standing(game, index) {
  const over = roundOver(game);
  if (!over) return null;
  const { by, place } = over.seats[index];
  return [
    h(
      "span",
      { key: "standing", class: "tally held standing" },
      h("b", { class: "number" }, t("{place}.", { place })),
    ),
    h("span", { key: "result", class: "result last-result" }, brought(by)),
  ];
}

// What is still behind the screen, while nothing is shown.
function inHand(game, index) {
  const { held } = game.view.players[index];
  const { colour } = game.seats[index];
  return h(
    "span",
    {
      key: "held",
      class: "tally held",
      role: "img",
      "aria-label": tn(held.search, "{n} piece in hand", "{n} pieces in hand"),
    },
    h("b", { class: "number" }, held.search),
    pieces(held, colour, "hidden"),
  );
}

// Gains of the previous corridor, in small, during the search for the next one.
function lastResult(game, index, controls) {
  const last = lastOutcome(game);
  if (!last) return h("span", { key: "result", class: "result" });
  const gain = last.gains[index];
  const tag = controls && isHost() ? "button" : "span";
  const hand = last.hands[index];
  const line = tn(hand.search, "Last: {n} piece", "Last: {n} pieces");
  return h(
    tag,
    {
      key: "result",
      type: tag === "button" ? "button" : null,
      class: "result last-result",
      title: REASONS[last.reasons[index]] ?? "",
      onclick: tag === "button" ? () => correct(game, index) : null,
      "data-test": "last-result",
    },
    h(
      "span",
      { class: "last-hand" },
      line,
      SIGNS.filter((sign) => hand[sign]).map((sign) => icon(`sign:${sign}`, "inline")),
      gain ? `, ${PLACES[gain.place]}` : null,
    ),
    gain
      ? [
          ...counted(Array(gain.impurity).fill("impurity").concat(gain.sign_elements, gain.card_elements)),
        ].map(([name, times]) =>
          h("span", { key: name, class: "gain" }, times > 1 ? `${times}×` : null, icon(name)),
        )
      : null,
  );
}

function tally(game, index, reveal, doubt, towards, controls) {
  const seat = game.seats[index];
  const hand = reveal.hands[index];
  const corrects = controls && isHost();
  const animation = reveal.decides ? () => null : (place) => fromHand(towards, place);
  return h(
    corrects ? "button" : "span",
    {
      key: "tally",
      type: corrects ? "button" : null,
      class: `tally ${doubt ? "doubt" : ""}`,
      role: corrects ? null : "img",
      "aria-label": corrects
        ? tn(hand.search, "{name}: {n} search piece. Correct it", "{name}: {n} search pieces. Correct it", {
            name: seat.name,
          })
        : tn(hand.search, "{name}: {n} search piece", "{name}: {n} search pieces", { name: seat.name }),
      onclick: corrects ? () => correct(game, index) : null,
    },
    h("b", { class: "number" }, doubt ? `${hand.search}?` : hand.search),
    pieces(hand, seat.figure, reveal.key, animation),
  );
}

// The pieces of a hand: cubes in the player's colour, then signs.
function pieces(hand, colour, key, animation = () => null) {
  const signs = SIGNS.flatMap((sign) => Array(hand[sign]).fill(`sign:${sign}`));
  return h(
    "span",
    { class: `shown-pieces ${key === "hidden" ? "hidden-pieces" : ""}`, "aria-hidden": "true" },
    Array.from({ length: hand.search }, (_, place) =>
      h(Animated, {
        tag: "i",
        key: `${key}/${place}`,
        class: `piece ${colour}`,
        animate: animation(place),
      }),
    ),
    signs.map((name, place) =>
      h(
        Animated,
        {
          tag: "i",
          key: `${key}/${name}${place}`,
          class: "sign-piece",
          animate: animation(hand.search + place),
        },
        icon(name),
      ),
    ),
  );
}

function result(index, reveal, controls) {
  const { outcome } = reveal;
  if (!outcome) return h("span", { key: "result", class: "result" });
  const gain = outcome.gains[index];
  const open = explained.key === reveal.key && explained.seat === index;
  const reason = REASONS[outcome.reasons[index]] ?? "";
  const rank = gain ? PLACES[gain.place] : "—";
  const explain = () => {
    Object.assign(explained, open ? { key: null, seat: null } : { key: reveal.key, seat: index });
  };
  return h(
    "span",
    { key: "result", class: "result" },
    controls
      ? h(
          "button",
          {
            type: "button",
            class: "place-won",
            "aria-expanded": String(open),
            title: reason,
            onclick: explain,
          },
          rank,
        )
      : h("b", { class: "place-won" }, rank),
    open
      ? h(
          "span",
          { key: "reason", class: "reason" },
          gain ? t("{place}: {reason}", { place: rank, reason }) : reason,
        )
      : gain && gains(gain, reveal),
  );
}

// Signs before the card, in the order of rule W6; equal elements are counted.
function gains(gain, reveal) {
  const signs = counted([...Array(gain.impurity).fill("impurity"), ...gain.sign_elements]);
  const card = counted(gain.card_elements);
  // A proposal shows its gains without animation; they get new keys and fly in when the reveal is entered.
  const key = `${reveal.key}:${reveal.proposed ? "would" : "gives"}`;
  const one = ([name, times], place) => {
    const { text, props } = countedGain(name, times);
    return h(
      Animated,
      {
        tag: "span",
        key: `${key}/${place}${name}`,
        ...props,
        animate: reveal.proposed ? null : fromCard(place),
      },
      text,
      icon(name),
    );
  };
  return h(
    "span",
    { key: `gains ${key}`, class: `gains ${reveal.proposed ? "would" : ""}` },
    signs.map((pair, place) => one(pair, place)),
    signs.length ? h("i", { key: "then", class: "then" }) : null,
    card.map((pair, place) => one(pair, signs.length + place)),
  );
}

function counted(names) {
  return [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]);
}

function summary(player) {
  return h(
    "span",
    { key: "summary", class: "summary" },
    RANKS.map((rank) =>
      h(
        "span",
        { class: "summary-rank" },
        tokensOf(player[rank]).map((colour) => token(colour, rank, "small")),
      ),
    ),
    h(
      "span",
      { class: "summary-rank" },
      Array(player.promotion).fill(icon("promotion")),
      Array(player.colour_change).fill(icon("colour_change")),
    ),
  );
}

function action(game, index) {
  const { phase } = game.view;
  // On the screen that plays for everybody, gains are chosen below the table.
  const all = byHand() && isHost();
  if (phase !== "soul" && (phase !== "gain" || all)) return null;
  const waits = game.waiting_for.includes(index);
  // Where the camera takes the souls, or one button leads through them all, these are the second way.
  const gold = phase === "soul" && (live.view.comparison || all) ? "" : "gold";
  if (waits)
    return h(
      "a",
      { key: "choose", class: `button ${gold} choose`, href: `#player/${index}` },
      phase === "soul" ? t("Souls") : t("Choose"),
    );
  return phase === "soul" ? h("span", { key: "choose", class: "done-mark" }, t("done")) : null;
}
