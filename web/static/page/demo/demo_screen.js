// Renders the demonstration: the large camera picture, a caption that explains what happens, and each
// player's gains.

import { picture } from "../table/camera_view.js";
import { t, tn } from "../core/i18n.js";
import { command, live, send } from "../core/live.js";
import { button, cardFace, crest, icon, token } from "../core/components.js";
import { h } from "../../vendor/preact.js";
import { candidates, doubtsOf, waitingProposal } from "../table/question.js";
import { shownReveal } from "../games/wicked/shown_reveal.js";
import { carryOut, go, isHost } from "../core/navigation.js";
import { PLACES, RANKS, tokensOf } from "../core/vocabulary.js";

// Whether this device shows the demonstration; without the simulated table it is a game like any other.
export function isDemo() {
  return live.view.settings?.way === "demo" && Boolean(live.view.director) && isHost();
}

// Render the screen of the demonstration.
export function DemoScreen({ game }) {
  const { over } = live.view.director;
  return h(
    "section",
    { class: "demo", "data-test": "demo" },
    h("div", { class: "demo-seen" }, picture(), over ? ending() : caption(game)),
    h(
      "div",
      { class: "demo-side" },
      corridor(game),
      h(
        "ol",
        { class: "demo-players" },
        game.seats.map((_, seat) => playerRow(game, seat)),
      ),
    ),
    controls(),
  );
}

// One large line with what happens now, and a small one with the reason.
function caption(game) {
  const [title, about] = captionTexts(game);
  return h(
    "div",
    { class: "demo-caption", role: "status", "data-test": "caption" },
    h("strong", {}, title),
    h("span", {}, about),
  );
}

function captionTexts(game) {
  const { camera, director } = live.view;
  const proposal = waitingProposal(game);
  const { state } = game;
  if (state.phase === "deal" || (state.phase === "lay" && state.round === 1))
    return [t("The table is laid."), t("The camera watches it all the time.")];
  if (camera.state === "preparing")
    return [t("The simulated table is being made ready…"), t("It takes a few seconds.")];
  if (proposal) return proposed(game, proposal);
  if (state.phase === "search") return searching(game, camera.state);
  if (state.phase === "gain")
    return [
      t("{name} chooses.", { name: game.seats[game.waiting_for[0]]?.name ?? "" }),
      t("A white fragment becomes any colour; a full low row keeps six tokens."),
    ];
  if (state.phase === "soul") return [t("Everybody processes their souls."), director.doing];
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

function searching({ state, history }, camera) {
  const number = state.corridor + 1;
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

// The corridor that the numbers beside it belong to: the last revealed one stays until the next one is read.
function corridor(game) {
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

function playerRow(game, seat) {
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

function controls() {
  const { running, over } = live.view.director;
  if (over)
    return h(
      "footer",
      { class: "demo-controls" },
      button(t("Play your own game"), ownGame, "gold", { "data-test": "own-game" }),
      button(t("Watch again"), again, "", { disabled: live.busy, "data-test": "again" }),
    );
  return h(
    "footer",
    { class: "demo-controls" },
    button(running ? t("Pause") : t("Resume"), () => carryOut(send("director_run", { on: !running })), "", {
      disabled: live.busy,
      "data-test": "run",
    }),
    button(t("Watch again"), again, "quiet", { disabled: live.busy, "data-test": "again" }),
    button(t("Play your own game"), ownGame, "quiet", { "data-test": "own-game" }),
  );
}

function ending() {
  const { reveals, answers_needed: asked } = live.view.director;
  return h(
    "div",
    { class: "demo-caption demo-end", "data-test": "demo-end" },
    h("strong", {}, t("That was one round.")),
    h(
      "span",
      {},
      tn(
        reveals,
        "{n} reveal was read from the picture; {asked} needed confirmation. Every count came from the camera alone.",
        "{n} reveals were read from the picture; {asked} needed confirmation. Every count came from the camera alone.",
        { asked },
      ),
    ),
  );
}

function again() {
  return carryOut(command("show_me"));
}

async function ownGame() {
  if (live.view.director.running) await carryOut(send("director_run", { on: false }));
  go("#new");
}
