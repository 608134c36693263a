// What the demonstration shows of this game: captions, the corridor, each player's gains.

import { cardFace, icon, token } from "../pieces.js";
import { shownReveal } from "../shown_reveal.js";
import { PLACES, RANKS, tokensOf } from "../words.js";
import { t, tn } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { crest } from "../../../core/components/basic_components.js";
import { candidates, doubtsOf, waitingProposal } from "../../../table/question.js";
import { h } from "../../../../vendor/preact.js";

// Return the large line with what happens now, and the small one with the reason.
export function caption(game) {
  const { camera, director } = live.view;
  const proposal = waitingProposal(game);
  const { view } = game;
  if (view.phase === "deal" || (view.phase === "lay" && view.round === 1))
    return [t("The table is laid."), t("The camera watches it all the time.")];
  if (camera.state === "preparing")
    return [t("The simulated table is being made ready…"), t("It takes a few seconds.")];
  if (proposal) return proposed(game, proposal);
  if (view.phase === "search") return searching(game, camera.state);
  if (view.phase === "gain")
    return [
      t("{name} chooses.", { name: game.seats[game.waiting_for[0]]?.name ?? "" }),
      t("A white fragment becomes any colour; a full low row keeps six tokens."),
    ];
  if (view.phase === "soul") return [t("Everybody processes their souls."), director.doing];
  return [director.doing, game.history.at(-1)?.text ?? ""];
}

function proposed(game, proposal) {
  const [{ move, text }] = candidates(proposal);
  const doubts = doubtsOf(proposal);
  if (!proposal.certain || doubts.length) {
    const questions = doubts.map(({ question }) => question).join(" ");
    return [
      questions || t("Which is right?"),
      t("The camera is not sure, so the companion asks. Somebody at the table answers."),
    ];
  }
  const read =
    move.type === "reveal"
      ? move.hands.map((hand, seat) => `${game.seats[seat].name} ${hand.search}`).join(" · ")
      : text;
  return [read, t("The camera is sure. A new picture confirms it, then it counts.")];
}

function searching({ view, history }, camera) {
  const number = view.corridor + 1;
  if (camera === "reading")
    return [t("Reading…"), t("Pieces are found in each hand and distinguished by their colours.")];
  if (camera === "settling")
    return [
      t("Corridor {number}: everybody reveals.", { number }),
      t("The camera waits until nothing moves."),
    ];
  if (camera === "hands")
    return [
      t("Corridor {number}: everybody reveals.", { number }),
      t("Closed hands come in, and all open at once."),
    ];
  return [history.at(-1)?.text ?? "", t("Next is corridor {number}.", { number })];
}

// Render the corridor that the numbers beside it belong to: the last revealed one stays until the next one is
// read.
export function side(game) {
  const { corridors, corridor: number, phase, outcome, deck } = game.view;
  if (phase !== "search" && phase !== "gain") return h("div", { class: "demo-corridor" });
  const now = shownReveal(game)?.proposed === false ? outcome.card : corridors[number];
  return h(
    "div",
    { class: "demo-corridor" },
    cardFace(deck, now, { key: now }),
    h("p", { class: "aside" }, t("Most pieces take both halves, second-most take the lower half.")),
  );
}

// Render what a player has revealed and gained, or the board.
export function player(game, seat) {
  const boards = game.view.phase === "soul" || live.view.director.over;
  const reveal = boards ? null : shownReveal(game);
  const hand = reveal?.hands[seat];
  const gain = reveal?.outcome?.gains[seat];
  const doubt = Boolean(reveal?.doubts.some((one) => one.seat === seat));
  return h(
    "li",
    { key: `demo-${seat}`, class: `demo-player ${gain?.place ?? ""} ${reveal?.proposed ? "proposed" : ""}` },
    crest(game.seats[seat], "small"),
    h(
      "span",
      { class: "demo-who" },
      h("strong", {}, game.seats[seat].name),
      h("small", {}, tn(game.scores[seat].total, "{n} point", "{n} points")),
    ),
    boards
      ? h(
          "span",
          { class: "demo-gains" },
          RANKS.map((rank) =>
            tokensOf(game.view.players[seat][rank]).map((colour) => token(colour, rank, "tiny")),
          ),
        )
      : null,
    hand ? h("b", { class: "number" }, doubt ? `${hand.search}?` : hand.search) : null,
    hand
      ? h(
          "span",
          { class: "demo-signs" },
          hand.witch ? icon("sign:witch") : null,
          hand.soul ? icon("sign:soul") : null,
        )
      : null,
    hand ? h("b", { class: "place-won" }, gain ? PLACES[gain.place] : "—") : null,
    gain
      ? h(
          "span",
          { class: "demo-gains" },
          gains(gain).map((name) => icon(name)),
        )
      : null,
  );
}

function gains(gain) {
  return [...Array(gain.impurity).fill("impurity"), ...gain.sign_elements, ...gain.card_elements];
}

// Return the two lines at the end. director: its figures.
export function ending({ shown, answers_needed: asked, corrections_needed: corrected, unread }) {
  const read = shown - unread;
  return [
    t("That was one round."),
    unread || corrected
      ? tn(
          read,
          "{n} reveal was read from the picture; {asked} needed confirmation.",
          "{n} reveals were read from the picture; {asked} needed confirmation.",
          { asked },
        )
      : tn(
          read,
          "{n} reveal was read from the picture; {asked} needed confirmation. Every count came from the camera alone.",
          "{n} reveals were read from the picture; {asked} needed confirmation. Every count came from the camera alone.",
          { asked },
        ),
  ];
}
