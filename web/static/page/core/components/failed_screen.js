// Keeps the page usable when rendering a screen throws an error: shows a message in its place, while the
// other screens stay reachable.

import { button } from "./basic_components.js";
import { t } from "../text/i18n.js";
import { ui } from "../navigation.js";
import { Component, h } from "../../../vendor/preact.js";

// Component: a screen that is replaced by failure() if it throws. show: its component; game: passed to
// that.
export class Screen extends Component {
  static getDerivedStateFromError() {
    return { failedAt: here() };
  }

  // The browser logs it like any other uncaught error.
  componentDidCatch(error) {
    reportError(error);
  }

  render({ show, game }, { failedAt }) {
    return failedAt === here() ? failure() : h(show, { game });
  }
}

// Render the message in place of a part that cannot be shown.
export function failure() {
  return h(
    "section",
    { class: "panel", role: "alert", "data-test": "failed-screen" },
    h(
      "p",
      {},
      t("This screen cannot be shown. Load the page again; if it fails again, make a diagnostic file."),
    ),
    h(
      "p",
      { class: "row" },
      button(t("Load the page again"), () => location.reload(), "gold"),
      h("a", { class: "button", href: "#health" }, t("Health")),
    ),
  );
}

function here() {
  return [ui.screen, ...ui.path].join("/");
}
