// Renders the scores: ranking, each player's sums and the chart; after the game the hero's page.

import { pointsChart } from "./points_chart.js";
import { listed, t, tn, signed } from "../core/text/i18n.js";
import { savePicture } from "./keepsake.js";
import { button, crest, colourStyle } from "../core/components/basic_components.js";
import { heroTop } from "./hero.js";
import { gamePage } from "../core/game_page.js";
import { h } from "../../vendor/preact.js";
import { isHost, say } from "../core/navigation.js";
import { between } from "../core/text/vocabulary.js";

// Render the scores of a game with its downloads.
export function ScoresScreen({ game }) {
  return scored(
    game,
    h("a", { class: "button", href: "/api/scores.csv", download: "" }, t("For spreadsheets (CSV)")),
    h("a", { class: "button quiet", href: "/api/scores.json", download: "" }, t("For programs (JSON)")),
  );
}

// Render ranking, chart and sums, with `more` in the footer. game.open is set if something unresolved cannot
// change the winner: game.open.totals holds each player's [least, most] points, or null if unknown.
export function scored(game, ...more) {
  const over = game.stage.phase === "over";
  const ranking = ranked(game);
  const title = headline(game, ranking);
  return h(
    "div",
    { class: "scores-in" },
    over
      ? (gamePage.hero ?? plainHero)(
          game,
          ranking,
          title,
          game.open ? t("What is still open can change points, but not who wins.") : reason(game, ranking),
        )
      : h(
          "header",
          { class: "leading" },
          h("h2", { "data-test": "leading" }, title),
          h("p", { class: "aside" }, reason(game, ranking)),
          gamePage.scoresNotice?.(game),
        ),
    places(game, ranking),
    pointsChart(game),
    h(
      "section",
      { class: `scoring ${over ? "final" : ""}`, "data-test": over ? "final" : "standing" },
      h("h2", { class: "lines-title" }, t("Line by line")),
      ledgers(game, ranking),
    ),
    gamePage.afterScores?.(game),
    h(
      "footer",
      { class: "take-home" },
      game.open
        ? null
        : button(
            t("Save as picture"),
            () => savePicture(game, title, ranking).catch((error) => say(error.message, "wrong")),
            "",
            { "data-test": "picture" },
          ),
      more,
    ),
  );
}

// Render the scores in the table screen: the headline and each player's sums.
export function scoring(game) {
  const over = game.stage.phase === "over";
  const ranking = ranked(game);
  return h(
    "div",
    { class: `scoring ${over ? "final" : ""}`, "data-test": over ? "final" : "standing" },
    h("h2", {}, headline(game, ranking)),
    h("p", { class: "aside" }, reason(game, ranking)),
    ledgers(game, ranking),
    over
      ? h(
          "p",
          {},
          h(
            "a",
            { class: "button gold large", href: "#scores" },
            gamePage.words.heroPage ?? t("See the scores"),
          ),
          isHost() ? [" ", h("a", { class: "button large", href: "#new" }, t("Next game"))] : null,
        )
      : null,
  );
}

function ranked(game) {
  return [...game.scores].sort((a, b) => a.place - b.place || a.player - b.player);
}

// The line that names who leads, or who has won. ranking: scores with places. Pure.
export function headline(game, ranking) {
  const first = ranking.filter((score) => score.place === 1).map((score) => game.seats[score.player].name);
  const alone = first.length === 1;
  if (game.stage.phase === "over")
    return alone
      ? (gamePage.victory?.(first[0]) ?? t("{name} wins", { name: first[0] }))
      : t("{names} share the victory", { names: listed(first) });
  return alone ? t("{name} leads", { name: first[0] }) : t("{names} lead together", { names: listed(first) });
}

function reason(game, ranking) {
  const [first, second] = ranking;
  const { tied, victoryShared } = gamePage.words;
  if (second.place === 1)
    return game.stage.phase === "over"
      ? (victoryShared ?? t("Equal points: the victory is shared."))
      : (tied ?? t("Equal points."));
  const name = game.seats[second.player].name;
  if (first.total !== second.total)
    return tn(first.total - second.total, "Ahead of {name} by {n} point.", "Ahead of {name} by {n} points.", {
      name,
    });
  return t("As many points as {name}; ahead by {reason}.", { name, reason: second.tie_break ?? "" });
}

