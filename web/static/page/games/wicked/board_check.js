// Renders the boards as the camera reads them: a whole soul phase that is accepted in one tap, and the
// differences from the journal.

import { t, tn, signed } from "../../core/text/i18n.js";
import { command, live, send } from "../../core/live_channel.js";
import { button, crest, evidence, evidenceOf, sheet } from "../../core/components/basic_components.js";
import { h } from "../../../vendor/preact.js";
import { store } from "../../core/store.js";
import { openRevision } from "../../history/revision.js";
import { carryOut, closeSheet, isHost, openSheet } from "../../core/navigation.js";
import { useSecondsLeft } from "../../core/components/countdown.js";
import { accept, acceptButton, dismiss, stopButton, waitingProposal } from "../../table/question.js";
import { between } from "../../core/text/vocabulary.js";

// choices: by seat the index of the accepted choice, null for none, for the reading `id`.
const picked = store({ id: "", choices: [] });

// Render the state of board reading below the table; null if boards cannot be read.
export function boardsPanel(game) {
  const boards = live.view.comparison;
  if (!boards || !isHost()) return null;
  const { phase } = game.view;
  if (phase === "soul") return h(SoulPhase, { boards, read: waitingProposal(game, true) });
  if (phase === "over" || (boards.id && boards.number === game.number)) return differing(game, boards);
  return boards.asked ? h("p", { class: "aside boards-line", role: "status" }, waiting(boards)) : null;
}

// Render the button that requests a board reading; null if there is none.
export function readBoards() {
  const boards = live.view.comparison;
  if (!boards || !isHost()) return null;
  return button(
    boards.asked ? t("Cancel the reading") : t("Read the boards"),
    () => carryOut(send("read_table", { on: !boards.asked })),
    "quiet",
    { disabled: live.busy || boards.reading, "data-test": "read-boards" },
  );
}

function waiting(boards) {
  if (boards.reading) return t("The boards are being read…");
  if (boards.asked) return t("The boards are read as soon as nothing moves and no hand is over the table.");
  return boards.trouble || boards.problems[0] || t("The boards are read when nothing moves.");
}

// Component: the soul phase as the camera reads it. read: the waiting proposal, null before there is one.
function SoulPhase({ boards, read }) {
  const left = useSecondsLeft(read?.seconds_left ?? 0, Boolean(read?.due));
  return h(
    "div",
    {
      key: "boards",
      class: `proposal boards ${!read ? "waiting" : read.certain ? "" : "unsure"}`,
      role: "group",
      "aria-label": t("The boards as the camera sees them"),
      "data-test": "boards",
    },
    !read
      ? h("p", { key: "waiting", class: "aside", role: "status" }, waiting(boards))
      : h(
          "p",
          { key: "question", class: "question" },
          read.due
            ? left > 0
              ? t("Souls entered in {seconds} s", { seconds: Math.ceil(left) })
              : t("Checking it with a new picture…")
            : read.certain
              ? t("The camera sees what everybody did. Is it right?")
              : t("Is everybody done? Look at what the camera sees."),
        ),
    read
      ? h("p", { key: "moved", class: "aside" }, boards.trouble ? [boards.trouble, " "] : null, moved(read))
      : null,
    h(
      "div",
      { class: "answers" },
      read?.certain ? acceptButton(read) : null,
      read?.due ? stopButton(read) : null,
      read
        ? button(
            t("Look closer"),
            () => openSheet({ kind: "boards" }),
            read.certain ? "quiet large" : "gold large",
            { key: read.certain ? "closer" : "first-of-all", "data-test": "look-boards" },
          )
        : null,
      read ? null : readBoards(),
    ),
  );
}

// "Five moves of three players, two questions."
function moved({ problems, questions }) {
  const moves = questions.reduce((sum, { choices }) => sum + (choices[0]?.moves.length ?? 0), 0);
  const doubts = problems.length + questions.reduce((sum, one) => sum + one.doubts.length, 0);
  const all = tn(moves, "{n} move in all.", "{n} moves in all.");
  return doubts ? [all, " ", tn(doubts, "{n} question is open.", "{n} questions are open.")] : all;
}

