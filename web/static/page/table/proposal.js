// Renders the referee's proposal: a certain one with a countdown until it is entered, a doubtful one as a
// question.

import { t } from "../core/text/i18n.js";
import { live } from "../core/live_channel.js";
import { button, evidence } from "../core/components/basic_components.js";
import { gamePage } from "../core/game_page.js";
import { h } from "../../vendor/preact.js";
import { useRef } from "../../vendor/preact-hooks.js";
import { useSecondsLeft } from "../core/components/countdown.js";
import { isHost } from "../core/navigation.js";
import {
  accept,
  acceptButton,
  candidates,
  chance,
  dismiss,
  doubtfulSeats,
  doubtsOf,
  stopButton,
  waitingProposal,
} from "./question.js";

// How many answers are offered; the third one only above this probability.
const SHOWN_ALTERNATIVES = 3;
const LIKELY_ENOUGH = 0.05;

// Component: the waiting proposal; nothing if there is none for this state of the game.
export function ProposalPanel({ game }) {
  const proposal = waitingProposal(game);
  if (!proposal) return null;
  return proposal.certain && !doubtsOf(proposal).length
    ? h(CertainProposal, { key: `proposal-${proposal.id}`, proposal })
    : doubtful(game, proposal);
}

// Component: a proposal that is entered when its countdown ends.
function CertainProposal({ proposal }) {
  const left = useSecondsLeft(proposal.seconds_left, !proposal.held);
  const [first] = candidates(proposal);
  // The countdown's whole length in s, for the width of its bar.
  const whole = useRef(Math.max(left, 0.1)).current;
  return h(
    "div",
    {
      class: "proposal certain",
      role: "group",
      "aria-label": t("What the camera read"),
    },
    h(
      "p",
      { class: "question" },
      proposal.held
        ? t("Stopped. Is it right?")
        : left > 0
          ? t("Entered in {seconds} s", { seconds: Math.ceil(left) })
          : t("Checking it with a new picture…"),
    ),
    h(
      "div",
      { class: `countdown ${proposal.held ? "over" : ""}`, "aria-hidden": "true" },
      h("i", { style: { transform: `scaleX(${(left / whole).toFixed(3)})` } }),
    ),
    gamePage.proposal.isDrawn?.(first) ? null : h("p", { class: "aside" }, first.text),
    isHost() &&
      h(
        "div",
        { class: "answers" },
        acceptButton(proposal),
        proposal.held ? null : stopButton(proposal),
        other(proposal),
      ),
  );
}

function doubtful(game, proposal) {
  // Two answers at least; a third only if the picture makes it plausible.
  const shown = candidates(proposal)
    .slice(0, SHOWN_ALTERNATIVES)
    .filter((one, choice) => choice < 2 || one.probability >= LIKELY_ENOUGH);
  const questions = doubtsOf(proposal).map((doubt) => doubt.question);
  return h(
    "div",
    {
      key: `proposal-${proposal.id}`,
      class: "proposal doubtful",
      role: "group",
      "aria-label": t("The camera is not sure"),
    },
    h("p", { class: "question" }, questions.length ? questions.join(" ") : t("Which is right?")),
    seen(game, proposal),
    !isHost()
      ? h("p", { class: "aside" }, t("A host answers this on the tablet beside the table."))
      : h(
          "div",
          { class: "answers alternatives" },
          shown.map((candidate, choice) =>
            h(
              "button",
              {
                type: "button",
                key: `choice-${choice}`,
                class: "button alternative",
                disabled: live.busy,
                onclick: () => accept(proposal, [choice]),
                "data-test": "alternative",
                title: candidate.text,
              },
              gamePage.proposal.answer?.(game, shown, choice) ?? h("span", {}, candidate.text),
              h("small", {}, chance(candidate.probability)),
            ),
          ),
          other(proposal),
        ),
  );
}

// The pictures of the seats that need confirmation.
function seen(game, proposal) {
  const { isDrawn, pictureText } = gamePage.proposal;
  if (!isDrawn?.(candidates(proposal)[0])) return null;
  const seats = doubtfulSeats(proposal);
  if (!seats.length) return null;
  return h(
    "div",
    { class: "seen" },
    seats.map((seat) =>
      evidence(
        `/api/proposal/${seat}.jpg?of=${encodeURIComponent(proposal.id)}`,
        pictureText(game.seats[seat].name),
      ),
    ),
  );
}

// The way to another answer: the game's own entry, or none of those offered.
function other(proposal) {
  const { correct } = gamePage.proposal;
  return button(
    correct ? t("Correct") : t("None of these"),
    () => (correct ? correct(proposal) : dismiss(proposal)),
    "quiet large",
    { key: `correct-${proposal.held}`, "data-test": "correct" },
  );
}
