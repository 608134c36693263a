// Renders the pieces and tokens steps of the set-up: one kind at a time is laid out and captured, and people
// remove false detections.

import { t } from "../core/text/i18n.js";
import { problems } from "./findings.js";
import { inHands, kindName, kindSign, known } from "./profile.js";
import {
  back,
  findPieces,
  keep,
  leaveOut,
  enrolment,
  lookAway,
  lookFor,
  shootByItself,
} from "./enrolment.js";
import { live } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useLayoutEffect, useRef } from "../../vendor/preact-hooks.js";
import { cutOut } from "./picture.js";
import { emptyTable, onward, refusal, simulated, waits, watchLine } from "./step_parts.js";

// Render the step for pieces and signs, which hands can hold.
export function piecesStep({ next }) {
  return h(KindsStep, { key: "held", held: true, next });
}

// Render the step for tokens and tiles; needed only to read boards.
export function tokensStep({ next }) {
  return h(KindsStep, { key: "laid", held: false, next });
}

// Component: a step. held: for kinds held in hands, otherwise for those on and beside boards.
function KindsStep({ held, next }) {
  const kinds = known.view.kinds.filter(({ kind }) => inHands(kind) === held);
  const now = currentKind(held, kinds);
  useLayoutEffect(() => {
    enrolment.kind = now;
  }, [now]);
  return enrolment.doing === "pieces" ? foundStep() : chooseStep(held, kinds, now, next);
}

// The chosen kind; before one of this step is chosen, the first one that is not enrolled.
function currentKind(held, kinds) {
  const { kind } = enrolment;
  if (kind !== null && inHands(kind) === held) return kind;
  return (kinds.find(({ specimens }) => !specimens) ?? kinds[0]).kind;
}

function chooseStep(held, kinds, now, next) {
  const on = enrolment.watch?.what === "pieces";
  const kind = kindName(now);
  const all = kinds.every(({ specimens }) => specimens);
  return [
    refusal(),
    simulated(now, t("Some {kind}", { kind })),
    h(
      "section",
      { key: "pieces", class: "panel" },
      h("h2", {}, on ? t("Now the {kind}", { kind }) : held ? t("Pieces") : t("Tokens and tiles")),
      known.view.calibrated
        ? null
        : h("p", { class: "verdict bad" }, t("The table has not been found yet: show the sheet first.")),
      held
        ? null
        : h(
            "p",
            {},
            t("Only needed if you want the camera to read the personal boards and add up the scores."),
          ),
      h(
        "p",
        { class: "aside" },
        t("Lay two to eight of one kind in the middle, apart from each other, and take your hands away."),
      ),
      // Left before the table was photographed, or calibrated elsewhere.
      known.view.calibrated && !known.view.empty_table && !on && !all ? emptyTable() : null,
      on
        ? watchLine()
        : known.view.calibrated
          ? waits(
              all
                ? t("All of these are known; nothing is waited for.")
                : t("It waits for you to begin: lay some {kind} down and let it shoot by itself.", { kind }),
            )
          : null,
      h(
        "p",
        { class: "row" },
        on
          ? [
              button(t("Take it now"), findPieces, "", { disabled: live.busy, "data-test": "find-pieces" }),
              button(t("Stop"), stop, "quiet"),
            ]
          : [
              button(
                t("Take pictures automatically"),
                () => shootByItself("pieces", now),
                all ? "" : "gold large",
                { disabled: live.busy || !known.view.calibrated, "data-test": "by-itself" },
              ),
              button(t("Find the {kind}", { kind }), findPieces, "", {
                disabled: live.busy || !known.view.calibrated,
                "data-test": "find-pieces",
              }),
            ],
      ),
      h(
        "div",
        { class: "kinds", role: "radiogroup", "aria-label": t("Kind of piece") },
        kinds.map((one) => kindChoice(one, now)),
      ),
    ),
    report(kinds),
    onward(next, !on && all, held || all ? undefined : t("Continue without them")),
  ];
}

