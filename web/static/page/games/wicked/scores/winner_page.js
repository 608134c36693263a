// Renders the hero's page after a game: the winner's board and the highlights in a few figures.

import { boardFace } from "../place/board.js";
import { heroTop, winnersOf } from "../../../scores/hero.js";
import { listed, t, tn } from "../../../core/text/i18n.js";
import { crest } from "../../../core/components/basic_components.js";
import { h } from "../../../../vendor/preact.js";

// Render the page. ranking: scores, best first; victory: the headline; reason: what decided.
export function hero(game, ranking, victory, reason) {
  return h(
    "section",
    { class: "hero", "data-test": "hero" },
    heroTop(game, ranking, victory, reason),
    h(
      "div",
      { class: "hero-boards" },
      winnersOf(ranking).map((score) => boardFace(game, score.player)),
    ),
    game.open
      ? null
      : h(
          "ul",
          { class: "story", "aria-label": t("The story in a few figures") },
          story(game).map(([name, seats, line]) =>
            h(
              "li",
              { key: name },
              h(
                "span",
                { class: "story-who" },
                seats.map((seat) => crest(game.seats[seat], "small")),
              ),
              h("span", {}, h("small", {}, name), h("strong", {}, line)),
            ),
          ),
        ),
  );
}

// Return the highlights as [title, seats, line]. Pure.
export function story(game) {
  const { deeds = [], rounds = [] } = game.chronicle ?? {};
  const names = (seats) => listed(seats.map((seat) => game.seats[seat].name));
  const figures = [];
  const firsts = best(deeds.map((one) => one.firsts));
  if (firsts.most > 0)
    figures.push([
      t("Most corridors won"),
      firsts.seats,
      t("{names}: {times}", {
        names: names(firsts.seats),
        times: tn(firsts.most, "{n} time 1st", "{n} times 1st"),
      }),
    ]);
  const hauls = deeds.map((one) => one.best);
  const haul = best(hauls.map((one) => (one ? one.fragments + one.spells - one.impurity : -Infinity)));
  if (haul.seats.length && haul.most > 0) {
    const [seat] = haul.seats;
    const one = hauls[seat];
    figures.push([
      t("Best reveal"),
      [seat],
      t("{name}, round {round}, corridor {corridor}: {gain} for {pieces}", {
        name: names([seat]),
        round: one.round,
        corridor: one.corridor,
        gain: gained(one),
        pieces: tn(one.hand.search, "{n} search piece", "{n} search pieces"),
      }),
    ]);
  }
  const leaps = rounds.flatMap((one, place) =>
    one.points.map((points, seat) => ({
      seat,
      round: one.round,
      by: points - (place ? rounds[place - 1].points[seat] : 0),
    })),
  );
  const leap = leaps.reduce((most, one) => (one.by > (most?.by ?? 0) ? one : most), null);
  if (leap)
    figures.push([
      t("Strongest round"),
      [leap.seat],
      tn(leap.by, "{name}, round {round}: {n} point more", "{name}, round {round}: {n} points more", {
        name: names([leap.seat]),
        round: leap.round,
      }),
    ]);
  const risen = best(deeds.map((one) => one.promotions));
  if (risen.most > 0)
    figures.push([
      t("Most promotions"),
      risen.seats,
      t("{names}: {times}", {
        names: names(risen.seats),
        times: tn(risen.most, "{n} token promoted", "{n} tokens promoted"),
      }),
    ]);
  const clean = best(game.scores.map((score) => -impurityOf(score)));
  figures.push([
    t("Purest soul"),
    clean.seats,
    t("{names}: {times}", {
      names: names(clean.seats),
      times: tn(-clean.most, "{n} impurity taken", "{n} impurity taken"),
    }),
  ]);
  return figures;
}

// Impurity that a player has taken.
function impurityOf({ lines }) {
  return lines.find(({ id }) => id === "impurity").count;
}

function best(numbers) {
  const most = Math.max(...numbers);
  return {
    most,
    seats: Number.isFinite(most) ? numbers.flatMap((one, seat) => (one === most ? [seat] : [])) : [],
  };
}

function gained(haul) {
  return listed(
    [
      haul.fragments ? tn(haul.fragments, "{n} fragment", "{n} fragments") : null,
      haul.spells ? tn(haul.spells, "{n} spell", "{n} spells") : null,
    ].filter(Boolean),
  );
}
