"""Searches for a second board in the picture: large regions in the colours of the first board, beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from vision.cameras.frame import Image
from vision.games.master.field.colour_histograms import colour_bins, histogram
from vision.games.master.field.location.candidate_scoring import Fields
from vision.games.master.field.rectification import UNIT, Corners, to_picture, to_tiles
from vision.games.master.readings import SIZE

_LONG_SIDE: Final = 160
"""Longer side of the scaled picture, px."""
_AWAY: Final = 1.0
"""Width of the rim round the first field that is left out, in tiles."""
_WINDOW: Final = 3.0
"""Side of the window over which colours are averaged to detect a second board, in tiles; the spare fills little of
it."""
_MIN_HEAT: Final = 0.42
"""Minimum mean share of the field's colours in that window for a second board.

Measured in rendered pictures of looks that are not held out: at most 0.32 beside a single board, 0.59 to 0.95 on a
second one.
"""
_BOARD: Final = 7.0
"""Side of the window over which colours are averaged to find the middle of a second field, in tiles."""
_TURNS: Final = np.radians(np.arange(0, 90, 4))
"""Rotations of a second field against the first that are tried, radians."""
_SHIFTS: Final = np.arange(-1.5, 1.6, 0.25)
"""Offsets of its middle from the likeliest one that are tried along both axes, in tiles."""
_MOST_PEAKS: Final = 3
"""Maximum number of places where a second field is searched."""


def may_show_another(image: Image, field: Corners) -> bool:
    """Return whether colours beside a board suggest a second one in a BGR picture. field: the first's corners."""
    heat = _heat(image, field, _WINDOW)
    return heat is not None and float(heat.max()) > _MIN_HEAT


def fields_beside(image: Image, field: Corners) -> Iterator[Fields]:
    """Yield arrays of corners of possible fields of a second board, px, (n, 4, 2), one array for each likely place.

    The fields have the size of the first one and lie in its plane. The likeliest place comes first. field: corners
    of the first field, px.
    """
    heat = _heat(image, field, _BOARD)
    if heat is None:
        return
    scale = _LONG_SIDE / max(image.shape[:2])
    apart = round(float(np.linalg.norm(field[0] - field[2])) * scale / 2)
    shifts = np.stack(np.meshgrid(_SHIFTS, _SHIFTS), axis=-1).reshape(-1, 1, 2)
    rotations = np.array([[[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]] for turn in _TURNS])
    corners = (UNIT - SIZE / 2) @ rotations
    for _ in range(_MOST_PEAKS):
        row, column = (int(index) for index in np.unravel_index(heat.argmax(), heat.shape))
        about = map_points((np.array([column, row]) + 0.5) / scale, to_tiles(field)) + shifts
        yield map_points((corners[:, None] + about).reshape(-1, 4, 2), to_picture(field))
        cv2.circle(heat, (column, row), apart, 0.0, -1)


def _heat(image: Image, field: Corners, window: float) -> NDArray[np.float32] | None:
    """Return how much the colours around each pixel resemble the field's instead of the remaining picture's, 0..1.

    The result has the size of the picture scaled to 160 px; the field itself and its rim are 0. None if the field
    is outside of the picture or fills it. window: side of the square over which values are averaged, in tiles.
    """
    scale = _LONG_SIDE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    bins = colour_bins(np.asarray(small, np.uint8))
    drawn = np.zeros(bins.shape, np.uint8)
    cv2.fillConvexPoly(drawn, np.round(field * scale).astype(np.int32), 1.0)
    inside = drawn > 0
    if not inside.any() or inside.all():
        return None
    tile = float(np.sqrt(inside.sum())) / SIZE
    near = cv2.dilate(drawn, np.ones((3, 3), np.uint8), iterations=max(1, round(_AWAY * tile))) > 0
    field_share, other_share = histogram(bins[inside]), histogram(bins[~inside])
    likely = (field_share / (field_share + other_share)).reshape(-1)[bins] * ~near
    side = (max(1, round(window * tile)),) * 2
    return np.asarray(cv2.blur(likely.astype(np.float32), side, borderType=cv2.BORDER_CONSTANT), np.float32)
