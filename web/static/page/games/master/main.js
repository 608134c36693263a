// The entry of this game's page: hands its parts over to the shared page and starts it.

import { begin } from "../../app.js";
import { late } from "../../core/components/late_component.js";
import { t } from "../../core/text/i18n.js";
import { ProposalPanel } from "../../table/proposal.js";
import { h } from "../../../vendor/preact.js";
import { DealSheet } from "./entry/deal.js";
import { demo } from "./table/demo.js";
import { caption, entersByHand, entry, notice, steps } from "./entry/entry.js";
import { figures } from "./figures.js";
import { HoldingsSheet } from "./entry/holdings.js";
import { followLaying } from "./entry/lay_board.js";
import { LiesSheet } from "./entry/reading_correction.js";
import { MissedTurns } from "./scores/missed_turns.js";
import { place } from "./place/player_place.js";
import { answer, correct } from "./entry/proposals.js";
import { chapters, replaySeat, replayTable } from "./history/replay.js";
import { hero, scoresNotice } from "./scores/scores.js";
import { seatClasses, seatContent } from "./table/seat.js";
import { tableMaze } from "./maze/table_maze.js";
import { followTurn, seatToMove } from "./entry/turn.js";
import { turnEditor } from "./history/turn_editor.js";

begin({
  title: t("Master Labyrinth"),
  fileName: "master-labyrinth",
  figures,
  words: {
    welcome: t("Who enters the maze?"),
    byHand: t(
      "Lay the board as the screen shows it. Then tap each turn: an arrow, and the place where it ends.",
    ),
  },
  sheets: { deal: DealSheet, holdings: HoldingsSheet, lies: LiesSheet },
  follow: (game) => {
    followLaying(game);
    followTurn(game);
  },
  middle: tableMaze,
  caption,
  notice,
  seatContent,
  seatClasses,
  handStep: entry,
  entersByHand,
  steps,
  proposal: { answer, correct },
  // Once the game is over, the camera still counts tokens.
  comparison: (game) => (game.stage.phase === "over" ? h(ProposalPanel, { game }) : null),
  place,
  chapters,
  replayTable,
  replaySeat,
  editor: turnEditor,
  hero,
  scoresNotice,
  afterScores: (game) => (game.stage.phase === "over" ? h(MissedTurns, { game }) : null),
  demo,
  seatToMove,
  setupSteps: { tokens: late(() => import("../../setup/ordered_step.js"), "OrderedStep") },
  victory: (name) => t("{name} masters the labyrinth", { name }),
});
