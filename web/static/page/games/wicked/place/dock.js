// Renders the dock of a player's place: what to do now, undo, and the large button that ends the souls.

import { gainChoice } from "./gain_choice.js";
import { hintButton, hintShown, hintsNotice, leftUndone } from "./hints.js";
import { missingFor } from "./own_moves.js";
import { lacksOracles } from "../entry/card_description.js";
import { listed, t, tn } from "../../../core/text/i18n.js";
import { ask, command, live } from "../../../core/live_channel.js";
import { possible } from "./possible_moves.js";
import {
  byHand,
  choose,
  desk,
  explain,
  mayAct,
  offered,
  ownLatest,
  pick,
  play,
  undoOwn,
} from "../../../place/move_options.js";
import { button } from "../../../core/components/basic_components.js";
import { token } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { useEffect } from "../../../../vendor/preact-hooks.js";
import { carryOut, go, isHost, say, ui } from "../../../core/navigation.js";
import { missingWords, movesFor, question, whyNot } from "./soul_moves.js";
import { tokenName } from "../words.js";
// ms without a tap after which a player who can do nothing more is done, where one screen plays for all
const DONE_AFTER = 2500;

// Render what to do now: a line or a question, and one large button.
export function dock(game, index, player) {
  const { title, panel, big } = task(game, index, player);
  const last = mayAct(index) ? ownLatest(game, index) : null;
  const souls = game.view.phase === "soul";
  const acting = souls && mayAct(index) && game.waiting_for.includes(index);
  return h(
    "section",
    {
      key: `dock-${game.view.phase}-${game.waiting_for.includes(index)}`,
      class: `dock ${acting ? "souls" : ""}`,
      "aria-label": t("What to do now"),
    },
    souls ? hintsNotice() : null,
    h(
      "div",
      { class: "dock-in" },
      title ? h("p", { key: typeof title === "string" ? title : "title", class: "dock-title" }, title) : null,
      panel,
    ),
    h(
      "div",
      { class: "dock-foot" },
      desk.sure ? button(t("Go back"), () => pick(null), "quiet", { "data-test": "go-back" }) : null,
      // While souls are processed it keeps its place, so that the large button does not move.
      (last || acting) && !desk.sure
        ? button(t("Undo"), () => undoOwn(game, index), "quiet", {
            disabled: live.busy || !last,
            title: last?.text ?? "",
            "aria-keyshortcuts": "Control+Z",
            "data-test": "undo-own",
          })
        : null,
      acting && !desk.sure ? hintButton(game, index) : null,
      endsSoon(game, player) ? h(EndsSoon, { key: desk.key, index }) : null,
      big,
    ),
  );
}

function task(game, index, player) {
  const { phase } = game.view;
  const name = game.seats[index].name;
  const waiting = game.waiting_for.filter((seat) => seat !== index).map((seat) => game.seats[seat].name);
  const others = waiting.length ? t("Waiting for {names}.", { names: listed(waiting) }) : "";
  const table = button(t("See the table"), () => go("#table"), "big", { "data-test": "big" });
  if (phase === "over")
    return {
      title: t("The game is over."),
      big: button(t("See the scores"), () => go("#scores"), "gold big"),
    };
  if (phase === "deal")
    return {
      title: t("The oracle cards are dealt: two great and two small ones for everybody."),
      big: table,
    };
  if (phase === "lay") return { title: t("The corridors of the next round are laid."), big: table };
  if (phase === "search")
    return {
      title: t("Choose in secret, then open your hand together with the others."),
      panel: held(player),
      big: table,
    };
  const waits = game.waiting_for.includes(index);
  if (!waits)
    return {
      title: [phase === "soul" ? t("{name} is done.", { name }) : t("Nothing to choose."), " ", others],
      big: table,
    };
  if (!mayAct(index)) return { title: t("{name} is choosing.", { name }), big: table };
  if (phase === "gain") return gainChoice(game, index);
  return soulTask(game, index, player);
}

function held(player) {
  if (!player.held) return null;
  const { search, witch, soul } = player.held;
  const left = [
    tn(search, "{n} search piece", "{n} search pieces"),
    witch ? t("the witch's sign") : null,
    soul ? t("the soul's sign") : null,
  ].filter(Boolean);
  return h("p", { class: "aside" }, t("Behind your screen: {things}.", { things: listed(left) }));
}

function soulTask(game, index, player) {
  const ends = endsSoon(game, player);
  const finish = finishing(game, player, index, ends);
  if (ends)
    return {
      title: t("{name} has done all that is possible: the souls end by themselves.", {
        name: game.seats[index].name,
      }),
      big: finish,
    };
  if (desk.sure) return { title: goes(player), big: finish };
  if (!offered()) return { title: t("Checking what is possible…"), big: finish };
  if (desk.moves) return { ...asked(player, game.view.deck), big: finish };
  const { picked, why } = desk;
  if (!picked && desk.hint) return { ...hintShown(), big: finish };
  if (!picked) return { ...unpicked(game, index, player), big: finish };
  return {
    ...pickedTask(player, picked),
    ...(why ? { title: h("span", { class: "why-not" }, why) } : {}),
    big: finish,
  };
}

// What can be done at once, here or on the board.
function unpicked(game, index, player) {
  const some = offered().length > 1;
  return {
    title:
      desk.note ||
      (some
        ? t("Tap a token, a spell or a card: the highlighted ones can be used.")
        : t("Nothing more can be done with your souls.")),
    panel: some ? possible(game, index, player) : null,
  };
}

