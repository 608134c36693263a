// Corrects what the camera reads of one place: it is tapped in the maze, then what lies or stands there is
// chosen, and the reading goes on with that.

import { t } from "../../../core/text/i18n.js";
import { button, crest, sheet } from "../../../core/components/basic_components.js";
import { command, live } from "../../../core/live_channel.js";
import { carryOut, closeSheet, isHost, openSheet, ui } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { h } from "../../../../vendor/preact.js";
import { byHand } from "../../../place/move_options.js";
import { waitingProposal } from "../../../table/question.js";
import { BOX, FIXED, placeLabel, rotations, shapeName, shapeOf, tileLabel } from "../maze/board.js";
import { tileImage } from "../maze/spare.js";
import { tokenName, tokenPicture } from "../tokens.js";

const READ_IN = ["board", "shift", "walk"];
const NOT_READING = ["preparing", "paused", "teaching", "hindered", "no_camera", "by_hand"];
// on: id of the game in which a place is chosen to be corrected, or null.
const mode = store({ on: null });

// Return whether this screen may correct what the camera reads now.
export function mayCorrect(game) {
  const reads = !byHand() && !NOT_READING.includes(live.view.camera.state);
  return isHost() && ui.screen === "table" && reads && READ_IN.includes(game.view.phase);
}

// Return whether the next tap on the maze chooses a place to correct.
export function isChoosing(game) {
  return mode.on === game.id && mayCorrect(game);
}

// Return whether all places of the maze are tapped to be corrected: what was read is proposed, or a place is
// being chosen.
export function correctsPlaces(game) {
  return mayCorrect(game) && (isChoosing(game) || waitingProposal(game) !== null);
}

// Return the places that can be tapped, each with what a tap does. view: what is shown of the table; where:
// the places to offer.
export function correctablePlaces(game, view, where = view.tiles.keys()) {
  return new Map(
    [...where].map((place) => [
      place,
      {
        quiet: true,
        label: t("{place}: correct the reading", { place: placeLabel(place) }),
        act: () => ask(game, view, place),
        test: `lies-${place}`,
      },
    ]),
  );
}

// Ask what lies on a place, or which tile is the spare one; nothing is entered meanwhile. place: null for the
// spare.
async function ask(game, view, place) {
  const proposal = waitingProposal(game);
  if (proposal?.certain && !proposal.held)
    await carryOut(command("hold", { proposal: proposal.id, at: proposal.number }));
  openSheet({ kind: "lies", place, view });
}

// Render the button that begins a correction, or what can be done while a place is chosen; null where the
// camera reads nothing.
export function correctionStep(game) {
  if (!mayCorrect(game) || !game.view.tiles.length) return null;
  if (!isChoosing(game))
    return button(t("Correct a reading"), () => (mode.on = game.id), "quiet begins-correction", {
      key: "correct-reading",
      "data-test": "correct-reading",
    });
  return [
    button(t("The spare tile"), () => ask(game, game.view, null), "", {
      key: "spare",
      "data-test": "lies-spare",
    }),
    button(t("Done"), () => (mode.on = null), "quiet", { key: "done", "data-test": "correct-done" }),
  ];
}

// Component: the choice of what lies and stands on a place.
export function LiesSheet({ game, open }) {
  const { place, view } = open;
  const title = place === null ? t("The spare tile") : placeLabel(place);
  return sheet(
    t("{what}: what lies there?", { what: title }),
    () => closeSheet(open),
    h(
      "div",
      { class: "lies" },
      place === null || !FIXED.has(place) ? tiles(game, open) : null,
      place === null ? null : [tokens(game, open), wizards(game, open)],
    ),
    h(
      "p",
      { class: "aside" },
      view === game.view
        ? t("The camera reads on with your answer. The game on the screen stays as it is.")
        : t("The camera reads on with your answer."),
    ),
  );
}

async function state(game, open, thing) {
  mode.on = null;
  if (await carryOut(command("state_thing", { thing, at: game.number }))) closeSheet(open);
}

function choices(label, all) {
  return h(
    "section",
    { class: "lies-choice", role: "group", "aria-label": label },
    h("h3", {}, label),
    h(
      "div",
      { class: "lies-all" },
      all.map(({ id, chosen, choose, name, content }) =>
        h(
          "button",
          {
            key: id,
            type: "button",
            class: "segment",
            "aria-pressed": String(chosen),
            "aria-label": name,
            title: name,
            disabled: live.busy,
            onclick: choose,
            "data-test": `lies-${id}`,
          },
          content,
        ),
      ),
    ),
  );
}

function tiles(game, open) {
  const { place, view } = open;
  const here = place === null ? view.spare : view.tiles[place];
  const all = Object.keys(BOX).flatMap((shape) => (place === null ? [shape] : rotations(shape)));
  return choices(
    t("Tile"),
    all.map((openings) => {
      const [shape] = shapeOf(openings);
      return {
        id: openings,
        chosen: place === null ? shapeOf(here)[0] === shape : openings === here,
        choose: () => state(game, open, { type: "tile", place, openings }),
        name: place === null ? shapeName(shape) : tileLabel(openings),
        content: tileImage(openings),
      };
    }),
  );
}

function tokens(game, open) {
  const { place, view } = open;
  const here = view.tokens.find(([, at]) => at === place)?.[0] ?? null;
  const numbers = game.view.tokens.length ? game.view.tokens : view.tokens;
  return choices(
    t("Token"),
    [null, ...numbers.map(([number]) => number)].map((number) => ({
      id: number === null ? "no-token" : `token-${number}`,
      chosen: number === here,
      choose: () => state(game, open, { type: "token", place, number }),
      name: number === null ? t("No token") : tokenName(number),
      content: number === null ? t("none") : tokenPicture(number),
    })),
  );
}

function wizards(game, open) {
  const { place, view } = open;
  return choices(
    t("Wizard"),
    game.seats.map((seat, index) => ({
      id: `wizard-${index}`,
      chosen: view.players[index].place === place,
      choose: () => state(game, open, { type: "wizard", seat: index, place }),
      name: t("{name}'s wizard stands here", { name: seat.name }),
      content: [crest(seat, "small"), seat.name],
    })),
  );
}
