// History: every move that counts, the picture kept with it, and taking the latest back.

import { t } from "./i18n.js";
import { command, live } from "./live.js";
import { button } from "./pieces.js";
import { h } from "./render.js";
import { openRevision } from "./revision.js";
import { carryOut, say } from "./stage.js";

export async function undo(game) {
  const last = game.history.at(-1);
  if (await carryOut(command("undo", { at: game.number }))) say(last ? t("Taken back: {move}", { move: last.text }) : t("Taken back."));
}

export function historyScreen(game) {
  const lines = [...game.history].reverse();
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
          button(t("Correct"), () => openRevision(line.number), "quiet", { disabled: live.busy, "data-test": "correct", "aria-label": t("Correct: {move}", { move: line.text }) }),
          line.evidence ? h("a", { href: `/api/evidence/${line.number}.jpg`, target: "_blank", rel: "noopener" }, t("picture")) : null,
        ),
      ),
    ),
  );
}