function pickedTask(player, picked) {
  const moves = movesFor(offered(), picked);
  if (picked.kind === "token") {
    return {
      title: tokenName(picked.rank, picked.colour),
      panel: h(
        "div",
        { class: "acts three" },
        act(t("Promote two alike"), moves.promote, player, "promote", picked),
        act(t("Promotion spell"), moves.promotion, player, "promotion", picked),
        act(t("Change its colour"), moves.colour_change, player, "colour_change", picked),
      ),
    };
  }
  if (picked.kind === "oracle") {
    const missing = missingFor(picked.card) ?? [];
    const title = missing.length
      ? t("Still missing: {tokens}.", { tokens: missingWords(missing) })
      : t("You have everything that it requires.");
    return {
      title,
      panel: h(
        "div",
        { class: "acts" },
        act(t("Achieve it"), moves.achieve, player, "achieve", picked, "gold"),
      ),
    };
  }
  const title =
    picked.kind === "promotion" ? t("Tap the token to promote.") : t("Tap the token whose colour changes.");
  return {
    title,
    panel: moves.nothing.length
      ? h(
          "div",
          { class: "acts" },
          act(t("Spend it without effect"), moves.nothing, player, "nothing", picked, "quiet"),
        )
      : null,
  };
}

// An impossible action stays in its place, dimmed; a tap on it explains why.
function act(text, moves, player, name, what, kind = "") {
  const off = !moves.length;
  const why = () =>
    what.kind === "oracle"
      ? t("Still missing: {tokens}.", { tokens: missingWords(missingFor(what.card) ?? []) })
      : whyNot(player, name, what);
  return h(
    "button",
    {
      type: "button",
      key: name,
      class: `button act ${off ? "off" : kind}`,
      "aria-disabled": String(off),
      disabled: live.busy,
      onclick: () => (off ? explain(why()) : choose(moves)),
      "data-test": `act-${name}`,
    },
    text,
  );
}

function asked(player, deck) {
  const { text, answers } = question(desk.moves, player, deck);
  return {
    title: text,
    panel: h(
      "div",
      { class: "acts" },
      answers.map((one) =>
        h(
          "button",
          {
            type: "button",
            class: "button act answer",
            disabled: live.busy,
            onclick: () => choose(one.moves),
            "data-test": "answer",
            "aria-label": one.text,
          },
          one.colours.map((colour) => token(colour, one.rank, "small")),
        ),
      ),
    ),
  };
}

// The one large button of the soul phase; what would be left undone or lost is asked about once.
function finishing(game, player, index, ends) {
  const spells = spellsOf(player);
  const done = async () => {
    const { key } = desk;
    desk.acted = false;
    if (!desk.sure) {
      desk.asking = true;
      const left = await leftUndone(game, index);
      if (desk.key !== key) return null;
      desk.asking = false;
      if (left || spells) {
        pick(null);
        Object.assign(desk, { sure: true, left, hint: null });
        return;
      }
    }
    // An answer that got lost is requested again.
    desk.sure = false;
    return finish(game, index);
  };
  const leaving = desk.left ? t("Finish anyway") : tn(spells, "Yes, lose the spell", "Yes, lose {n} spells");
  return button(
    desk.sure ? leaving : t("Done with my souls"),
    done,
    `big ${desk.sure || !somethingPossible() ? "gold" : ""} ${ends ? "by-itself" : ""}`,
    { key: ends ? "ends" : "finish", disabled: live.busy || desk.asking, "data-test": "finish" },
  );
}

// Whether a player, where one screen plays for everybody, has just done the last thing that the rules allow.
function endsSoon(game, player) {
  const last = game.view.phase === "soul" && !desk.sure && desk.acted && desk.options?.length === 1;
  return last && playsForAll() && !lacksOracles(player);
}

// Component: the player is done after a moment; whoever taps the board or takes the move back stays.
function EndsSoon({ index }) {
  useEffect(() => {
    let timer = 0;
    const end = () => {
      if (live.busy) {
        timer = setTimeout(end, 200); // the move before is still on its way
        return;
      }
      desk.acted = false;
      if (!ui.sheet) finish(live.game, index);
    };
    timer = setTimeout(end, DONE_AFTER);
    return () => clearTimeout(timer);
  }, []);
  return button(t("Wait"), () => pick(null), "quiet", { "data-test": "wait" });
}

function playsForAll() {
  return byHand() && isHost() && ui.screen === "player";
}

// Where one screen plays for everybody, the next one who has something to do comes by itself; who can do
// nothing is done.
async function finish(game, index) {
  if (!(await play({ type: "finish_soul", player: index })) || !playsForAll()) return;
  const seats = game.seats.length;
  const others = [...Array(seats).keys()]
    .map((step) => (index + 1 + step) % seats)
    .filter((seat) => seat !== index && game.waiting_for.includes(seat));
  const idle = [];
  for (const seat of others) {
    const { options, number } = await ask(`/api/options/${seat}`);
    if (options.length !== 1 || lacksOracles(live.game.view.players[seat])) {
      go(`#player/${seat}`);
      break;
    }
    await carryOut(command("play", { move: options[0].move, at: number }));
    idle.push(game.seats[seat].name);
  }
  if (idle.length) say(t("Nothing to do for {names}.", { names: listed(idle) }));
  if (idle.length === others.length) go("#table");
}

// Whether anything can be done that has an effect: then being done is not what comes next.
function somethingPossible() {
  return Boolean(
    offered()?.some(
      (move) => ["promote", "achieve_small", "achieve_great"].includes(move.type) || move.lift || move.swap,
    ),
  );
}

function spellsOf(player) {
  return player.promotion + player.colour_change;
}

// What could still be done, and which spells go unused.
function goes(player) {
  const spells = spellsOf(player);
  const unused = spells ? tn(spells, "{n} spell goes unused.", "{n} spells go unused.") : null;
  return desk.left ? [desk.left.line, unused ? " " : null, unused] : unused;
}
