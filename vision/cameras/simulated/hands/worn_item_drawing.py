"""Dress pictures of arms with rings, nails, watches, gloves and sleeves, and bend fingers over the palm."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Floats, Heights, Image, Mask, as_floats, as_heights, as_image
from vision.cameras.simulated.hands.arm_pictures import SCALE, Arm, Bare, Person, bare, sleeved
from vision.cameras.simulated.hands.worn_item_parameters import Band, Glove, Ring
from vision.cameras.simulated.table_surfaces.parameters import Bgr

_FINGER_MM = 16.0
"""Width of a finger."""
_THUMB_MM = 19.0
"""Width of a thumb."""
_MIN_SHOWN_MM = 12.0
"""Minimum visible length from knuckle to middle joint; a shorter finger points at the camera and shows no ring."""
_CURLED_MM = 17.0
"""Height of a bent finger above the palm."""


@lru_cache(maxsize=12)
def arm(who: Person, state: Literal["open", "closed"]) -> Arm:
    """Return a person's arm with all that the person wears, the hand closed, or open with stretched fingers."""
    return _dressed(bare(who, state), who, state)


@lru_cache(maxsize=12)
def arm_with_bent_fingers(who: Person) -> Arm:
    """Return a person's dressed arm with an open hand whose fingers in `worn.curled` are bent over the palm."""
    flat = bare(who, "open")
    for finger in who.worn.curled:
        flat = replace(flat, arm=_bent(flat, finger, who.worn.size))
    return _dressed(flat, who, "open")


def _dressed(shown: Bare, who: Person, state: Literal["open", "closed"]) -> Arm:
    """Return a bare arm with the person's nails, glove, rings, bands and sleeve drawn on it."""
    worn, made = who.worn, shown.arm
    if worn.nails is not None and state == "open" and worn.glove is None:
        made = _nailed(made, shown, *worn.nails, worn.curled, worn.size)
    if worn.glove is not None:
        made = _gloved(made, shown, worn.glove, worn.size)
    for ring in worn.rings:
        if ring.finger not in worn.curled:
            made = _ringed(made, shown, ring, worn.size)
    if not shown.sleeved:
        for band in worn.bands:
            made = _banded(made, shown.wrist, band)
    return sleeved(made, shown.wrist, who)


def _finger_width(finger: int, size: float) -> float:
    """Return a finger's width on the canvas, px.

    finger: 0 is the thumb. size: of the hand, relative (`Worn.size`).
    """
    return (_FINGER_MM if finger else _THUMB_MM) * size * SCALE


def _finger_mask(shape: tuple[int, ...], joints: Floats, width: float) -> Image:
    """Return a mask (0..255) of a finger along its joints.

    shape: of the canvas. joints: (N, 2), px. width: px.
    """
    drawn = np.zeros(shape[:2], np.uint8)
    points = [(round(float(x) * 16), round(float(y) * 16)) for x, y in joints]
    for start, end in pairwise(points):
        cv2.line(drawn, start, end, 255, max(1, round(width)), cv2.LINE_AA, 4)
    return drawn


def _blended(under: Image, over: Heights | Image, weight: Heights) -> Image:
    """Return `under` with `over` blended in by a weight (h, w): 0 leaves `under`, 1 gives `over`."""
    return as_image(np.clip(under + (over - under.astype(np.float32)) * weight[..., None], 0, 255))


