// Renders the join screen: connected devices and their roles, QR code and table code for others, and the
// seats to take.

import { t, tn } from "../core/text/i18n.js";
import { emitEvent, live, onChange, send } from "../core/live_channel.js";
import { button, crest } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useEffect, useLayoutEffect } from "../../vendor/preact-hooks.js";
import { store } from "../core/store.js";
import { carryOut, go, say, ui } from "../core/navigation.js";

const typed = store({ seat: "", host: "" });
// Error message of a code, until it is edited.
const wrong = store({ seat: "", host: "" });
let picture = { shows: null, number: 0 };
// ms between two questions for this server's address, while it has none.
const ADDRESS_EVERY = 5000;

onChange((what) => what === "message" && say(live.message));

const KINDS = { phone: t("Phone"), tablet: t("Tablet"), computer: t("Computer") };

// Render the join screen for this device's role.
export function JoinScreen({ game }) {
  const { door } = live;
  const [, scanned] = ui.path;
  useLayoutEffect(() => {
    if (scanned && !typed.seat) typed.seat = scanned.slice(0, 12);
  }, [scanned]);
  const reachable = Boolean(door?.keys?.address);
  const invites = Boolean(door?.keys);
  useEffect(() => {
    // The machine may have entered a network since the addresses were sent.
    if (!invites) return undefined;
    emitEvent("refresh");
    const asking = reachable ? undefined : setInterval(() => emitEvent("refresh"), ADDRESS_EVERY);
    return () => clearInterval(asking);
  }, [invites, reachable]);
  if (!door) return h("p", { class: "aside" }, t("Connecting to the companion…"));
  const host = door.you.role === "host";
  return [
    h(
      "div",
      { class: "join-own" },
      door.you.role === "onlooker" ? takeSeat(game, door) : null,
      yourself(game, door),
      host ? [people(game, door), hostCodePanel(door.keys)] : door.you.local ? null : hostPanel(door),
    ),
    h("div", { class: "join-others" }, host ? accessPanel(door.keys) : seats(game, door)),
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
        ? t("This device is a host")
        : seat
          ? h(
              "span",
              { class: "row" },
              crest(seat),
              h("span", {}, t("You play as {name}", { name: seat.name })),
            )
          : t("You are a spectator"),
    ),
    h("p", { class: "aside" }, about(you)),
    you.role === "onlooker"
      ? null
      : does("step_back", you.role === "host" ? t("Become a spectator") : t("Leave the seat")),
    you.role !== "host" && you.local ? does("keep_table", t("Become a host"), "") : null,
    seat ? h("a", { class: "button gold", href: "#me" }, t("Go to my board")) : null,
  );
}

function about({ role, local }) {
  if (role === "host")
    return local
      ? t("The companion runs on this machine, so it needs no code.")
      : t("It enters what the camera cannot read, and decides who joins.");
  if (role === "player") return t("You choose for this seat only.");
  return t("You see the table as everybody does, but cannot change anything.");
}

function takeSeat(game, door) {
  if (!game)
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, t("Take a seat")),
      h(
        "p",
        { class: "aside" },
        t("No game is running. The seats appear here as soon as a host begins one."),
      ),
    );
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, t("Take a seat")),
    code("seat", t("Table code"), t("The tablet beside the table shows it on its Join page.")),
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
    return refuse("seat", t("Enter the table code first. The tablet beside the table shows it."));
  const answer = await send("take_seat", { code: typed.seat.trim(), game: game.id, seat });
  if (!answer.ok) return refuse("seat", answer.error.message);
  typed.seat = "";
  wrong.seat = "";
  return go("#me");
}

function refuse(name, line) {
  wrong[name] = line ?? "";
  document.querySelector(`[data-test=code-${name}]`)?.focus();
}

