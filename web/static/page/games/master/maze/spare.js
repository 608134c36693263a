// The spare tile in its rotations: one of them is chosen by a tap, or dragged to an arrow.

import { t } from "../../../core/text/i18n.js";
import { draggable } from "../../../core/components/drag_and_drop.js";
import { h } from "../../../../vendor/preact.js";
import { boardAngle, rotations, shapeName, shapeOf, tileLabel } from "./board.js";

// Render the rotations of the spare tile. chosen: openings; choose(openings): after a tap.
// drag: {takes(openings, target),
// drop(openings, target)} where they can be dragged.
export function spareTiles(openings, chosen, choose, { drag = null, disabled = false } = {}) {
  const [shape] = shapeOf(openings);
  return h(
    "div",
    {
      class: "spare-tiles",
      role: "radiogroup",
      "aria-label": t("The spare tile: {shape}", { shape: shapeName(shape) }),
    },
    rotations(shape).map((one) =>
      h(
        "button",
        {
          key: one,
          type: "button",
          role: "radio",
          class: "spare-tile",
          "aria-checked": String(one === chosen),
          "aria-label": tileLabel(one),
          disabled,
          onclick: () => choose(one),
          "data-test": `spare-${one}`,
          ...(drag && !disabled ? draggable(one, drag.takes, drag.drop) : {}),
        },
        tileImage(one),
      ),
    ),
  );
}

// Render a tile as an image that can be dragged, as it lies on the board of this screen.
export function tileImage(openings) {
  const [shape, quarters] = shapeOf(openings);
  return h("img", {
    class: "tile-image",
    src: `/art/master/tile/${shape}.svg`,
    style: { transform: `rotate(${quarters * 90 + boardAngle()}deg)` },
    alt: "",
    draggable: false,
  });
}
