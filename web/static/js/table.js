// The table: the corridor searched now, the ring of this round, everybody's count, rank and gains, what to do.

import { picture } from "./camera.js";
import { t, tn } from "./i18n.js";
import { live, send } from "./live.js";
import { button, cardBack, cardFace, crest, icon, token } from "./pieces.js";
import { proposalPanel } from "./proposal.js";
import { h } from "./render.js";
import { scoring } from "./scores.js";
import { carryOut, openSheet } from "./stage.js";
import { correctEntry, undo } from "./history.js";
import { PLACES, RANKS, REASONS, tokensOf } from "./words.js";

const SPEEDS = [1, 2, 5, 20];

export function tableScreen(game) {
  const { state } = game;
  if (state.phase === "over") return h("section", { class: "people wide" }, scoring(game), nextStep(game), director());
  const blind = ["preparing", "no_camera"].includes(live.view.camera.state) && !live.view.director;
  return [
    h("section", { class: `place ${blind ? "blind" : ""}` }, ring(game), blind ? null : picture(), director()),
    h(
      "section",
      { class: "people" },
      heading(game),
      h("ol", { class: "rows" }, game.seats.map((_, index) => row(game, index))),
      proposalPanel(game),
      nextStep(game),
    ),
  ];
}

// What a reveal shows now: the one that is proposed, else the one entered last.
export function shownReveal(game) {
  const { proposal, outcomes } = live.view;
  const move = proposal?.number === game.number ? proposal.candidates[0].move : null;
  if (move?.type === "reveal") return { hands: move.hands, outcome: outcomes[0], proposed: true, doubts: proposal.doubts };
  const { outcome } = game.state;
  return outcome ? { hands: outcome.hands, outcome, proposed: false, doubts: [] } : null;
}

function ring(game) {
  const { state } = game;
  const cards = state.corridors;
  const now = state.phase === "search" ? cards[state.corridor] : null;
  return h(
    "div",
    { class: "ring", role: "group", "aria-label": t("This round's corridors, clockwise from the witch's head") },
    h("img", { class: "labyrinth", src: "/art/tile.svg", alt: "" }),
    cards.map((id, index) => {
      const done = state.phase !== "search" || index < state.corridor;
      const angle = (360 * index) / cards.length;
      return h(
        "span",
        {
          key: `${index}${id}`,
          class: `laid ${done ? "done" : ""} ${id === now ? "now" : ""}`,
          style: { "--sin": Math.sin((angle * Math.PI) / 180).toFixed(4), "--cos": Math.cos((angle * Math.PI) / 180).toFixed(4) },
        },
        done ? cardBack("corridor") : cardFace(state.deck, id),
        h("b", {}, index + 1),
      );
    }),
    now ? h("span", { key: now, class: "current" }, cardFace(state.deck, now)) : null,
  );
}

function heading(game) {
  const reveal = shownReveal(game);
  const { state } = game;
  let text = t("Nobody has revealed yet");
  if (state.phase === "soul") text = t("Everybody processes their souls");
  else if (reveal?.proposed) text = t("As the camera reads it");
  else if (state.phase === "gain") text = t("What this corridor gives");
  else if (reveal) text = t("What the last corridor gave");
  return h("h2", { class: "quiet-title" }, text);
}

function row(game, index) {
  const seat = game.seats[index];
  const player = game.state.players[index];
  const soul = game.state.phase === "soul";
  const reveal = soul ? null : shownReveal(game);
  const place = reveal?.outcome?.gains[index]?.place;
  const doubt = reveal?.doubts.find((one) => one.seat === index);
  return h(
    "li",
    { key: `row-${index}`, class: `row-seat ${seat.colour} ${place ?? ""} ${reveal && !reveal.proposed && game.state.phase === "search" ? "past" : ""}` },
    h(
      "a",
      { class: "who", href: `#player/${index}` },
      crest(seat),
      h("span", {}, h("strong", {}, seat.name), h("small", {}, tn(game.scores[index].total, "{n} point", "{n} points"))),
    ),
    soul ? summary(player) : [tally(game, index, reveal, doubt), result(player, index, reveal)],
    action(game, index),
  );
}

function tally(game, index, reveal, doubt) {
  const seat = game.seats[index];
  if (!reveal) return h("span", { class: "tally" }, h("span", { class: "left" }, tn(game.state.players[index].held.search, "{n} piece in hand", "{n} pieces in hand")));
  const hand = reveal.hands[index];
  return h(
    "button",
    {
      type: "button",
      class: `tally ${doubt ? "doubt" : ""}`,
      "aria-label": tn(hand.search, "{name}: {n} search piece. Correct it", "{name}: {n} search pieces. Correct it", { name: seat.name }),
      onclick: () => correct(game, index),
    },
    h("b", { class: "number" }, doubt ? `${hand.search}?` : hand.search),
    h("span", { class: "signs" }, Array(hand.witch).fill(icon("sign:witch")), Array(hand.soul).fill(icon("sign:soul"))),
  );
}