// Render the reading as a sheet: pictures, each player's moves with their questions, and the two answers.
export function BoardsSheet({ game, open }) {
  const proposal = waitingProposal(game, true);
  if (!proposal)
    return sheet(
      t("The boards"),
      () => closeSheet(open),
      h("p", { class: "aside" }, t("The boards have moved. They are read again when nothing moves.")),
    );
  const choices = chosen(proposal);
  return sheet(
    t("What the camera sees"),
    () => closeSheet(open),
    proposal.problems.map((line) => h("p", { class: "warning" }, line)),
    corrections(game, live.view.comparison),
    h(
      "ol",
      { class: "board-souls" },
      proposal.questions.map((one) => seatSouls(game, proposal, one, choices)),
    ),
    h(
      "footer",
      {},
      button(t("Accept the camera's reading"), () => done(open, accept(proposal, choices)), "gold large", {
        disabled: live.busy || choices.every((choice) => choice === null),
        "data-test": "take-seen",
      }),
      button(t("Keep the journal"), () => done(open, dismiss(proposal)), "large", {
        disabled: live.busy,
        "data-test": "keep-journal",
      }),
    ),
  );
}

function boardPicture({ id }, seat, name) {
  return evidence(
    `/api/proposal/${seat}.jpg?of=${encodeURIComponent(id)}`,
    t("{name}'s board as the camera saw it, with what was read", { name }),
  );
}

function seatSouls(game, proposal, one, choices) {
  const seat = game.seats[one.seat];
  const finished = game.view.players[one.seat].finished;
  const pick = (choice) => () => {
    const choices = chosen(proposal).map((known, seat) => (seat === one.seat ? choice : known));
    Object.assign(picked, { id: proposal.id, choices });
  };
  return h(
    "li",
    { key: `souls-${one.seat}`, class: one.doubts.length ? "unsure" : "" },
    h("h3", {}, crest(seat, "small"), h("span", {}, seat.name)),
    boardPicture(proposal, one.seat, seat.name),
    one.doubts.map(({ question }) => h("p", { class: "warning" }, question)),
    finished
      ? h("p", { class: "aside" }, t("Already done in the journal."))
      : h(
          "div",
          {
            class: "board-choices",
            role: "radiogroup",
            "aria-label": t("What {name} did", { name: seat.name }),
          },
          one.choices.map((choice, index) =>
            answer(`${one.seat}-${index}`, choices[one.seat] === index, pick(index), choice),
          ),
          answer(`${one.seat}-none`, choices[one.seat] === null, pick(null), null),
        ),
  );
}

function answer(key, on, choose, choice) {
  return h(
    "button",
    {
      type: "button",
      key,
      role: "radio",
      class: "board-choice",
      "aria-checked": String(on),
      onclick: choose,
    },
    choice === null
      ? h("span", {}, t("As in the journal; the rest is entered by hand"))
      : [
          choice.misread.length
            ? h("small", {}, t("If this was misread: {things}", { things: choice.misread.join(", ") }))
            : null,
          h(
            "ol",
            { class: choice.lines.length > 1 ? "in-order" : "" },
            choice.lines.map((line) => h("li", {}, line)),
          ),
        ],
  );
}

// Selected choice per seat; preselected if the reading allows only one.
function chosen({ id, questions }) {
  if (picked.id === id) return picked.choices;
  return questions.map(({ choices }) => (choices.length === 1 && !choices[0].misread.length ? 0 : null));
}

// Outside the soul phase: the differences, and after the game the score by each source.
function differing(game, boards) {
  const over = game.view.phase === "over";
  return h(
    "section",
    {
      key: "boards",
      class: "panel boards",
      "aria-label": t("The boards as the camera sees them"),
      "data-test": "boards",
    },
    h("h2", {}, over ? t("The score by the camera") : t("The boards as the camera sees them")),
    boards.id
      ? [verdict(boards, over), over ? points(game, boards) : null]
      : h("p", { class: "aside", role: "status" }, waiting(boards)),
    h(
      "p",
      { class: "row" },
      boards.replacement
        ? button(t("Accept the camera's reading"), () => correct(boards, null), "gold large", {
            disabled: live.busy,
            "data-test": "take-seen",
          })
        : null,
      boards.id && (!over || boards.replacement)
        ? button(t("Keep the journal"), () => dismiss(boards), "large", {
            disabled: live.busy,
            "data-test": "keep-journal",
          })
        : null,
      readBoards(),
      boards.differences.some(({ entry }) => entry === null) && !boards.replacement
        ? h("a", { class: "button quiet", href: "#history" }, t("Correct the journal"))
        : null,
    ),
    boards.id ? [corrections(game, boards), seen(game, boards)] : null,
  );
}

