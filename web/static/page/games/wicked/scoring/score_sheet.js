// Renders the score sheet: each player's numbers entered by taps, and the totals that the companion computes.

import { t, tn, signed } from "../../../core/text/i18n.js";
import { sendQuery } from "../../../core/live_channel.js";
import { button, crest } from "../../../core/components/basic_components.js";
import { icon } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { useEffect, useLayoutEffect } from "../../../../vendor/preact-hooks.js";
import { store } from "../../../core/store.js";
import { say } from "../../../core/navigation.js";
import { ANIMAL_NAMES, PLAYER_COLOURS } from "../words.js";

const KEPT = "companion.scoresheet";
// Impurity up to which each number has its own key.
const STRIP = 14;
const MOST_IMPURITY = 37;
const bars = (rank) => h("span", { class: "sheet-rank" }, h("i", { class: `bars ${rank}` }));
const LINES = [
  ["low", t("low tokens"), 6, () => bars("low")],
  ["middle", t("middle tokens"), 5, () => bars("middle")],
  ["high", t("high tokens on the board"), 4, () => bars("high")],
  ["great", t("great oracles achieved"), 2, () => icon("points5")],
  ["small", t("small oracles achieved"), 2, () => icon("points2")],
  ["impurity", t("impurity"), STRIP, () => icon("impurity")],
];
const EMPTY = { name: "", low: 0, middle: 0, high: 0, great: 0, small: 0, impurity: 0 };
// rows: one per player, also of those beyond the present number of players, which may rise again; result: the
// latest totals from the companion, {scores, line}; asked: the rows of the latest request.
const paper = store({ rows: kept(), result: null, asked: "" });

function kept() {
  try {
    const rows = JSON.parse(sessionStorage.getItem(KEPT)) ?? [];
    return rows.every(
      (row) => PLAYER_COLOURS.includes(row.colour) && LINES.every(([what]) => Number.isInteger(row[what])),
    )
      ? rows
      : [];
  } catch {
    return [];
  }
}

// All rows, at least one for each player; new ones have the animals that are left.
function rowsFor(players) {
  const free = PLAYER_COLOURS.filter((colour) => !paper.rows.some((row) => row.colour === colour));
  const missing = Math.max(0, players - paper.rows.length);
  return [...paper.rows, ...free.slice(0, missing).map((colour) => ({ ...EMPTY, colour }))];
}

// Render the sheet for a number of players. back: links in its header.
export function scoresheet(players, back) {
  return h(ScoreSheet, { players, back });
}

// Component: the sheet.
function ScoreSheet({ players, back }) {
  const all = rowsFor(players);
  useLayoutEffect(() => {
    paper.rows = all;
  }, [players]);
  const rows = all.slice(0, players);
  const touched = rows.some(isFilledIn);
  const { asked } = paper;
  useEffect(() => {
    add(rows);
  }, [paper.rows, players, asked]);
  return h(
    "section",
    { key: "scoresheet", class: "scoresheet", "data-test": "scoresheet" },
    h(
      "header",
      { class: "sheet-head" },
      h("h2", {}, t("Score by hand")),
      h(
        "p",
        { class: "aside" },
        t("Tap how many there are of each. Colours do not score; rows that you skip count as 0."),
      ),
      back,
    ),
    h(
      "div",
      { class: "sheet-players" },
      rows.map((row, index) => player(row, index, touched)),
    ),
    h(
      "footer",
      { class: "sheet-line", role: "status" },
      h(
        "strong",
        { "data-test": "sheet-line" },
        paper.result && touched ? paper.result.line : t("The scores appear as you tap."),
      ),
      touched ? button(t("Clear"), clear, "quiet", { "data-test": "sheet-clear" }) : null,
    ),
  );
}

function isFilledIn(row) {
  return LINES.some(([what]) => row[what]);
}

function calledBy(row) {
  const animal = ANIMAL_NAMES[row.colour];
  return row.name.trim() || animal[0].toUpperCase() + animal.slice(1);
}

