// What everybody holds once play has ended: the count that the camera proposes, or that a host makes by hand.

import { t } from "../../../core/text/i18n.js";
import { button, crest, sheet, stepper } from "../../../core/components/basic_components.js";
import { command, live } from "../../../core/live_channel.js";
import { carryOut, closeSheet, openSheet } from "../../../core/navigation.js";
import { store } from "../../../core/store.js";
import { h } from "../../../../vendor/preact.js";
import { tokenName, tokenPicture, wandPictures } from "../tokens.js";

// tokens: numbers by seat; wands: by seat; picked: the token that is given to another player, or null.
const form = store({ tokens: [], wands: [], picked: null });

const holdingsOf = ({ view }) => view.players.map(({ tokens, wands }) => ({ tokens, wands }));

// Open the form. count: a proposed count; by default what is recorded. Formula cards may be noted meanwhile.
export function openHoldings(game, count = null) {
  const recorded = holdingsOf(game);
  Object.assign(form, {
    tokens: count?.tokens ?? recorded.map(({ tokens }) => tokens),
    wands: count?.wands ?? recorded.map(({ wands }) => wands),
    picked: null,
  });
  openSheet({ kind: "holdings", concerns: (now) => JSON.stringify(holdingsOf(now)) });
}

// Render the button that opens the form.
export function holdingsButton(game) {
  const { counted } = game.view;
  return button(
    counted ? t("Count again") : t("Count tokens and wands"),
    () => openHoldings(game),
    counted ? "quiet" : "",
    { key: "holdings", "data-test": "holdings" },
  );
}

// Component: the form.
export function HoldingsSheet({ game, open }) {
  return sheet(
    t("What everybody holds"),
    () => closeSheet(open),
    h(
      "p",
      { class: "question", role: "status" },
      form.picked === null
        ? t("If a token lies before somebody else, tap it. Count the wands.")
        : t("Who has {token}?", { token: tokenName(form.picked) }),
    ),
    h(
      "ol",
      { class: "holdings" },
      game.seats.map((seat, index) => holding(seat, index)),
    ),
    h(
      "footer",
      {},
      button(t("This is right"), () => enter(game, open), "gold large", {
        disabled: live.busy,
        "data-test": "count",
      }),
      button(t("Close"), () => closeSheet(open), "large"),
    ),
  );
}

function holding(seat, index) {
  const tokens = [...form.tokens[index]].sort((one, other) => one - other);
  const gets = form.picked !== null && !tokens.includes(form.picked);
  return h(
    "li",
    { key: index, class: "panel holding" },
    h(
      "span",
      { class: "holding-who" },
      crest(seat, "small"),
      h("strong", {}, seat.name),
      gets
        ? button(t("{name} has it", { name: seat.name }), () => give(index), "gold", {
            "data-test": `has-${index}`,
          })
        : null,
    ),
    h(
      "div",
      { class: "held-tokens", role: "group", "aria-label": t("Tokens held") },
      tokens.map((number) =>
        h(
          "button",
          {
            key: number,
            type: "button",
            class: "holding-token",
            "aria-pressed": String(number === form.picked),
            "aria-label": tokenName(number),
            onclick: () => (form.picked = number === form.picked ? null : number),
            "data-test": `held-${number}`,
          },
          tokenPicture(number),
        ),
      ),
      tokens.length ? null : h("span", { class: "aside" }, t("No token yet.")),
    ),
    stepper(
      t("{name}: wands", { name: seat.name }),
      form.wands[index],
      0,
      3 * form.wands.length,
      (wands) => (form.wands = form.wands.with(index, wands)),
      h("span", { class: "seat-wands" }, wandPictures(1)),
    ),
  );
}

function give(index) {
  const others = form.tokens.map((numbers) => numbers.filter((number) => number !== form.picked));
  form.tokens = others.with(index, [...others[index], form.picked]);
  form.picked = null;
}

async function enter(game, open) {
  const { tokens, wands } = form;
  const move = { type: "count_holdings", tokens, wands };
  if (await carryOut(command("play", { move, at: game.number }))) closeSheet(open);
}
