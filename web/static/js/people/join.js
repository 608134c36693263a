// Join: how others come to the table, who is there as what, and on a phone: the code, the seat.

import { t, tn } from "../core/i18n.js";
import { live, onChange, send } from "../core/live.js";
import { button, crest } from "../core/parts.js";
import { h } from "../core/render.js";
import { carryOut, draw, go, say } from "../core/stage.js";

const typed = { seat: "", host: "" };
const wrong = { seat: "", host: "" }; // what was wrong with a code, until it is typed anew
let picture = { code: null, number: 0 };

onChange((what) => what === "told" && say(live.told));

const KINDS = { phone: t("Phone"), tablet: t("Tablet"), computer: t("Computer") };

export function joinScreen(game) {
  const { door } = live;
  if (!door) return h("p", { class: "aside" }, t("Looking for the companion…"));
  const host = door.you.role === "host";
  return [
    h(
      "div",
      { class: "join-own" },
      door.you.role === "onlooker" ? takeSeat(game, door) : null,
      yourself(game, door),
      host ? [people(game, door), secondHost(door.keys)] : keepTable(door),
    ),
    h("div", { class: "join-others" }, host ? letIn(door.keys) : seats(game, door)),
  ];
}

function yourself(game, { you }) {
  const seat = game?.seats[you.seat];
  const does = (event, text, kind = "quiet") =>
    button(text, () => carryOut(send(event)), kind, { disabled: live.busy, "data-test": event });
  return h(
    "section",
    { class: "panel join-you", role: "status" },
    h(
      "h2",
      {},
      you.role === "host"
        ? t("This device keeps the table")
        : seat
          ? h(
              "span",
              { class: "row" },
              crest(seat),
              h("span", {}, t("You play {name}'s seat", { name: seat.name })),
            )
          : t("You are looking on"),
    ),
    h("p", { class: "aside" }, about(you)),
    you.role === "onlooker"
      ? null
      : does("step_back", you.role === "host" ? t("Only look on here") : t("Give the seat up")),
    you.role !== "host" && you.local ? does("keep_table", t("Keep the table from here"), "") : null,
    seat ? h("a", { class: "button gold", href: "#me" }, t("To my board")) : null,
  );
}

function about({ role, local }) {
  if (role === "host")
    return local
      ? t("It is the machine that serves the table, so it needs no code.")
      : t("It enters what the camera cannot, and lets others in.");
  if (role === "player") return t("What you choose on your board counts for this seat alone.");
  return t("You see the table as everybody does, and change nothing.");
}

function takeSeat(game, door) {
  if (!game)
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("Take a seat")),
      h("p", { class: "aside" }, t("No game is on. The seats appear here as soon as the host begins one.")),
    );
  const [, scanned] = location.hash.slice(1).split("/");
  if (scanned && !typed.seat) typed.seat = scanned.slice(0, 12);
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("Take a seat")),
    code("seat", t("Code of the table"), t("The tablet beside the table shows it on its Join page.")),
    h(
      "ol",
      { class: "join-seats" },
      game.seats.map((seat, index) => {
        const taken = door.seats[index]?.taken;
        return h(
          "li",
          { key: `take-${index}` },
          h(
            "button",
            {
              type: "button",
              class: "button join-seat",
              disabled: live.busy || taken,
              onclick: () => sitDown(game, index),
              "data-test": `take-${index}`,
            },
            crest(seat),
            h("span", {}, seat.name),
            h("small", {}, taken ? t("taken") : t("free")),
          ),
        );
      }),
    ),
  );
}

async function sitDown(game, seat) {
  if (!typed.seat.trim())
    return refuse("seat", t("Type the table's code first. The tablet beside the table shows it."));
  const answer = await send("take_seat", { code: typed.seat.trim(), game: game.id, seat });
  if (!answer.ok) return refuse("seat", answer.error.message);
  typed.seat = "";
  wrong.seat = "";
  return go("#me");
}

function refuse(name, line) {
  wrong[name] = line ?? "";
  draw();
  document.querySelector(`[data-test=code-${name}]`)?.focus();
}

function keepTable(door) {
  const enter = async (event) => {
    event.preventDefault();
    if (!typed.host.trim()) return refuse("host", t("Type the host's code first."));
    const answer = await send("pair", { code: typed.host.trim() });
    if (!answer.ok) return refuse("host", answer.error.message);
    typed.host = "";
    wrong.host = "";
    return draw();
  };
  return h(
    "details",
    { class: "panel" },
    h("summary", {}, t("Keep the table from here")),
    h(
      "form",
      { class: "join-form", onsubmit: enter },
      code("host", t("Code of the host"), t("The serving machine shows it where the companion was started.")),
      h(
        "button",
        { type: "submit", class: "button", disabled: live.busy || !door, "data-test": "pair" },
        t("Keep the table"),
      ),
    ),
  );
}

function code(name, label, hint) {
  return h(
    "label",
    { class: "join-code" },
    h("span", {}, label),
    h("input", {
      type: "text",
      value: typed[name],
      maxlength: 12,
      autocomplete: "off",
      autocapitalize: "characters",
      spellcheck: "false",
      "data-test": `code-${name}`,
      "aria-invalid": wrong[name] ? "true" : null,
      oninput: (event) => {
        typed[name] = event.target.value;
        wrong[name] = "";
        draw();
      },
    }),
    wrong[name] ? h("strong", { class: "join-wrong", role: "alert" }, wrong[name]) : h("small", {}, hint),
  );
}