function result(player, index, reveal) {
  const outcome = reveal?.outcome;
  if (!outcome) return h("span", { class: "result" });
  const gain = outcome.gains[index];
  return h(
    "span",
    { class: "result" },
    h("b", { class: "place-won" }, gain ? PLACES[gain.place] : "—"),
    h(
      "span",
      { class: "why" },
      gain && gains(gain),
      h("span", { class: "reason" }, REASONS[outcome.reasons[index]] ?? ""),
    ),
  );
}

// Signs first, then the card, as they are taken (W6); alike ones are counted.
function gains(gain) {
  const signs = [...Array(gain.impurity).fill("impurity"), ...gain.sign_elements];
  return h(
    "span",
    { class: "gains" },
    counted(signs),
    signs.length ? h("i", { class: "then" }) : null,
    counted(gain.card_elements),
  );
}

function counted(names) {
  return [...new Set(names)].map((name) => {
    const times = names.filter((one) => one === name).length;
    return h("span", { class: "gain" }, times > 1 ? `${times}×` : null, icon(name));
  });
}

function summary(player) {
  return h(
    "span",
    { class: "summary" },
    RANKS.map((rank) => h("span", { class: "summary-rank" }, tokensOf(player[rank]).map((colour) => token(colour, rank, "small")))),
    h("span", { class: "summary-rank" }, Array(player.promotion).fill(icon("promotion")), Array(player.colour_change).fill(icon("colour_change"))),
  );
}

function action(game, index) {
  const { phase } = game.state;
  if (phase !== "soul" && phase !== "gain") return null;
  const waits = game.waiting_for.includes(index);
  if (waits) return h("a", { class: "button gold choose", href: `#player/${index}` }, phase === "soul" ? t("Souls") : t("Choose"));
  return phase === "soul" ? h("span", { class: "done-mark" }, t("done")) : null;
}

// Correct a count: before it is taken, amend what is proposed; after, put another reveal in its place.
function correct(game, index) {
  const { proposal } = live.view;
  const reveal = shownReveal(game);
  if (reveal.proposed) openSheet({ kind: "reveal", mode: "amend", proposal: proposal.id, hands: reveal.hands, seat: index });
  else correctEntry(game, index);
}

function nextStep(game) {
  const { phase } = game.state;
  const proposed = live.view.proposal?.number === game.number;
  const last = game.history.at(-1);
  return h(
    "div",
    { class: "next-step" },
    phase === "search" && !proposed && button(t("Enter the reveal by hand"), () => enterReveal(game), "", { "data-test": "by-hand" }),
    (phase === "deal" || phase === "lay") && !proposed &&
      button(phase === "deal" ? t("Pick the oracles by hand") : t("Pick the corridors by hand"), () => openSheet({ kind: "laying", picked: [] }), "gold", { "data-test": "pick" }),
    last && button(t("Undo"), () => undo(game), "quiet", { title: t("Take back: {move}", { move: last.text }), disabled: live.busy, "data-test": "undo" }),
    last && h("span", { class: "last-line" }, last.text),
  );
}

function enterReveal(game) {
  const { state } = game;
  const last = state.corridor === state.corridors.length - 1;
  const hands = state.players.map((player) => (last ? { ...player.held } : { search: 0, witch: 0, soul: 0 }));
  openSheet({ kind: "reveal", mode: "play", hands, seat: null });
}

function director() {
  const shown = live.view.director;
  if (!shown) return null;
  const tell = (event, fields) => () => carryOut(send(event, fields));
  return h(
    "div",
    { class: "director", role: "group", "aria-label": t("The simulated table") },
    button(shown.running ? t("Pause") : t("Play"), tell("director_run", { on: !shown.running }), "", { "data-test": "run" }),
    button(t("Step"), tell("director_step", {}), "quiet", { disabled: shown.running }),
    h("span", { class: "speeds" }, SPEEDS.map((speed) =>
      h("button", { type: "button", class: "segment", "aria-pressed": String(shown.speed === speed), "aria-label": t("{speed} times as fast", { speed }), onclick: tell("director_speed", { speed }) }, `${speed}×`),
    )),
    h("small", {}, shown.doing, shown.reveals ? [" ", tn(shown.reveals, "{n} reveal: {asked} asked about, {corrected} put right, {unread} by hand.", "{n} reveals: {asked} asked about, {corrected} put right, {unread} by hand.", { asked: shown.answers_needed, corrected: shown.corrections_needed, unread: shown.unread })] : ""),
  );
}