function hostPanel(door) {
  const enter = async (event) => {
    event.preventDefault();
    if (!typed.host.trim()) return refuse("host", t("Enter the host code first."));
    const answer = await send("pair", { code: typed.host.trim() });
    if (!answer.ok) return refuse("host", answer.error.message);
    typed.host = "";
    wrong.host = "";
    return;
  };
  return h(
    "details",
    { class: "panel" },
    h("summary", {}, t("Become a host")),
    h(
      "form",
      { class: "join-form", onsubmit: enter },
      code("host", t("Host code"), t("You find it in the terminal in which the companion was started.")),
      h(
        "button",
        { type: "submit", class: "button", disabled: live.busy || !door, "data-test": "pair" },
        t("Become a host"),
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
      },
    }),
    wrong[name] ? h("strong", { class: "join-wrong", role: "alert" }, wrong[name]) : h("small", {}, hint),
  );
}

function accessPanel(keys) {
  const shows = `${keys.address} ${keys.code}`;
  if (picture.shows !== shows) picture = { shows, number: picture.number + 1 };
  return h(
    "section",
    { class: "panel join-in" },
    h("h2", {}, t("Invite others")),
    keys.address
      ? [
          h("img", {
            key: `qr-${picture.number}`,
            class: "code",
            src: `/join/qr.svg?${picture.number}`,
            alt: t("QR code that opens this table on a phone"),
            width: 220,
            height: 220,
          }),
          h(
            "p",
            {},
            t("Scan it with a phone on this network, or open"),
            " ",
            h("b", { class: "address" }, keys.address),
          ),
          keys.others.length
            ? h(
                "details",
                { class: "other-addresses" },
                h("summary", {}, t("Does it not open? Try another address")),
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
          t("Other devices cannot reach this companion. To invite them, start it with --host 0.0.0.0."),
        ),
    h(
      "p",
      { class: "join-key" },
      h("span", {}, t("Table code")),
      h("b", { "data-test": "table-code" }, keys.code),
    ),
    button(t("Make a new code"), () => carryOut(send("renew_code")), "quiet", {
      disabled: live.busy,
      title: t("Players keep their seats."),
      "data-test": "renew-code",
    }),
  );
}

// Keep the host's code folded away from the table's code: it grants every right.
function hostCodePanel({ pairing }) {
  if (!pairing) return null;
  return h(
    "details",
    { class: "panel second-host" },
    h("summary", {}, t("Make another device a host")),
    h(
      "p",
      { class: "aside" },
      t(
        "Whoever enters this code can do everything that you can. If the device is already connected, choose it in the list above instead.",
      ),
    ),
    h(
      "p",
      { class: "join-key small" },
      h("span", {}, t("Host code")),
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
      door.keys.people.map((one) => deviceRow(game, door, one)),
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

function deviceRow(game, door, one) {
  const mine = one.device === door.you.device;
  const name = `${KINDS[one.kind] ?? KINDS.computer} ${one.number}`;
  const now = one.role === "player" ? `seat-${one.seat}` : one.role;
  const choice = (value, text) => h("option", { value, selected: value === now }, text);
  return h(
    "li",
    { key: `device-${one.device}`, class: "join-device" },
    h("span", {}, h("strong", {}, name), h("small", {}, mine ? t("this device") : one.address)),
    mine
      ? h("span", { class: "join-as" }, t("host"))
      : h(
          "select",
          {
            key: now,
            class: "join-as",
            "aria-label": t("Role of {name}", { name }),
            disabled: live.busy,
            onchange: (event) => change(game, one, event.target, now),
            "data-test": `as-${one.number}`,
          },
          choice("host", t("host")),
          (game?.seats ?? []).map((seat, index) =>
            choice(`seat-${index}`, t("plays {name}", { name: seat.name })),
          ),
          choice("onlooker", t("spectator")),
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
}

// What every role may see of the other players.
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
    h("p", { class: "aside" }, tn(door.hosts, "{n} device is a host", "{n} devices are hosts")),
  );
}
