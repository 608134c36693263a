// The maze in the middle of the table and in a player's place: what changed last, what can be tapped, and
// what is proposed.

import { target } from "../../../core/drag.js";
import { h } from "../../../../vendor/preact.js";
import { live } from "../../../core/live.js";
import { ui } from "../../../core/navigation.js";
import { play } from "../../../place/move_options.js";
import { doubtsOf, waitingProposal } from "../../../table/question.js";
import { differingPlaces, wayBetween } from "./board.js";
import { laying } from "../entry/lay_board.js";
import { angleFor, drawMaze } from "./maze.js";
import { openArrows, walks } from "../entry/turn.js";
import { t } from "../../../core/i18n.js";

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

// Render the maze of the table. turned: how far the table is turned on this screen, as a fraction of a full
// turn.
export function tableMaze(game, turned = 0) {
  return h("div", { class: "ring maze-ring" }, content(game, angleFor(turned), ui.screen !== "wall"));
}

// Render the maze of a player's place, from that player's side. acts: whether this screen moves for the
// player.
export function ownMaze(game, turned, acts) {
  return content(game, angleFor(turned), acts);
}

function content(game, angle, acts) {
  const { view } = game;
  if (!view.tiles.length) return readBoard(game, angle) ?? laying(game, angle);
  const more = { "data-test": "maze" };
  const turns = proposedTurns(game);
  const after = proposedView(game);
  if (turns.length === 1 && after) {
    const label = t("The maze after the proposed turn");
    const marks = { ...marksOf(after), ...asked(game) };
    return drawMaze(after, { angle, marks, more, kind: "proposed", label });
  }
  const marks = turns.length ? { arrows: arrowsOf(turns) } : marksOf(view, game.number);
  return drawMaze(view, {
    angle,
    more,
    marks: { ...marks, ...asked(game), wrong: live.view.camera.where ?? [] },
    arrows: acts ? openArrows(game) : new Map(),
    places: acts ? lit(game) : new Map(),
    drop: (name) => target({ arrow: name }),
  });
}

// The position after an answer to the waiting question, as the companion publishes it; null without one.
export function proposedView(game, choice = 0) {
  return waitingProposal(game) ? (live.view.outcomes[choice] ?? null) : null;
}

// The board that the camera has read, with the places that are asked about; null without one.
function readBoard(game, angle) {
  const boards = (waitingProposal(game)?.questions[0].choices ?? []).map(({ moves: [move] }) => move);
  const laid = proposedView(game);
  if (boards[0]?.type !== "lay_board" || !laid) return null;
  const marks = { doubtful: [...differingPlaces(boards), ...asked(game).doubtful] };
  return drawMaze(laid, { angle, marks, kind: "proposed", more: { "data-test": "maze" } });
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
