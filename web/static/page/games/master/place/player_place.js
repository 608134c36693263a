// A player's own place: whose turn it is, the maze from the player's side, tokens, wands and the formula
// card.

import { t, tn } from "../../../core/text/i18n.js";
import { button } from "../../../core/components/basic_components.js";
import { command, live } from "../../../core/live_channel.js";
import { carryOut } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { desk, mayAct, ownLatest, undoOwn } from "../../../place/move_options.js";
import { h } from "../../../../vendor/preact.js";
import { FORMULAS } from "../entry/formulas.js";
import { caption, entry, promised, wandButton } from "../entry/entry.js";
import { maze } from "../maze/table_maze.js";
import { tokenList, tokenPicture, wandPictures } from "../tokens.js";
import { noteFormula, ownFormula, turnsOf } from "../entry/turn.js";

// shown: whether their own formula card is uncovered; tip: number of the state whose tip was asked for.
const card = store({ shown: false, tip: null });

// Render the place of a player.
export function place(game, seat) {
  const { view } = game;
  const player = view.players[seat];
  const moves = view.mover === seat && ["shift", "walk"].includes(view.phase) && mayAct(seat);
  return h(
    "div",
    { class: "own-place maze-place", "data-test": "maze-place" },
    h("div", { class: "own-maze" }, maze(game, moves)),
    h(
      "div",
      { class: "own-side" },
      h("p", { class: `own-turn ${moves ? "mine" : ""}`, role: "status" }, ownTurn(game, seat)),
      moves ? entry(game, seat) : null,
      undoButton(game, seat),
      ["formulas", "over"].includes(view.phase) && (player.formula || player.noted)
        ? h("p", { class: "row" }, h("a", { class: "button gold large", href: "#table" }, onward(view)))
        : null,
      tip(game, seat),
      moves ? null : promised(game),
      view.wand_of === seat && !moves ? wandButton(game) : null,
      h(
        "section",
        { class: "panel own-things", "aria-label": game.seats[seat].name },
        h(
          "p",
          { class: "seat-wands" },
          wandPictures(player.wands),
          tn(player.wands, "{n} wand", "{n} wands"),
        ),
        tokenList(player.tokens, t("Tokens held")),
        player.tokens.length ? null : h("p", { class: "aside" }, t("No token yet.")),
      ),
      mayAct(seat) ? formula(game, seat) : null,
    ),
  );
}

// Where a player goes when their own card is shown.
function onward({ phase }) {
  return phase === "over" ? t("See who won") : t("See the table");
}

// The button with which a player takes back their own latest move; null without one.
function undoButton(game, seat) {
  const turns = turnsOf(game);
  const last = mayAct(seat) ? ownLatest(turns, seat) : null;
  if (!last) return null;
  return h(
    "p",
    { class: "row" },
    button(t("Undo"), () => undoOwn(turns, seat), "quiet", {
      disabled: live.busy,
      title: last.text,
      "data-test": "undo-own",
    }),
    h("span", { class: "aside" }, last.text),
  );
}

// The player's turn, or whose turn it is.
function ownTurn(game, seat) {
  const { view } = game;
  if (view.mover !== seat || !["shift", "walk"].includes(view.phase) || !ownFormula(seat))
    return caption(game);
  if (view.phase === "walk") return t("Your turn: move your wizard");
  return view.extra ? t("Your extra turn") : t("Your turn");
}

// The companion's tip, where the table allows it and the player's own screen shows it.
function tip(game, seat) {
  const aids = game.view.tips && ownFormula(seat) && desk.player === seat ? desk.answer?.aids : null;
  if (!aids) return null;
  return card.tip === game.number
    ? h("p", { class: "panel own-tip", role: "status", "data-test": "tip" }, aids.tip)
    : button(t("Ask for a tip"), () => (card.tip = game.number), "quiet", { "data-test": "ask-tip" });
}

// The formula card: uncovered for a moment on the player's own device, noted where it is not known yet.
function formula(game, seat) {
  const player = game.view.players[seat];
  const ended = ["formulas", "over"].includes(game.view.phase);
  if (player.formula && (ended || ownFormula(seat))) return knownFormula(game, seat, ended);
  if (player.noted) return h("p", { class: "aside" }, t("The formula card is noted."));
  if (!ended && !ownFormula(seat)) return null;
  const shown = ended ? game.view.players.map((one) => one.formula?.join()) : [];
  return h(
    "section",
    { class: "panel", "aria-label": t("Formula card") },
    h("h3", {}, t("Which formula card is it?")),
    noteOnChoice(game.view, seat, ended),
    h(
      "ul",
      { class: "formulas" },
      FORMULAS.filter((numbers) => !shown.includes(numbers.join())).map((numbers) =>
        h(
          "li",
          { key: numbers.join() },
          button(numbers.join(" · "), () => noteFormula(seat, numbers), "", {
            disabled: live.busy,
            "data-test": `formula-${numbers.join("-")}`,
          }),
        ),
      ),
    ),
  );
}

// What stands above the choice of a formula card; null where nothing needs to be said.
function noteOnChoice(view, seat, ended) {
  const line = !ended
    ? t("It stays on this screen alone until play has ended.")
    : view.same_card.includes(seat)
      ? t("Two players had noted the same card.")
      : null;
  return line ? h("p", { class: "aside", "data-test": "note-on-choice" }, line) : null;
}

function knownFormula(game, seat, ended) {
  const player = game.view.players[seat];
  return h(
    "section",
    { class: "panel own-formula", "aria-label": t("Formula card") },
    card.shown || ended
      ? [
          h("p", { key: "numbers", class: "formula" }, player.formula.join(" · ")),
          h(
            "span",
            { key: "pictures", class: "held-tokens" },
            player.formula.map((number) =>
              tokenPicture(number, player.tokens.includes(number) ? "on-formula" : "wanted"),
            ),
          ),
        ]
      : h("p", { class: "aside" }, t("Your formula card is covered.")),
    ended
      ? null
      : h(
          "p",
          { class: "row" },
          button(card.shown ? t("Cover it") : t("Show it"), () => (card.shown = !card.shown), "quiet"),
          card.shown
            ? button(t("It is another card"), () => forgetFormula(game, seat), "quiet", {
                disabled: live.busy,
                "data-test": "another-formula",
              })
            : null,
        ),
  );
}

// Take the noted card back, so that another one can be chosen.
async function forgetFormula(game, seat) {
  const line = game.history.findLast(({ type, player }) => type === "note_formula" && player === seat);
  if (!line) return;
  await carryOut(command("undo", { at: game.number, entry: line.number }));
  card.shown = false;
}
