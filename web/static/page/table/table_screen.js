// Renders the table from above: the ring of cards, the players in their seats and what to do now.

import { boardsPanel, readBoards } from "../games/wicked/board_check.js";
import { correctionPanel, picture } from "./camera_view.js";
import { handStep } from "../games/wicked/entry/hand_entry.js";
import { byHand } from "../place/move_options.js";
import { countIn, countInButtons } from "../games/wicked/count_in.js";
import { DemoScreen, isDemo } from "../demo/demo_screen.js";
import { hintsTold } from "../games/wicked/place/hints.js";
import { undo } from "../history/history_screen.js";
import { t } from "../core/i18n.js";
import { live } from "../core/live.js";
import { button, cardBack, cardFace } from "../core/components.js";
import { plaque } from "./plaque.js";
import { ProposalPanel } from "./proposal.js";
import { waitingProposal } from "./question.js";
import { roundOver } from "./round_result.js";
import { h } from "../../vendor/preact.js";
import { store } from "../core/store.js";
import { outcomeTitle, searchedSlot, shownReveal } from "../games/wicked/shown_reveal.js";
import { scoring } from "../scores/scores_screen.js";
import { anglesFor } from "./seating.js";
import { isHost, openSheet } from "../core/navigation.js";

const KEPT = "companion.near";
// Grid areas of the seats, clockwise from the one nearest to this screen.
const AREAS = {
  3: ["near", "left", "right"],
  4: ["near", "left", "far", "right"],
  5: ["near", "left-near", "left-far", "right-far", "right-near"],
};
// near: index of the seat that is drawn at the lower edge.
const view = store({ near: Number(localStorage.getItem(KEPT)) || 0 });

// Render the table screen.
export function TableScreen({ game }) {
  if (isDemo()) return h(DemoScreen, { game });
  if (game.stage.phase === "over")
    return h("section", { class: "people wide" }, scoring(game), boardsPanel(game), nextStep(game));
  const blind = ["preparing", "no_camera", "by_hand"].includes(live.view.camera.state);
  return [
    around(game),
    h(
      "section",
      {
        class: `doing ${waitingProposal(game) ? "asking" : ""} ${blind && isHost() ? "blind" : ""}`,
        "aria-label": t("What to do now"),
      },
      blind || !isHost() ? null : picture(),
      h(
        "div",
        { class: "to-do" },
        correctionPanel(),
        h(ProposalPanel, { game }),
        byHand() ? null : boardsPanel(game),
        handPlace(game),
        nextStep(game),
      ),
    ),
    countIn(),
  ];
}

// Render the table alone, without controls, for a screen on the wall.
export function WallScreen({ game }) {
  if (game.stage.phase === "over") return h("section", { class: "people wide" }, scoring(game));
  return [around(game, false), countIn()];
}

function around(game, controls = true) {
  const seats = game.seats.length;
  const turned = view.near % seats;
  const angles = anglesFor(seats);
  return h(
    "section",
    { class: `around for-${seats}`, "aria-label": t("The table") },
    h(
      "div",
      { class: "centre" },
      ring(game, angles[turned] / 360),
      h(
        "div",
        { class: "under-ring", role: "status" },
        h("p", { key: heading(game), class: "quiet-title" }, heading(game)),
        game.view.phase === "soul" ? hintsTold() : null,
      ),
      controls ? turner(seats) : null,
      controls && isHost() ? seatsButton() : null,
    ),
    h(
      "ol",
      { class: "rows" },
      game.seats.map((_, index) => {
        const place = (index - turned + seats) % seats;
        const angle = ((angles[index] - angles[turned]) * Math.PI) / 180;
        return plaque(
          game,
          index,
          { where: AREAS[seats][place], towards: [-Math.sin(angle), Math.cos(angle)] },
          controls,
        );
      }),
    ),
  );
}

