// Renders the scoring of a game that was played without the companion: its boards one by one, then the
// winner.

import { listed, t, tn, signed } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { button, crest } from "../../../core/components/basic_components.js";
import { h } from "../../../../vendor/preact.js";
import { useEffect } from "../../../../vendor/preact-hooks.js";
import { ui } from "../../../core/navigation.js";
import { scored } from "../../../scores/scores_screen.js";
import { scoresheet } from "./score_sheet.js";
import { boardPlace, shot } from "./scoring_board.js";
import {
  ADD,
  board,
  byHand,
  clear,
  countingOf,
  editor,
  finish,
  look,
  nextOpen,
  photograph,
  play,
  show,
  twice,
  watch,
} from "./scoring_state.js";
import { between } from "../../../core/text/vocabulary.js";
import { ANIMAL_NAMES, COLOURS, PLAYER_COLOURS, RANKS } from "../words.js";

// Render the scoring screen for its hash.
export function ScoringScreen() {
  const { asked, view } = editor;
  useEffect(() => {
    if (!asked) watch();
  }, [asked]);
  if (!view) return h("p", { class: "opening", role: "status" }, t("Loading the boards…"));
  if (!view.players) return beginning();
  if (ui.path[1] === "winner" && view.sure) return winner(view);
  // Without a camera model only numbers can be entered; otherwise pictures come first.
  if (ui.path[1] === "numbers" || (view.unread && !view.boards.length && ui.path[1] !== "boards"))
    return scoresheet(view.players, sheetWays(view));
  const one = board();
  return [
    tabs(view),
    one ? boardPlace(one, seatOf(one), view.scores[view.boards.indexOf(one)]) : adding(view),
    dock(view, one),
  ];
}

function seatOf({ name, colour }) {
  if (name !== colour) return { name, figure: colour };
  const animal = ANIMAL_NAMES[colour];
  return { name: animal[0].toUpperCase() + animal.slice(1), figure: colour };
}

function beginning() {
  return h(
    "section",
    { class: "scoring-begin" },
    h("img", { class: "labyrinth", src: "/art/tile.svg", alt: "" }),
    h("h2", {}, t("Just score us")),
    h(
      "p",
      {},
      t(
        "Leave everything where it lies. Photograph each board from above with its cards and tiles beside it, or fill it in by hand: the companion adds up and says who wins.",
      ),
    ),
    h("h3", {}, t("How many played?")),
    h(
      "div",
      { class: "how-many" },
      [3, 4, 5].map((players) =>
        button(h("b", {}, players), () => play(players), "", {
          key: players,
          disabled: live.busy,
          "data-test": `players-${players}`,
          "aria-label": t("{number} players", { number: players }),
        }),
      ),
    ),
  );
}

// Render the choice of how many play. least: the number of boards that are there.
function playersChoice(tag, players, least = 0) {
  return h(
    tag,
    { class: "segments", role: "radiogroup", "aria-label": t("Players") },
    [3, 4, 5].map((number) =>
      h(
        "button",
        {
          key: number,
          type: "button",
          role: "radio",
          class: "segment",
          "aria-checked": String(number === players),
          disabled: live.busy || number < least,
          onclick: () => play(number),
        },
        t("{number} players", { number }),
      ),
    ),
  );
}

function sheetWays({ players, unread }) {
  return h(
    "p",
    { class: "row" },
    playersChoice("span", players),
    h(
      "a",
      { class: "button quiet", href: "#scoring/boards" },
      unread ? t("Board by board") : t("Photograph the boards"),
    ),
  );
}

function tabs({ boards, scores, missing }) {
  const label = missing ? t("Add a board") : t("Players");
  return h(
    "nav",
    { key: "tabs", class: "people-tabs", "aria-label": t("Boards") },
    boards.map((one, index) => {
      const seat = seatOf(one);
      return h(
        "button",
        {
          key: one.id,
          type: "button",
          class: "person",
          "aria-current": editor.shown === one.id ? "page" : null,
          "aria-label": tabName(seat, one, scores[index]),
          onclick: () => show(one.id),
        },
        crest(seat, "small"),
        h("span", {}, seat.name),
        h("b", {}, one.totals ? between(one.totals) : signed(scores[index].total)),
        countingOf(one).length ? h("i", { class: "mark" }, "?") : null,
      );
    }),
    h(
      "button",
      {
        key: "add",
        type: "button",
        class: "person add",
        "aria-current": editor.shown === ADD ? "page" : null,
        "data-test": "add",
        "aria-label": label,
        onclick: () => show(ADD),
      },
      h("i", { class: "plus", "aria-hidden": "true" }, missing ? "+" : "…"),
      boards.length > 2 ? h("span", {}, label) : label,
    ),
  );
}

function tabName(seat, one, score) {
  const values = { name: seat.name };
  const points = tn(score.total, "{name}: {n} point", "{name}: {n} points", values);
  return countingOf(one).length ? t("{points}, something to check", { points }) : points;
}

