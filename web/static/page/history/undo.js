// Undoes the latest entry.

import { t } from "../core/text/i18n.js";
import { command, live } from "../core/live_channel.js";
import { carryOut, say } from "../core/navigation.js";

const MOST_MOVES_NAMED = 2; // moves named in one toast
// ms to wait for the state after an undo.
const ANSWER_WITHIN = 2000;

// Undo the latest entry and show a toast with the result: the move that is gone, or the moves that count
// again after a correction was undone.
export async function undo(game) {
  if (!(await carryOut(command("undo", { at: game.number })))) return;
  await newerThan(game.number);
  say(undone(game.history, live.game?.history ?? []));
}

function undone(before, after) {
  const gone = before.filter(({ number }) => !after.some((line) => line.number === number));
  // Moves that were made in the meantime are no part of it.
  const newest = before.at(-1)?.number ?? 0;
  const again = after.filter(
    (line) =>
      line.number <= newest && before.find(({ number }) => number === line.number)?.text !== line.text,
  );
  if (again.length)
    return t("The correction was undone. These moves count again: {moves}", {
      moves: again
        .slice(0, MOST_MOVES_NAMED)
        .map(({ text }) => text)
        .join("; "),
    });
  return gone.length ? t("Undone: {move}", { move: gone.at(-1).text }) : t("Undone.");
}

// Wait for a state newer than this one: the acknowledgement may arrive before it.
async function newerThan(number) {
  for (let waited = 0; (live.game?.number ?? number) <= number && waited < ANSWER_WITHIN; waited += 50)
    await new Promise((done) => setTimeout(done, 50));
}
