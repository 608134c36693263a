"""Pictures of hands and arms from the assets, extended beyond the elbow, with sleeves, on a common canvas.

A canvas shows one arm from straight above at `SCALE` px/mm: palm centre at `ORIGIN`, fingers up, forearm straight
down. Local coordinates are mm from the palm centre, +x right, +y towards the fingers, heights above the palm.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib import resources
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.appearance import Cast
from vision.cameras.simulated.array_types import Floats, Heights, Image, as_floats, as_heights, as_image
from vision.cameras.simulated.hands.worn_item_parameters import Pattern, Worn
from vision.cameras.simulated.table_surfaces.parameters import Bgr

SCALE = 1.5
"""Scale of a canvas, px/mm."""
_HELD_OUT_STEP = 5
"""Every so many hands of the catalogue, one is reserved for evaluation."""
ABOVE_MM = 150.0
"""Extent of a canvas above the palm centre."""
BELOW_MM = 640.0
"""Extent of a canvas below the palm centre."""
BESIDE_MM = 125.0
"""Extent of a canvas on either side of the palm centre."""
ORIGIN = (BESIDE_MM * SCALE, ABOVE_MM * SCALE)
"""Palm centre on a canvas, px."""
SIZE = (round(2 * BESIDE_MM * SCALE), round((ABOVE_MM + BELOW_MM) * SCALE))
"""Canvas width and height, px."""

_CLOTH = (
    (60, 52, 50), (96, 62, 44), (150, 110, 70), (60, 40, 110), (70, 90, 60), (190, 190, 186), (120, 120, 124),
    (60, 110, 160), (48, 48, 48), (140, 90, 130), (90, 150, 170), (40, 60, 130),
)  # fmt: skip # a table of colours
"""Colours of sleeves, BGR."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One arm on a canvas."""

    colour: Image
    """Colours, (h, w, 3)."""
    cover: Image
    """Coverage, (h, w)."""
    height: Heights
    """Heights above the palm, mm, (h, w)."""


@dataclass(frozen=True, slots=True)
class Person:
    """Appearance of one person's arm."""

    open: int
    """Index of the open hand in the catalogue."""
    closed: int
    """Index of a closed hand of similar tone."""
    cloth: tuple[int, int, int] | None
    """Colour of the sleeve, BGR; None without one."""
    cuff_mm: float
    """Distance of the sleeve's cuff below the wrist, mm."""
    width: float
    """Width of the sleeve relative to the arm."""
    worn: Worn = field(default_factory=Worn)
    """Jewellery, gloves and the like."""


@dataclass(frozen=True, slots=True)
class Bare:
    """A hand and arm without a sleeve, on a canvas."""

    arm: Arm
    """Picture of the arm."""
    wrist: float
    """Row of the wrist on the canvas."""
    sleeved: bool
    """Whether the catalogue's picture contains a sleeve."""
    fingers: Floats
    """Knuckle, middle joint and tip of each finger from the thumb on, px of the canvas, (5, 3, 2)."""


@cache
def _catalogue() -> tuple[dict[str, Any], ...]:
    """Return `hands.json`, an entry per picture of a hand: for all purposes, then for training only (`more`)."""
    # New entries go to the end: the position determines the appearance of people.
    text = resources.files("vision.cameras.simulated").joinpath("assets/hands.json").read_text("utf-8")
    return tuple(json.loads(text))


def _asset(name: str) -> Image:
    """Return the decoded picture of an asset file, with all its channels."""
    folder = resources.files("vision.cameras.simulated").joinpath("assets")
    coded = np.frombuffer(folder.joinpath(name).read_bytes(), np.uint8)
    return as_image(cv2.imdecode(coded, cv2.IMREAD_UNCHANGED))