function adding(view) {
  const { boards, players, missing, unread } = view;
  const taken = boards.map(({ colour }) => colour);
  const sees = !["no_camera", "preparing"].includes(live.view.camera.state);
  return h(
    "div",
    { key: "adding", class: "scoring-adding" },
    h(
      "section",
      { class: "panel" },
      h(
        "h2",
        {},
        missing
          ? t("Board {number} of {players}", { number: boards.length + 1, players })
          : t("All boards are there"),
      ),
      unread
        ? h("p", { class: "why-not", role: "status" }, unread)
        : [
            h(
              "p",
              { class: "aside" },
              t(
                "Hold the phone level above the board, so that its oracle cards and impurity are in the picture, too. One picture may show several boards.",
              ),
            ),
            h(
              "div",
              { class: "ways-in" },
              shot(t("Photograph a board"), "gold large", (files) => photograph(files), {
                "data-test": "photograph",
                disabled: !missing,
              }),
              shot(
                t("Choose pictures"),
                "",
                (files) => photograph(files),
                { "data-test": "files", disabled: !missing },
                false,
              ),
              sees
                ? button(t("What the camera sees now"), () => look(), "", {
                    disabled: live.busy || !missing,
                    "data-test": "look",
                  })
                : null,
            ),
            h(
              "p",
              { class: "aside" },
              t("Another phone can take the pictures, too, once it is a host:"),
              " ",
              h("a", { href: "#join" }, t("Join")),
            ),
          ],
    ),
    h(
      "section",
      { class: "panel" },
      h("h3", {}, t("By hand")),
      boards.length
        ? null
        : h(
            "a",
            { class: "button", href: "#scoring/numbers", "data-test": "by-numbers" },
            t("Only the numbers, all at once"),
          ),
      h("p", { class: "aside" }, t("No picture is needed: whose board do you fill in?")),
      h(
        "div",
        { class: "by-hand" },
        PLAYER_COLOURS.filter((colour) => !taken.includes(colour)).map((colour) =>
          h(
            "button",
            {
              key: colour,
              type: "button",
              class: "crest-choice",
              disabled: live.busy || !missing,
              "data-test": `by-hand-${colour}`,
              "aria-label": t("Fill in the {animal}'s board", { animal: ANIMAL_NAMES[colour] }),
              onclick: () => byHand(colour),
            },
            crest({ name: seatOf({ name: colour, colour }).name, figure: colour }),
          ),
        ),
      ),
    ),
    h(
      "section",
      { class: "panel scoring-settings" },
      h("h3", {}, t("Players")),
      playersChoice("div", players, boards.length),
      boards.length ? anew() : null,
    ),
  );
}

function anew() {
  const sure = editor.sure === "clear";
  return h(
    "p",
    { class: "row" },
    button(
      sure ? t("Really remove all boards?") : t("Start over"),
      () => twice("clear", clear),
      sure ? "danger" : "quiet",
      { disabled: live.busy, "data-test": "clear" },
    ),
  );
}

// The task in progress, how much is done, and the next step.
function dock(view, one) {
  const { boards, players, open, missing, sure, said, refused } = view;
  if (!boards.length && !view.doing && !said && !editor.sending) return null;
  const filling = one && !one.picture && one.doubts.length;
  // On a phone the line is left out until it says something about the winner.
  const telling = sure || boards.some(({ doubts }) => doubts.some(({ decides }) => decides));
  const doing = editor.sending ? t("Sending the picture…") : view.doing;
  return h(
    "div",
    { key: "dock", class: "dock" },
    h(
      "div",
      { class: "dock-in", role: "status" },
      doing
        ? h("p", { class: "dock-title under-way" }, h("i", { class: "spin", "aria-hidden": "true" }), doing)
        : said
          ? h("p", { class: `dock-title ${refused ? "why-not" : ""}`, "data-test": "said" }, said)
          : null,
      h(
        "p",
        { class: "aside" },
        [
          t("{number} of {players} boards.", { number: boards.length, players }),
          open && !filling ? tn(open, "{n} thing to check.", "{n} things to check.") : null,
        ]
          .filter(Boolean)
          .join(" "),
        !missing && open && !filling
          ? [" ", h("b", { class: telling ? "" : "lead", "data-test": "lead" }, view.line)]
          : null,
      ),
    ),
    h(
      "div",
      { class: "dock-foot" },
      sure
        ? h("a", { class: "button gold big", href: "#scoring/winner", "data-test": "winner" }, t("Who wins?"))
        : null,
      !sure && filling
        ? button(t("This board is done"), () => finish(one), "gold big", {
            disabled: live.busy,
            "data-test": "done",
          })
        : null,
      open && !filling
        ? button(t("Check the next"), nextOpen, missing || sure ? "big" : "gold big", {
            "data-test": "next",
          })
        : null,
      !sure && missing && one && !filling
        ? view.unread
          ? button(t("Add a board"), () => show(ADD), "gold big")
          : shot(t("Photograph the next board"), "gold big", (files) => photograph(files), {
              "data-test": "photograph-next",
            })
        : null,
    ),
  );
}

// The boards rendered as the scores screen of a finished game.
function winner(view) {
  const seats = view.boards.map(seatOf);
  const players = view.boards.map((one) => ({
    ...one,
    ...Object.fromEntries(
      RANKS.map((rank) => [
        rank,
        Object.fromEntries(
          COLOURS.map((colour) => [colour, one[rank].filter((token) => token === colour).length]),
        ),
      ]),
    ),
  }));
  const open = view.open ? { totals: view.boards.map(({ totals }) => totals) } : null;
  const game = {
    id: "scoring",
    seats,
    scores: view.scores,
    open,
    stage: { phase: "over", round: 0, step: 0 },
    view: { phase: "over", players },
    chronicle: { start: [], rounds: [], deeds: [] },
  };
  const byHands = view.boards.flatMap((one, index) => (one.picture ? [] : [seats[index].name]));
  return h(
    "div",
    { key: "winner", class: "scoring-winner", "data-test": "scored" },
    scored(game, h("a", { class: "button", href: "#scoring" }, t("Back to the boards")), anew()),
    byHands.length && byHands.length < seats.length
      ? h("p", { class: "aside" }, t("Filled in by hand: {names}.", { names: listed(byHands) }))
      : null,
  );
}
