// Hints, where the host has them on, and the reminder of what lies open when somebody is done with their
// souls.

import { t } from "../../core/i18n.js";
import { inquire, live } from "../../core/live.js";
import { desk } from "../../table/options.js";
import { button } from "../../core/parts.js";
import { h } from "../../core/render.js";
import { draw, say } from "../../core/stage.js";
import { RANKS, tokensOf } from "../../core/words.js";

const PATIENCE = 3000; // ms: nobody waits longer for a reminder

export function hinted() {
  return Boolean(live.view?.settings?.hints);
}

// Everybody at the table shall know, also who only looks on.
export function hintsTold() {
  return hinted()
    ? h(
        "p",
        { class: "hints-told", "data-test": "hints-told" },
        h("i", { "aria-hidden": "true" }, "◆"),
        t("Hints are on for everybody."),
      )
    : null;
}

// One button: the next step at the first tap, all of them at the second, none at the third.
export function hintButton(game, index) {
  if (!hinted() || desk.moves) return null;
  const text = !desk.hint
    ? t("Hint")
    : desk.hint.all || desk.hint.steps.length < 2
      ? t("Hide")
      : t("All steps");
  return button(text, () => tapped(game, index), "quiet hint", {
    "aria-expanded": String(Boolean(desk.hint)),
    "data-test": "hint",
  });
}

async function tapped(game, index) {
  if (desk.hint) {
    desk.hint = desk.hint.all || desk.hint.steps.length < 2 ? null : { ...desk.hint, all: true };
    draw();
    return;
  }
  const { key } = desk;
  const answer = await inquire("hint", { game: game.id, seat: index });
  if (desk.key !== key) return;
  if (answer.ok)
    Object.assign(desk, {
      hint: { ...answer.result, all: false },
      picked: null,
      moves: null,
      why: null,
      sure: false,
      left: null,
    });
  else say(answer.error.message || t("The hint did not come. Try again."), "wrong");
  draw();
}

// What the dock shows of a hint: its next step, or each of them, and what they come to.
export function hintShown() {
  const { steps, line, all } = desk.hint;
  if (!steps.length) return { title: line, panel: null };
  if (!all) return { title: [steps[0].text, t(".")], panel: h("p", { class: "aside" }, line) };
  return {
    title: line,
    panel: h(
      "ol",
      { class: "hint-steps" },
      steps.map(({ text }) => h("li", {}, text)),
    ),
  };
}

// Whether a thing of the board is what the hint or the reminder speaks of.
export function marked(player, what) {
  const moves = desk.left ? desk.left.moves : desk.hint?.steps.slice(0, 1).map(({ move }) => move);
  return Boolean(moves?.some((move) => concerns(move, player, what)));
}

function concerns(move, player, what) {
  if (what.kind === "oracle") return move.card === what.card;
  if (what.kind === "promotion") return move.type === "cast_promotion";
  if (what.kind === "colour_change") return move.type === "cast_colour_change";
  const { rank, colour } = move.lift ?? { rank: move.swap?.rank, colour: move.swap?.old };
  const used = move.type === "promote" ? 2 : 1;
  if (among(player, what, rank, colour, used)) return true;
  return (
    Boolean(move.lift?.displaced) &&
    among(player, what, RANKS[RANKS.indexOf(rank) + 1], move.lift.displaced, 1)
  );
}

// Of tokens that are alike the first ones of their row.
function among(player, what, rank, colour, number) {
  const first = tokensOf(player[what.rank]).indexOf(what.colour);
  return what.rank === rank && what.colour === colour && what.spot < first + number;
}

// What somebody who wants to be done leaves undone; empty where nothing is, and where no answer comes soon.
export async function leftUndone(game, index) {
  if (!live.view?.settings?.reminders) return null;
  const answer = await inquire("forgotten", { game: game.id, seat: index }, PATIENCE);
  return answer.ok && answer.result.line ? answer.result : null;
}
