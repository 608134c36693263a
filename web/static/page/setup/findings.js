// Renders what the profile says of the table: findings of the calibration, confusable pieces.

import { t } from "../core/text/i18n.js";
import { h } from "../../vendor/preact.js";
import { inHands, kindName, known } from "./profile.js";

// Render whether the calibration is good enough to count pieces.
export function verdict({ problems: lines }) {
  if (!lines.length) return h("p", { class: "verdict good" }, t("Good enough to count pieces of 15 mm."));
  return h(
    "div",
    { class: "verdict bad" },
    h("p", {}, h("b", {}, t("Not good enough yet to count pieces of 15 mm."))),
    lines.map((line) => h("p", {}, sentence(line))),
  );
}

// mm of the widest edge in the picture that counts as sharp, as in calibration/findings.py
const SHARP_MM = 3;

// Render a calibration's figures, which can be checked with a ruler, and the advice to improve it.
export function figures(findings, advice) {
  const {
    height_mm: height,
    tilt_deg: tilt,
    fov_deg: fov,
    mm_per_px_centre: centre,
    mm_per_px_edge: edge,
    edge_width_px: soft,
  } = findings;
  const above = { height: Math.round(height / 10), doubt: Math.round(findings.height_doubt_mm / 10) };
  const side = { angle: Math.round(fov) };
  return [
    h(
      "dl",
      { class: "findings" },
      pair(
        t("Camera"),
        findings.height_doubt_mm > 15
          ? t("{height} cm above the table, give or take {doubt}", above)
          : t("{height} cm above the table", above),
      ),
      pair(
        t("Direction"),
        tilt < 3 ? t("straight down") : t("{angle}° off straight down", { angle: Math.round(tilt) }),
      ),
      pair(
        t("Field of view"),
        findings.fov_measured
          ? t("{angle}° from side to side", side)
          : t("{angle}° from side to side (typical lens, not measured)", side),
      ),
      pair(
        t("Pixel size"),
        t("{centre} mm in the middle, {edge} mm at the table's edge", {
          centre: centre.toFixed(1),
          edge: edge.toFixed(1),
        }),
      ),
      pair(
        t("Sharpness"),
        soft === null ? t("cannot be measured") : soft * centre <= SHARP_MM ? t("sharp") : t("blurred"),
      ),
    ),
    advice.length
      ? h(
          "details",
          { class: "aside" },
          h("summary", {}, t("What would improve it")),
          advice.map((line) => h("p", {}, sentence(line))),
        )
      : null,
  ];
}

function pair(name, value) {
  return [h("dt", {}, name), h("dd", {}, value)];
}

function sentence(line) {
  const end = /[.。]$/.test(line) ? "" : t(".");
  return `${line[0].toUpperCase()}${line.slice(1)}${end}`;
}

// Render the pairs of kinds that may be confused under this light; null if there are none. held: kinds held
// in hands, otherwise those on boards.
export function problems(held) {
  const pairs = known.view.confusable.filter(({ one }) => inHands(one) === held);
  if (!pairs.length) return null;
  return h(
    "div",
    { class: "verdict bad" },
    pairs.map(({ one, other, whole, hidden, advice }) =>
      h(
        "p",
        { key: `${one} ${other}` },
        h(
          "b",
          {},
          sentence(t("{one} and {other} may be confused.", { one: kindName(one), other: kindName(other) })),
          " ",
        ),
        t("In {share} of pictures, {hidden} when partly hidden.", {
          share: share(whole),
          hidden: share(hidden),
        }),
        " ",
        sentence(advice),
      ),
    ),
  );
}

function share(part) {
  return t("{whole} %", { whole: Math.round(100 * part) });
}