// How well the enrolled kinds can be distinguished.
function report(kinds) {
  const left = kinds.filter(({ specimens }) => !specimens);
  const worst = inHands(kinds[0].kind) ? known.view.taken_for_another : null;
  if (left.length > kinds.length - 2) return null;
  const share =
    worst === null
      ? null
      : worst >= 0.01
        ? t("The hardest kind is mistaken for another in {share} % of pictures.", {
            share: Math.round(100 * worst),
          })
        : t("The hardest kind is mistaken for another in less than 1 % of pictures.");
  return h(
    "section",
    { key: "report", class: "panel" },
    h("h3", {}, t("Can they be distinguished?")),
    problems(inHands(kinds[0].kind)) ??
      h(
        "p",
        { class: "verdict good" },
        t("All known kinds can be distinguished under this light."),
        share && [" ", share],
      ),
    left.length
      ? h(
          "p",
          { class: "aside" },
          t("Not known yet: {kinds}.", { kinds: left.map(({ kind }) => kindName(kind)).join(", ") }),
        )
      : null,
  );
}

function stop() {
  lookAway();
}

function kindChoice({ kind, specimens }, now) {
  return h(
    "button",
    {
      key: kind,
      type: "button",
      role: "radio",
      class: `kind ${specimens ? "" : "unknown"}`,
      "aria-checked": String(now === kind),
      "aria-label": specimens
        ? t("{kind}: {specimens} known", { kind: kindName(kind), specimens })
        : t("{kind}: not known yet", { kind: kindName(kind) }),
      onclick: () => choose(kind),
    },
    kindSign(kind),
    h("span", {}, specimens || t("none")),
  );
}

function choose(kind) {
  enrolment.kind = kind;
  if (enrolment.watch?.what === "pieces") lookFor("pieces", kind);
}

function foundStep() {
  const { pieces, like } = enrolment.found.pieces;
  const left = pieces.length - enrolment.out.size;
  const kind = kindName(enrolment.kind);
  const asks = like && pieces.length > 0;
  return h(
    "section",
    { key: "found-pieces", class: "panel" },
    h(
      "h2",
      {},
      pieces.length ? t("{number} {kind}?", { number: pieces.length, kind }) : t("No {kind} found", { kind }),
    ),
    h(
      "p",
      {},
      pieces.length
        ? t("Tap a wrong one to leave it out. Tap missed ones in the picture.")
        : t("Tap each of them in the picture, or spread them apart in the middle and try again."),
    ),
    refusal(),
    !pieces.length && !known.view.empty_table ? emptyTable(back) : null,
    asks
      ? h(
          "p",
          { class: "verdict bad", role: "alert" },
          t("They look like the {others} that are known already. Are these really {kind}?", {
            others: kindName(like),
            kind,
          }),
        )
      : null,
    enrolment.unlike && enrolment.refusal
      ? h(
          "p",
          { class: "row" },
          button(t("Keep them anyway"), () => keep({ force: true }), "", { disabled: live.busy }),
          known.view.kinds.find((one) => one.kind === enrolment.kind).specimens
            ? button(t("Forget the older ones"), () => keep({ replace: true }), "", { disabled: live.busy })
            : null,
        )
      : null,
    pieces.length
      ? h(
          "p",
          { class: "row" },
          button(
            asks
              ? t("Yes, {left} {kind}", { left, kind })
              : left === pieces.length
                ? t("Keep all {left}", { left })
                : t("Keep {left}", { left }),
            () => keep(asks ? { force: true } : {}),
            asks ? "large" : "gold large",
            { disabled: live.busy || left === 0, "data-test": "keep" },
          ),
        )
      : null,
    h("ul", { class: "crops" }, pieces.map(crop)),
    h(
      "p",
      { class: "row" },
      button(t("Try again"), findPieces, "", { disabled: live.busy }),
      button(t("Discard"), back, "quiet"),
    ),
  );
}

// Component: the part of the draft picture inside an outline.
function CutOut({ outline }) {
  const canvas = useRef(null);
  useLayoutEffect(() => cutOut(canvas.current, outline), []);
  return h("canvas", { ref: canvas, width: 112, height: 112 });
}

function crop({ outline, size_mm: [longer, shorter] }, number) {
  const out = enrolment.out.has(number);
  const values = { number: number + 1, longer: Math.round(longer), shorter: Math.round(shorter) };
  return h(
    "li",
    { key: `${enrolment.draft}-${number}-${outline[0]}` },
    h(
      "button",
      {
        type: "button",
        class: "crop",
        "aria-pressed": String(!out),
        "aria-label": out
          ? t("Piece {number}, {longer} by {shorter} mm: left out; tap to include it", values)
          : t("Piece {number}, {longer} by {shorter} mm: included; tap to leave it out", values),
        onclick: () => leaveOut(number),
      },
      h(CutOut, { outline }),
    ),
  );
}
