// Renders the choices after a reveal: colours for white fragments, and which six low tokens to keep.

import { t, tn } from "../../../core/text/i18n.js";
import { live } from "../../../core/live_channel.js";
import { desk, play } from "../../../place/move_options.js";
import { button } from "../../../core/components/basic_components.js";
import { icon } from "../pieces.js";
import { h } from "../../../../vendor/preact.js";
import { COLOURS, COLOUR_NAMES, SPOTS } from "../words.js";

// Return {title, panel, big}: the heading, the choices and the large button that enters them.
export function gainChoice(game, player) {
  const { pending, low } = game.view.players[player];
  return pending.whites ? whites(player, pending.whites) : keeping(player, low, pending.gained);
}

function whites(player, number) {
  const taken = desk.taken ?? [];
  const change = (list) => () => {
    desk.taken = list;
  };
  const add = (colour) => change(number === 1 ? [colour] : [...taken, colour]);
  const full = taken.length === number && number > 1;
  return {
    title: tn(number, "A white fragment: choose its colour", "{n} white fragments: choose their colours"),
    panel: [
      h(
        "div",
        { class: "gem-choice" },
        COLOURS.map((colour) => {
          const chosen = taken.filter((one) => one === colour).length;
          return h(
            "button",
            {
              type: "button",
              class: "gem",
              disabled: full,
              "aria-label": t("{label}: one more", { label: COLOUR_NAMES[colour] }),
              "aria-pressed": String(chosen > 0),
              onclick: add(colour),
            },
            icon(colour, "big"),
            h("span", {}, COLOUR_NAMES[colour]),
            chosen > 1 ? h("b", {}, `${chosen}×`) : null,
          );
        }),
      ),
      number > 1
        ? h(
            "div",
            { class: "taken", role: "group", "aria-label": t("Chosen") },
            Array.from({ length: number }, (_, place) => slot(taken, place, change)),
          )
        : null,
    ],
    big: button(
      taken.length === number
        ? number === 1
          ? t("Take it")
          : t("Take these")
        : tn(number - taken.length, "Choose one more", "Choose {n} more"),
      () => play({ type: "choose_colours", player, colours: taken }),
      "gold big",
      {
        disabled: live.busy || taken.length !== number,
        "data-test": "option",
      },
    ),
  };
}

function slot(taken, place, change) {
  const colour = taken[place];
  if (!colour) return h("span", { class: "slot" });
  const rest = taken.filter((_, other) => other !== place);
  return h(
    "button",
    {
      type: "button",
      class: "slot",
      "aria-label": t("{label}: one less", { label: COLOUR_NAMES[colour] }),
      onclick: change(rest),
    },
    icon(colour),
  );
}

function keeping(player, low, gained) {
  const pool = COLOURS.flatMap((colour) => Array(low[colour] + gained[colour]).fill(colour));
  const staying = desk.taken ?? pool.map(() => true);
  const kept = pool.filter((_, place) => staying[place]);
  const over = kept.length - SPOTS.low;
  const turn = (place) => () => {
    desk.taken = staying.map((stays, other) => (other === place ? !stays : stays));
  };
  return {
    title: t("The low row holds six: tap what goes back"),
    panel: h(
      "div",
      { class: "gem-choice many" },
      pool.map((colour, place) => {
        const stays = staying[place];
        return h(
          "button",
          {
            type: "button",
            class: `gem ${stays ? "" : "back"}`,
            "aria-pressed": String(stays),
            "aria-label": stays
              ? t("{colour} stays", { colour: COLOUR_NAMES[colour] })
              : t("{colour} goes back", { colour: COLOUR_NAMES[colour] }),
            onclick: turn(place),
          },
          icon(colour, "big"),
          stays ? null : h("i", { class: "cross" }),
        );
      }),
    ),
    big: button(
      over === 0
        ? t("Keep these six")
        : over > 0
          ? tn(over, "One more goes back", "{n} more go back")
          : tn(-over, "One less goes back", "{n} fewer go back"),
      () => play({ type: "keep_tokens", player, keep: kept }),
      "gold big",
      {
        disabled: live.busy || over !== 0,
        "data-test": "option",
      },
    ),
  };
}
