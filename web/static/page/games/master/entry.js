// What to do now in a turn: the spare tile, the wizard's move, a wand, and the formula cards at the end.

import { t } from "../../core/i18n.js";
import { button } from "../../core/components.js";
import { live } from "../../core/live.js";
import { h } from "../../../vendor/preact.js";
import { store } from "../../core/store.js";
import { isHost } from "../../core/navigation.js";
import { play } from "../../place/move_options.js";
import { canTake, leaves, setLeaves, useWand, wandOf } from "./turn.js";
import { spareTile } from "./maze.js";

// asked: number of the state in which a host was asked whether the game ends, or null.
const ending = store({ asked: null });

// Render the entry by hand for the mover; null where nothing is to be done on this screen.
export function entry(game) {
  const { view } = game;
  if (view.phase === "formulas") return h("p", { class: "aside" }, t("Everybody shows their formula card."));
  if (!["shift", "walk"].includes(view.phase)) return null;
  const name = game.seats[view.mover].name;
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
    wandButton(game),
  );
}

// Render the button with which the player before uses a wand; null where this screen cannot.
export function wandButton(game) {
  const wand = wandOf(game);
  if (game.view.phase !== "shift" || wand === null) return null;
  return button(t("{name} uses a wand", { name: game.seats[wand].name }), () => useWand(wand), "", {
    disabled: live.busy,
    "data-test": "wand",
  });
}

// Render the button with which a host ends the game before all tokens are taken, after a question.
export function endButton(game) {
  if (!isHost() || !["shift", "walk"].includes(game.view.phase)) return null;
  if (ending.asked !== game.number)
    return button(t("End the game"), () => (ending.asked = game.number), "quiet", { "data-test": "end" });
  return [
    h("span", { key: "ask" }, t("Does everybody agree to end?")),
    button(t("End it now"), () => play({ type: "end_game" }), "", {
      disabled: live.busy,
      "data-test": "end-now",
    }),
    button(t("Play on"), () => (ending.asked = null), "quiet"),
  ];
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
