// A player's own place: tokens, wands, the formula card, and the maze while it is the player's turn.

import { t, tn } from "../../core/i18n.js";
import { button } from "../../core/components.js";
import { live } from "../../core/live.js";
import { store } from "../../core/store.js";
import { mayAct } from "../../place/move_options.js";
import { h } from "../../../vendor/preact.js";
import { FORMULAS } from "./formulas.js";
import { entry, wandButton } from "./entry.js";
import { maze } from "./maze.js";
import { noteFormula, ownFormula } from "./turn.js";

// shown: whether the own formula card is uncovered.
const card = store({ shown: false });

// Render the place of a player.
export function place(game, seat) {
  const player = game.view.players[seat];
  const moves = game.view.mover === seat && ["shift", "walk"].includes(game.view.phase);
  return h(
    "div",
    { class: "own-place maze-place", "data-test": "maze-place" },
    maze(game),
    moves && mayAct(seat) ? entry(game) : null,
    game.view.wand_of === seat && !moves ? wandButton(game) : null,
    h(
      "section",
      { class: "panel", "aria-label": game.seats[seat].name },
      h("p", {}, tn(player.wands, "{n} wand", "{n} wands")),
      h(
        "ul",
        { class: "held-tokens", "aria-label": t("Tokens held") },
        player.tokens.map((number) => h("li", { key: number }, number)),
      ),
      player.tokens.length ? null : h("p", { class: "aside" }, t("No token yet.")),
    ),
    mayAct(seat) ? formula(game, seat) : null,
  );
}

// The formula card: uncovered for a moment on the own device, noted where it is not known yet.
function formula(game, seat) {
  const player = game.view.players[seat];
  const ended = ["formulas", "over"].includes(game.view.phase);
  if (player.formula && (ended || ownFormula(seat)))
    return h(
      "section",
      { class: "panel", "aria-label": t("Formula card") },
      card.shown || ended
        ? h("p", { class: "formula" }, player.formula.join(" · "))
        : h("p", { class: "aside" }, t("Your formula card is covered.")),
      ended
        ? null
        : button(card.shown ? t("Cover it") : t("Show it"), () => (card.shown = !card.shown), "quiet"),
    );
  if (player.noted) return h("p", { class: "aside" }, t("The formula card is noted."));
  if (!ended && !ownFormula(seat)) return null;
  const choose = (numbers) => noteFormula(seat, numbers);
  return h(
    "section",
    { class: "panel", "aria-label": t("Formula card") },
    h("p", {}, t("Which formula card is it?")),
    h(
      "ul",
      { class: "formulas" },
      FORMULAS.map((numbers) =>
        h(
          "li",
          { key: numbers.join() },
          button(numbers.join(" · "), () => choose(numbers), "", {
            disabled: live.busy,
            "data-test": `formula-${numbers.join("-")}`,
          }),
        ),
      ),
    ),
  );
}
