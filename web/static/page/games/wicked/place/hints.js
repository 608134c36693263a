// Renders hints, if the host has switched them on, and the reminder of unused options at the end of a soul
// phase.

import { t } from "../../../core/text/i18n.js";
import { sendQuery, live } from "../../../core/live_channel.js";
import { desk } from "../../../place/move_options.js";
import { button } from "../../../core/components/basic_components.js";
import { h } from "../../../../vendor/preact.js";
import { say } from "../../../core/navigation.js";
import { RANKS, tokensOf } from "../words.js";

const PATIENCE = 3000; // ms to wait for a reminder

// Whether hints are on in this game.
function hinted() {
  return Boolean(live.view?.settings?.hints);
}

// Render a notice for everyone, spectators included, that hints are on.
export function hintsNotice() {
  return hinted()
    ? h(
        "p",
        { class: "hints-notice", "data-test": "hints-notice" },
        h("i", { "aria-hidden": "true" }, "◆"),
        t("Hints are on for everybody."),
      )
    : null;
}

// Render the hint button: the first tap shows the next step, the second all steps, the third hides them.
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
    return;
  }
  const { key } = desk;
  const answer = await sendQuery("hint", { game: game.id, seat: index });
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
  else say(answer.error.message || t("The hint did not arrive. Try again."), "wrong");
}

// Return {title, panel} of the hint in the dock: its next step, or all steps and their result.
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

// Whether something on the board is part of the hint or the reminder. what: {kind, rank, colour, spot, card}.
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

// Among equal tokens, the first ones of the row.
function among(player, what, rank, colour, number) {
  const first = tokensOf(player[what.rank]).indexOf(what.colour);
  return what.rank === rank && what.colour === colour && what.spot < first + number;
}

// Resolve to the reminder of unused options, or null if there are none or the answer takes too long.
export async function leftUndone(game, index) {
  if (!live.view?.settings?.reminders) return null;
  const answer = await sendQuery("forgotten", { game: game.id, seat: index }, PATIENCE);
  return answer.ok && answer.result.line ? answer.result : null;
}
