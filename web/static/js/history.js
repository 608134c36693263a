// History: every move that counts, the picture kept with it, and taking the latest back.

import { t } from "./i18n.js";
import { command, live } from "./live.js";
import { button } from "./pieces.js";
import { h } from "./render.js";
import { carryOut, openSheet, say } from "./stage.js";

export async function undo(game) {
  const last = game.history.at(-1);
  if (await carryOut(command("undo", { at: game.number }))) say(last ? t("Taken back: {move}", { move: last.text }) : t("Taken back."));
}

// Put another reveal in the place of the one entered last.
export function correctEntry(game, seat = null) {
  const entry = game.history.findLast((line) => line.type === "reveal");
  const { outcome } = game.state;
  if (entry && outcome) openSheet({ kind: "reveal", mode: "revise", entry: entry.number, hands: outcome.hands, seat });
}

export function historyScreen(game) {
  const lines = [...game.history].reverse();
  const reveal = lines.find((line) => line.type === "reveal");
  return h(
    "section",
    { class: "panel lines" },
    h("h2", {}, t("What happened, latest first")),
    lines.length ? button(t("Undo the latest"), () => undo(game), "", { disabled: live.busy, "data-test": "undo" }) : h("p", { class: "aside" }, t("Nothing yet.")),
    h(
      "ol",
      {},
      lines.map((line) =>
        h(
          "li",
          { key: `line-${line.number}`, class: line.type },
          h("b", {}, line.number),
          h("span", {}, line.text),
          line === reveal ? button(t("Correct"), () => correctEntry(game), "quiet", { "data-test": "correct" }) : null,
          line.evidence ? h("a", { href: `/api/evidence/${line.number}.jpg`, target: "_blank", rel: "noopener" }, t("picture")) : null,
        ),
      ),
    ),
  );
}
