"""Finding the 7 × 7 field and tiles beside it, without a sheet and without corners from a person.

A network draws maps of field corners, field and tiles beside the board. Quadrilaterals of the
strongest corners and of the field's outline are proposed and scored on the maps; the known sides prove which of
them is a board (`vision.games.master.sides`).
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.lattice import Corners, normalised, rectified
from vision.games.master.networks import MazeNetwork
from vision.games.master.readings import SIZE

STRIDE: Final = 4
"""Px of the input per cell of a map."""
CORNER, FIELD, SPARE = range(3)
"""Maps: corners of the field, the field, tiles beside it."""
CHANNELS: Final = 3
"""Number of maps."""
INPUT_WIDTH, INPUT_HEIGHT = 320, 256
"""Size of the input in training, px; the longer side is the same in play."""
PADDING: Final = 1 / 12
"""Black border in which corners outside the picture are found, as a fraction of each side."""
_MULTIPLE: Final = 32
"""Sides of an input are multiples of this, px."""
_BESIDE_PX: Final = 256
"""Side of the rectified picture in which tiles beside the board are found, px."""
_BESIDE: Final = 2.8
"""Its border round the field, in tiles."""
_MIN_SPARE: Final = 0.1
"""Lowest peak of a tile beside the board."""
_MIN_AWAY: Final = 0.35
"""Least distance of its centre from the field, in tiles."""
_MIN_PEAK: Final = 0.08
"""Lowest corner peak."""
_MAX_PEAKS: Final = 9
"""Number of corner peaks that are combined."""
_MOST: Final = 3
"""Number of fields that are proposed."""
_MIN_SIDE_CELLS: Final = 10
"""Shortest side of a field, cells."""


class FieldFinder:
    """Finder of the field."""

    def __init__(self, network: MazeNetwork) -> None:
        self._network = network

    def find(self, image: Image, long_side: float) -> list[Corners]:
        """Return the corners of possible fields, likeliest first.

        long_side: px to which the picture's longer side is scaled.
        """
        height, width = image.shape[:2]
        scale = long_side / max(height, width)
        size = max(1, round(width * scale)), max(1, round(height * scale))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        padded_size = [int(np.ceil(side / (1 - 2 * PADDING) / _MULTIPLE)) * _MULTIPLE for side in size]
        left, top = (padded_size[0] - size[0]) // 2, (padded_size[1] - size[1]) // 2
        padded = np.zeros((padded_size[1], padded_size[0], 3), np.uint8)
        padded[top : top + size[1], left : left + size[0]] = np.maximum(small, 1)
        return [(_px(quad) - (left, top) + 0.5) / scale - 0.5 for quad in _quads(self._maps(padded))]

    def find_spares(self, image: Image, corners: Corners) -> NDArray[np.float64]:
        """Return the centres of the tiles beside a field, strongest first, in tiles of that field, shape (n, 2)."""
        shown = rectified(image, corners, _BESIDE_PX, _BESIDE)
        per_tile = _BESIDE_PX / (SIZE + 2 * _BESIDE)
        heat = np.asarray(cv2.GaussianBlur(self._maps(shown)[SPARE], (0, 0), 0.2 * per_tile / STRIDE), np.float32)
        centres = (_px(_peaks(heat, _MIN_SPARE)) + 0.5) / per_tile - _BESIDE
        beside = np.abs(centres - SIZE / 2).max(1) > SIZE / 2 + _MIN_AWAY
        return np.asarray(centres[beside][:_MOST], np.float64)

    def _maps(self, shown: Image) -> NDArray[np.float32]:
        """Return the maps of an input, shape (CHANNELS, height / STRIDE, width / STRIDE)."""
        return _sigmoid(self._network.run(normalised(shown)[None])[0])


def _px(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of a map in px of the input."""
    return (cells + 0.5) * STRIDE - 0.5


