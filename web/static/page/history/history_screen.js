// Renders the history: the moves of the running game, the list of saved games, and the replay of one of them.

import { t } from "../core/text/i18n.js";
import { WHILE_CHANGED_OVER, command, live, post } from "../core/live_channel.js";
import { loadGames, past, seatsOf, stageOf, titleOf, when } from "./saved_games.js";
import { gamePage } from "../core/game_page.js";
import { button, crest, evidenceOf, showModal } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";
import { store } from "../core/store.js";
import { ReplayScreen } from "./replay.js";
import { openRevision } from "./revision.js";
import { undo } from "./undo.js";
import { numberOfMove } from "./difference.js";
import { isDemoGame } from "../place/move_options.js";
import { carryOut, go, isHost, say, ui } from "../core/navigation.js";

const LARGEST_MB = 128;
// asking: the saved game to resume once that is confirmed.
const list = store({ asking: null });

// Render the screen for the hash: #history for this game, or all if none is running; #history/all;
// #history/ID/STEP for a replay.
export function HistoryScreen({ game }) {
  const [, id, place] = ui.path;
  if (id && id !== "all")
    return h(ReplayScreen, { key: id, game, id: decodeURIComponent(id), wanted: place, goOn });
  return [tabs(game, id), id === "all" || !game ? h(AllGames, { game }) : thisGame(game)];
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
    h("h2", {}, gamePage.chapters ? t("What happened, the latest round first") : t("What happened so far")),
    !game.history.length
      ? h("p", { class: "aside" }, t("Nothing yet."))
      : isHost()
        ? button(t("Undo the latest entry"), () => undo(game), "", {
            disabled: live.busy,
            "data-test": "undo",
          })
        : null,
    h(
      "ol",
      { class: "chapters" },
      roundsLatestFirst(chaptersOf(game)).map((one) => chapter(game, one)),
    ),
  );
}

// The history in chapters, by the game or as one without a title.
function chaptersOf({ history, seats, stage }) {
  return gamePage.chapters?.(history, seats, stage) ?? [{ title: "", round: 0, lines: history }];
}

// The latest round comes first; inside a round everything stands in the order of play. Pure.
function roundsLatestFirst(all) {
  const rounds = [...new Set(all.map((one) => one.round))].sort((one, other) => other - one);
  return rounds.flatMap((round) => all.filter((one) => one.round === round));
}

function chapter(game, { title, lines }) {
  const kept = lines.find((line) => line.evidence);
  return h(
    "li",
    { key: title, class: "chapter" },
    title ? h("h3", {}, title) : null,
    kept
      ? h(
          "a",
          {
            class: "thumb",
            href: evidenceOf(game, kept.number),
            target: "_blank",
            rel: "noopener",
            "aria-label": t("picture"),
          },
          h("img", {
            src: evidenceOf(game, kept.number),
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
          h("b", {}, numberOfMove(game, line.number)),
          h("span", {}, line.text),
          isHost()
            ? button(t("Correct it"), () => openRevision(line.number), "quiet", {
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

// Component: the list of saved games, which is fetched each time that it is opened.
function AllGames({ game }) {
  const host = isHost();
  useEffect(() => {
    if (host) loadGames();
    return () => {
      list.asking = null;
    };
  }, [host]);
  if (!host)
    return h(
      "p",
      { class: "panel", role: "status" },
      t("Only a host sees the saved games. Join a game, or ask the host."),
    );
  const { games } = past;
  return h(
    "section",
    { class: "panel past-games" },
    h("header", { class: "row" }, h("h2", {}, t("Saved games")), importButton()),
    games === null ? h("p", { class: "aside", role: "status" }, t("Looking for saved games…")) : null,
    games?.length === 0
      ? h("p", { class: "aside" }, t("No saved games yet. Every game is saved from its first move on."))
      : null,
    h(
      "ol",
      { class: "past-list" },
      (games ?? []).map((one) => line(game, one)),
    ),
    list.asking ? confirmation(list.asking) : null,
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
        seatsOf(one).map((seat, index) =>
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
        h("strong", {}, current ? t("The current game") : stageOf(one)),
        h(
          "span",
          { class: "aside" },
          [titleOf(one), when(one.played), one.seats.map((seat) => seat.name).join(", ")]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
    ),
    one.stage.phase !== "over" && !current && isHost()
      ? button(t("Resume"), () => resume(game, one), "", {
          disabled: live.busy,
          "data-test": "resume",
          "aria-label": t("Resume the game of {when}", { when: when(one.played) }),
        })
      : null,
  );
}

// Resume a saved game; a running game is closed by that, so confirm first, unless it is a demonstration.
function resume(game, one) {
  if (game && game.stage.phase !== "over" && !isDemoGame()) {
    list.asking = one;
    return;
  }
  goOn(one);
}

function confirmation(one) {
  const close = () => {
    list.asking = null;
  };
  return h(
    "dialog",
    {
      key: "sure",
      class: "sheet",
      "aria-label": t("Another game is running"),
      ref: showModal,
      oncancel: (event) => {
        event.preventDefault();
        close();
      },
    },
    h(
      "div",
      { class: "sheet-in" },
      h("h2", {}, t("Another game is running")),
      h(
        "p",
        {},
        t("It is saved, and you can resume it later. Every screen then shows the game of {when}.", {
          when: when(one.played),
        }),
      ),
      h(
        "footer",
        {},
        button(
          t("Resume that game"),
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

// Resume a saved game and open the table screen.
export async function goOn(one) {
  if (await carryOut(command("resume_game", { id: one.id }, WHILE_CHANGED_OVER))) {
    say(t("The game continues where you left it."));
    go("#table");
  }
}

// Imports a game that another companion exported as one file.
function importButton() {
  return h(
    "label",
    { class: "button file-button" },
    t("Import a game"),
    h("input", {
      type: "file",
      accept: ".zip,application/zip",
      "data-test": "bring-in",
      onchange: (event) => {
        const [file] = event.target.files;
        event.target.value = "";
        if (file) importGame(file);
      },
    }),
  );
}

async function importGame(file) {
  if (file.size > LARGEST_MB * 1024 * 1024) {
    say(
      t("That file is larger than {most} MB, so it is not an exported game. Choose another file.", {
        most: LARGEST_MB,
      }),
      "wrong",
    );
    return;
  }
  try {
    const { id } = await post("/api/history", file);
    say(t("The game is imported."));
    go(`#history/${encodeURIComponent(id)}`);
  } catch (error) {
    say(error.message, "wrong");
  }
}
