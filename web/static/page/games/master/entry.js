// What to do now in a turn: the spare tile, the wizard's move, a wand, and the formula cards at the end.

import { t } from "../../core/i18n.js";
import { button } from "../../core/components.js";
import { live } from "../../core/live.js";
import { h } from "../../../vendor/preact.js";
import { canTake, leaves, setLeaves, useWand, wandOf } from "./turn.js";
import { spareTile } from "./maze.js";

// Render the entry by hand for the mover; null where nothing is to be done on this screen.
export function entry(game) {
  const { view } = game;
  if (view.phase === "formulas") return h("p", { class: "aside" }, t("Everybody shows their formula card."));
  if (!["shift", "walk"].includes(view.phase)) return null;
  const name = game.seats[view.mover].name;
  const wand = wandOf(game);
  return h(
    "div",
    { class: "hand-step maze-step" },
    view.phase === "shift" ? spareTile(game) : null,
    h(
      "p",
      { class: "question" },
      view.phase === "shift"
        ? t("{name}: turn the spare tile, then tap an arrow.", { name })
        : t("{name}: tap a lit place.", { name }),
    ),
    view.phase === "walk" && canTake(game)
      ? h(
          "label",
          { class: "row" },
          h("input", {
            type: "checkbox",
            checked: leaves(game),
            onchange: (event) => setLeaves(game, event.currentTarget.checked),
          }),
          t("Leave the token lying"),
        )
      : null,
    view.phase === "shift" && wand !== null
      ? button(t("{name} uses a wand", { name: game.seats[wand].name }), () => useWand(game, wand), "", {
          disabled: live.busy,
          "data-test": "wand",
        })
      : null,
  );
}

// Return the line below the maze.
export function caption(game) {
  const { view } = game;
  if (view.phase === "over") return t("The game is over.");
  if (view.phase === "formulas") return t("Everybody shows their formula card.");
  const name = game.seats[view.mover].name;
  const [next] = view.tokens[0] ?? [];
  const turn = view.extra ? t("{name} has an extra turn", { name }) : t("{name}'s turn", { name });
  return next === undefined ? turn : t("{turn}; the next token is {number}", { turn, number: next });
}
