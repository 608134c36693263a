// What to do now in a turn: the spare tile, the wizard's move, a wand or a tip, and the formula cards at
// the end.

import { t } from "../../../core/text/i18n.js";
import { button } from "../../../core/components/basic_components.js";
import { live } from "../../../core/live_channel.js";
import { h } from "../../../../vendor/preact.js";
import { store } from "../../../core/store.js";
import { isHost, openSheet } from "../../../core/navigation.js";
import { byHand, mayAct, play } from "../../../place/move_options.js";
import { arrowName, placeName } from "../maze/board.js";
import { beginDeal } from "./deal.js";
import { holdingsButton } from "./holdings.js";
import { layingTools } from "./lay_board.js";
import { correctionStep, correctsPlaces, isChoosing } from "./reading_correction.js";
import { spareTiles } from "../maze/spare.js";
import { tokenName } from "../tokens.js";
import {
  canAct,
  canTake,
  leaves,
  openArrows,
  push,
  setLeaves,
  spare,
  turnSpare,
  useWand,
  walks,
  wandOf,
} from "./turn.js";

// asked: number of the state in which a host was asked whether the game ends, or null; byHand: id of the game
// whose turns are entered by hand although a camera reads them, or null.
const state = store({ asked: null, byHand: null });

// Enter turns by hand although a camera reads them.
export function enterByHand(game) {
  state.byHand = game.id;
}

// Return whether turns are entered by hand although a camera reads them.
export function entersByHand(game) {
  return state.byHand === game.id;
}

// Render the entry by hand for the mover; null where nothing is to be done on this screen. seat: whose place
// it is, null at the table.
export function entry(game, seat = null) {
  const { view } = game;
  if (view.phase === "board") return layingTools(game);
  if (!["shift", "walk"].includes(view.phase)) return null;
  const name = game.seats[view.mover].name;
  const shifting = view.phase === "shift";
  return h(
    "div",
    { class: "hand-step maze-step" },
    shifting
      ? spareTiles(view.spare, spare(game), turnSpare, {
          disabled: !canAct(game),
          drag: dragOf(game),
        })
      : null,
    promised(game) ??
      h(
        "p",
        { class: "question" },
        shifting
          ? [
              game.history.length || !byHand() ? null : t("Lay your board as it is drawn here."),
              t("{name}: turn the spare tile, then tap an arrow.", { name }),
            ]
              .filter(Boolean)
              .join(" ")
          : mustStay(game)
            ? t("{name}: no path leads away. Tap the wizard to stay.", { name })
            : t("{name}: tap a lit place.", { name }),
      ),
    !shifting && canTake(game)
      ? h(
          "label",
          { class: "leave-token" },
          h("input", {
            type: "checkbox",
            checked: leaves(),
            onchange: (event) => setLeaves(event.currentTarget.checked),
            "data-test": "leave",
          }),
          t("Leave the token lying"),
        )
      : null,
    h(
      "span",
      { class: "maze-step-more" },
      dealButton(game),
      seat === null || seat === view.wand_of ? wandButton(game) : null,
    ),
  );
}

// Whether the wizard cannot leave its place.
function mustStay(game) {
  const all = [...walks(game).values()];
  return all.length === 1 && all[0].type === "stay";
}

// A rotation that is dragged to an arrow is pushed in there.
function dragOf(game) {
  return {
    takes: (_, { arrow }) => openArrows(game).has(arrow),
    drop: (openings, { arrow }) => {
      turnSpare(openings);
      push(game, arrow);
    },
  };
}

// Render the button with which the player before uses a wand; null where this screen cannot.
export function wandButton(game) {
  const wand = wandOf(game);
  if (game.view.phase !== "shift" || wand === null || game.view.deal) return null;
  return button(t("{name}: use a wand", { name: game.seats[wand].name }), () => useWand(wand), "quiet", {
    disabled: live.busy,
    "data-test": "wand",
  });
}

// Render the button that opens the form of a tip; null where the mover cannot accept one here.
function dealButton(game) {
  const { view } = game;
  if (view.phase !== "shift" || view.deal || !mayAct(view.mover)) return null;
  return button(
    t("Pay a rival for a tip"),
    () => {
      beginDeal(game);
      openSheet({ kind: "deal" });
    },
    "quiet",
    { disabled: live.busy, "data-test": "deal" },
  );
}

// Render what the mover has promised for this turn; null without a promise.
export function promised(game) {
  const { deal } = game.view;
  if (!deal) return null;
  return h(
    "p",
    { class: "promised", role: "status", "data-test": "promised" },
    t("{rival} gets {what} if the spare goes in {arrow} and the turn ends on {place}.", {
      rival: game.seats[deal.rival].name,
      what: deal.token === null ? t("a wand") : t("token {number}", { number: deal.token }),
      arrow: arrowName(deal.arrow),
      place: placeName(deal.place),
    }),
  );
}

// Render the buttons of what comes next: corrections, entry by hand beside a camera, the end of the game.
export function steps(game) {
  if (!isHost()) return null;
  if (["formulas", "over"].includes(game.view.phase)) return holdingsButton(game);
  if (isChoosing(game)) return correctionStep(game);
  if (state.asked === game.number) return endQuestion();
  if (byHand()) return endButton(game);
  if (entersByHand(game)) return [leaveToCamera(game), endButton(game)];
  return [
    correctionStep(game),
    button(t("Enter by hand"), () => enterByHand(game), "quiet", { key: "by-hand", "data-test": "by-hand" }),
    endButton(game),
  ];
}

// The button that ends the entry by hand beside a camera; null while the board is laid, since its tools take
// the room.
function leaveToCamera(game) {
  if (game.view.phase === "board") return null;
  return button(t("Leave it to the camera"), () => (state.byHand = null), "quiet", {
    key: "by-camera",
    "data-test": "by-camera",
  });
}

// The button with which a host ends the game before all tokens are taken, after a question.
function endButton(game) {
  if (game.view.phase === "board") return null;
  return button(t("End the game"), () => (state.asked = game.number), "quiet", {
    key: "end",
    "data-test": "end",
  });
}

function endQuestion() {
  return [
    h("span", { key: "ask", class: "end-question" }, t("Does everybody agree to end?")),
    button(t("End it now"), () => play({ type: "end_game" }), "", {
      key: "end-now",
      disabled: live.busy,
      "data-test": "end-now",
    }),
    button(t("Play on"), () => (state.asked = null), "quiet", { key: "play-on", "data-test": "play-on" }),
  ];
}

// Render what the camera has found wrong on the board; null where it has found nothing.
export function notice() {
  const { where = [], message } = live.view.camera;
  const ended = live.game?.view.phase === "formulas" && message;
  return where.length || ended ? h("p", { class: "wrong-line", "data-test": "wrong-line" }, message) : null;
}

// Return the line below the maze.
export function caption(game) {
  const { view } = game;
  if (view.phase === "over") return t("The game is over.");
  if (correctsPlaces(game)) return t("Read wrongly? Tap the place.");
  if (view.phase === "formulas")
    return byHand() || view.counted
      ? t("Everybody shows their formula card.")
      : t("The tokens are counted, then show your cards.");
  if (view.phase === "board") return t("Lay the board at random, then tap it in.");
  const name = game.seats[view.mover].name;
  const [next] = view.tokens[0] ?? [];
  const turn = view.extra ? t("{name} has an extra turn", { name }) : t("{name}'s turn", { name });
  return next === undefined ? turn : t("{turn}; next: {token}", { turn, token: tokenName(next) });
}
