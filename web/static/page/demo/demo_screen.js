// Renders the demonstration: the large camera picture, a caption that explains what happens, and
// what each player has.

import { picture } from "../table/camera_view.js";
import { t } from "../core/text/i18n.js";
import { command, live, send } from "../core/live_channel.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { gamePage } from "../core/game_page.js";
import { carryOut, go, isHost } from "../core/navigation.js";
import { isDemoGame } from "../place/move_options.js";

// Whether this device shows the demonstration; without the simulated table it is a game like any other.
export function isDemo() {
  return isDemoGame() && Boolean(live.view.director && gamePage.demo) && isHost();
}

// Render the screen of the demonstration.
export function DemoScreen({ game }) {
  const { over } = live.view.director;
  return h(
    "section",
    { class: "demo", "data-test": "demo" },
    h("div", { class: "demo-seen" }, picture(), over ? ending() : caption(game)),
    h(
      "div",
      { class: "demo-side" },
      gamePage.demo.side(game),
      h(
        "ol",
        { class: "demo-players" },
        game.seats.map((_, seat) => gamePage.demo.player(game, seat)),
      ),
    ),
    controls(),
  );
}

// One large line with what happens now, and a small one with the reason.
function caption(game) {
  const [title, about] = gamePage.demo.caption(game);
  return h(
    "div",
    { class: "demo-caption", role: "status", "data-test": "caption" },
    h("strong", { key: title }, title),
    h("span", { key: about }, about),
  );
}

function controls() {
  const { running, over } = live.view.director;
  if (over)
    return h(
      "footer",
      { class: "demo-controls" },
      button(t("Play your own game"), ownGame, "gold", { "data-test": "own-game" }),
      button(t("Watch again"), again, "", { disabled: live.busy, "data-test": "again" }),
    );
  return h(
    "footer",
    { class: "demo-controls" },
    button(running ? t("Pause") : t("Resume"), () => carryOut(send("director_run", { on: !running })), "", {
      disabled: live.busy,
      "data-test": "run",
    }),
    button(t("Watch again"), again, "quiet", { disabled: live.busy, "data-test": "again" }),
    button(t("Play your own game"), ownGame, "quiet", { "data-test": "own-game" }),
  );
}

function ending() {
  const [title, about] = gamePage.demo.ending(live.view.director);
  return h(
    "div",
    { class: "demo-caption demo-end", "data-test": "demo-end" },
    h("strong", {}, title),
    h("span", {}, about),
  );
}

function again() {
  return carryOut(command("show_me"));
}

async function ownGame() {
  if (live.view.director.running) await carryOut(send("director_run", { on: false }));
  go("#new");
}
