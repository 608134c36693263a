// History: the moves of the game that is on, all saved games, and one of them step by step.

import { t, tn } from "../core/i18n.js";
import { command, live, post } from "../core/live.js";
import { forgetGames, savedGames, stageOf, when } from "./past.js";
import { button, crest } from "../core/parts.js";
import { h } from "../core/render.js";
import { replayScreen } from "./replay.js";
import { openRevision } from "./revision.js";
import { carryOut, draw, go, isHost, say } from "../core/stage.js";

const LARGEST_MB = 128;
const MOST_TOLD = 2; // moves in one line
const ANSWER_WITHIN = 2000; // ms
const list = { asking: null, shownAt: null };

// Take the latest entry back and say what is true now: a move is gone, or what a correction had changed
// counts again.
export async function undo(game) {
  if (!(await carryOut(command("undo", { at: game.number })))) return;
  await newerThan(game.number);
  say(undone(game.history, live.game?.history ?? []));
}

function undone(before, after) {
  const gone = before.filter(({ number }) => !after.some((line) => line.number === number));
  const again = after.filter(
    (line) => before.find(({ number }) => number === line.number)?.text !== line.text,
  );
  if (again.length)
    return t("The correction is taken back. What counts again: {moves}", {
      moves: again
        .slice(0, MOST_TOLD)
        .map(({ text }) => text)
        .join("; "),
    });
  return gone.length ? t("Taken back: {move}", { move: gone.at(-1).text }) : t("Taken back.");
}

// The answer to a command may come before the state that it led to.
async function newerThan(number) {
  for (let waited = 0; (live.game?.number ?? number) <= number && waited < ANSWER_WITHIN; waited += 50)
    await new Promise((done) => setTimeout(done, 50));
}

// #history: this game, or all where none is on; #history/all: all; #history/ID/PLACE: one of them, after a
// move.
export function historyScreen(game) {
  const [, id, place] = location.hash.split("/");
  if (id && id !== "all") return replayScreen(game, decodeURIComponent(id), place, goOn);
  return [tabs(game, id), id === "all" || !game ? allGames(game) : thisGame(game)];
}

function tabs(game, id) {
  if (!game) return null;
  const link = (hash, current, text) =>
    h("a", { class: "segment", href: hash, "aria-current": current ? "page" : null }, text);
  return h(
    "nav",
    { class: "segments past-tabs", "aria-label": t("History") },
    link("#history", id !== "all", t("This game")),
    link(`#history/${game.id}`, false, t("Step by step")),
    isHost() ? link("#history/all", id === "all", t("All games")) : null,
  );
}

function thisGame(game) {
  return h(
    "section",
    { class: "panel lines" },
    h("h2", {}, t("What happened, the latest round first")),
    !game.history.length
      ? h("p", { class: "aside" }, t("Nothing yet."))
      : isHost()
        ? button(t("Undo the latest"), () => undo(game), "", { disabled: live.busy, "data-test": "undo" })
        : null,
    h("ol", { class: "chapters" }, roundsLatestFirst(chapters(game.history)).map(chapter)),
  );
}

// The moves of a game by round and corridor: {title, round, lines}, in order; round 0 is what was before the
// first. Pure.
export function chapters(history) {
  const found = [];
  let [round, corridor] = [0, 0];
  for (const line of history) {
    if (line.type === "lay") [round, corridor] = [round + 1, 0];
    if (line.type === "reveal") corridor += 1;
    const title = titleOf(line.type, round, corridor, found.at(-1)?.title);
    if (found.at(-1)?.title !== title) found.push({ title, round, lines: [] });
    found.at(-1).lines.push(line);
  }
  return found;
}

// The latest round comes first; inside a round everything stands in the order of play. Pure.
function roundsLatestFirst(all) {
  const rounds = [];
  for (const one of all) (rounds[one.round] ??= []).push(one);
  return rounds.reverse().flat().filter(Boolean);
}

function titleOf(type, round, corridor, before) {
  if (type === "deal") return t("Preparation");
  if (type === "lay") return t("Round {round}", { round });
  if (type === "reveal") return t("Round {round} · corridor {corridor}", { round, corridor });
  return type === "choose_colours" || type === "keep_tokens" ? before : t("Round {round}, souls", { round });
}

function chapter({ title, lines }) {
  const kept = lines.find((line) => line.evidence);
  return h(
    "li",
    { key: title, class: "chapter" },
    h("h3", {}, title),
    kept
      ? h(
          "a",
          {
            class: "thumb",
            href: `/api/evidence/${kept.number}.jpg`,
            target: "_blank",
            rel: "noopener",
            "aria-label": t("picture"),
          },
          h("img", {
            src: `/api/evidence/${kept.number}.jpg`,
            loading: "lazy",
            alt: t("What the camera saw, with what was read in it"),
          }),
        )
      : null,
    h(
      "ol",
      {},
      lines.map((line) =>
        h(
          "li",
          { key: `line-${line.number}`, class: line.type },
          h("b", {}, line.number),
          h("span", {}, line.text),
          isHost()
            ? button(t("Correct"), () => openRevision(line.number), "quiet", {
                disabled: live.busy,
                "data-test": "correct",
                "aria-label": t("Correct: {move}", { move: line.text }),
              })
            : null,
        ),
      ),
    ),
  );
}

