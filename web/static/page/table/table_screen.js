// Renders the table from above: the players in their seats round what the game shows in the middle, and what
// to do now.

import { correctionPanel, picture } from "./camera_view.js";
import { byHand } from "../place/move_options.js";
import { DemoScreen, isDemo } from "../demo/demo_screen.js";
import { undo } from "../history/undo.js";
import { t } from "../core/text/i18n.js";
import { live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { plaque } from "./plaque.js";
import { captionOf, middle } from "./plain_table.js";
import { ProposalPanel } from "./proposal.js";
import { waitingProposal } from "./question.js";
import { h } from "../../vendor/preact.js";
import { scoring } from "../scores/scores_screen.js";
import { nearSeat, turnTable, turnedTo } from "./near_seat.js";
import { anglesFor } from "./seating.js";
import { isHost, openSheet } from "../core/navigation.js";

// Grid areas of the seats, clockwise from the one nearest to this screen.
const AREAS = {
  1: ["near"],
  2: ["near", "far"],
  3: ["near", "left", "right"],
  4: ["near", "left", "far", "right"],
  5: ["near", "left-near", "left-far", "right-far", "right-near"],
};

// Component: the table screen.
export function TableScreen({ game }) {
  if (isDemo()) return h(DemoScreen, { game });
  if (game.stage.phase === "over")
    return h("section", { class: "people wide" }, scoring(game), gamePage.comparison?.(game), nextStep(game));
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
        byHand() ? null : gamePage.comparison?.(game),
        handPlace(game),
        nextStep(game),
      ),
    ),
    gamePage.overlay?.(),
  ];
}

// Component: the table alone, without controls, for a screen on the wall.
export function WallScreen({ game }) {
  return [
    h("a", { key: "back", class: "wall-back", href: "#table", "aria-label": t("Back to the table") }, "‹"),
    game.stage.phase === "over"
      ? h("section", { key: "scores", class: "people wide" }, scoring(game))
      : [around(game, false), gamePage.overlay?.()],
  ];
}

function around(game, controls = true) {
  const seats = game.seats.length;
  const near = nearSeat(game);
  const angles = anglesFor(seats);
  const caption = gamePage.caption?.(game) ?? captionOf(game);
  return h(
    "section",
    { class: `around for-${seats}`, "aria-label": t("The table") },
    h(
      "div",
      { class: "centre" },
      gamePage.middle?.(game, turnedTo(game, near)) ?? middle(game),
      h(
        "div",
        { class: "under-ring", role: "status" },
        h("p", { key: caption, class: "quiet-title" }, caption),
        gamePage.notice?.(game),
      ),
      controls ? turner(game) : null,
      controls && isHost() ? seatsButton() : null,
    ),
    h(
      "ol",
      { class: "rows" },
      game.seats.map((_, index) => {
        const place = (index - near + seats) % seats;
        const angle = ((angles[index] - angles[near]) * Math.PI) / 180;
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

// Turns the table on this screen.
function turner(game) {
  return h(
    "button",
    {
      type: "button",
      class: "turner",
      onclick: () => turnTable(game),
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

// Where a host enters moves without a camera, or beside one.
function handPlace(game) {
  if (!isHost() || !(byHand() || gamePage.entersByHand?.(game))) return null;
  const step = gamePage.handStep?.(game);
  return step ? h("div", { key: "hand-place", class: "hand-place" }, step) : null;
}

function nextStep(game) {
  const last = game.history.at(-1);
  return h(
    "div",
    { class: "next-step" },
    h("div", { key: "actions", class: "step-actions" }, gamePage.steps?.(game)),
    last &&
      h(
        "div",
        { key: "last", class: "step-last" },
        isHost()
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
        gamePage.readButton?.(game),
        h("span", { key: `last-${last.number}`, class: "last-line" }, last.text),
      ),
  );
}
