// Renders the set-up step in which one picture shows all pieces of a group in their order, with the texts of
// the game's kit.

import { t } from "../core/text/i18n.js";
import { button } from "../core/components/basic_components.js";
import { live } from "../core/live_channel.js";
import { say } from "../core/navigation.js";
import { h } from "../../vendor/preact.js";
import { change } from "./enrolment.js";
import { inHands, known } from "./profile.js";
import { onward, refusal } from "./step_parts.js";

// Component: the step.
export function OrderedStep({ next }) {
  const { title, about, done } = known.view.kit.in_order;
  const enrolled = known.view.kinds.some(({ kind, specimens }) => specimens && !inHands(kind));
  return [
    refusal(),
    h(
      "section",
      { key: "in-order", class: "panel" },
      h("h2", {}, title),
      about.map((line) => h("p", { key: line }, line)),
      enrolled ? h("p", { class: "verdict good" }, done) : null,
      h(
        "p",
        { class: "row" },
        button(
          t("Take the picture"),
          () => change("teach_in_order", {}, () => say(done)),
          enrolled ? "" : "gold large",
          {
            disabled: live.busy || live.view.camera.state === "no_camera",
            "data-test": "enrol-in-order",
          },
        ),
      ),
    ),
    onward(next, enrolled),
  ];
}
