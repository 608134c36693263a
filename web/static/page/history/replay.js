// Renders the replay of a saved game step by step: the move, its picture, and each player after it.

import { t, tn } from "../core/text/i18n.js";
import {
  forgetFailures,
  loadMoment,
  loadStory,
  momentOf,
  pictureOf,
  seatsOf,
  stageOf,
  storyOf,
  titleOf,
  when,
} from "./saved_games.js";
import { live } from "../core/live_channel.js";
import { showsDeveloperTools } from "../core/device/preferences.js";
import { button, crest, colourStyle } from "../core/components/basic_components.js";
import { partsOf } from "../core/game_page.js";
import { headingOf } from "../core/text/heading.js";
import { h } from "../../vendor/preact.js";
import { useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact-hooks.js";
import { isHost } from "../core/navigation.js";
import { large, pictures } from "./replay_pictures.js";
import { enlarge, newReplay, play, show, stop } from "./replay_state.js";

const BROUGHT_FORTH = {
  camera: t("read by the camera"),
  hand: t("entered by hand"),
  bot: t("chosen by a bot"),
};

// Component: the replay at the step in the hash, by default the last. wanted: that step, as text. goOn(game)
// resumes an unfinished game.
export function ReplayScreen({ game, id, wanted, goOn }) {
  const replay = useState(() => newReplay(id))[0];
  const shown = useRef({ story: null, moment: null });
  // While the next state of a running game is loading, the previous one stays visible.
  const story = storyOf(id) ?? shown.current.story;
  const last = story?.steps?.length ?? null;
  const place = last === null ? null : Math.min(Math.max(replay.place ?? numberOf(wanted) ?? last, 0), last);
  const moment = (place === null ? null : momentOf(id, place)) ?? shown.current.moment;
  useEffect(() => {
    shown.current = { story, moment };
    loadStory(id);
    if (place === null) return;
    loadMoment(id, place);
    if (place < last) loadMoment(id, place + 1);
  });
  useLayoutEffect(() => {
    replay.place = numberOf(wanted);
  }, [wanted]);
  // A step that was never chosen stays where it is when the game moves on.
  useLayoutEffect(() => {
    if (place !== null) replay.place = place;
  }, [place]);
  useLayoutEffect(follow, [place, replay.side]);
  useEffect(
    () => () => {
      stop(replay);
      forgetFailures();
    },
    [],
  );
  if (story?.error) return failed(story.error);
  if (!story) return h("p", { class: "aside", role: "status" }, t("Opening the game…"));
  const step = story.steps[place - 1] ?? null;
  return h(
    "section",
    { class: "replay", "data-test": "replay", "data-place": place },
    heading(game, story, goOn),
    h(
      "div",
      { class: "replay-now" },
      happened(replay, story, step, moment),
      moment ? places(moment, step) : null,
    ),
    bar(replay, story, place),
    h(
      "div",
      { class: "replay-side panel" },
      sides(replay, story),
      replay.side === "moves" ? moves(replay, story, place) : pictures(replay, story),
    ),
    replay.large ? large(replay, story) : null,
  );
}

// A step in the hash; null without one.
function numberOf(wanted) {
  return wanted === undefined ? null : Number(wanted) || 0;
}

function failed(message) {
  return h(
    "section",
    { class: "panel" },
    h("p", { role: "alert" }, message),
    h("p", {}, h("a", { class: "button", href: "#history/all" }, t("All games"))),
  );
}

function heading(game, story, goOn) {
  const one = story.game;
  const current = game?.id === one.id;
  return h(
    "header",
    { class: "replay-head" },
    h(
      "a",
      {
        class: "button quiet back-to",
        href: current || !isHost() ? "#history" : "#history/all",
        "aria-label": t("Back to the list"),
      },
      "‹",
    ),
    h(
      "span",
      { class: "crests" },
      seatsOf(one).map((seat) => crest(seat, "small")),
    ),
    h(
      "div",
      { class: "past-words" },
      h("h2", {}, current ? t("The current game") : stageOf(one)),
      h("span", { class: "aside" }, [titleOf(one), when(one.played)].filter(Boolean).join(" · ")),
    ),
    !current && one.stage.phase !== "over" && isHost()
      ? button(t("Resume"), () => goOn(one), "gold", { "data-test": "resume" })
      : null,
    isHost() && !isSecret(one)
      ? h(
          "a",
          {
            class: "button",
            href: `/api/history/${encodeURIComponent(one.id)}/game.zip`,
            download: "",
            "data-test": "export",
          },
          t("Export"),
        )
      : null,
    isHost() && showsDeveloperTools() && !isSecret(one)
      ? h(
          "a",
          {
            class: "button quiet for-tests",
            href: `/api/history/${encodeURIComponent(one.id)}/fixture.zip`,
            download: "",
            title: t("With the camera's frames and the table's profile, to read it again."),
          },
          t("Export for tests"),
        )
      : null,
  );
}

// Whether the companion exports the game only when it is over, because players have secrets.
function isSecret({ game, stage }) {
  return stage.phase !== "over" && Boolean(live.games.find(({ id }) => id === game)?.secrets === "seats");
}

// The move of this step with its picture, and the table as the game draws it.
function happened(replay, story, step, moment) {
  return h(
    "div",
    { class: "panel replay-step" },
    h(
      "p",
      { class: "aside" },
      step ? chaptersOf(story).get(step.place) : moment ? beginning(story, moment) : "",
    ),
    h("h3", { "aria-live": "polite", "data-test": "step-text" }, step ? step.text : t("The game begins.")),
    step
      ? h(
          "p",
          { class: "aside" },
          [BROUGHT_FORTH[step.source], step.corrected ? t("corrected later") : null, when(step.time)]
            .filter(Boolean)
            .join(" · "),
        )
      : null,
    step?.evidence
      ? h(
          "button",
          {
            type: "button",
            class: "thumb",
            "data-test": "evidence",
            onclick: () => enlarge(replay, step.number),
            "aria-label": t("Enlarge the picture"),
          },
          h("img", {
            key: step.number,
            src: pictureOf(story.game.id, step.number),
            alt: t("What the camera saw, with what was read in it"),
          }),
        )
      : null,
    moment ? partsOf(moment.game).replayTable?.(moment, step) : null,
  );
}

// The heading of the beginning; that of another game than this page's is its title.
function beginning({ game }, moment) {
  return titleOf(game) || headingOf(game, moment);
}

// Each player with the points after the step, and with what the game shows of them.
function places(moment, step) {
  const parts = partsOf(moment.game);
  return h(
    "ol",
    { class: "replay-places", "data-test": "places" },
    seatsOf(moment).map((seat, index) => {
      const score = moment.scores.find((one) => one.player === index);
      return h(
        "li",
        {
          key: `place-${index}`,
          class: `replay-place ${seat.figure} ${parts.replayClass?.(moment, step, index) ?? ""}`,
          style: colourStyle(seat),
        },
        h(
          "span",
          { class: "replay-who" },
          crest(seat, "small"),
          h("strong", {}, seat.name),
          h("span", { class: "aside" }, tn(score?.total ?? 0, "{n} point", "{n} points")),
        ),
        parts.replaySeat?.(moment, step, index),
      );
    }),
  );
}

function bar(replay, story, place) {
  const last = story.steps.length;
  const { timer } = replay;
  const go = (name, label, to, sign) =>
    button(sign, () => show(replay, to), "", {
      "aria-label": label,
      title: label,
      disabled: place === to,
      "data-test": name,
    });
  return h(
    "div",
    { class: "replay-bar", role: "group", "aria-label": t("Step through the game") },
    go("first", t("To the beginning"), 0, "|◀"),
    go("back", t("One step back"), Math.max(0, place - 1), "◀"),
    h("input", {
      type: "range",
      class: "slider",
      min: 0,
      max: last,
      value: place,
      "aria-label": t("Step"),
      "aria-valuetext": t("Step {n} of {last}", { n: place, last }),
      oninput: (event) => show(replay, Number(event.target.value)),
      "data-test": "slider",
    }),
    h("output", { "data-test": "place" }, t("{n} of {last}", { n: place, last })),
    go("forward", t("One step forward"), Math.min(last, place + 1), "▶"),
    go("last", t("To the end"), last, "▶|"),
    button(
      timer ? t("Stop") : t("Play"),
      () => (timer ? stop(replay) : play(replay, last)),
      timer ? "" : "quiet",
      {
        disabled: !timer && place === last,
        "data-test": "play",
      },
    ),
  );
}

function sides(replay, story) {
  const kept = story.steps.filter((step) => step.evidence).length;
  const side = (name, text) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        class: "segment",
        "aria-selected": String(replay.side === name),
        onclick: () => {
          replay.side = name;
        },
        "data-test": `side-${name}`,
      },
      text,
    );
  return h(
    "div",
    { class: "segments", role: "tablist" },
    side("moves", t("Moves")),
    side("pictures", tn(kept, "{n} picture", "{n} pictures")),
  );
}

