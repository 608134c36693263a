// The maze in the middle of the table and in a player's place: what changed last, what can be tapped, and
// what is proposed.

import { target } from "../../../core/components/drag_and_drop.js";
import { h } from "../../../../vendor/preact.js";
import { live } from "../../../core/live_channel.js";
import { isHost, say, ui } from "../../../core/navigation.js";
import { play } from "../../../place/move_options.js";
import { doubtsOf, waitingProposal } from "../../../table/question.js";
import { differingPlaces, wayBetween } from "./board.js";
import { laying } from "../entry/lay_board.js";
import { drawMaze } from "./maze.js";
import { correctablePlaces, correctsPlaces, mayCorrect } from "../entry/reading_correction.js";
import { canAct, openArrows, walks } from "../entry/turn.js";
import { t } from "../../../core/text/i18n.js";

// Return what is pointed out in a position: the line that was pushed last, the way of the latest turn, and
// the place of a promised turn. number: of the state, so that a line that moves in does so once.
export function marksOf(view, number = null) {
  const deal = view.deal ? { target: view.deal.place, arrows: [view.deal.arrow] } : {};
  if (view.pushed)
    return { ...deal, pushed: view.pushed.arrow, slides: number && `${view.pushed.arrow}-${number}` };
  const { latest } = view;
  if (!latest) return deal;
  return { ...deal, pushed: latest.shift.arrow, way: wayBetween(view.tiles, latest.start, latest.end) };
}

// Render the maze of the table. Players move at their own places, where the spare tile is shown.
export function tableMaze(game) {
  return h("div", { class: "ring maze-ring" }, maze(game, ui.screen !== "wall" && isHost()));
}

// Render the maze with what changed last. acts: whether this screen makes moves.
export function maze(game, acts) {
  const { view } = game;
  if (!view.tiles.length) return readBoard(game) ?? laying(game, acts);
  const more = { "data-test": "maze" };
  const turns = proposedTurns(game);
  const after = proposedView(game);
  const corrects = acts && correctsPlaces(game);
  if (turns.length === 1 && after) {
    const label = t("The maze after the proposed turn");
    const marks = { ...marksOf(after), ...asked(game) };
    const places = corrects ? correctablePlaces(game, after) : new Map();
    return drawMaze(after, { marks, more, places, kind: "proposed", label });
  }
  const marks = turns.length ? { arrows: arrowsOf(turns) } : marksOf(view, game.number);
  const wrong = live.view.camera.where ?? [];
  const free = acts && !corrects;
  return drawMaze(view, {
    more,
    marks: { ...marks, ...asked(game), wrong },
    arrows: free ? openArrows(game) : new Map(),
    places: corrects
      ? correctablePlaces(game, view)
      : free
        ? new Map([...(mayCorrect(game) ? correctablePlaces(game, view, wrong) : []), ...lit(game)])
        : new Map(),
    drop: (name) => target({ arrow: name }),
    refuse: free && canAct(game) ? (what) => say(refusalOf(game, what)) : null,
  });
}

// Why a tap on the closed arrow or on a place that is not lit does nothing.
function refusalOf({ view }, what) {
  if (what === "closed") return t("Not there: the spare tile came out here last.");
  return view.phase === "shift"
    ? t("First the spare tile is pushed in: tap an arrow.")
    : t("No path leads there from the wizard.");
}

// The position after an answer to the waiting question, as the companion publishes it; null without one.
export function proposedView(game, choice = 0) {
  return waitingProposal(game) ? (live.view.outcomes[choice] ?? null) : null;
}

// The board that the camera has read, with the places that are asked about; null without one.
function readBoard(game) {
  const boards = (waitingProposal(game)?.questions[0].choices ?? []).map(({ moves: [move] }) => move);
  const laid = proposedView(game);
  if (boards[0]?.type !== "lay_board" || !laid) return null;
  const marks = { doubtful: [...differingPlaces(boards), ...asked(game).doubtful] };
  const places = correctsPlaces(game) ? correctablePlaces(game, laid) : new Map();
  return drawMaze(laid, { marks, places, kind: "proposed", more: { "data-test": "maze" } });
}

// The answers to a waiting question about a turn, each as its moves.
function proposedTurns(game) {
  const choices = waitingProposal(game)?.questions[0].choices ?? [];
  return choices
    .map(({ moves }) => moves)
    .filter((moves) => moves.some(({ type }) => ["shift", "walk", "stay"].includes(type)));
}

// The arrows at which the spare may have been pushed in.
function arrowsOf(turns) {
  return turns.flatMap((moves) => moves.filter(({ type }) => type === "shift")).map(({ arrow }) => arrow);
}

// Places that the camera's question is about.
function asked(game) {
  const proposal = waitingProposal(game);
  return { doubtful: proposal ? doubtsOf(proposal).flatMap(({ where }) => where ?? []) : [] };
}

// Places where the move can end, each with what a tap on it does.
function lit(game) {
  return new Map(
    [...walks(game)].map(([place, move]) => [
      place,
      {
        label: move.type === "stay" ? t("Stay here") : null,
        takes: move.take ?? false,
        act: () => play(move),
      },
    ]),
  );
}