// Render one player's rows. touched: whether any player's are filled in.
function player(row, index, touched) {
  const score = paper.result?.scores[index];
  const name = calledBy(row);
  return h(
    "article",
    {
      key: `row-${index}`,
      class: `panel sheet-player ${touched && score?.place === 1 ? "first" : ""}`,
      "aria-label": name,
    },
    h(
      "header",
      {},
      h(
        "button",
        {
          type: "button",
          class: "crest-choice",
          onclick: () => recolour(index),
          "aria-label": t("{name}: another animal", { name }),
        },
        crest({ name, figure: row.colour }, "small"),
      ),
      h("input", {
        type: "text",
        value: row.name,
        maxlength: 20,
        placeholder: name,
        autocomplete: "off",
        "aria-label": t("Name of player {number}", { number: index + 1 }),
        oninput: (event) => change(index, { name: event.target.value }),
      }),
      h(
        "b",
        {
          class: "sheet-total",
          "data-test": `total-${index}`,
          "aria-label": tn(score?.total ?? 0, "{n} point", "{n} points"),
        },
        signed(score?.total ?? 0),
      ),
    ),
    LINES.map(([what, text, most, picture]) => line(row, index, what, text, most, picture)),
  );
}

function line(row, index, what, text, most, picture) {
  const now = row[what];
  const keys = Array.from({ length: most + 1 }, (_, number) => number);
  if (what === "impurity" && now > most) keys.push(now);
  return h(
    "div",
    { key: what, class: "sheet-row", role: "group", "aria-label": text },
    h("span", { class: "sheet-what", title: text }, picture()),
    h(
      "span",
      { class: "pad-keys" },
      keys.map((number) =>
        h(
          "button",
          {
            type: "button",
            key: number,
            class: "pad-number",
            "aria-pressed": String(now === number),
            "aria-label": t("{what}: {number}", { what: text, number }),
            onclick: () => change(index, { [what]: number }),
            "data-test": `sheet-${index}-${what}-${number}`,
          },
          number,
        ),
      ),
      what === "impurity"
        ? h(
            "button",
            {
              type: "button",
              key: "more",
              class: "pad-number",
              disabled: now >= MOST_IMPURITY,
              "aria-label": t("{label}: one more", { label: text }),
              onclick: () => change(index, { [what]: Math.max(now, most) + 1 }),
            },
            "+",
          )
        : null,
    ),
  );
}

// The next animal; a player who already has it takes this one's.
function recolour(index) {
  const row = paper.rows[index];
  const next = PLAYER_COLOURS[(PLAYER_COLOURS.indexOf(row.colour) + 1) % PLAYER_COLOURS.length];
  const colourOf = (one) => (one === row ? next : one.colour === next ? row.colour : one.colour);
  paper.rows = paper.rows.map((one) => ({ ...one, colour: colourOf(one) }));
  keep();
}

function change(index, what) {
  paper.rows = paper.rows.with(index, { ...paper.rows[index], ...what });
  keep();
}

function clear() {
  paper.rows = paper.rows.map(({ name, colour }) => ({ ...EMPTY, name, colour }));
  keep();
}

function keep() {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(paper.rows));
  } catch {
    // Without storage the sheet is lost on reload.
  }
}

// The rules are on the server; stale answers are dropped.
async function add(entered) {
  const rows = entered.map(({ colour, ...row }) => ({ ...row, name: calledBy({ ...row, colour }) }));
  const asked = JSON.stringify(rows);
  if (asked === paper.asked) return;
  paper.asked = asked;
  const answer = await sendQuery("scoring_sheet", { rows });
  if (paper.asked !== asked) return;
  if (answer.ok) paper.result = answer.result;
  else {
    paper.result = null; // those of the counts before
    if (answer.error.message) say(answer.error.message, "wrong");
    setTimeout(() => {
      paper.asked = "";
    }, 1000);
  }
}