// Rotates the view by one seat, so that each screen can show the table from its own side.
function turner(seats) {
  const turn = () => {
    view.near = (view.near + 1) % seats;
    try {
      localStorage.setItem(KEPT, String(view.near));
    } catch {
      // Without storage the rotation is lost on reload.
    }
  };
  return h(
    "button",
    {
      type: "button",
      class: "turner",
      onclick: turn,
      title: t("Turn the table"),
      "aria-label": t("Turn the table"),
    },
    h("i", { "aria-hidden": "true" }),
  );
}

function seatsButton() {
  const title = t("Where everybody sits");
  const open = () => openSheet({ kind: "seats" });
  return h(
    "button",
    {
      type: "button",
      class: "seats-button",
      onclick: open,
      title,
      "aria-label": title,
      "data-test": "where-they-sit",
    },
    h("i", { "aria-hidden": "true" }),
  );
}

// turned: angle of the near seat from the sheet's bottom edge, as a fraction of a full turn.
function ring(game, turned) {
  const { state } = game;
  const cards = state.corridors;
  const at = searchedSlot(state);
  const now = at === null ? null : cards[at];
  const reveal = shownReveal(game);
  // The large card in the middle is the one whose outcome is shown.
  const large = reveal && !reveal.proposed ? reveal.outcome.card : now;
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
      return h(
        "span",
        {
          key: `${index}${id}`,
          class: `laid ${done ? "done" : ""} ${id === now ? "now" : ""}`,
          style: place(index / cards.length - turned),
        },
        done ? cardBack("corridor") : cardFace(state.deck, id),
        h("b", {}, index + 1),
      );
    }),
    large
      ? h(
          "span",
          { key: large, class: `current ${large === now ? "" : "given"}` },
          cardFace(state.deck, large),
        )
      : null,
  );
}

function heading(game) {
  const reveal = shownReveal(game);
  const { state } = game;
  if (reveal?.proposed) return t("As the camera reads it");
  if (reveal) return outcomeTitle(reveal.outcome);
  const over = roundOver(game);
  if (over) return t("After round {round}", over);
  if (state.phase === "soul") return t("Everybody processes their souls");
  return t("Nobody has revealed yet");
}

// Where a host enters hands and gains without a camera.
function handPlace(game) {
  const step = isHost() && byHand() ? handStep(game) : null;
  return step ? h("div", { key: "hand-place", class: "hand-place" }, step) : null;
}

function nextStep(game) {
  const { phase } = game.view;
  const proposed = waitingProposal(game) !== null;
  const last = game.history.at(-1);
  const host = isHost();
  return h(
    "div",
    { class: "next-step" },
    h(
      "div",
      { key: "actions", class: "step-actions" },
      phase === "search" && !proposed && countInButtons(),
      host &&
        !byHand() &&
        phase === "search" &&
        !proposed &&
        button(t("Enter the reveal by hand"), () => enterReveal(game), "", {
          key: "by-hand",
          "data-test": "by-hand",
        }),
      host &&
        !byHand() &&
        (phase === "deal" || phase === "lay") &&
        !proposed &&
        button(
          phase === "deal" ? t("Pick the oracles by hand") : t("Pick the corridors by hand"),
          () => openSheet({ kind: "laying", picked: [] }),
          "gold",
          { key: "pick", "data-test": "pick" },
        ),
    ),
    last &&
      h(
        "div",
        { key: "last", class: "step-last" },
        host
          ? button(t("Undo"), () => undo(game), "quiet", {
              key: "undo",
              title:
                last.number === game.number
                  ? t("Undo: {move}", { move: last.text })
                  : t("Undo the latest entry"),
              disabled: live.busy,
              "data-test": "undo",
            })
          : null,
        ["lay", "search"].includes(phase) && !proposed && !byHand() ? readBoards() : null,
        h("span", { key: `last-${last.number}`, class: "last-line" }, last.text),
      ),
  );
}

function enterReveal(game) {
  const { state } = game;
  const last = state.corridor === state.corridors.length - 1;
  const hands = state.players.map((player) => (last ? { ...player.held } : { search: 0, witch: 0, soul: 0 }));
  openSheet({ kind: "reveal", mode: "play", hands, seat: 0 });
}
