// Renders the middle of the table: the ring of corridors, what it shows now, and what to do next.

import { readBoards } from "../board_check.js";
import { countInButtons } from "../count_in.js";
import { openLaying } from "../entry/open_cards.js";
import { hintsNotice } from "../place/hints.js";
import { cardBack, cardFace } from "../pieces.js";
import { roundOver } from "../round_result.js";
import { outcomeTitle, searchedSlot, shownReveal } from "../shown_reveal.js";
import { openRevision } from "../../../history/revision.js";
import { t } from "../../../core/text/i18n.js";
import { button } from "../../../core/components/basic_components.js";
import { isHost, openSheet, ui } from "../../../core/navigation.js";
import { byHand } from "../../../place/move_options.js";
import { waitingProposal } from "../../../table/question.js";
import { h } from "../../../../vendor/preact.js";

// Render the ring. turned: angle of the near seat from the sheet's bottom edge, as a fraction of a full turn.
export function ring(game, turned) {
  const { view } = game;
  const cards = view.corridors;
  const at = searchedSlot(view);
  const now = at === null ? null : cards[at];
  const reveal = shownReveal(game);
  // The large card in the middle is the one whose outcome is shown.
  const large = reveal && !reveal.proposed ? reveal.outcome.card : now;
  const corrects = isHost() && ui.screen !== "wall";
  const place = (part) => ({
    "--sin": Math.sin(2 * Math.PI * part).toFixed(4),
    "--cos": Math.cos(2 * Math.PI * part).toFixed(4),
  });
  return h(
    "div",
    {
      class: "ring",
      role: "group",
      "aria-label": t("This round's corridors, clockwise from the witch's head"),
    },
    h("img", { class: "labyrinth", src: "/art/tile.svg", alt: "" }),
    cards.map((id, index) => {
      const done = at === null || index < at;
      const entry = corrects && done ? entryOf(game.history, index) : null;
      return h(
        entry ? "button" : "span",
        {
          key: `${index}${id}`,
          type: entry ? "button" : null,
          class: `laid ${done ? "done" : ""} ${id === now ? "now" : ""}`,
          style: place(index / cards.length - turned),
          "aria-label": entry ? t("Corridor {number}: correct it", { number: index + 1 }) : null,
          onclick: entry ? () => openRevision(entry.number) : null,
        },
        done ? cardBack("corridor") : cardFace(view.deck, id),
        h("b", {}, index + 1),
      );
    }),
    large
      ? h(
          "span",
          { key: large, class: `current ${large === now ? "" : "given"}` },
          cardFace(view.deck, large),
        )
      : null,
  );
}

// The entry of a corridor that this round has searched, if the history has it.
function entryOf(history, index) {
  const round = history.findLastIndex(({ type }) => type === "lay");
  return history.slice(round + 1).filter(({ type }) => type === "reveal")[index];
}

// Return the line below the ring.
export function caption(game) {
  const reveal = shownReveal(game);
  if (reveal?.proposed) return t("As the camera reads it");
  if (reveal) return outcomeTitle(reveal.outcome, !reveal.proposed && game.view.phase === "search");
  const over = roundOver(game);
  if (over) return t("Round {round} is over", over);
  if (game.view.phase === "soul") return t("Everybody processes their souls");
  return t("Nobody has revealed yet");
}

// Render what is added to the line in the soul phase.
export function notice(game) {
  return game.view.phase === "soul" ? hintsNotice() : null;
}

// Render the buttons of what comes next.
export function steps(game) {
  const { phase } = game.view;
  if (waitingProposal(game) !== null) return null;
  const byCamera = isHost() && !byHand();
  return [
    phase === "search" && countInButtons(),
    byCamera &&
      phase === "search" &&
      button(t("Enter the reveal by hand"), () => enterReveal(game), "", {
        key: "by-hand",
        "data-test": "by-hand",
      }),
    byCamera &&
      (phase === "deal" || phase === "lay") &&
      button(
        phase === "deal" ? t("Pick the oracles by hand") : t("Pick the corridors by hand"),
        () => openLaying(game),
        "gold",
        { key: "pick", "data-test": "pick" },
      ),
  ];
}

// Render the button that requests a reading of the boards, while they are at rest.
export function readButton(game) {
  if (byHand() || waitingProposal(game) !== null) return null;
  return ["lay", "search"].includes(game.view.phase) ? readBoards() : null;
}

function enterReveal(game) {
  const { view } = game;
  const last = view.corridor === view.corridors.length - 1;
  const hands = view.players.map((player) => (last ? { ...player.held } : { search: 0, witch: 0, soul: 0 }));
  openSheet({ kind: "reveal", mode: "play", hands, seat: 0, settled: [] });
}
