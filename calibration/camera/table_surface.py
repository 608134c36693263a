"""The table's surface (ground) on the calibration picture: pattern, paints that hardly differ from it, glare."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.sheet import PAPER_MM
from calibration.game_kit import Paint
from calibration.games import kits
from calibration.light.light_field import linear
from calibration.pieces.foreground import EmptyTable
from calibration.pieces.segmentation import MIDDLE, PX_PER_MM, is_plain
from calibration.plane import Image, TablePlane

_PAPER_LEVEL = 245
"""Grey level of white paper, 0..255, beside which kits state their paints."""
MIN_CONTRAST = 12.0
"""CIELAB units between a paint and the ground under which a piece hardly stands out."""
MIN_GROUND_SHARE = 0.5
"""Share of the ground that must be near to a paint."""
_RIM_MM = 15.0
"""Distance inside and outside of the paper's edge that is left out, mm."""
_CLIPPED_LEVEL = 250
"""Level (0..255) from which a channel counts as over-exposed."""
MAX_GLARE_SHARE = 0.02
"""Largest fraction of the table that may be over-exposed."""
_MIN_GLARE_PATCH_SHARE = 0.8
"""Fraction of the over-exposed area in one patch from which it counts as the reflection of a lamp."""


@dataclass(frozen=True, slots=True)
class GroundAppearance:
    """Appearance of the table round the sheet."""

    patterned: bool
    """Whether parts of it stand out from their surroundings."""
    hard_colours: tuple[str, ...]
    """Ids of the paints that hardly differ from most of it."""
    glare: float
    """Over-exposed fraction of it, caused by the reflection of a lamp."""


def measure_ground(image: Image, plane: TablePlane) -> GroundAppearance:
    """Return pattern, glare and barely visible paints of the table's surface, in a BGR picture with the sheet."""
    view = plane.rectify(image, PX_PER_MM, MIDDLE)
    seen = plane.rectify(np.full((*image.shape[:2], 1), 255, np.uint8), PX_PER_MM, MIDDLE) == 255
    paper, covered = _sheet_masks(seen.shape)
    bare = seen & ~covered
    if not bare.any() or not (seen & paper).any():
        return GroundAppearance(False, (), 0.0)
    # The paper's bright squares give the light: colours are compared as reflectances beside it.
    white = np.percentile(linear(view[seen & paper]), 90, axis=0)
    level = (_PAPER_LEVEL / 255) ** 2.2
    ground = cv2.GaussianBlur(linear(view), (0, 0), PX_PER_MM)[bare][::7] * (level / np.maximum(white, 1e-3))
    lab = cv2.cvtColor(np.clip(ground, 0, 1.5).astype(np.float32)[None], cv2.COLOR_LBGR2Lab)[0]
    hard = tuple(name for name, paint in _paints().items() if _share_near(lab, paint.bgr) > MIN_GROUND_SHARE)
    lamp = _reflection_mask((view >= _CLIPPED_LEVEL).all(axis=2) & bare)
    patterned = not is_plain(EmptyTable(view, bare & ~cv2.dilate(lamp, np.ones((25, 25), np.uint8)).astype(bool)))
    return GroundAppearance(patterned, hard, float(lamp.sum() / bare.sum()))


def _reflection_mask(clipped: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return the mask of a lamp's reflection: the one large over-exposed patch; all 0 where there is none.

    clipped: mask of over-exposed pixels.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(clipped.astype(np.uint8))
    areas = stats[1:, cv2.CC_STAT_AREA]
    if not len(areas) or areas.max() < _MIN_GLARE_PATCH_SHARE * areas.sum() or areas.max() > 0.5 * clipped.size:
        return np.zeros(clipped.shape, np.uint8)
    return np.asarray(labels == 1 + int(areas.argmax()), np.uint8)


def colour_name(colour: str) -> str:
    """Return the translatable name of a paint of pieces; its id where no game's kit has such a paint.

    colour: the paint's id.
    """
    paint = _paints().get(colour)
    return colour if paint is None else paint.name


def _paints() -> Mapping[str, Paint]:
    """Return the paints of the pieces of all games, by id."""
    return {paint.id: paint for box in kits() for paint in box.paints}


def _sheet_masks(shape: tuple[int, ...]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return two masks of the top view of MIDDLE: the paper without its rim, and the paper with its shadow.

    shape: of the view.
    """
    masks = []
    for margin in (-_RIM_MM, _RIM_MM):
        half = np.array(PAPER_MM) / 2 + margin
        (left, top), (right, bottom) = np.round(
            MIDDLE.to_pixels([(-half[0], half[1]), (half[0], -half[1])], PX_PER_MM)
        )
        mask = np.zeros(shape[:2], np.bool_)
        mask[max(0, int(top)) : int(bottom), max(0, int(left)) : int(right)] = True
        masks.append(mask)
    return masks[0], masks[1]


def _share_near(lab: NDArray[np.float32], paint: tuple[int, int, int]) -> float:
    """Return the fraction of CIELAB colours, (n, 3), within MIN_CONTRAST of a paint, BGR 0..255."""
    bgr = np.array([[paint]], np.float32) / 255
    own = cv2.cvtColor(bgr, cv2.COLOR_BGR2Lab)[0, 0]
    return float(np.mean(np.linalg.norm(lab - own, axis=1) < MIN_CONTRAST))
