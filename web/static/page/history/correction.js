// Renders the sheet that corrects an earlier move: another move in its place, and a preview of what follows
// from it.

import { difference, numberOfMove } from "./difference.js";
import { alsoCorrect, free } from "./revision.js";
import { gamePage } from "../core/game_page.js";
import { t } from "../core/text/i18n.js";
import { command, live } from "../core/live_channel.js";
import { button, crest, sheet } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { carryOut, closeSheet, say, ui } from "../core/navigation.js";

// Render the sheet.
export function RevisionSheet({ game, open }) {
  const edit = open.edits?.at(-1);
  return sheet(
    t("Correct a move"),
    () => closeSheet(open),
    !edit
      ? h("p", { class: "aside" }, t("Loading…"))
      : h(
          "div",
          { class: "revision" },
          h(
            "div",
            { class: "revision-edit" },
            h("p", { class: "aside" }, numbered(game, edit.was)),
            edit.why ? h("p", { class: "aside", "data-test": "why" }, edit.why) : null,
            editor(game, open, edit),
          ),
          h(
            "div",
            { class: "revision-outcome", role: "status", "data-test": "difference" },
            consequences(game, open),
          ),
        ),
    edit ? footer(open) : null,
  );
}

function numbered(game, move) {
  return [h("b", {}, numberOfMove(game, move.number)), " ", move.text];
}

function footer(open) {
  return h(
    "footer",
    {},
    button(t("Accept the change"), () => accept(open), "gold large", {
      disabled: live.busy || !open.outcome?.complete || same(open),
      "data-test": "accept",
    }),
    button(t("Keep it as it was"), () => closeSheet(open), "large", { "data-test": "leave" }),
  );
}

function consequences(game, open) {
  if (open.refusal) return h("p", { class: "verdict bad" }, open.refusal);
  if (!open.outcome || same(open))
    return h(
      "p",
      { class: "aside" },
      t("Change the move to see what follows from it. Nothing counts until you accept it."),
    );
  return [difference(game, open.outcome), asked(game, open), blocked(game, open)];
}

// Whether the correction leaves all moves as they are.
function same(open) {
  return !open.before && open.edits.every(({ move, was }) => isEqual(move, was.move));
}

function isEqual(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

// A choice that the correction makes necessary; each answer requests a new preview.
function asked(game, open) {
  const { asked: question } = open.outcome;
  if (!question) return null;
  const seat = game.seats[question.player];
  return h(
    "div",
    { class: "asked", "data-test": "asked" },
    h("p", { class: "question" }, crest(seat, "small"), t("Then {name} has to choose:", { name: seat.name })),
    options(question.options, null, (move) => {
      open.choices = [...open.choices, { after: question.after, move }];
      preview(open);
    }),
  );
}

// A later move that has become impossible, until its own editor is open.
function blocked(game, open) {
  const { blocked: move, why } = open.outcome;
  if (!move || open.edits.some((edit) => edit.was.number === move.number)) return null;
  return h(
    "div",
    { class: "asked", "data-test": "blocked" },
    h("p", { class: "question" }, t("No longer possible:")),
    h("p", {}, numbered(game, move)),
    h("p", { class: "aside" }, why),
    button(t("Correct this move, too"), () => alsoCorrect(open), "gold", { "data-test": "also" }),
  );
}

function editor(game, open, edit) {
  const changed = (move) => change(open, edit, move);
  return gamePage.editor?.(game, edit, changed) ?? choice(open, edit);
}

function change(open, edit, move) {
  edit.move = move;
  open.choices = [];
  preview(open);
}

// The correction of a player's choice: another choice, a missing one before it, or none at all.
function choice(open, edit) {
  const place = live.game.history.findIndex((line) => line.number === edit.was.number);
  const previous = live.game.history[place - 1]?.number ?? 1;
  const inserts = gamePage.mayInsert?.(edit.was.before) ?? false;
  const before = open.before === edit.was.number;
  const way = (text, on, act) =>
    h("button", { type: "button", class: "segment", "aria-pressed": String(on), onclick: act }, text);
  const pick = (move) => {
    if (!before) return change(open, edit, move);
    edit.move = edit.was.move;
    open.choices = [{ after: previous, move }];
    return preview(open);
  };
  if (!inserts && edit.was.options.every(({ move }) => isEqual(move, edit.was.move)))
    return h(
      "p",
      { class: "question" },
      t("This move cannot be changed here. Undo the latest entries back to it, then enter it again."),
    );
  const others = edit.was.options.filter(({ move }) => gamePage.mayBeMissing?.(move) ?? true);
  const chosen = before ? (open.choices[0]?.move ?? null) : edit.move;
  return [
    h(
      "div",
      { class: "segments", role: "group", "aria-label": t("What was wrong?") },
      way(t("Another move"), !before && edit.move !== null, () => {
        open.before = null;
        change(open, edit, edit.was.move);
      }),
      inserts
        ? way(t("A move before it is missing"), before, () => {
            open.before = edit.was.number;
          })
        : null,
      inserts
        ? way(t("It was never made"), edit.move === null, () => {
            open.before = null;
            change(open, edit, null);
          })
        : null,
    ),
    edit.move === null && !before ? null : options(before ? others : edit.was.options, chosen, pick),
    before && !others.length ? h("p", { class: "aside" }, t("No other move was possible.")) : null,
  ];
}

function options(list, chosen, pick) {
  return h(
    "ul",
    { class: "options" },
    list.map((option, place) =>
      h(
        "li",
        { key: `option-${place}` },
        h(
          "button",
          {
            type: "button",
            class: "button option",
            "aria-pressed": String(isEqual(option.move, chosen)),
            onclick: () => pick(option.move),
            "data-test": "option",
          },
          option.text,
        ),
      ),
    ),
  );
}

function changes(open) {
  return open.edits.map((edit) => ({ entry: edit.was.number, move: edit.move }));
}

// Request a preview of the correction; edits made meanwhile are sent once the answer is here.
async function preview(open) {
  const mine = open.wanted + 1;
  open.wanted = mine;
  const answer = await free(() =>
    mine === open.wanted && ui.sheet === open
      ? command("preview_revision", { changes: changes(open), choices: open.choices, at: open.number })
      : null,
  );
  if (answer === null || mine !== open.wanted) return;
  open.outcome = answer.ok ? answer.result : null;
  open.refusal = answer.ok ? "" : answer.error.message;
}

async function accept(open) {
  const { changes: all, dropped, choices } = open.outcome;
  if (await carryOut(command("revise", { changes: all, dropped, choices, at: open.number }))) {
    closeSheet(open);
    say(t("Corrected. The history keeps the earlier version."));
  }
}
