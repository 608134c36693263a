// What the table has been taught, in plain words.

import { icon } from "./pieces.js";
import { h } from "./render.js";
import { ANIMALS } from "./words.js";

const SEARCHERS = { purple: "wolves", green: "rabbits", red: "eagles", black: "cats", yellow: "sheep" };
const CARDS = { corridor: "corridors", great: "great oracles", small: "small oracles" };

export const known = { view: null, refusal: "" };

export function learn(view, refusal = "") {
  Object.assign(known, { view, refusal });
}

export function kindName(kind) {
  const [group, which] = kind.split(":");
  if (group === "search") return SEARCHERS[which];
  if (group === "sign") return which === "witch" ? "witch's signs" : "soul's signs";
  return group === "token" ? `${which} tokens` : `impurity tiles of ${which}`;
}

export function kindSign(kind) {
  const [group, which] = kind.split(":");
  if (group === "search") return h("span", { class: `crest small ${which}` }, h("img", { src: `/art/icon/${ANIMALS[which]}.svg`, alt: "" }));
  if (group === "impurity") return h("span", { class: "twofold" }, icon("impurity"), h("b", {}, which));
  return icon(group === "token" ? which : kind);
}

// Whether a calibration will do.
export function verdict({ problems: lines }) {
  if (!lines.length) return h("p", { class: "verdict good" }, "Good enough to count pieces of 15 mm.");
  return h("div", { class: "verdict bad" }, h("p", {}, h("b", {}, "Not good enough yet to count pieces of 15 mm.")), lines.map((line) => h("p", {}, sentence(line))));
}

// What a calibration found, in numbers that people can check with a ruler.
export function figures(findings, advice) {
  const { height_mm: height, tilt_deg: tilt, fov_deg: fov, mm_per_px_centre: centre, mm_per_px_edge: edge, edge_width_px: soft } = findings;
  const doubt = findings.height_doubt_mm > 15 ? `, give or take ${Math.round(findings.height_doubt_mm / 10)}` : "";
  return [
    h(
      "dl",
      { class: "findings" },
      pair("Camera", `${Math.round(height / 10)} cm above the table${doubt}`),
      pair("It looks", tilt < 3 ? "straight down" : `${Math.round(tilt)}° off straight down`),
      pair("It sees", `${Math.round(fov)}° from side to side${findings.fov_measured ? "" : " (a usual lens; not measured)"}`),
      pair("A pixel is", `${centre.toFixed(1)} mm in the middle, ${edge.toFixed(1)} mm at the table's edge`),
      pair("Sharpness", soft === null ? "cannot be judged" : soft <= 3 ? "sharp" : "blurred"),
    ),
    advice.length ? h("details", { class: "aside" }, h("summary", {}, "What would make it surer"), advice.map((line) => h("p", {}, sentence(line)))) : null,
  ];
}

function pair(name, value) {
  return [h("dt", {}, name), h("dd", {}, value)];
}

function sentence(line) {
  return `${line[0].toUpperCase()}${line.slice(1)}${line.endsWith(".") ? "" : "."}`;
}

// Which kinds are too much alike under this light, where that is known.
export function problems() {
  const pairs = known.view.confusable;
  if (!pairs.length) return null;
  return h("div", { class: "verdict bad" }, pairs.map(({ one, other, whole, hidden, advice }) =>
    h("p", { key: `${one} ${other}` }, h("b", {}, `${sentence(`${kindName(one)} and ${kindName(other)} may be confused`)} `), `In ${share(whole)} of looks, ${share(hidden)} when partly hidden. ${sentence(advice)}`)));
}

function share(part) {
  return `${Math.round(100 * part)} %`;
}

export function knownCards() {
  const told = Object.entries(CARDS)
    .filter(([kind]) => known.view.cards[kind])
    .map(([kind, words]) => `${known.view.cards[kind]} ${words}`);
  return h("p", { class: "aside" }, told.length ? `Cards known: ${told.join(", ")}.` : "No cards are known yet: teach them with companion enrol card.");
}
