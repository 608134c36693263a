// The entry of this game's page: hands its parts over to the shared page and starts it.

import { begin } from "../../app.js";
import { late } from "../../core/components/late_component.js";
import { BoardsSheet, boardsPanel } from "./board_check.js";
import { countIn } from "./count_in.js";
import { OracleSheet } from "./entry/card_description.js";
import { LayingSheet } from "./entry/card_picker.js";
import { followEntry, handStep } from "./entry/hand_entry.js";
import { RevealSheet } from "./entry/reveal_sheet.js";
import { figures } from "./figures.js";
import { changedThings } from "./history/changed_things.js";
import { chapters } from "./history/chapters.js";
import { legend } from "./legend.js";
import { mayBeMissing, mayInsert, moveEditor } from "./history/move_editor.js";
import { replayClass, replaySeat, replayTable } from "./history/replayed_state.js";
import { person } from "./place/player_place.js";
import { concerning, undoable } from "./place/own_moves.js";
import { hero } from "./scores/winner_page.js";
import { kindName, kindSign, pieceOf, wordName, wordSign } from "./kinds.js";
import { followReveals } from "./shown_reveal.js";
import { caption as demoCaption, ending, player, side } from "./table/demo_parts.js";
import { seatClasses, seatContent } from "./table/plaque_content.js";
import { answer, correct, isDrawn, pictureText } from "./table/read_proposal.js";
import { caption, notice, readButton, ring, steps } from "./table/ring.js";
import { phaseWords } from "./words.js";
import { t } from "../../core/text/i18n.js";

begin({
  title: t("The Wicked Labyrinth"),
  fileName: "wicked-labyrinth",
  emblem: "/art/tile.svg",
  figures,
  words: {
    welcome: t("Who enters the labyrinth?"),
    camera: t("A camera above the table reads every reveal."),
    hand: t("Tap what everybody reveals. It needs no camera."),
    byHand: t("After each reveal, tap what everybody shows. Ranks, gains and scores follow by themselves."),
    places: t("Boards"),
    ownPlace: t("My board"),
    spectator: t("You are a spectator: you see the table, but have no board."),
    heroPage: t("The hero's page"),
    tied: t("Equal in every tie-breaker."),
    victoryShared: t("Equal in every tie-breaker: the victory is shared."),
  },
  sheets: { oracle: OracleSheet, reveal: RevealSheet, laying: LayingSheet, boards: BoardsSheet },
  screens: { scoring: late(() => import("./scoring/scoring_screen.js"), "ScoringScreen") },
  follow: (game) => {
    followReveals(game);
    followEntry(game);
  },
  heading: ({ view }) => phaseWords(view),
  middle: ring,
  caption,
  notice,
  seatClasses,
  seatContent,
  steps,
  handStep,
  comparison: boardsPanel,
  readButton,
  overlay: countIn,
  together: ({ view }) => view.phase === "search",
  proposal: { answer, correct, isDrawn, pictureText },
  place: person,
  concerning,
  undoable,
  chapters,
  replayTable,
  replayClass,
  replaySeat,
  editor: moveEditor,
  mayInsert,
  mayBeMissing,
  changed: changedThings,
  hero,
  legend,
  victory: (name) => t("{name} wins the labyrinth", { name }),
  keepsakeIcons: Object.fromEntries(
    [
      ["low", "low"],
      ["middle", "middle"],
      ["high", "high"],
      ["great", "points5"],
      ["small", "points2"],
      ["impurity", "impurity"],
    ].map(([id, icon]) => [id, `/art/icon/${icon}.svg`]),
  ),
  setupSteps: {
    cards: late(() => import("../../setup/cards_step.js"), "CardsStep"),
    boards: late(() => import("../../setup/boards_step.js"), "BoardsStep"),
  },
  cardSheet: "/art/print/deck.pdf",
  cardPictures: {
    "back:corridor": "/art/back/corridor.svg",
    "back:great": "/art/back/great.svg",
    "back:small": "/art/back/small.svg",
    tile: "/art/tile.svg",
  },
  wordName,
  wordSign,
  kindName,
  kindSign,
  pieceOf,
  settings: {
    hints: t(
      "In the soul phase, players can ask for the best moves on their own board. Everybody sees whether hints are on.",
    ),
    reminders: t(
      "Before you finish your souls, you are reminded once of what you could still do, such as promoting a pair.",
    ),
  },
  demo: { caption: demoCaption, ending, player, side },
});
