// A player's place in a game without a drawing of its own: what the player did, and the options as large
// buttons.

import { listed, t, tn } from "../core/text/i18n.js";
import { live } from "../core/live_channel.js";
import { button, crest } from "../core/components/basic_components.js";
import { go } from "../core/navigation.js";
import { desk, mayAct, offered, ownLatest, play, undoOwn } from "./move_options.js";
import { h } from "../../vendor/preact.js";

// Latest lines of the history that are shown.
const LINES = 6;

// Render the place of a player.
export function plainPlace(game, seat) {
  const score = game.scores[seat];
  const own = game.history.filter(({ player }) => player === seat).slice(-LINES);
  return h(
    "div",
    { class: "plain-place", "data-test": "plain-place" },
    h(
      "section",
      { class: "panel", "aria-label": game.seats[seat].name },
      h(
        "p",
        { class: "plain-player" },
        crest(game.seats[seat]),
        h("strong", {}, tn(score.total, "{n} point", "{n} points")),
      ),
      h(
        "ul",
        { class: "plain-lines" },
        score.lines
          .filter(({ count }) => count)
          .map((line) => h("li", { key: line.id }, `${line.count} ${line.name}`)),
      ),
      h(
        "ol",
        { class: "plain-lines", "aria-label": t("What {name} did", { name: game.seats[seat].name }) },
        own.map((line) => h("li", { key: line.number }, line.text)),
      ),
    ),
    h("div", { "aria-live": "polite" }, dock(game, seat)),
  );
}

function dock(game, seat) {
  const last = mayAct(seat) ? ownLatest(game, seat) : null;
  return h(
    "section",
    { class: "plain-dock panel", "aria-label": t("What to do now") },
    h("p", { class: "quiet-title" }, task(game, seat)),
    choices(game, seat),
    h(
      "div",
      { class: "row" },
      last
        ? button(t("Undo"), () => undoOwn(game, seat), "quiet", {
            disabled: live.busy,
            title: last.text,
            "data-test": "undo-own",
          })
        : null,
      button(t("See the table"), () => go("#table"), "", { "data-test": "big" }),
    ),
  );
}

function task(game, seat) {
  const { name } = game.seats[seat];
  if (game.stage.phase === "over") return t("The game is over.");
  if (!game.waiting_for.includes(seat)) {
    const names = game.waiting_for.map((other) => game.seats[other].name);
    return names.length ? t("Waiting for {names}.", { names: listed(names) }) : "";
  }
  if (!mayAct(seat)) return t("{name} is choosing.", { name });
  if (!offered()) return t("Checking what is possible…");
  return offered().length
    ? t("What do you do, {name}?", { name })
    : t("This choice is secret: {name} makes it on their own phone.", { name });
}

function choices(game, seat) {
  if (!game.waiting_for.includes(seat) || !mayAct(seat) || !offered()) return null;
  if (!offered().length)
    return h("a", { class: "button", href: "#join", "data-test": "own-phone" }, t("Join with a phone"));
  return h(
    "ul",
    { class: "options", "data-test": "options" },
    offered().map((move) =>
      h(
        "li",
        { key: JSON.stringify(move) },
        button(desk.texts.get(JSON.stringify(move)), () => play(move), "option large", {
          disabled: live.busy || !desk.options,
          "data-test": "option",
        }),
      ),
    ),
  );
}