def person(number: int, cast: Cast = "everybody", *, varied: bool = False) -> Person:
    """Return a random synthetic person with hands of a cast; always the same for a number and cast.

    number: seed. cast: set of hand pictures, see `Cast`. varied: vary hand size, jewellery, gloves and the sleeve's
    cloth as well.
    """
    rng = np.random.default_rng([number, 0xA3])
    everybody = _catalogue()
    playing = [i for i, hand in enumerate(everybody) if _is_in_cast(i, hand, cast)]
    opened = [i for i in playing if everybody[i]["state"] == "open"]
    chosen = opened[int(rng.integers(len(opened)))]
    side, tone = everybody[chosen]["side"], everybody[chosen]["tone"]

    def difference(i: int) -> tuple[bool, int, float]:
        return (everybody[i]["side"] != side, abs(everybody[i]["tone"] - tone), float(tie_breaks[i]))

    tie_breaks = rng.random(len(everybody) if cast == "many" else sum(not hand.get("more") for hand in everybody))
    closed = min((i for i in playing if everybody[i]["state"] == "closed"), key=difference)
    sleeved = rng.random() < 0.85 and not everybody[chosen].get("sleeve")
    cloth = _CLOTH[int(rng.integers(len(_CLOTH)))] if sleeved else None
    plain = Person(chosen, closed, cloth, float(rng.choice([20, 35, 60, 110, 170]) + rng.uniform(-8, 8)),
                   float(rng.uniform(1.12, 1.5)))  # fmt: skip # a table of colours
    if not varied:
        return plain
    worn = Worn.random(np.random.default_rng([number, 0xA4]))
    return replace(plain, worn=worn, cloth=None if cloth is None else worn.cloth)


def hands(cast: Cast) -> tuple[dict[str, Any], ...]:
    """Return the entries of the catalogue (`hands.json`) of the hands in a cast, a set of hand pictures."""
    return tuple(hand for i, hand in enumerate(_catalogue()) if _is_in_cast(i, hand, cast))


def _is_in_cast(index: int, hand: dict[str, Any], cast: Cast) -> bool:
    """Return whether the catalogue's entry `hand`, at `index`, belongs to a cast (a set of hand pictures)."""
    if hand.get("more"):
        return cast == "many"
    return cast == "everybody" or (index % _HELD_OUT_STEP == 0) == (cast == "held out")


def bare(who: Person, state: Literal["open", "closed"]) -> Bare:
    """Return a person's arm with an open or closed hand, before anything worn is drawn on it."""
    shown = _catalogue_arm(who.open if state == "open" else who.closed, who.worn.size)
    if state == "closed" and not _catalogue()[who.open].get("sleeve"):
        # Two renders of one tone may be lit differently; match the skin of one person.
        same = _with_tone_of(shown.arm, _catalogue_arm(who.open, who.worn.size).arm)
        return replace(shown, arm=replace(shown.arm, colour=same))
    return shown


def _with_tone_of(arm_: Arm, model: Arm) -> Image:
    """Return the colours of an arm scaled so that their mean is that of `model`, within limits."""

    def mean(of: Arm) -> NDArray[np.float64]:
        return np.asarray(cv2.mean(of.colour, (of.cover > 200).astype(np.uint8))[:3])

    gain = np.clip(mean(model) / np.maximum(mean(arm_), 1), 0.4, 2.2)
    return as_image(np.clip(arm_.colour * gain, 0, 255))


