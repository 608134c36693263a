// Renders the pictures of a replay, all of them small and one of them large.

import { t } from "../core/text/i18n.js";
import { pictureOf } from "./saved_games.js";
import { button, sheet } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { enlarge, show } from "./replay_state.js";

// Render all pictures of the game.
export function pictures(replay, story) {
  const kept = story.steps.filter((step) => step.evidence);
  if (!kept.length)
    return h("p", { class: "aside" }, t("This game has no pictures: everything was entered by hand."));
  return h(
    "ol",
    { class: "replay-pictures" },
    kept.map((step) =>
      h(
        "li",
        { key: step.number },
        h(
          "button",
          {
            type: "button",
            class: "thumb",
            onclick: () => {
              show(replay, step.place);
              enlarge(replay, step.number);
            },
            "aria-label": t("Enlarge the picture"),
          },
          h("img", { src: pictureOf(story.game.id, step.number), loading: "lazy", alt: "" }),
        ),
        h("span", {}, step.text),
      ),
    ),
  );
}

// Render the enlarged picture; null where none is.
export function large(replay, story) {
  const kept = story.steps.filter((step) => step.evidence);
  const at = kept.findIndex((step) => step.number === replay.large);
  if (at < 0) return null;
  const turn = (by) => () => {
    show(replay, kept[at + by].place);
    enlarge(replay, kept[at + by].number);
  };
  return h(
    "div",
    { class: "evidence-sheet" },
    sheet(
      t("What the camera saw"),
      () => enlarge(replay, null),
      h("img", {
        key: replay.large,
        class: "evidence-large",
        src: pictureOf(story.game.id, replay.large),
        alt: kept[at].text,
        "data-test": "evidence-large",
      }),
      h("p", {}, kept[at].text),
      h(
        "footer",
        {},
        button(t("Previous picture"), turn(-1), "", { disabled: at === 0 }),
        button(t("Next picture"), turn(1), "", { disabled: at === kept.length - 1 }),
        h(
          "a",
          {
            class: "button quiet",
            href: pictureOf(story.game.id, replay.large),
            target: "_blank",
            rel: "noopener",
          },
          t("Full size"),
        ),
      ),
    ),
  );
}
