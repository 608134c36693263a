// Renders the health screen: figures of the camera, the readings and the companion, and the diagnostic file.

import { t, tn } from "../core/text/i18n.js";
import { kindName } from "../setup/profile.js";
import { ask, fetchBy } from "../core/live_channel.js";
import { when } from "../history/saved_games.js";
import { button } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";
import { store } from "../core/store.js";
import { isHost, say } from "../core/navigation.js";
import { CAMERA } from "../core/text/vocabulary.js";

// ms between two requests.
const EVERY = 3000;
const health = store({ report: null, error: "", picture: false, packing: false });

// Component: the health screen; it refreshes itself.
export function HealthScreen() {
  useEffect(poll, []);
  const { report } = health;
  return h(
    "section",
    { class: "health-in", "data-test": "health" },
    health.error ? h("p", { class: "panel", role: "status" }, health.error) : null,
    report
      ? [
          camera(report.camera),
          readings(report.readings),
          profile(report.profile),
          journal(report.journal, report.screens),
          versions(report),
          isHost() ? file() : null,
        ]
      : h("p", { class: "aside", role: "status" }, t("Loading…")),
  );
}

// Request the figures now and repeatedly while the page is visible; return the function that ends it.
function poll() {
  const request = () => document.hidden || load();
  request();
  const timer = setInterval(request, EVERY);
  return () => clearInterval(timer);
}

async function load() {
  try {
    health.report = await ask("/api/health");
    health.error = "";
  } catch (error) {
    health.error = error.message;
  }
}

function facts(title, lines, ...more) {
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, title),
    h(
      "dl",
      { class: "facts" },
      lines.filter(Boolean).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
    ...more,
  );
}

function camera(one) {
  return facts(t("Camera"), [
    [t("State"), CAMERA[one.state] ?? one.state],
    one.message ? [t("Message"), one.message] : null,
    [t("Pictures per second"), decimal(one.frames_per_second)],
    [t("Pictures so far"), one.frames],
    [
      t("Skipped"),
      one.frames
        ? t("{n} ({share} %)", {
            n: one.dropped,
            share: Math.round((100 * one.dropped) / (one.frames + one.dropped)),
          })
        : one.dropped,
    ],
  ]);
}

function readings(one) {
  const minutes = Math.round(one.seconds / 60);
  const none = one.readings === 0;
  return facts(
    t("Reading"),
    [
      [t("In the last {minutes} minutes", { minutes }), tn(one.readings, "{n} reading", "{n} readings")],
      none ? null : [t("Half of them took at most"), ms(one.median)],
      none ? null : [t("19 of 20 took at most"), ms(one.slowest20th)],
      none ? null : [t("The latest took"), ms(one.latest)],
    ],
    none ? null : spark(one),
  );
}

// One bar for each interval of a few seconds: its slowest reading.
function spark({ bars, seconds }) {
  const most = Math.max(...bars, 1);
  return h(
    "figure",
    { class: "spark" },
    h(
      "svg",
      {
        viewBox: `0 0 ${bars.length * 4} 40`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": t("Reading times of the last {minutes} minutes; the slowest took {ms}", {
          minutes: Math.round(seconds / 60),
          ms: ms(most),
        }),
      },
      bars.map((value, index) =>
        value
          ? h("rect", {
              key: index,
              x: index * 4,
              y: (40 - (38 * value) / most).toFixed(1),
              width: 3,
              height: ((38 * value) / most).toFixed(1),
            })
          : null,
      ),
    ),
    h(
      "figcaption",
      { class: "aside" },
      h("span", {}, t("{minutes} minutes ago", { minutes: Math.round(seconds / 60) })),
      h("span", {}, t("at most {ms}", { ms: ms(most) })),
      h("span", {}, t("now")),
    ),
  );
}

function profile(one) {
  if (!one) return facts(t("Table profile"), [[t("Name"), t("no profile yet")]]);
  return facts(t("Table profile"), [
    [t("Name"), one.name],
    [t("Calibrated"), one.calibrated ? when(one.calibrated) : t("not yet")],
    [
      t("Pieces learned"),
      one.kinds.length ? one.kinds.map((kind) => kindName(kind)).join(", ") : t("none yet"),
    ],
    [t("Cards learned"), one.cards],
  ]);
}

function journal(one, screens) {
  return facts(t("Journal and screens"), [
    one ? [t("Game"), one.game] : [t("Game"), t("none is running")],
    one ? [t("Entries"), one.entries] : null,
    one ? [t("Size"), t("{n} KB", { n: Math.max(1, Math.round(one.bytes / 1024)) })] : null,
    one?.path ? [t("File"), h("code", {}, one.path)] : null,
    [t("Hosts"), screens.host],
    [t("Players"), screens.player],
    [t("Spectators"), screens.onlooker],
  ]);
}

function versions(report) {
  const { companion, system, ...libraries } = report.versions;
  const hours = Math.floor(report.up / 3600);
  const minutes = Math.floor(report.up / 60) % 60;
  return facts(t("Versions"), [
    [t("Companion"), companion],
    ...Object.entries(libraries),
    [t("System"), system],
    [t("Running for"), t("{hours} h {minutes} min", { hours, minutes })],
  ]);
}

function file() {
  return h(
    "section",
    { class: "panel diagnostic" },
    h("h2", {}, t("Is something not working?")),
    h(
      "p",
      {},
      t(
        "One file with these figures, the settings and the latest lines of the log. It contains no codes and no passwords.",
      ),
    ),
    h(
      "label",
      { class: "tick" },
      h("input", {
        type: "checkbox",
        checked: health.picture,
        onchange: (event) => {
          health.picture = event.target.checked;
        },
      }),
      h("span", {}, t("With the camera's latest picture")),
    ),
    button(t("Make a diagnostic file"), makeFile, "gold", {
      disabled: health.packing,
      "data-test": "diagnose",
    }),
  );
}

async function makeFile() {
  health.packing = true;
  try {
    const response = await fetchBy("/api/diagnostics", JSON.stringify({ picture: health.picture }));
    const name =
      /filename="([\w.-]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ??
      "companion.diagnostics.zip";
    saveFile(await response.blob(), name);
  } catch (error) {
    say(error.message, "wrong");
  }
  health.packing = false;
}

function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function ms(value) {
  return t("{n} ms", { n: Math.round(value) });
}

function decimal(value) {
  return Number(value).toLocaleString(document.documentElement.lang || [], { maximumFractionDigits: 1 });
}
