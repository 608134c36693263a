// The steps of the set-up: which of them a game has, and which are still needed.

import { gamePage } from "../core/game_page.js";
import { t } from "../core/text/i18n.js";
import { live } from "../core/live_channel.js";
import { inHands, known } from "./profile.js";

const STEPS = [
  {
    name: "camera",
    text: t("Camera"),
    done: () => known.view.calibrated || !isCameraMissing(),
  },
  {
    name: "sheet",
    text: t("Sheet"),
    applies: () => known.view?.sheet ?? true,
    done: () => known.view.calibrated,
  },
  {
    name: "pieces",
    text: t("Pieces"),
    applies: () => known.view?.kinds.some(({ kind }) => inHands(kind)) ?? true,
    done: () => known.view.kinds.every(({ kind, specimens }) => specimens || !inHands(kind)),
  },
  {
    name: "cards",
    text: t("Cards"),
    applies: () => Boolean(gamePage.setupSteps.cards),
    done: () => Boolean(known.view.deck.cards.length) && !known.view.deck.missing,
  },
  {
    name: "tokens",
    text: t("Tokens"),
    applies: () => known.view?.kinds.some(({ kind }) => !inHands(kind)) ?? true,
    optional: true,
    done: () =>
      !known.view.sheet || known.view.kinds.every(({ kind, specimens }) => specimens || inHands(kind)),
  },
  {
    name: "boards",
    text: t("Boards"),
    applies: () => Boolean(gamePage.setupSteps.boards),
    optional: true,
    done: () => known.view.boards.length >= known.view.kit.players.at(-1),
  },
];

// Return the steps that this game needs. applies: whether the game has such things.
export function steps() {
  return STEPS.filter(({ applies }) => applies?.() ?? true);
}

// Return the names of the steps that are still needed before the table can be read.
export function needed() {
  return known.view
    ? steps()
        .filter(({ done, optional }) => !optional && !done())
        .map(({ name }) => name)
    : [];
}

// Whether the camera sends no pictures; in a game that is entered by hand its state does not say so.
export function isCameraMissing() {
  const { state, message } = live.view.camera;
  return state === "no_camera" || (state === "by_hand" && Boolean(message));
}
