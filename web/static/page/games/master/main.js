// The entry of this game's page: hands its parts over to the shared page and starts it.

import { begin } from "../../app.js";
import { t } from "../../core/i18n.js";
import { ProposalPanel } from "../../table/proposal.js";
import { h } from "../../../vendor/preact.js";
import { DealSheet } from "./deal.js";
import { demo } from "./demo.js";
import { caption, entry, notice, steps } from "./entry.js";
import { figures } from "./figures.js";
import { HoldingsSheet } from "./holdings.js";
import { MissedTurns } from "./missed_turns.js";
import { place } from "./player_place.js";
import { answer, correct } from "./proposals.js";
import { LiesSheet } from "./reading_correction.js";
import { chapters, replaySeat, replayTable } from "./replay.js";
import { hero, scoresNotice } from "./scores.js";
import { seatClasses, seatContent } from "./seat.js";
import { tokensStep } from "./tokens_step.js";
import { tableMaze } from "./table_maze.js";
import { seatToMove } from "./turn.js";
import { turnEditor } from "./turn_editor.js";

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
  middle: tableMaze,
  caption,
  notice,
  seatContent,
  seatClasses,
  handStep: entry,
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
  lessons: { tokens: tokensStep },
  victory: (name) => t("{name} masters the labyrinth", { name }),
});
