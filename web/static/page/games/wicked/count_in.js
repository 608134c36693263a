// Renders the count-in "3, 2, 1, open" over the whole screen, with a bell and a voice if they are on.

import { language, t } from "../../core/text/i18n.js";
import { button } from "../../core/components/basic_components.js";
import { setSound, sound } from "../../core/device/preferences.js";
import { h } from "../../../vendor/preact.js";
import { store } from "../../core/store.js";
import { endResult } from "./shown_reveal.js";

// ms of a beat, and of the last one.
const BEAT = 850;
const OPEN_FOR = 1300;
const KEPT = "companion.voice";
// Hz of the four beats.
const BELL = [392, 440, 494, 784];
const spoken = () => [t("three"), t("two"), t("one"), t("open")];
const written = () => ["3", "2", "1", t("Open")];

const state = store({ beat: null, timer: 0, voice: kept() });
let bell = null;

function kept() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}

function keepVoice(on) {
  state.voice = on;
  try {
    localStorage.setItem(KEPT, on ? "on" : "off");
  } catch {
    // Without storage the choice is lost on reload.
  }
}

function keepSound(on) {
  setSound(on);
}

// Render the buttons that start the count-in and switch bell and voice.
export function countInButtons() {
  const choice = (text, on, keep) =>
    h(
      "button",
      { type: "button", class: "segment", "aria-pressed": String(on), onclick: () => keep(!on) },
      text,
    );
  return h(
    "span",
    { class: "countin-buttons", role: "group", "aria-label": t("Count in") },
    button(t("3, 2, 1"), begin, "large", { "data-test": "countin" }),
    choice(t("Bell"), sound(), keepSound),
    "speechSynthesis" in globalThis ? choice(t("Voice"), state.voice, keepVoice) : null,
  );
}

// Render the count over the whole screen; a tap ends it.
export function countIn() {
  if (state.beat === null) return null;
  return h(
    "button",
    { key: "countin", type: "button", class: "countin", onclick: end, "aria-label": t("Stop counting") },
    h(
      "b",
      {
        key: `beat-${state.beat}`,
        role: "timer",
        "aria-live": "assertive",
        class: state.beat === 3 ? "open" : "",
      },
      written()[state.beat],
    ),
  );
}

function begin() {
  end();
  endResult();
  beat(0);
}

function beat(number) {
  state.beat = number;
  if (sound()) ring(BELL[number], number === 3 ? 0.9 : 0.35);
  if (state.voice) say(spoken()[number]);
  state.timer = setTimeout(() => (number === 3 ? end() : beat(number + 1)), number === 3 ? OPEN_FOR : BEAT);
}

function end() {
  clearTimeout(state.timer);
  state.beat = null;
}

// A bell: two partials with an exponential decay.
function ring(pitch, seconds) {
  try {
    bell ??= new AudioContext();
    bell.resume();
    const now = bell.currentTime;
    for (const [partial, loud] of [
      [1, 0.22],
      [2.76, 0.05],
    ]) {
      const [tone, volume] = [bell.createOscillator(), bell.createGain()];
      tone.frequency.value = pitch * partial;
      volume.gain.setValueAtTime(0.0001, now);
      volume.gain.exponentialRampToValueAtTime(loud, now + 0.01);
      volume.gain.exponentialRampToValueAtTime(0.0001, now + seconds);
      tone.connect(volume).connect(bell.destination);
      tone.start(now);
      tone.stop(now + seconds);
    }
  } catch {
    // No audio: the numbers are on the screen.
  }
}

function say(word) {
  try {
    const speech = new SpeechSynthesisUtterance(word);
    speech.lang = language;
    speechSynthesis.cancel();
    speechSynthesis.speak(speech);
  } catch {
    // No speech: the numbers are on the screen.
  }
}