def _bent(shown: Bare, finger: int, size: float) -> Arm:
    """Return an arm with one finger bent over the palm: turned about its knuckle, shortened, raised, with a shadow.

    A finger that is already short is left as it is. finger: 0 is the thumb. size: of the hand, relative
    (`Worn.size`).
    """
    arm_, joints = shown.arm, shown.fingers[finger]
    stretched = joints[2] - joints[0]
    length = float(np.hypot(*stretched))
    if length < 2 * _MIN_SHOWN_MM * SCALE:
        return arm_
    width = _finger_width(finger, size)
    ahead = stretched / length
    others = np.zeros(arm_.cover.shape, bool)
    for number in range(5):
        if number != finger:
            others |= _finger_mask(arm_.cover.shape, shown.fingers[number], _finger_width(number, size)) > 127
    own = _finger_mask(arm_.cover.shape, joints, width)
    gone = (
        (_finger_mask(arm_.cover.shape, joints, width * 1.35) > 127)
        & ~others
        & _beyond(arm_.cover.shape, joints[0], ahead)
    )
    # A finger folds back over its knuckle, at 0.72 of its length; the thumb turns towards the middle finger.
    bend = np.eye(2) - 1.72 * np.outer(ahead, ahead) if finger else _turn(ahead, shown.fingers[2][0] - joints[0])
    matrix = np.c_[bend, joints[0] - bend @ joints[0]]
    size_px = arm_.cover.shape[::-1]
    colour = cv2.warpAffine(arm_.colour, matrix, size_px)
    cover = cv2.warpAffine(cv2.min(own, arm_.cover), matrix, size_px).astype(np.float32) / 255
    kept = arm_.cover.copy()
    kept[gone] = 0
    # Remove slivers beside the finger.
    top = max(0, round(float(joints[:, 1].min()) - width))
    bottom = round(float(joints[0, 1]))
    kept[top:bottom] = cv2.morphologyEx(kept[top:bottom], cv2.MORPH_OPEN, np.ones((7, 7), np.uint8))
    shadow = 1 - 0.45 * cv2.GaussianBlur(cover, (0, 0), 2.5 * SCALE) * (1 - cover)
    shaded = as_image(np.clip(arm_.colour * shadow[..., None], 0, 255))
    round_ = 0.72 + 0.28 * cv2.GaussianBlur(cover, (0, 0), 1.6 * SCALE)
    return Arm(
        _blended(shaded, as_heights(colour * round_[..., None]), as_heights(cover)),
        as_image(cv2.max(kept, as_image(cover * 255))),
        as_heights(np.where(cover > 0.4, np.maximum(arm_.height, _CURLED_MM * size), arm_.height)),
    )


def _turn(ahead: Floats, towards: Floats) -> Floats:
    """Return the 2×2 rotation from unit vector `ahead` to the direction `towards`, times 0.85 as foreshortening."""
    along = towards / float(np.hypot(*towards))
    cos, sin = float(ahead @ along), float(ahead[0] * along[1] - ahead[1] * along[0])
    return as_floats(0.85 * np.array([[cos, -sin], [sin, cos]]))


