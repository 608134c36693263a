// Renders one board of the scoring: every part can be corrected, and the picture it was read from is shown
// beside it.

import { at, boardFrame, IMPURITY_AT, MOST_DRAWN, SPACES, spotAt } from "../place/board.js";
import { t, tn, signed } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { button, crest, stepper } from "../../../core/components/basic_components.js";
import { cardBack, icon } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import {
  achieve,
  countingOf,
  editor,
  doubtOf,
  look,
  MOST,
  numberOf,
  photograph,
  pick,
  put,
  remove,
  settle,
  step,
  twice,
} from "./scoring_state.js";
import { between } from "../../../core/text/vocabulary.js";
import { COLOURS, COLOUR_NAMES, RANKS, RANK_NAMES, tokenName } from "../words.js";

const COUNTED = {
  small: [t("Small oracles face down"), () => icon("points2")],
  impurity: [t("Impurity"), () => icon("impurity")],
  promotion: [t("Promotion spells"), () => icon("promotion")],
  colour_change: [t("Colour-change spells"), () => icon("colour_change")],
};

// Render the board. seat: the player's name and colour; score: the present points.
export function boardPlace(one, seat, score) {
  return h(
    "div",
    { key: one.id, class: "person-place scoring-place", "data-test": "scored-board" },
    h(
      "section",
      { class: "scoring-main" },
      h(
        "header",
        { class: "scoring-head" },
        crest(seat),
        h("h2", {}, seat.name),
        h(
          "span",
          { class: "scoring-points" },
          h("b", { "data-test": "points" }, one.totals ? between(one.totals) : signed(score.total)),
          " ",
          h("small", {}, one.totals ? tn(one.totals[1], "point", "points") : t("so far")),
        ),
      ),
      face(one, seat),
      picker(one),
    ),
    h("aside", { class: "person-side" }, doubts(one), beside(one), evidence(one), actions(one)),
  );
}

function face(one, seat) {
  return boardFrame(
    seat,
    [...RANKS].reverse().map((rank) =>
      h(
        "div",
        { key: rank, class: "board-row", role: "group", "aria-label": RANK_NAMES[rank] },
        one[rank].map((token, spot) => spotButton(one, rank, spot, token)),
      ),
    ),
    ["promotion", "colour_change"].map((name) => space(one, name, seat)),
    part(
      one,
      "impurity",
      {
        class: `impurity ${one.impurity ? "" : "none"}`,
        style: at(...IMPURITY_AT),
        "aria-label": tn(one.impurity, "{n} impurity", "{n} impurity"),
      },
      icon("impurity"),
      h("b", { "aria-hidden": "true" }, one.impurity),
    ),
  );
}

function spotButton(one, rank, spot, token) {
  const about = `${rank}:${spot}`;
  const name = token ? tokenName(rank, token) : t("{rank}, empty", { rank: RANK_NAMES[rank] });
  return part(
    one,
    about,
    {
      class: `spot-at ${rank} ${token ? "" : "free"}`,
      style: spotAt(rank, spot),
      "aria-label": t("Spot {number}: {what}", { number: spot + 1, what: name }),
    },
    token ? h("img", { src: `/art/icon/${token}.svg`, alt: "", draggable: "false" }) : null,
  );
}

function space(one, name, seat) {
  const number = one[name];
  const words =
    name === "promotion"
      ? tn(number, "{n} promotion spell", "{n} promotion spells")
      : tn(number, "{n} colour-change spell", "{n} colour-change spells");
  const pieces = Array.from({ length: Math.min(number, MOST_DRAWN) }, () =>
    h("i", { class: `piece ${seat.figure}` }),
  );
  return part(
    one,
    name,
    { class: `space-at ${name}`, style: at(...SPACES[name]), "aria-label": words },
    h("span", { class: "pieces" }, pieces),
    number > 1 ? h("b", { "aria-hidden": "true" }, number) : null,
  );
}

// A part of the board that can be tapped for correction; a doubtful one carries a question mark.
function part(one, about, props, ...inside) {
  const doubt = asked(one, about);
  return h(
    "button",
    {
      ...props,
      key: about,
      type: "button",
      class: `${props.class} ${doubt ? "doubted" : ""} ${editor.picked === about ? "picked" : ""}`,
      "aria-label": doubt
        ? t("{part}. Doubtful: {why}", { part: props["aria-label"], why: doubt.text })
        : props["aria-label"],
      "aria-pressed": String(editor.picked === about),
      "data-part": about,
      onclick: () => pick(about),
    },
    ...inside,
    doubt ? h("i", { class: "mark", "aria-hidden": "true" }, "?") : null,
  );
}

