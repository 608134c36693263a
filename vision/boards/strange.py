"""What lies on a board where nothing should: between spots, across rows, or glare that hides a part of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.board_alignment import PX_PER_MM
from calibration.personal_boards import SPELLS
from vision.boards.laid import LaidBoard, Layer, Mask
from vision.boards.tokens import EMPTY, OTHER, Spot
from vision.reveal import colour

_OFF = np.array([0.26, 0.12, 0.11], np.float32)
"""How far intensity and hue may be from all of the print near by before a pixel counts as changed."""
_SHADOW = 0.9
"""How much darker a shadow makes print, in logarithms; hue stays nearly the same."""
_LEAST_MM2, _LARGE_SHARE = 55.0, 0.06
_CORE_MM = 3.2
"""A thing is at least twice as thick everywhere: outlines of a print a little off its place are thinner."""
_TOKEN_MARGIN_MM, _SPACE_MARGIN_MM = 3.0, 8.0
_BLOWN_MM2 = 40.0
_NEAR_MM = 16.0


@dataclass(frozen=True, slots=True)
class Strange:
    """Something that no spot or space explains: its middle in board mm, area in mm²; glare: only light is seen."""

    middle: tuple[float, float]
    area: float
    glare: bool


def strange_things(laid: LaidBoard, spots: Sequence[Spot], token_mm: float) -> tuple[Strange, ...]:
    """Find what changed on a board beside tokens on their spots and pieces in spell spaces, largest first."""
    unexplained = changed(laid) & ~_explained(laid, spots, token_mm)
    core = round(_CORE_MM * PX_PER_MM) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (core, core))
    whole = cv2.morphologyEx(unexplained.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    things = [*_things(laid, whole, _LEAST_MM2, glare=False)]
    blown = cv2.morphologyEx(laid.blown.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    things += _things(laid, blown, _BLOWN_MM2, glare=True)
    return tuple(sorted(things, key=lambda thing: -thing.area))


def near(thing: Strange, spot: tuple[float, float]) -> bool:
    """Tell whether a thing may belong to a spot, in board mm; a large one is near where it reaches."""
    reach = _NEAR_MM + max(0.0, float(np.sqrt(thing.area / np.pi)) - 8.0)
    return float(np.hypot(thing.middle[0] - spot[0], thing.middle[1] - spot[1])) < reach


def large(thing: Strange, laid: LaidBoard) -> bool:
    """Tell whether a thing is no stray token but covers a part of the board."""
    width, height = laid.board.layout.size_mm
    return thing.area > _LARGE_SHARE * width * height


def changed(laid: LaidBoard) -> Mask:
    """Tell which pixels look like none of the print near by, and are not merely in a shadow."""
    size = 5 if laid.scale < 1.4 else 3
    kernel = np.ones((size, size), np.uint8)
    low, high = cv2.erode(laid.own, kernel), cv2.dilate(laid.own, kernel)
    below, above = np.maximum(low - laid.colours, 0.0), np.maximum(laid.colours - high, 0.0)
    off: Layer = below + above
    off[..., 0] = above[..., 0] + np.maximum(below[..., 0] - _SHADOW, 0.0)
    away = np.asarray(colour.squared(off, _OFF) > 1.0)
    away[:3], away[-3:], away[:, :3], away[:, -3:] = False, False, False, False
    return np.asarray(away & laid.seen & ~laid.blown & ~laid.white, np.bool_)


def _explained(laid: LaidBoard, spots: Sequence[Spot], token_mm: float) -> Mask:
    mask = np.zeros(laid.seen.shape, np.uint8)
    for spot, (_, middle) in zip(spots, laid.board.layout.spots(), strict=True):
        if spot.likeliest in (EMPTY, OTHER):
            continue
        u, v = laid.spot_px((middle[0] + spot.aside[0], middle[1] + spot.aside[1]))
        radius = round((token_mm / 2 + _TOKEN_MARGIN_MM) * PX_PER_MM)
        cv2.circle(mask, (round(u), round(v)), radius, 1, cv2.FILLED)
    for spell in SPELLS:
        space = laid.board.layout.space(spell)
        half_width, half_height = space.width / 2 + _SPACE_MARGIN_MM, space.height / 2 + _SPACE_MARGIN_MM
        left, top = laid.spot_px((space.x - half_width, space.y + half_height))
        right, bottom = laid.spot_px((space.x + half_width, space.y - half_height))
        cv2.rectangle(mask, (round(left), round(top)), (round(right), round(bottom)), 1, cv2.FILLED)
    return mask > 0


def _things(laid: LaidBoard, mask: ArrayLike, least_mm2: float, *, glare: bool) -> list[Strange]:
    count, _, stats, centres = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
    back = np.linalg.inv(laid.board.layout.to_pixels(PX_PER_MM))
    found = []
    for label in range(1, count):
        area = float(stats[label][cv2.CC_STAT_AREA]) / PX_PER_MM**2
        if area >= least_mm2:
            x, y = (back @ (*centres[label], 1.0))[:2]
            found.append(Strange((float(x), float(y)), area, glare))
    return found