// The title of each step's chapter by its place, as the history divides the game.
function chaptersOf({ game, steps }) {
  const chapters = partsOf(game.game).chapters?.(steps, game.seats, game.stage) ?? steps.map(plainChapter);
  return new Map(chapters.flatMap(({ title, lines }) => lines.map(({ place }) => [place, title])));
}

function plainChapter(step) {
  return { title: step.round ? t("Round {round}", { round: step.round }) : "", lines: [step] };
}

function moves(replay, story, place) {
  const chapters = chaptersOf(story);
  let shown = "";
  return h(
    "ol",
    { class: "replay-moves" },
    story.steps.map((step) => {
      const title = chapters.get(step.place);
      const heading = title === shown ? null : h("h3", {}, title);
      shown = title;
      return h(
        "li",
        { key: step.number },
        heading,
        h(
          "button",
          {
            type: "button",
            class: `move ${step.type}`,
            "aria-current": step.place === place ? "step" : null,
            onclick: () => show(replay, step.place),
          },
          h("b", {}, step.place),
          h("span", {}, step.text),
          step.evidence
            ? h("i", { class: "has-picture", role: "img", "aria-label": t("with a picture") })
            : null,
        ),
      );
    }),
  );
}

// Scroll the list of moves to the current step, if the list itself scrolls.
function follow() {
  const moves = document.querySelector(".replay-moves");
  const current = moves?.querySelector("[aria-current]");
  if (!current || moves.scrollHeight <= moves.clientHeight) return;
  const [box, line] = [moves.getBoundingClientRect(), current.getBoundingClientRect()];
  if (line.top < box.top || line.bottom > box.bottom) moves.scrollTop += line.top - box.top - box.height / 3;
}

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

addEventListener("keydown", (event) => {
  const shown = document.querySelector(".replay");
  const name = KEYS[event.key];
  if (
    !shown ||
    !name ||
    event.ctrlKey ||
    event.altKey ||
    event.metaKey ||
    document.querySelector("dialog[open]")
  )
    return;
  if (["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) return;
  event.preventDefault();
  shown.querySelector(`[data-test=${name}]`)?.click();
});
