// Renders the box check before a game: the camera counts each player's pieces and lists what is missing.

import { t, tn } from "../core/text/i18n.js";
import { gamePage } from "../core/game_page.js";
import { kindName, kindSign, known } from "../setup/profile.js";
import { finish, layOut, enrolment, beginSetup } from "../setup/enrolment.js";
import { live, send } from "../core/live_channel.js";
import { button, crest } from "../core/components/basic_components.js";
import { h } from "../../vendor/preact.js";
import { useEffect } from "../../vendor/preact-hooks.js";
import { store } from "../core/store.js";

// ms that a count may take, and that the simulated table needs to settle.
const LONG = 30_000;
const SETTLED = 900;
// px, width of the picture.
const AT_MOST = 640;
const GOLD = "#f1d48e";
const RED = "#ff8a7a";

// found: the latest count with the seats that it was made for.
const box = store({ found: null, refusal: "", counting: false });

// Component: the box check for the seats of a game; null until the profile is loaded. Other seats reset it.
export function BoxCheck({ seats }) {
  const who = seats.map(({ name, figure }) => `${figure} ${name}`).join();
  useEffect(() => reset, [who]);
  if (!known.view) return null;
  const enrolled = known.view.calibrated && known.view.kinds.some(({ specimens }) => specimens);
  return h(
    "section",
    { key: "box-check", class: "box-check" },
    h("h3", {}, t("Is everything there?")),
    h(
      "p",
      { class: "aside" },
      enrolled
        ? t("If you like, the camera counts first: lay your pieces in front of you, spread apart.")
        : t("The camera can count everybody's pieces once it knows the table and the pieces."),
    ),
    enrolled
      ? h(
          "p",
          { class: "row" },
          button(box.counting ? t("Counting…") : t("Count the pieces"), () => count(seats), "", {
            disabled: live.busy || box.counting,
            "data-test": "count-box",
          }),
        )
      : null,
    box.refusal && h("p", { class: "refusal", role: "alert" }, box.refusal),
    box.found && [
      h(
        "ul",
        { class: "box-found", role: "status" },
        box.found.kinds.map((kind) => line(kind, box.found.seats)),
      ),
      unknown(box.found.unknown.length),
      box.found.picture &&
        h("canvas", {
          key: box.found.draft,
          class: "box-picture",
          role: "img",
          "aria-label": t("What was counted"),
          ref: show,
        }),
    ],
  );
}

function unknown(n) {
  return n
    ? h(
        "p",
        { key: "unknown", class: "aside" },
        tn(
          n,
          "{n} object matches no known kind and is not counted: the red frame.",
          "{n} objects match no known kind and are not counted: the red frames.",
        ),
      )
    : null;
}

function line({ kind, seen, wanted, enrolled, doubtful }, seats) {
  const seat = seats.find(({ figure }) => kind === gamePage.pieceOf?.(figure));
  const values = { name: seat?.name ?? kindName(kind), seen, wanted, doubtful };
  const right = enrolled && seen === wanted && !doubtful;
  return h(
    "li",
    { key: kind, class: right ? "right" : "short" },
    seat ? crest(seat, "small") : kindSign(kind),
    h("span", {}, words(enrolled, values, Boolean(seat))),
    h("b", { "aria-hidden": "true" }, right ? "✓" : "?"),
  );
}

function words(enrolled, values, player) {
  if (!enrolled) return t("{name}: not learned yet, so they cannot be counted.", values);
  const much = player
    ? t("{name}: {seen} of {wanted} pieces seen.", values)
    : t("{seen} of {wanted} {name} seen.", values);
  if (values.doubtful)
    return [much, " ", t("Not sure about {doubtful}: spread them apart and count again.", values)];
  if (values.seen < values.wanted)
    return [much, " ", t("{left} missing.", { left: values.wanted - values.seen })];
  if (values.seen > values.wanted)
    return [much, " ", t("{left} too many.", { left: values.seen - values.wanted })];
  return much;
}

async function count(seats) {
  Object.assign(box, { counting: true, refusal: "", found: null });
  const simulated = Boolean(live.view.director);
  if (simulated && (await beginSetup())) {
    await layOut(`box:${seats.map(({ figure }) => figure).join("-")}`);
    await new Promise((resolve) => setTimeout(resolve, SETTLED));
  }
  const answer = await send("teach_check_box", { colours: seats.map(({ figure }) => figure) }, LONG);
  if (answer.ok) box.found = await withPicture(answer.result, seats);
  else box.refusal = answer.error.message || enrolment.refusal;
  if (simulated) {
    await layOut(null);
    await finish();
  }
  box.counting = false;
}

// Fetch the picture now: the companion discards it when set-up mode ends.
async function withPicture({ draft, size, box: counted }, seats) {
  let picture = null;
  try {
    const response = await fetch(`/api/teaching/${draft}.jpg`);
    if (response.ok) picture = await createImageBitmap(await response.blob());
  } catch {
    // The count is shown without it.
  }
  return { ...counted, draft, size, picture, seats: seats.map((seat) => ({ ...seat })) };
}

// Draw the counted picture with a frame round each piece: dashed if doubtful, red and dotted if it fits no
// enrolled kind.
function show(canvas) {
  if (!canvas) return;
  const { size, pieces, picture } = box.found;
  const sharp = Math.min(2, devicePixelRatio);
  const scale = Math.min(1, AT_MOST / size[0]) * sharp;
  [canvas.width, canvas.height] = size.map((side) => Math.round(side * scale));
  const pen = canvas.getContext("2d");
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  pen.lineWidth = 2 * sharp;
  pen.strokeStyle = GOLD;
  for (const piece of pieces) {
    pen.setLineDash(piece.doubtful ? [6, 5] : []);
    pen.strokeRect(...piece.box.map((value) => value * scale));
  }
  pen.strokeStyle = RED;
  pen.setLineDash([2, 3]);
  for (const thing of box.found.unknown) pen.strokeRect(...thing.map((value) => value * scale));
}

function reset() {
  Object.assign(box, { found: null, refusal: "" });
}
