// The boards, which the camera does not read.

import { t } from "./i18n.js";
import { lesson } from "./lesson.js";
import { h } from "./render.js";
import { refusal } from "./teaching.js";
import { button } from "./pieces.js";
import { finish } from "./lesson.js";
import { live } from "./live.js";
import { go } from "./stage.js";

// open: the steps that are still needed.
export function boardsStep(open) {
  return [
    refusal(),
    h(
      "section",
      { key: "boards", class: "panel" },
      h("h2", {}, t("The boards")),
      h("p", {}, t("The camera does not read the personal boards yet. What lies on them is known all the same: the companion reckons it from what is read and chosen, and every choice is made on the page by hand.")),
      open.length ? h("p", { class: "verdict bad" }, t("Something is still to be taught: look for the steps without a tick.")) : h("p", { class: "verdict good" }, t("Everything is taught.")),
      lesson.unread && h("p", { class: "aside" }, lesson.unread),
      h("p", { class: "row onward" }, button(t("Begin a game"), begin, "gold large", { disabled: live.busy, "data-test": "to-game" })),
    ),
  ];
}

async function begin() {
  await finish();
  go("#new");
}