// The choices for the selected part.
function picker(one) {
  const about = editor.picked;
  const [rank, spot] = (about ?? "").split(":");
  if (RANKS.includes(rank)) return tokens(one, rank, Number(spot));
  if (about in COUNTED)
    return h("div", { key: "picker", class: "picker" }, why(one, about), counter(one, about));
  return h(
    "p",
    { key: "picker", class: "picker aside" },
    one.picture ? t("Tap anything that differs from the table.") : t("Tap a spot, then what lies there."),
  );
}

function tokens(one, rank, spot) {
  const now = one[rank][spot];
  const choice = (token, name, picture) =>
    h(
      "button",
      {
        type: "button",
        key: token ?? "empty",
        class: "gem",
        "aria-pressed": String(now === token),
        disabled: live.busy,
        "data-test": `token-${token ?? "empty"}`,
        onclick: () => put(one, rank, spot, token),
      },
      picture,
      h("span", {}, name),
    );
  return h(
    "div",
    { key: "picker", class: "picker", role: "group", "aria-label": t("What lies there?") },
    why(one, `${rank}:${spot}`) ??
      h(
        "p",
        { class: "picker-title" },
        t("{rank}, spot {number}: what lies there?", { rank: RANK_NAMES[rank], number: spot + 1 }),
      ),
    h(
      "div",
      { class: "gem-choice five" },
      COLOURS.map((colour) =>
        choice(
          colour,
          COLOUR_NAMES[colour],
          h("img", { class: "icon big", src: `/art/icon/${colour}.svg`, alt: "" }),
        ),
      ),
      choice(null, t("nothing"), h("i", { class: "hollow", "aria-hidden": "true" })),
    ),
  );
}

function asked(one, about) {
  const doubt = doubtOf(one, about);
  return doubt?.counts ? doubt : null;
}

function why(one, about) {
  const doubt = doubtOf(one, about);
  if (!doubt) return null;
  return h(
    "div",
    { class: "picker-why", "data-about": about },
    h("p", { class: "picker-title why-not" }, doubt.text),
    one.picture ? right(one, doubt, "picked-right") : null,
  );
}

function counter(one, what) {
  const [label, picture] = COUNTED[what];
  const now = numberOf(one, what);
  return h(
    "div",
    { key: what, class: `counter ${asked(one, what) ? "doubted" : ""}` },
    h(
      "span",
      { class: "counter-name" },
      picture(),
      h("span", {}, label),
      asked(one, what) ? h("i", { class: "mark", "aria-hidden": "true" }, "?") : null,
    ),
    stepper(label, now, 0, MOST[what], (number) => step(one, what, number - now)),
  );
}

function doubts(one) {
  const open = countingOf(one);
  const idle = one.doubts.filter(({ counts }) => !counts);
  const rest = idle.length
    ? h(
        "details",
        { key: "idle", class: "idle-doubts" },
        h(
          "summary",
          {},
          tn(
            idle.length,
            "{n} more thing is uncertain, but changes no points",
            "{n} more things are uncertain, but change no points",
          ),
        ),
        h(
          "ul",
          {},
          idle.map((doubt) => doubtLine(one, doubt)),
        ),
      )
    : null;
  if (!open.length)
    return [
      h("p", { key: "settled", class: "verdict good" }, t("Nothing is left to check on this board.")),
      rest,
    ];
  return [
    h(
      "section",
      { key: "doubts", class: "open-doubts", "aria-label": t("To check") },
      h(
        "h3",
        {},
        one.picture ? tn(open.length, "{n} thing to check", "{n} things to check") : t("Not done yet"),
      ),
      h(
        "ul",
        {},
        open.map((doubt) => doubtLine(one, doubt)),
      ),
    ),
    rest,
  ];
}

