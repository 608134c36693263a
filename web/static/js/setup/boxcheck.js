// The box check before a game: what everybody should have on the table is counted, and what is missing is
// said.

import { t, tn } from "../core/i18n.js";
import { kindName, kindSign, known } from "./known.js";
import { finish, layOut, lesson, teach } from "./lesson.js";
import { live, send } from "../core/live.js";
import { button, crest } from "../core/parts.js";
import { h } from "../core/render.js";
import { draw } from "../core/stage.js";

const LONG = 30_000;
const SETTLED = 900;
const AT_MOST = 640;
const GOLD = "#f1d48e";
const RED = "#ff8a7a";

// found: what was counted last, with the seats that it was counted for.
const box = { found: null, refusal: "", counting: false };

export function boxCheck(seats) {
  if (!known.view) return null;
  const taught = known.view.calibrated && known.view.kinds.some(({ specimens }) => specimens);
  return h(
    "section",
    { key: "box-check", class: "box-check" },
    h("h3", {}, t("Is everything there?")),
    h(
      "p",
      { class: "aside" },
      taught
        ? t(
            "If you like, the camera counts first: everybody lays their pieces and signs before them, apart from each other.",
          )
        : t("The camera can count everybody's pieces once it knows the table and the pieces."),
    ),
    taught
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
          opaque: true,
          class: "box-picture",
          role: "img",
          "aria-label": t("What was counted"),
          mount: show,
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
          "{n} thing fits no known kind and is not counted: the red frame.",
          "{n} things fit no known kind and are not counted: the red frames.",
        ),
      )
    : null;
}

function line({ kind, seen, wanted, taught, doubtful }, seats) {
  const seat = seats.find(({ colour }) => kind === `search:${colour}`);
  const told = { name: seat?.name ?? kindName(kind), seen, wanted, doubtful };
  const right = taught && seen === wanted && !doubtful;
  return h(
    "li",
    { key: kind, class: right ? "right" : "short" },
    seat ? crest(seat, "small") : kindSign(kind),
    h("span", {}, words(taught, told, Boolean(seat))),
    h("b", { "aria-hidden": "true" }, right ? "✓" : "?"),
  );
}

function words(taught, told, player) {
  if (!taught) return t("{name}: not taught yet, so they cannot be counted.", told);
  const much = player
    ? t("{name}: {seen} of {wanted} search pieces seen.", told)
    : t("{seen} of {wanted} {name} seen.", told);
  if (told.doubtful)
    return [much, " ", t("Not sure about {doubtful}: lay them apart and count again.", told)];
  if (told.seen < told.wanted) return [much, " ", t("{left} missing.", { left: told.wanted - told.seen })];
  if (told.seen > told.wanted) return [much, " ", t("{left} too many.", { left: told.seen - told.wanted })];
  return much;
}

async function count(seats) {
  Object.assign(box, { counting: true, refusal: "", found: null });
  draw();
  const simulated = Boolean(live.view.director);
  if (simulated && (await teach())) {
    await layOut(`box:${seats.map(({ colour }) => colour).join("-")}`);
    await new Promise((resolve) => setTimeout(resolve, SETTLED));
  }
  const answer = await send("teach_check_box", { colours: seats.map(({ colour }) => colour) }, LONG);
  if (answer.ok) box.found = await withPicture(answer.result, seats);
  else box.refusal = answer.error.message || lesson.refusal;
  if (simulated) {
    await layOut(null);
    await finish();
  }
  box.counting = false;
  draw();
}

// The picture is fetched at once: it is let go when teaching ends.
async function withPicture({ draft, size, box: counted }, seats) {
  let picture = null;
  try {
    const response = await fetch(`/api/teaching/${draft}.jpg`);
    if (response.ok) picture = await createImageBitmap(await response.blob());
  } catch {
    // The count is told without it.
  }
  return { ...counted, draft, size, picture, seats: seats.map((seat) => ({ ...seat })) };
}

// The picture that was counted, with a frame round each piece: dashed where it is doubtful, red and dotted
// where it fits no known kind.
function show(canvas) {
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

// What was counted for others, or long ago, is not shown any longer.
export function forgetCount() {
  Object.assign(box, { found: null, refusal: "" });
}
