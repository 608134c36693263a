// What the players missed: after the game, the turns that would have gained more, drawn as mazes.

import { t } from "../../../core/text/i18n.js";
import { crest } from "../../../core/components/basic_components.js";
import { ask, live } from "../../../core/live_channel.js";
import { say } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { h } from "../../../../vendor/preact.js";
import { useEffect } from "../../../../vendor/preact-hooks.js";
import { drawMaze } from "../maze/maze.js";
import { marksOf } from "../maze/table_maze.js";

// game: id and number of the game that they belong to; turns: as the companion answers, null before.
const missed = store({ game: null, turns: null });

async function load(key) {
  Object.assign(missed, { game: key, turns: null });
  try {
    const answer = await ask("/api/master/missed");
    if (missed.game === key) missed.turns = answer.turns;
  } catch (error) {
    if (missed.game === key) missed.game = null;
    say(error.message, "wrong");
  }
}

// Component: the missed turns of a game that is over, the dearest first.
export function MissedTurns({ game }) {
  const key = `${game.id}:${game.number}`;
  useEffect(() => {
    if (missed.game !== key) load(key);
  }, [key, live.connected]);
  return h(
    "section",
    { class: "panel missed", "data-test": "missed" },
    h("h2", {}, t("What you missed")),
    missed.turns === null || missed.game !== key
      ? h("p", { class: "aside", role: "status" }, t("Comparing every turn with the best one…"))
      : missed.turns.length
        ? h(
            "ol",
            { class: "missed-turns" },
            missed.turns.map((one) => turn(game, one)),
          )
        : h("p", { class: "aside" }, t("Nothing: every turn gained what it could.")),
  );
}

function turn(game, { number, round, seat, line, after, before }) {
  const { name } = game.seats[seat];
  return h(
    "li",
    { key: number, class: "missed-turn" },
    h("h3", {}, crest(game.seats[seat], "small"), t("Round {round}: {name}", { round, name })),
    h("p", {}, line),
    drawMaze(after, { marks: marksOf(after), label: t("The better turn") }),
    h(
      "a",
      { class: "button quiet", href: `#history/${encodeURIComponent(game.id)}/${before + 1}` },
      t("As it was"),
    ),
  );
}