function letIn(keys) {
  if (picture.code !== keys.code) picture = { code: keys.code, number: picture.number + 1 };
  return h(
    "section",
    { class: "panel join-in" },
    h("h2", {}, t("Let others in")),
    keys.address
      ? [
          h("img", {
            key: `qr-${picture.number}`,
            class: "code",
            src: `/join/qr.svg?${picture.number}`,
            alt: t("Code that opens this table on a phone"),
            width: 220,
            height: 220,
          }),
          h(
            "p",
            {},
            t("Scan it with a phone of this network, or open"),
            " ",
            h("b", { class: "address" }, keys.address),
          ),
          keys.others.length
            ? h(
                "details",
                { class: "other-addresses" },
                h("summary", {}, t("It does not open? Try another address")),
                h(
                  "ul",
                  {},
                  keys.others.map((address) =>
                    h("li", { key: address }, h("b", { class: "address" }, address)),
                  ),
                ),
              )
            : null,
        ]
      : h(
          "p",
          { class: "aside" },
          t(
            "Others of the network cannot reach this companion. Start it with --host 0.0.0.0 to let them in.",
          ),
        ),
    h(
      "p",
      { class: "join-key" },
      h("span", {}, t("Code of the table")),
      h("b", { "data-test": "table-code" }, keys.code),
    ),
    button(t("Make a new code"), () => carryOut(send("renew_code")), "quiet", {
      disabled: live.busy,
      title: t("Whoever has a seat keeps it."),
      "data-test": "renew-code",
    }),
  );
}

// The host's code gives everything away: it lies folded, far from the table's code that everybody may have.
function secondHost({ pairing }) {
  if (!pairing) return null;
  return h(
    "details",
    { class: "panel second-host" },
    h("summary", {}, t("Let another device keep the table, too")),
    h(
      "p",
      { class: "aside" },
      t(
        "Whoever types this code there may do everything that you may. Choose it in the list above instead, where the device is here already.",
      ),
    ),
    h(
      "p",
      { class: "join-key small" },
      h("span", {}, t("Code of the host")),
      h("b", { "data-test": "host-code" }, `${pairing.slice(0, 4)}-${pairing.slice(4)}`),
    ),
  );
}

function people(game, door) {
  const away = (game?.seats ?? [])
    .map((seat, index) => ({ seat, index }))
    .filter(({ index }) => door.seats[index]?.taken && !door.seats[index].here);
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("Who is here")),
    h(
      "ul",
      { class: "join-people", "data-test": "people" },
      door.keys.people.map((one) => somebody(game, door, one)),
    ),
    away.map(({ seat, index }) =>
      h(
        "p",
        { key: `away-${index}`, class: "row" },
        crest(seat, "small"),
        h("span", {}, t("{name}'s device is not connected.", { name: seat.name })),
        button(
          t("Free the seat"),
          () => carryOut(send("free_seat", { game: game.id, seat: index })),
          "quiet",
          { disabled: live.busy, "data-test": `free-${index}` },
        ),
      ),
    ),
  );
}

function somebody(game, door, one) {
  const mine = one.device === door.you.device;
  const name = `${KINDS[one.kind] ?? KINDS.computer} ${one.number}`;
  const now = one.role === "player" ? `seat-${one.seat}` : one.role;
  const choice = (value, text) => h("option", { value, selected: value === now }, text);
  return h(
    "li",
    { key: `device-${one.device}`, class: "join-device" },
    h("span", {}, h("strong", {}, name), h("small", {}, mine ? t("this device") : one.address)),
    mine
      ? h("span", { class: "join-as" }, t("keeps the table"))
      : h(
          "select",
          {
            key: now,
            class: "join-as",
            "aria-label": t("What {name} may do", { name }),
            disabled: live.busy,
            onchange: (event) => change(game, one, event.target, now),
            "data-test": `as-${one.number}`,
          },
          choice("host", t("keeps the table")),
          (game?.seats ?? []).map((seat, index) =>
            choice(`seat-${index}`, t("plays {name}", { name: seat.name })),
          ),
          choice("onlooker", t("looks on")),
        ),
  );
}

async function change(game, { device }, list, before) {
  const { value } = list;
  const done =
    value === "host"
      ? await carryOut(send("make_host", { device }))
      : value === "onlooker"
        ? await carryOut(send("withdraw", { device }))
        : await carryOut(send("give_seat", { device, game: game.id, seat: Number(value.slice(5)) }));
  if (!done) list.value = before;
  draw();
}

// What everybody may know of the others.
function seats(game, door) {
  if (!game) return null;
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("Who is here")),
    h(
      "ul",
      { class: "join-people" },
      game.seats.map((seat, index) =>
        h(
          "li",
          { key: `seat-${index}`, class: "join-device" },
          h("span", { class: "row" }, crest(seat, "small"), h("strong", {}, seat.name)),
          h("span", { class: "join-as" }, door.seats[index]?.here ? t("has a screen") : t("no screen")),
        ),
      ),
    ),
    h("p", { class: "aside" }, tn(door.hosts, "{n} device keeps the table", "{n} devices keep the table")),
  );
}
