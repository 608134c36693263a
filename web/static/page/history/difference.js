// Renders the effect of a correction: the moves that change, and each player's standing before and after.

import { t, tn, signed } from "../core/i18n.js";
import { crest, icon, token } from "../core/components.js";
import { h } from "../../vendor/preact.js";
import { COLOURS, RANKS, phaseWords } from "../core/vocabulary.js";

const STORES = ["promotion", "colour_change", "impurity"];

// Render the preview of a correction, as the companion answers it.
export function difference(game, told) {
  const { before, after } = told;
  const elsewhere =
    before.stage.phase !== after.stage.phase ||
    before.stage.round !== after.stage.round ||
    before.stage.step !== after.stage.step;
  return h(
    "div",
    { class: "difference" },
    h("h3", {}, told.complete ? t("What changes") : t("What changes so far")),
    h(
      "ul",
      { class: "changed-lines" },
      told.changed.map((one) => line(one, one.becomes || t("removed"))),
      told.followed.map((one) => line(one, one.becomes, t("follows by the rules"))),
      told.fallen.map((one) => line(one, t("no longer possible"), one.why)),
      told.chosen.map((text) =>
        h("li", { key: `chosen-${text}` }, h("b", {}, t("new")), h("span", {}, text)),
      ),
      told.stands
        ? h(
            "li",
            { key: "stands", class: "aside" },
            h("b", {}),
            h(
              "span",
              {},
              tn(told.stands, "{n} later move stays as it is.", "{n} later moves stay as they are."),
            ),
          )
        : null,
    ),
    told.complete && elsewhere
      ? h("p", { class: "question" }, t("The game continues at: {where}", { where: phaseWords(after.view) }))
      : null,
    told.complete
      ? h(
          "ul",
          { class: "standings" },
          game.seats.map((seat, index) => standing(seat, index, before, after)),
        )
      : null,
  );
}

function line(one, becomes, why = "") {
  return h(
    "li",
    { key: `changed-${one.number}` },
    h("b", {}, one.number),
    h(
      "span",
      {},
      h("s", {}, one.text),
      h("span", { class: "becomes" }, becomes),
      why ? h("small", {}, why) : null,
    ),
  );
}

function standing(seat, index, before, after) {
  const [was, is] = [before.scores[index].total, after.scores[index].total];
  const things = [
    ...tokens(before.view.players[index], after.view.players[index]),
    ...stores(before.view.players[index], after.view.players[index]),
    ...achieved(before.view.players[index], after.view.players[index]),
  ];
  return h(
    "li",
    { key: `standing-${index}`, class: was === is && !things.length ? "unchanged" : "" },
    crest(seat, "small"),
    h(
      "span",
      { class: "points" },
      was === is
        ? tn(is, "{n} point", "{n} points")
        : [h("s", {}, signed(was)), h("b", {}, tn(is, "{n} point", "{n} points"))],
    ),
    h("span", { class: "things" }, things.length ? things : t("unchanged")),
  );
}

function times(by, key, picture) {
  return h(
    "span",
    { key, class: `thing ${by > 0 ? "more" : "less"}` },
    h("b", {}, by > 0 ? `+${by}` : signed(by)),
    picture,
  );
}

function tokens(was, is) {
  return RANKS.flatMap((rank) =>
    COLOURS.filter((colour) => was[rank][colour] !== is[rank][colour]).map((colour) =>
      times(is[rank][colour] - was[rank][colour], `${rank}${colour}`, token(colour, rank, "small")),
    ),
  );
}

function stores(was, is) {
  return STORES.filter((name) => was[name] !== is[name]).map((name) =>
    times(is[name] - was[name], name, icon(name)),
  );
}

function achieved(was, is) {
  const cards = (player) => [...player.achieved_great.map((one) => one.card), ...player.achieved_small];
  const [old, now] = [cards(was), cards(is)];
  return [...new Set([...old, ...now])]
    .filter((card) => old.includes(card) !== now.includes(card))
    .map((card) => times(now.includes(card) ? 1 : -1, card, h("span", {}, t("oracle {card}", { card }))));
}