def _beyond(shape: tuple[int, ...], start: Floats, ahead: Floats) -> Mask:
    """Return a mask of the canvas more than 3 mm beyond `start` (px) in the direction of unit vector `ahead`."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    return np.asarray((columns - start[0]) * ahead[0] + (rows - start[1]) * ahead[1] > 3 * SCALE)


def _nailed(arm_: Arm, shown: Bare, paint: Bgr, length: float, curled: tuple[int, ...], size: float) -> Arm:
    """Return an arm with painted nails that protrude beyond the fingertips of an open hand.

    length: by which they protrude, mm. curled: indices of bent fingers, which get no nails. size: of the hand,
    relative.
    """
    plates = np.zeros(arm_.cover.shape, np.uint8)
    for number, (_, middle, tip) in enumerate(shown.fingers):
        bone = tip - middle
        if number in curled or float(np.hypot(*bone)) < 8 * SCALE:
            continue
        ahead = bone / float(np.hypot(*bone))
        half = _finger_width(number, size) * 0.3
        at = tip + ahead * length * SCALE * 0.5
        axes = (max(1, round(half + length * SCALE * 0.5)), max(1, round(half)))
        centre = (round(float(at[0])), round(float(at[1])))
        turn = float(np.degrees(np.arctan2(ahead[1], ahead[0])))
        cv2.ellipse(plates, centre, axes, turn, 0, 360, 255, -1, cv2.LINE_AA)
    free = as_heights(plates / np.float32(255) * (1 - arm_.cover / np.float32(255)))
    gleam = as_heights(paint) * (0.9 + 0.25 * cv2.GaussianBlur(free, (0, 0), 1.2))[..., None]
    colour = np.where(free[..., None] > 0.02, np.clip(gleam, 0, 255).astype(np.uint8), arm_.colour)
    return replace(arm_, colour=as_image(colour), cover=as_image(cv2.max(arm_.cover, as_image(free * 255))))


def _gloved(arm_: Arm, shown: Bare, glove: Glove, size: float) -> Arm:
    """Return an arm with a glove over the hand; the hand's shading is kept. size: of the hand, relative."""
    rows = np.arange(arm_.cover.shape[0], dtype=np.float32)[:, None]
    hem = shown.wrist + 26 * SCALE
    weight = np.broadcast_to(np.clip(hem - rows, 0, 1), arm_.cover.shape).astype(np.float32).copy()
    if glove.fingerless:
        for _, middle, tip in shown.fingers:
            bare_part = np.zeros(arm_.cover.shape, np.float32)
            start = tuple(round(float(v)) for v in middle)
            end = tuple(round(float(v)) for v in tip + 0.3 * (tip - middle))
            cv2.line(bare_part, start, end, 1.0, round(24 * size * SCALE))
            weight *= 1 - bare_part
    grey = cv2.cvtColor(arm_.colour, cv2.COLOR_BGR2GRAY).astype(np.float32)
    mean = max(1.0, float(grey[arm_.cover > 200].mean()))
    shade = np.clip(grey / mean, 0.35, 1.5) ** 0.8
    x = np.arange(arm_.cover.shape[1], dtype=np.float32)[None]
    stitches = 1 + 0.16 * glove.knit * np.sin(rows * np.float32(1.9)) * np.sin(x * np.float32(1.5))
    rim = 1 - 0.35 * np.exp(-np.abs(rows - hem) / np.float32(2.5))
    cloth = np.clip(as_heights(glove.paint) * (shade * stitches * rim)[..., None], 0, 255)
    return replace(arm_, colour=_blended(arm_.colour, as_heights(cloth), weight))