def _sigmoid(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def _peaks(heat: NDArray[np.float32], least: float) -> NDArray[np.float64]:
    """Return the highest peaks of a map, in cells with fractions, shape (n, 2)."""
    tall = cv2.dilate(heat, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero((heat >= tall) & (heat > least))
    order = np.argsort(-heat[rows, columns])[:_MAX_PEAKS]
    return np.array([_centre(heat, columns[i], rows[i]) for i in order]).reshape(-1, 2)


def _centre(heat: NDArray[np.float32], column: int, row: int) -> tuple[float, float]:
    """Return the centre of mass of a peak's surroundings."""
    top, left = max(0, row - 2), max(0, column - 2)
    part = heat[top : row + 3, left : column + 3].astype(np.float64)
    rows, columns = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
    return float((part * columns).sum() / part.sum()), float((part * rows).sum() / part.sum())


def _quads(maps: NDArray[np.float32]) -> list[Corners]:
    """Return the best quadrilaterals of corner peaks and of the field's outline, best first, in cells."""
    points = _peaks(maps[CORNER], _MIN_PEAK)
    proposals = [clockwise(points[list(four)]) for four in combinations(range(len(points)), 4)]
    proposals += _outlines(maps[FIELD])
    sound = [quad for quad in proposals if is_sound(quad, _MIN_SIDE_CELLS)]
    kept = list[Corners]()
    for quad in sorted(sound, key=lambda quad: -_score(maps, quad)):
        if all(_apart(quad, other) for other in kept):
            kept.append(quad)
        if len(kept) == _MOST:
            break
    return kept


def clockwise(points: NDArray[np.float64]) -> Corners:
    """Return four points clockwise in the picture, the one nearest to the upper left first."""
    centred = points - points.mean(0)
    ordered = points[np.argsort(np.arctan2(centred[:, 1], centred[:, 0]))]
    first = int(np.argmin(ordered.sum(1)))
    return np.roll(ordered, -first, 0)


def is_sound(quad: Corners, least: float) -> bool:
    """Return whether a quadrilateral is convex, not too small, and not more oblique than a camera sees a square.

    least: shortest side.
    """
    edges = np.roll(quad, -1, 0) - quad
    cross = edges[:, 0] * np.roll(edges, -1, 0)[:, 1] - edges[:, 1] * np.roll(edges, -1, 0)[:, 0]
    lengths = np.linalg.norm(edges, axis=1)
    if lengths.min() < least or lengths.min() < 0.3 * lengths.max():
        return False
    sines = cross / (lengths * np.roll(lengths, -1))
    return bool(sines.min() > 0.4)


def _apart(quad: Corners, other: Corners) -> bool:
    """Return whether two quadrilaterals are different fields, not the same one within half a tile."""
    tile = np.linalg.norm(quad[0] - quad[2]) / 10
    return bool(np.abs(quad - other).max() > 0.5 * tile)


def _score(maps: NDArray[np.float32], quad: Corners) -> float:
    """Return how well a quadrilateral agrees with the maps of corners and field, 0..1."""
    corners = float(np.sqrt(_sampled(maps[CORNER], quad)).mean())
    inside = np.zeros(maps.shape[1:], np.uint8)
    cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), 1)
    field = maps[FIELD]
    both = float(field[inside > 0].sum())
    overlap = both / max(1.0, float(field.sum()) + float(inside.sum()) - both)
    return 0.4 * corners + 0.6 * overlap


def _sampled(heat: NDArray[np.float32], points: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the map's values at points (n, 2); 0 outside."""
    at = points.reshape(-1, 1, 2).astype(np.float32)
    return np.asarray(cv2.remap(heat, at[..., 0], at[..., 1], cv2.INTER_LINEAR), np.float32).reshape(-1)


def _outlines(field: NDArray[np.float32]) -> list[Corners]:
    """Return quadrilaterals of the regions of the field's map."""
    mask = (field > 0.5).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:2]:
        hull = cv2.convexHull(contour)
        if cv2.contourArea(hull) < _MIN_SIDE_CELLS**2:
            continue
        length = cv2.arcLength(hull, True)
        for share in (0.02, 0.03, 0.05, 0.08):
            rough = np.asarray(cv2.approxPolyDP(hull, share * length, True), np.float64).reshape(-1, 2)
            if len(rough) == 4:
                found.append(clockwise(rough))
                break
        found.append(clockwise(cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64)))
    return found