@lru_cache(maxsize=12)
def _catalogue_arm(index: int, size: float) -> Bare:
    """Return a hand of the catalogue on a canvas, its forearm rotated straight down and extended to the lower edge.

    index: in the catalogue. size: relative to the catalogue's.
    """
    hand = _catalogue()[index]
    picture, raised = _asset(f"{hand['name']}.webp"), _asset(f"{hand['name']}h.webp")[..., 0]
    height, width = picture.shape[:2]
    relief = as_heights(cv2.resize(raised, (width, height), interpolation=cv2.INTER_LINEAR))
    palm, wrist, elbow = (as_floats(hand[key]) for key in ("palm", "wrist", "elbow"))
    scale = SCALE / hand["px_per_mm"] * size
    lean = np.arctan2(elbow[0] - wrist[0], elbow[1] - wrist[1])
    cos, sin = np.cos(lean) * scale, np.sin(lean) * scale
    linear = np.array([[cos, -sin], [sin, cos]])
    matrix = np.c_[linear, np.asarray(ORIGIN) - linear @ palm]
    heights = (relief - 1) / hand["px_per_mm"] * np.float32(size)
    level = float(np.median(heights[int(palm[1]) - 8 : int(palm[1]) + 9, int(palm[0]) - 8 : int(palm[0]) + 9]))
    colour = cv2.warpAffine(picture[..., :3], matrix, SIZE, flags=cv2.INTER_AREA)
    cover = cv2.warpAffine(picture[..., 3], matrix, SIZE, flags=cv2.INTER_AREA)
    rise = cv2.warpAffine(heights - level, matrix, SIZE, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    ends = np.array([[0, height - 1], [width - 1, height - 1]], dtype=np.float64)
    inside = np.flatnonzero(picture[height - 2, :, 3] > 128)
    ends[:, 0] = (inside.min(), inside.max())
    cut = int((ends @ linear.T + matrix[:, 2])[:, 1].min()) - 3
    # With a sleeve the mean colour is no evidence of the light.
    seen = as_image(colour) if hand.get("sleeve") else _daylit(as_image(colour), as_image(cover))
    whole = Arm(seen, as_image(cover), as_heights(rise))
    fingers = as_floats(hand["fingers"]) @ linear.T + matrix[:, 2]
    return Bare(
        # Hands of the catalogue's own size are drawn unchanged, so that held-out sessions stay the same.
        _continued(whole, cut, even=size != 1.0),
        float((linear @ wrist + matrix[:, 2])[1]),
        bool(hand.get("sleeve")),
        as_floats(fingers),
    )


def _daylit(colour: Image, cover: Image) -> Image:
    """Return the colours of a hand, corrected for the tint of the light under which its picture was rendered."""
    blue, green, red = cv2.mean(colour, (cover > 200).astype(np.uint8))[:3]
    wanted_red = green * float(np.clip(red / green, 1.22, 1.55))
    wanted_blue = green / float(np.clip(green / blue, 1.12, 1.45))
    grey = (red + green + blue) / (wanted_red + green + wanted_blue)
    gains = np.array([wanted_blue / blue, 1.0, wanted_red / red]) * grey
    return as_image(np.clip(colour * gains, 0, 255))


def _continued(arm_: Arm, cut: int, *, even: bool) -> Arm:
    """Return an arm extended to the bottom of the canvas by mirrored rows, wider towards the elbow.

    cut: first row to fill. even: do not repeat rows that are much narrower than the last, as above a cuff's edge.
    """
    rows = np.arange(cut, SIZE[1], dtype=np.float32)[:, None]
    inside = np.flatnonzero(arm_.cover[cut - 1] > 128)
    middle = float(inside.min() + inside.max()) / 2
    grown = 1 + 0.32 * np.clip((rows - cut) / (150 * SCALE), 0, 1)
    map_x = as_heights(middle + (np.arange(SIZE[0], dtype=np.float32)[None, :] - middle) / grown)
    # Mirrored rows keep the skin's grain instead of smearing one row down the arm; its outline stays smooth.
    widths = np.count_nonzero(arm_.cover[max(0, cut - 12) : cut - 1] > 128, axis=1)[::-1]
    narrow = np.flatnonzero(widths < 0.9 * widths[0])
    most = 9.0 if not even or not len(narrow) else max(0.0, float(min(9, narrow[0] - 1)))
    there = np.abs((rows - cut) % 24 - 12) / 12 * most
    swept = as_heights(np.broadcast_to(cut - 2 - there, map_x.shape))
    last = np.full_like(map_x, cut - 2)
    colour, cover, height = arm_.colour.copy(), arm_.cover.copy(), arm_.height.copy()
    colour[cut:] = cv2.remap(colour, map_x, swept, cv2.INTER_LINEAR)
    cover[cut:] = cv2.remap(cover, map_x, last, cv2.INTER_LINEAR)
    height[cut:] = cv2.remap(height, map_x, last, cv2.INTER_LINEAR)
    return Arm(colour, cover, height)


def sleeved(arm_: Arm, wrist: float, who: Person) -> Arm:
    """Return an arm with the person's sleeve, if any, over the forearm. wrist: its row on the canvas."""
    if who.cloth is None:
        return arm_
    rng = np.random.default_rng([who.open, round(who.cuff_mm * 8), 0x51])
    start = int(wrist + who.cuff_mm * SCALE)
    inside = np.flatnonzero(arm_.cover[start] > 128)
    middle, half = float(inside.min() + inside.max()) / 2, float(inside.max() - inside.min()) / 2 * who.width
    top, widest = max(0, start - 30), round(half * 1.45 + 9)
    left, right = max(0, round(middle) - widest), min(SIZE[0], round(middle) + widest)
    part = (slice(top, None), slice(left, right))
    size = (right - left, SIZE[1] - top)

    def rumpled(rows: int, columns: int) -> Heights:
        coarse = rng.standard_normal((rows, columns), dtype=np.float32)
        return as_heights(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC))

    folds, creases = rumpled(14, 3), rumpled(40, 6)
    along = np.arange(top - start, SIZE[1] - start, dtype=np.float32)[:, None]
    reach = (half * (1 + 0.45 * np.clip(along / (420 * SCALE), 0, 1)) + folds * 2.2).astype(np.float32)
    across = (np.arange(left, right, dtype=np.float32)[None, :] - np.float32(middle)) / reach
    roundness = np.sqrt(np.clip(1 - across**2, 0, 1))
    opening = along + 9.0 * roundness  # the cuff is round: nearer to us in the middle
    edge = np.clip((opening + 0.5) / 1.5, 0, 1) * np.clip((1 - np.abs(across)) * reach / 1.4 + 0.5, 0, 1)
    shade = 0.45 + 0.55 * roundness + 0.12 * across + 0.05 * folds + 0.07 * creases
    shade *= 1 - 0.22 * np.exp(-(((opening - 13 * SCALE) / 2.0) ** 2))  # the hem's seam
    shade *= 1 - 0.3 * np.exp(-np.abs(opening) / 2.2)
    shade += rng.standard_normal(shade.shape, dtype=np.float32) * 0.035
    # Skin just above the cuff lies in the sleeve's shadow.
    dusk = 1 - 0.4 * np.clip(1 + opening / 9.0, 0, 1)
    paints = _cloth_paints(who.cloth, who.worn.pattern, along / SCALE, across * half / SCALE)
    skin, cloth = (dusk * (1 - edge))[..., None], (shade * edge)[..., None] * paints
    colour, cover, height = arm_.colour.copy(), arm_.cover.copy(), arm_.height.copy()
    colour[part] = np.clip(colour[part] * skin + cloth, 0, 255).astype(np.uint8)
    cover[part] = np.maximum(cover[part], (edge * 255).astype(np.uint8))
    height[part] += (6 + 10 * roundness) * edge
    return Arm(colour, cover, height)


def _cloth_paints(base: Bgr, pattern: Pattern | None, along: Heights, across: Heights) -> Heights:
    """Return the colour of each pixel of a sleeve, BGR, (h, w, 3).

    along: distance from the hem, mm, (h, 1). across: distance from the sleeve's middle, mm, (h, w).
    """
    paints = np.empty((*across.shape, 3), np.float32)
    paints[:] = base
    if pattern is None:
        return paints
    rounds, lines = along % pattern.period < pattern.period / 2, across % pattern.period < pattern.period / 2
    if pattern.sort == "checked":
        share = (rounds.astype(np.float32) + lines) / 2
    else:
        share = np.broadcast_to(rounds if pattern.sort == "round" else lines, across.shape).astype(np.float32)
    return as_heights(paints + (as_heights(pattern.paint) - paints) * share[..., None])
