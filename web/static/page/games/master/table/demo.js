// What the demonstration shows of this game: captions, the maze as it was read, what each player holds.

import { crest } from "../../../core/components/basic_components.js";
import { t, tn } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { candidates, doubtsOf, waitingProposal } from "../../../table/question.js";
import { h } from "../../../../vendor/preact.js";
import { caption as turnCaption } from "../entry/entry.js";
import { drawMaze } from "../maze/maze.js";
import { marksOf, proposedView } from "../maze/table_maze.js";
import { tokenList, wandPictures } from "../tokens.js";

// Return the large line with what happens now, and the small one with the reason.
function caption(game) {
  const proposal = waitingProposal(game);
  if (!proposal) return withoutQuestion(game);
  const [{ text }] = candidates(proposal);
  const doubts = doubtsOf(proposal);
  if (proposal.certain && !doubts.length)
    return [text, t("The camera is sure. A new picture confirms it, then it counts.")];
  return [
    doubts.map(({ question }) => question).join(" ") || t("Which is right?"),
    t("The camera is not sure, so the companion asks. Somebody at the table answers."),
  ];
}

function withoutQuestion(game) {
  const { camera, director } = live.view;
  if (camera.state === "preparing")
    return [t("The simulated table is being made ready…"), t("It takes a few seconds.")];
  const reading = t("Reading: the board is found by its fixed tiles, then tiles, tokens and wizards.");
  return [turnCaption(game), camera.state === "reading" ? reading : director.doing];
}

// Render the maze as it was read.
function side(game) {
  const view = proposedView(game) ?? game.view;
  if (!view.tiles.length) return null;
  return h("div", { class: "demo-maze" }, drawMaze(view, { marks: marksOf(view, game.number) }));
}

// Render what a player holds.
function player(game, seat) {
  const { tokens, wands } = game.view.players[seat];
  return h(
    "li",
    { key: `demo-${seat}`, class: `demo-player ${game.view.mover === seat ? "first" : ""}` },
    crest(game.seats[seat], "small"),
    h(
      "span",
      { class: "demo-who" },
      h("strong", {}, game.seats[seat].name),
      h("small", {}, tn(game.scores[seat].total, "{n} point", "{n} points")),
    ),
    h("span", { class: "demo-wands", "aria-label": tn(wands, "{n} wand", "{n} wands") }, wandPictures(wands)),
    h("div", { class: "demo-tokens" }, tokenList(tokens, t("Tokens held"))),
  );
}

// Return the two lines at the end. director: its figures.
function ending({ shown, answers_needed: asked, unread }) {
  return [
    t("That was a whole game."),
    tn(
      shown - unread,
      "{n} turn was read from the picture; {asked} needed confirmation.",
      "{n} turns were read from the picture; {asked} needed confirmation.",
      { asked },
    ),
  ];
}

export const demo = { caption, side, player, ending };
