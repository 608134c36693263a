// Renders the set-up step in which the tokens of another printing are enrolled from one picture.

import { t } from "../../../core/i18n.js";
import { button } from "../../../core/components.js";
import { live } from "../../../core/live.js";
import { say } from "../../../core/navigation.js";
import { h } from "../../../../vendor/preact.js";
import { change } from "../../../setup/enrolment.js";
import { known } from "../../../setup/profile.js";
import { onward, refusal } from "../../../setup/step_parts.js";

// Render the step.
export function tokensStep() {
  const enrolled = known.view.kinds.some(({ kind, specimens }) => kind.startsWith("token:") && specimens);
  return [
    refusal(),
    h(
      "section",
      { key: "tokens", class: "panel" },
      h("h2", {}, t("Tokens of another printing")),
      h("p", {}, t("Tokens that the companion printed are known. Show it those of another printing once.")),
      h(
        "p",
        {},
        t("Lay all 21 in order, from 1 to 20, then 25: in rows from left to right, with space between them."),
      ),
      enrolled ? h("p", { class: "verdict good" }, t("Your own tokens are enrolled.")) : null,
      h(
        "p",
        { class: "row" },
        button(t("Take the picture"), enrol, enrolled ? "" : "gold large", {
          disabled: live.busy || live.view.camera.state === "no_camera",
          "data-test": "enrol-tokens",
        }),
      ),
    ),
    onward("camera", t("Back to the camera"), enrolled),
  ];
}

function enrol() {
  return change("teach_in_order", {}, () => say(t("Your own tokens are enrolled.")));
}