// Misreadings that would explain a difference in impurity alone: each with its pictures, corrected in one
// tap.
function corrections(game, boards) {
  if (!boards.corrections.length) return null;
  return h(
    "section",
    { key: "corrections", class: "board-corrections", "aria-label": t("Impurity") },
    h(
      "h3",
      {},
      boards.corrections.length > 1
        ? t("The camera's impurity is right if one of these is true:")
        : t("The camera's impurity is right if this is true:"),
    ),
    h(
      "ul",
      {},
      boards.corrections.map(({ text, entries }, index) =>
        h(
          "li",
          { key: text },
          h("span", {}, text, pictures(game, entries)),
          button(t("Correct it"), () => correct(boards, index), "", {
            disabled: live.busy,
            "data-test": "put-right",
            "aria-label": t("Correct it: {what}", { what: text }),
          }),
        ),
      ),
    ),
  );
}

function pictures(game, entries) {
  return game.history
    .filter(({ number, evidence: kept }) => kept && entries.includes(number))
    .map(({ number, text }) =>
      h(
        "a",
        {
          key: number,
          href: evidenceOf(game, number),
          target: "_blank",
          rel: "noopener",
          "aria-label": t("Picture: {move}", { move: text }),
        },
        t("picture"),
      ),
    );
}

// The board of each player with a difference; without differences, the whole table.
function seen(game, boards) {
  const seats = [...new Set(boards.differences.map(({ seat }) => seat))];
  const whole = `/api/proposal.jpg?of=${encodeURIComponent(boards.id)}`;
  return [
    lines(boards.problems.map((text) => ({ text }))),
    seats.includes(null) ? lines(boards.differences.filter(({ seat }) => seat === null)) : null,
    h(
      "ol",
      { class: "board-souls" },
      seats
        .filter((seat) => seat !== null)
        .map((seat) =>
          h(
            "li",
            { key: `differs-${seat}` },
            h("h3", {}, crest(game.seats[seat], "small"), h("span", {}, game.seats[seat].name)),
            boardPicture(boards, seat, game.seats[seat].name),
            lines(
              boards.differences.filter((one) => one.seat === seat),
              boards.replacement,
            ),
          ),
        ),
    ),
    seats.length ? null : evidence(whole, t("The table as the camera saw it")),
  ];
}

function verdict(boards, over) {
  const same =
    !boards.differences.length && (!over || boards.points.every(({ seen, kept }) => seen === kept));
  if (!same)
    return h(
      "p",
      { class: "warning" },
      t("The camera and the journal differ. Look at the boards: one of the two is wrong."),
    );
  return h(
    "p",
    {},
    boards.problems.length
      ? t("The camera agrees with the journal, but is not sure of everything.")
      : t("The camera agrees with the journal."),
  );
}

function points(game, boards) {
  return h(
    "table",
    { class: "board-points" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("Player")),
        h("th", { scope: "col" }, t("Camera")),
        h("th", { scope: "col" }, t("Journal")),
      ),
    ),
    h(
      "tbody",
      {},
      boards.points.map((one) =>
        h(
          "tr",
          { key: `points-${one.seat}`, class: one.seen === one.kept ? "" : "unsure" },
          h("th", { scope: "row" }, crest(game.seats[one.seat], "small"), game.seats[one.seat].name),
          h("td", {}, seenPoints(one)),
          h("td", {}, signed(one.kept)),
        ),
      ),
    ),
  );
}

// "≠ 43–45": range of the camera's points; ≠ if the journal's are outside it.
function seenPoints({ seen, kept, possible }) {
  if (seen === null) return t("not seen");
  const [least, most] = possible ?? [seen, seen];
  return `${least <= kept && kept <= most ? "" : "≠ "}${between([least, most])}`;
}

// Differences, each with a link to the move that caused it, unless all are accepted at once.
function lines(rows, atOnce = false) {
  const unsure = t("The camera is not sure.");
  return rows.length
    ? h(
        "ul",
        { class: "board-lines" },
        rows.map(({ text, doubtful, entry = null, seat = null }) =>
          h(
            "li",
            {},
            h("span", {}, text, doubtful ? [" ", unsure] : null),
            entry !== null && !atOnce
              ? button(t("Correct it"), () => openRevision(entry, seat), "quiet", {
                  disabled: live.busy,
                  "data-test": "correct-there",
                  "aria-label": t("Correct: {move}", { move: text }),
                })
              : null,
          ),
        ),
      )
    : null;
}

// Make an offered correction; null: replace the soul phase that has just ended by what the boards show.
function correct({ id, number }, correction) {
  return carryOut(command("accept_correction", { comparison: id, at: number, correction }));
}

async function done(open, sent) {
  if (await sent) closeSheet(open);
}
