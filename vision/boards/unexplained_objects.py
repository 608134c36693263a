"""Detect objects on a board that are neither tokens on spots nor pieces in spaces, and glare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike

from calibration.boards.alignment import PX_PER_MM
from vision import colour
from vision.boards.rectified import Layer, Mask, RectifiedBoard
from vision.boards.token_spots import EMPTY, OTHER, SpotContents

_MAX_PRINT_DEVIATION = np.array([0.26, 0.12, 0.11], np.float32)
"""Maximum deviation of an unchanged pixel from the most similar nearby print, in intensity and the two hue
channels."""
_MAX_SHADOW = 0.9
"""Maximum depth of a shadow on print (log); hue stays nearly the same."""
_MIN_OBJECT_MM2 = 55.0
"""Minimum area of an object."""
_MIN_LARGE_SHARE = 0.06
"""Minimum area of a large object, as a share of the board."""
_CORE_MM = 3.2
"""Minimum thickness of an object, mm; displaced edges of print are thinner."""
_TOKEN_MARGIN_MM = 3.0
"""Margin around a token that the token explains."""
_SPACE_MARGIN_MM = 8.0
"""Margin around a space for pieces that they explain."""
_MIN_GLARE_MM2 = 40.0
"""Minimum area of glare."""
_NEAR_MM = 16.0
"""Maximum distance of a small object from a spot that it disturbs."""


@dataclass(frozen=True, slots=True)
class UnexplainedObject:
    """An object on a board that is neither a token on a spot nor a piece in its space."""

    middle: tuple[float, float]
    """Centre, board mm."""
    area: float
    """Area, mm²."""
    glare: bool
    """Whether it is glare."""


def find_unexplained(
    laid: RectifiedBoard, spots: Sequence[SpotContents], token_mm: float
) -> tuple[UnexplainedObject, ...]:
    """Return the unexplained objects and glare on a board, largest first.

    spots: contents of the token spots. token_mm: diameter of a token. Pieces in their spaces are excluded.
    """
    unexplained = changed_pixels(laid) & ~_explained_pixels(laid, spots, token_mm)
    core = round(_CORE_MM * PX_PER_MM) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (core, core))
    whole = cv2.morphologyEx(unexplained.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    things = [*_components(laid, whole, _MIN_OBJECT_MM2, glare=False)]
    blown = cv2.morphologyEx(laid.blown.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    things += _components(laid, blown, _MIN_GLARE_MM2, glare=True)
    return tuple(sorted(things, key=lambda thing: -thing.area))


def disturbs(thing: UnexplainedObject, spot: tuple[float, float]) -> bool:
    """Return whether an object is close enough to a spot (board mm) to disturb the reading of its token."""
    reach = _NEAR_MM + max(0.0, float(np.sqrt(thing.area / np.pi)) - 8.0)
    return float(np.hypot(thing.middle[0] - spot[0], thing.middle[1] - spot[1])) < reach


def covers_part(thing: UnexplainedObject, laid: RectifiedBoard) -> bool:
    """Return whether an object is large enough to cover part of the board, unlike a stray token."""
    width, height = laid.board.layout.size_mm
    return thing.area > _MIN_LARGE_SHARE * width * height


def changed_pixels(laid: RectifiedBoard) -> Mask:
    """Return a mask of the pixels of a board that match no nearby print, even in shadow."""
    size = 5 if laid.scale < 1.4 else 3
    kernel = np.ones((size, size), np.uint8)
    low, high = cv2.erode(laid.own, kernel), cv2.dilate(laid.own, kernel)
    below, above = np.maximum(low - laid.colours, 0.0), np.maximum(laid.colours - high, 0.0)
    off: Layer = below + above
    off[..., 0] = above[..., 0] + np.maximum(below[..., 0] - _MAX_SHADOW, 0.0)
    away = np.asarray(colour.squared(off, _MAX_PRINT_DEVIATION) > 1.0)
    away[:3], away[-3:], away[:, :3], away[:, -3:] = False, False, False, False
    return np.asarray(away & laid.seen & ~laid.blown & ~laid.white, np.bool_)


def _explained_pixels(laid: RectifiedBoard, spots: Sequence[SpotContents], token_mm: float) -> Mask:
    """Return a mask of the pixels around tokens on spots and around spaces for pieces."""
    mask = np.zeros(laid.seen.shape, np.uint8)
    for spot, (_, middle) in zip(spots, laid.board.layout.spots(), strict=True):
        if spot.likeliest in (EMPTY, OTHER):
            continue
        u, v = laid.spot_px((middle[0] + spot.aside[0], middle[1] + spot.aside[1]))
        radius = round((token_mm / 2 + _TOKEN_MARGIN_MM) * PX_PER_MM)
        cv2.circle(mask, (round(u), round(v)), radius, 1, cv2.FILLED)
    for space in laid.board.layout.spaces.values():
        half_width, half_height = space.width / 2 + _SPACE_MARGIN_MM, space.height / 2 + _SPACE_MARGIN_MM
        left, top = laid.spot_px((space.x - half_width, space.y + half_height))
        right, bottom = laid.spot_px((space.x + half_width, space.y - half_height))
        cv2.rectangle(mask, (round(left), round(top)), (round(right), round(bottom)), 1, cv2.FILLED)
    return mask > 0


def _components(laid: RectifiedBoard, mask: ArrayLike, least_mm2: float, *, glare: bool) -> list[UnexplainedObject]:
    """Return the connected components of a mask with at least this area, as objects or as glare."""
    count, _, stats, centres = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
    back = np.linalg.inv(laid.board.layout.to_pixels(PX_PER_MM))
    found = []
    for label in range(1, count):
        area = float(stats[label][cv2.CC_STAT_AREA]) / PX_PER_MM**2
        if area >= least_mm2:
            x, y = (back @ (*centres[label], 1.0))[:2]
            found.append(UnexplainedObject((float(x), float(y)), area, glare))
    return found