function places(game, ranking) {
  const most = Math.max(1, ...ranking.map((score) => score.total));
  return h(
    "ol",
    { class: "places", "aria-label": t("Ranking") },
    ranking.map((score, index) => {
      const seat = game.seats[score.player];
      const behind = ranking[0].total - score.total;
      return h(
        "li",
        {
          key: `place-${score.player}`,
          class: `place-row ${seat.figure} ${score.place === 1 ? "best" : ""}`,
          style: colourStyle(seat),
        },
        h("b", { class: "place-number" }, placeOf(game, score)),
        crest(seat),
        h(
          "span",
          { class: "place-who" },
          h("strong", { dir: "auto" }, seat.name),
          h(
            "span",
            { class: "bar", "aria-hidden": "true" },
            h("i", { style: { width: `${Math.max(0, (100 * score.total) / most).toFixed(1)}%` } }),
          ),
          game.open ? unsure(game, score) : gap(score, behind, ranking[index - 1], game),
        ),
        h("b", { class: "place-total" }, points(game, score)),
      );
    }),
  );
}

// Empty for a place that an unresolved reading may still change.
function placeOf(game, score) {
  const apart = ([least, most], [low, high]) => most < low || high < least;
  const { totals } = game.open ?? {};
  const certain =
    score.place === 1 ||
    !totals ||
    totals.every(
      (one, player) =>
        player === score.player || (one && totals[score.player] && apart(one, totals[score.player])),
    );
  return certain ? t("{place}.", { place: score.place }) : "";
}

function points(game, score) {
  if (!game.open) return signed(score.total);
  const totals = game.open.totals[score.player];
  return totals ? between(totals) : `${signed(score.total)} ?`;
}

function unsure(game, score) {
  const totals = game.open.totals[score.player];
  if (totals && totals[0] === totals[1]) return null;
  return h("small", {}, t("read as {n}, not confirmed yet", { n: signed(score.total) }));
}

function gap(score, behind, before, game) {
  if (behind)
    return h("small", {}, tn(behind, "{n} point behind the leader", "{n} points behind the leader"));
  if (score.place === 1 || !before) return null;
  return h("small", {}, tieLine(game, score, before));
}

// Why a player stands below another one with as many points, or beside them.
function tieLine(game, { tie_break: reason }, before) {
  const { name } = game.seats[before.player];
  return reason
    ? t("As many points as {name}, who has {reason}", { name, reason })
    : t("As many points as {name}", { name });
}

function ledgers(game, ranking) {
  return h(
    "ol",
    { class: "ledgers" },
    ranking.map((score, index) => ledger(game, score, ranking[index - 1])),
  );
}

function ledger(game, score, before) {
  const seat = game.seats[score.player];
  return h(
    "li",
    { key: `score-${score.player}`, class: `ledger ${score.place === 1 ? "best" : ""}` },
    h(
      "h3",
      {},
      h("b", { class: "place-won" }, placeOf(game, score)),
      crest(seat),
      h("span", {}, seat.name),
      h("b", { class: "total" }, points(game, score)),
    ),
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        score.lines.map((line) =>
          h(
            "tr",
            { key: line.id, class: line.count ? "" : "none" },
            h("th", { scope: "row" }, line.name),
            h("td", {}, times(line)),
            h("td", {}, signed(line.points)),
          ),
        ),
      ),
      h(
        "tfoot",
        {},
        h("tr", {}, h("th", { scope: "row" }, t("total")), h("td", {}), h("td", {}, signed(score.total))),
      ),
    ),
    before && !game.open && score.tie_break ? h("p", { class: "tie" }, tieLine(game, score, before)) : null,
  );
}

// "3 × 5" where each thing counts as many points, otherwise the number alone.
function times({ count, points }) {
  const each = points / count;
  return count && Number.isInteger(each) && each > 0 ? `${count} × ${each}` : count;
}

function plainHero(game, ranking, victory, why) {
  return h("section", { class: "hero", "data-test": "hero" }, heroTop(game, ranking, victory, why));
}