function doubtLine(one, doubt) {
  const show = () => {
    if (editor.picked !== doubt.about) pick(doubt.about);
  };
  return h(
    "li",
    {
      key: doubt.about,
      class: editor.picked === doubt.about ? "picked" : "",
      "data-about": findable(doubt.about) ? null : doubt.about,
    },
    h(
      "span",
      {},
      doubt.text,
      doubt.decides ? h("small", { class: "decides" }, t("This decides who wins.")) : null,
    ),
    h(
      "span",
      { class: "answers" },
      findable(doubt.about)
        ? button(t("Show"), show, "quiet", { "aria-label": t("Show: {doubt}", { doubt: doubt.text }) })
        : null,
      one.picture ? right(one, doubt, "right") : null,
    ),
  );
}

function right(one, doubt, test) {
  return button(t("It is right"), () => settle(one, doubt.about), "", {
    disabled: live.busy,
    "data-test": test,
    "aria-label": t("It is right: {doubt}", { doubt: doubt.text }),
  });
}

function findable(about) {
  return about in COUNTED || RANKS.includes(about.split(":")[0]);
}

function beside(one) {
  return h(
    "section",
    { key: "beside", class: "panel scoring-beside" },
    h("h3", {}, t("Beside the board")),
    h(
      "ul",
      { class: "greats" },
      one.great.map((great, place) => greatCard(one, great, place)),
    ),
    counter(one, "small"),
    counter(one, "impurity"),
  );
}

function greatCard(one, { card, achieved }, place) {
  const name = card ? t("Great oracle {card}", { card }) : t("Great oracle {number}", { number: place + 1 });
  const picture = card
    ? h("img", { class: "card", src: `/api/teaching/cards/${encodeURIComponent(card)}.png`, alt: "" })
    : cardBack("great", { alt: "" });
  return h(
    "li",
    { key: place },
    h(
      "button",
      {
        type: "button",
        class: `oracle ${achieved ? "achieved" : ""} ${asked(one, `great:${place}`) ? "doubted" : ""}`,
        role: "switch",
        "aria-checked": String(achieved),
        disabled: live.busy,
        "data-test": `great-${place}`,
        onclick: () => achieve(one, place, !achieved),
      },
      picture,
      h(
        "span",
        {},
        h("strong", {}, name),
        h("small", {}, achieved ? t("achieved, two high tokens on it") : t("not achieved")),
      ),
      asked(one, `great:${place}`)
        ? h("i", { class: "mark", "aria-hidden": "true" }, "?")
        : h("b", { class: "tick", "aria-hidden": "true" }, achieved ? "✓" : ""),
    ),
  );
}

function evidence(one) {
  if (!one.picture) return null;
  return h(
    "figure",
    { key: "evidence", class: "scoring-evidence" },
    h(
      "a",
      { href: `/api/scoring/${one.picture}`, target: "_blank", rel: "noopener" },
      h("img", { src: `/api/scoring/${one.picture}`, alt: t("The picture that this board was read from") }),
    ),
    h("figcaption", { class: "aside" }, t("The picture it was read from")),
  );
}

function actions(one) {
  const sure = editor.sure === `remove ${one.id}`;
  const { unread } = editor.view;
  const sees = !["no_camera", "preparing"].includes(live.view.camera.state);
  return h(
    "footer",
    { key: "actions", class: "scoring-actions" },
    unread
      ? null
      : shot(
          one.picture ? t("Photograph again") : t("Photograph it instead"),
          "",
          (files) => photograph(files, one.id),
          { "data-test": "again" },
        ),
    !unread && sees && one.picture
      ? button(t("Read it again with the camera"), () => look(one.id), "", { disabled: live.busy })
      : null,
    button(
      sure ? t("Really remove it?") : t("Remove"),
      () => twice(`remove ${one.id}`, () => remove(one)),
      sure ? "danger" : "quiet",
      { disabled: live.busy, "data-test": "remove" },
    ),
  );
}

// Render a button that opens the phone's camera, or a file dialog on devices without one. take(files) gets
// the pictures.
export function shot(text, kind, take, more = {}, capture = true) {
  return h(
    "label",
    { class: `button file-button ${kind}` },
    text,
    h("input", {
      type: "file",
      // Phones that store pictures in their own format convert them to one of these types.
      accept: capture ? "image/*" : "image/jpeg,image/png,image/webp",
      capture: capture ? "environment" : null,
      multiple: !capture,
      onchange: (event) => {
        const files = [...event.target.files];
        event.target.value = "";
        if (files.length) take(files);
      },
      ...more,
    }),
  );
}