function allGames(game) {
  if (!isHost())
    return h(
      "p",
      { class: "panel", role: "status" },
      t("The saved games are shown to whoever keeps the table. Join a game, or ask at the tablet."),
    );
  // Whoever comes back to the list sees it as it is now.
  if (list.shownAt !== location.hash) {
    list.shownAt = location.hash;
    forgetGames();
  }
  const games = savedGames();
  return h(
    "section",
    { class: "panel past-games" },
    h("header", { class: "row" }, h("h2", {}, t("Saved games")), isHost() ? bringIn() : null),
    games === null ? h("p", { class: "aside", role: "status" }, t("Looking for saved games…")) : null,
    games?.length === 0
      ? h("p", { class: "aside" }, t("No game has been saved yet. Every game is, from its first move on."))
      : null,
    h(
      "ol",
      { class: "past-list" },
      (games ?? []).map((one) => line(game, one)),
    ),
    list.asking ? sure(game, list.asking) : null,
  );
}

function line(game, one) {
  const current = game?.id === one.id;
  return h(
    "li",
    { key: one.id, class: current ? "past-game current" : "past-game", "data-test": "past-game" },
    h(
      "a",
      { class: "past-link", href: `#history/${encodeURIComponent(one.id)}` },
      h(
        "span",
        { class: "crests" },
        one.seats.map((seat, index) =>
          h(
            "span",
            { class: one.winners.includes(index) ? "crest-of won" : "crest-of" },
            crest(seat, "small"),
          ),
        ),
      ),
      h(
        "span",
        { class: "past-words" },
        h("strong", {}, current ? t("The game that is on") : stageOf(one)),
        h(
          "span",
          { class: "aside" },
          [
            when(one.played),
            one.seats.map((seat) => seat.name).join(", "),
            tn(one.entries, "{n} entry", "{n} entries"),
          ].join(" · "),
        ),
      ),
    ),
    one.phase !== "over" && !current && isHost()
      ? button(t("Go on"), () => resume(game, one), "", {
          disabled: live.busy,
          "data-test": "resume",
          "aria-label": t("Go on with the game of {when}", { when: when(one.played) }),
        })
      : null,
  );
}

// Going on with another game puts the one away that is on; that is asked first.
function resume(game, one) {
  if (game && game.state.phase !== "over") {
    list.asking = one;
    draw();
    return;
  }
  goOn(one);
}

function sure(game, one) {
  const close = () => {
    list.asking = null;
    draw();
  };
  return h(
    "dialog",
    {
      key: "sure",
      class: "sheet",
      "aria-label": t("Another game is on"),
      mount: (node) => node.showModal(),
      oncancel: (event) => {
        event.preventDefault();
        close();
      },
    },
    h(
      "div",
      { class: "sheet-in" },
      h("h2", {}, t("Another game is on")),
      h(
        "p",
        {},
        t(
          "It stays saved as it is, and you can go on with it later. Everybody's screen then shows the game of {when}.",
          { when: when(one.played) },
        ),
      ),
      h(
        "footer",
        {},
        button(
          t("Go on with that game"),
          () => {
            close();
            goOn(one);
          },
          "gold",
          { "data-test": "resume-sure" },
        ),
        button(t("Stay with this one"), close),
      ),
    ),
  );
}

export async function goOn(one) {
  if (await carryOut(command("resume_game", { id: one.id }))) {
    say(t("The game goes on where it was left."));
    go("#table");
  }
}

// A game from another companion, as one file.
function bringIn() {
  return h(
    "label",
    { class: "button file-button" },
    t("Bring a game in"),
    h("input", {
      type: "file",
      accept: ".zip,application/zip",
      "data-test": "bring-in",
      onchange: (event) => {
        const [file] = event.target.files;
        event.target.value = "";
        if (file) takeIn(file);
      },
    }),
  );
}

async function takeIn(file) {
  if (file.size > LARGEST_MB * 1024 * 1024) {
    say(t("That file is larger than {most} MB: it is no exported game.", { most: LARGEST_MB }), "wrong");
    return;
  }
  try {
    const { id } = await post("/api/history", file);
    forgetGames();
    say(t("The game is saved here now."));
    go(`#history/${encodeURIComponent(id)}`);
  } catch (error) {
    say(error.message, "wrong");
  }
  draw();
}
