// Renders the effect of a correction: the moves that change, and each player's standing before and after.
// Moves are numbered as the replay counts them: what was undone leaves no gap.

import { t, tn, signed } from "../core/text/i18n.js";
import { crest } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { headingOf } from "../core/text/heading.js";
import { headline } from "../scores/scores_screen.js";
import { h } from "../../vendor/preact.js";

// Return which of the moves that count has this entry's number, from 1. Pure.
export function numberOfMove(game, number) {
  return game.history.findIndex((line) => line.number === number) + 1;
}

// Render the preview of a correction, as the companion answers it.
export function difference(game, preview) {
  const { before, after } = preview;
  const elsewhere =
    before.stage.phase !== after.stage.phase ||
    before.stage.round !== after.stage.round ||
    before.stage.step !== after.stage.step;
  const [was, now] = [before, after].map(({ stage, scores }) => headline({ ...game, stage }, scores));
  return h(
    "div",
    { class: "difference" },
    h("h3", {}, preview.complete ? t("What changes") : t("What changes so far")),
    preview.complete
      ? h("p", { class: "question" }, was === now ? t("{who}, as before", { who: now }) : now)
      : null,
    h(
      "ul",
      { class: "changed-lines" },
      preview.changed.map((one) => line(game, one, one.becomes || t("removed"))),
      preview.followed.map((one) => line(game, one, one.becomes, t("follows by the rules"))),
      preview.fallen.map((one) => line(game, one, t("no longer possible"), one.why)),
      preview.chosen.map((text) =>
        h("li", { key: `chosen-${text}` }, h("b", {}, t("new")), h("span", {}, text)),
      ),
      preview.stands
        ? h(
            "li",
            { key: "stands", class: "aside" },
            h("b", {}),
            h(
              "span",
              {},
              tn(preview.stands, "{n} later move stays as it is.", "{n} later moves stay as they are."),
            ),
          )
        : null,
    ),
    preview.complete && elsewhere && headingOf(game, before) !== headingOf(game, after)
      ? h("p", { class: "question" }, t("The game continues at: {where}", { where: headingOf(game, after) }))
      : null,
    preview.complete
      ? h(
          "ul",
          { class: "standings" },
          game.seats.map((seat, index) => standing(seat, index, before, after)),
        )
      : null,
  );
}

function line(game, one, becomes, why = "") {
  return h(
    "li",
    { key: `changed-${one.number}` },
    h("b", {}, numberOfMove(game, one.number)),
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
  const things = gamePage.changed?.(before, after, index) ?? [];
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