def _ringed(arm_: Arm, shown: Bare, ring: Ring, size: float) -> Arm:
    """Return an arm with a ring between knuckle and middle joint of a finger; unchanged if little of it is visible.

    size: of the hand, relative.
    """
    knuckle, middle, _ = shown.fingers[ring.finger]
    bone = middle - knuckle
    length = float(np.hypot(*bone))
    if length < _MIN_SHOWN_MM * SCALE:
        return arm_
    ahead = bone / length
    aside = as_floats([-ahead[1], ahead[0]])
    centre, half = knuckle + 0.45 * bone, _finger_width(ring.finger, size) / 2 + 1.0
    thick = ring.width * SCALE / 2
    low = np.maximum(np.floor(centre - half - 4).astype(int), 0)
    high = np.minimum(np.ceil(centre + half + 5).astype(int), arm_.cover.shape[::-1])
    if np.any(high <= low):
        return arm_
    part = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    rows, columns = np.mgrid[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    u = ((columns - centre[0]) * aside[0] + (rows - centre[1]) * aside[1]) / half
    # A ring is round: viewed slightly from the tips, its line is curved.
    v = ((columns - centre[0]) * ahead[0] + (rows - centre[1]) * ahead[1]) / thick + 0.8 * u**2
    weight = np.clip((1 - np.abs(v)) * thick + 0.5, 0, 1) * np.clip((1 - np.abs(u)) * half + 0.5, 0, 1)
    weight = weight * (arm_.cover[part] > 60)
    gleam = 0.55 + 0.6 * np.sqrt(np.clip(1 - u**2, 0, 1)) * (0.7 + 0.5 * np.cos(7 * u + 1)) + 0.15 * v
    colours = np.clip(as_heights(ring.metal) * gleam[..., None], 0, 255)
    if ring.stone is not None:
        stone = np.clip(1.6 - np.hypot(u * half, v * thick) / (1.7 * SCALE), 0, 1)[..., None]
        colours = (
            colours * (1 - stone) + as_heights(ring.stone) * (0.7 + 0.8 * np.clip(-v, 0, 1))[..., None] * stone
        )
    colour, height = arm_.colour.copy(), arm_.height.copy()
    colour[part] = _blended(colour[part], as_heights(np.clip(colours, 0, 255)), as_heights(weight))
    height[part] += as_heights(1.2 * weight)
    return Arm(colour, arm_.cover, height)


def _banded(arm_: Arm, wrist: float, band: Band) -> Arm:
    """Return an arm with a watch or bracelet. wrist: row of the wrist on the canvas."""
    middle_row = round(wrist + band.below * SCALE)
    inside = np.flatnonzero(arm_.cover[middle_row] > 128)
    if not len(inside):
        return arm_
    middle, half = float(inside.min() + inside.max()) / 2, float(inside.max() - inside.min()) / 2 + 1.5 * SCALE
    reach = round((band.width / 2 + half * abs(np.tan(np.radians(band.tilt))) + 6) * SCALE)
    top, bottom = max(0, middle_row - reach), min(arm_.cover.shape[0], middle_row + reach)
    left, right = max(0, round(middle - half) - 2), min(arm_.cover.shape[1], round(middle + half) + 3)
    part = (slice(top, bottom), slice(left, right))
    rows, columns = np.mgrid[top:bottom, left:right].astype(np.float32)
    u = (columns - np.float32(middle)) / np.float32(half)
    roundness = np.sqrt(np.clip(1 - u**2, 0, 1))
    tilted = rows - middle_row - (columns - np.float32(middle)) * np.float32(np.tan(np.radians(band.tilt)))
    v = (tilted + 4.0 * roundness) / np.float32(band.width * SCALE / 2)
    edge = np.clip((1 - np.abs(v)) * (band.width * SCALE / 2) + 0.5, 0, 1) * np.clip(
        (1 - np.abs(u)) * half + 0.5, 0, 1
    )
    first, second = (as_heights(colour) for colour in band.paints)
    turns = np.arcsin(np.clip(u, -1, 1))
    shade = 0.4 + 0.65 * roundness
    if band.sort == "beads":
        beads = np.abs(np.sin(turns * 180 / band.width))
        shade = shade * (0.55 + 0.6 * beads * np.sqrt(np.clip(1 - v**2, 0, 1)))
        paints = np.where((np.floor(turns * 180 / band.width / np.pi) % 2 > 0)[..., None], first, second)
    else:
        paints = np.broadcast_to(first, (*u.shape, 3)).astype(np.float32)
        shade = shade * (1 + 0.15 * np.cos(9 * u)) * (1 - 0.3 * (np.abs(v) > 0.85))
    if band.sort == "watch":
        # The face, or the buckle on the palm's side.
        face = np.clip((0.62 * band.width * SCALE - np.hypot(u * half, tilted + 4)) + 0.5, 0, 1)[..., None]
        paints = paints * (1 - face) + second * face
        rim = np.exp(-((np.hypot(u * half, tilted + 4) - 0.62 * band.width * SCALE) ** 2) / 3)
        shade = shade + 0.5 * rim
        edge = np.maximum(edge, face[..., 0])
    colour, cover, height = arm_.colour.copy(), arm_.cover.copy(), arm_.height.copy()
    colour[part] = _blended(colour[part], as_heights(np.clip(paints * shade[..., None], 0, 255)), as_heights(edge))
    cover[part] = np.maximum(cover[part], as_image(edge * 255))
    height[part] += as_heights(2.0 * edge)
    return Arm(colour, cover, height)
