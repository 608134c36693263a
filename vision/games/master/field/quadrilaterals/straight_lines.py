"""Quadrilaterals formed by long straight lines: edges of the board, of its field or of rows of tiles."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.field.rectification import Corners

_LONG_SIDE: Final = 480
"""Longer side of the scaled picture, px."""
_MIN_LENGTH: Final = 18.0
"""Shortest segment, px of the scaled picture."""
_SAME_DEG, _SAME_PX = 3.0, 4.0
"""Largest differences in direction (degrees) and distance (px) of segments that lie on one line."""
_MOST_LINES, _MOST_ALIKE = 50, 11
"""Maximum number of lines, and of lines with nearly the same direction, such as those of wood grain."""
_ALIKE_DEG: Final = 8.0
"""Largest difference of directions that are nearly the same, degrees."""
_PARALLEL_DEG, _CROSSING_DEG = 40.0, 35.0
"""Largest difference in direction of opposite edges, smallest one of adjacent edges, degrees."""
_MOST: Final = 150
"""Maximum number of quadrilaterals."""
_SAMPLES: Final = np.linspace(0.04, 0.96, 24)
"""Positions along an edge, as fractions of it, at which it is checked for a segment."""

Floats = NDArray[np.float64]


def line_quads(image: Image) -> list[Corners]:
    """Return quadrilaterals formed by long straight lines in a BGR picture: corners in px, clockwise.

    Those come first whose edges are covered best by detected segments.
    """
    scale = _LONG_SIDE / max(image.shape[:2])
    grey = cv2.cvtColor(
        cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
    )
    segments = _segments(np.asarray(grey, np.uint8))
    if len(segments) < 4:
        return []
    drawn = np.zeros(grey.shape[:2], np.uint8)
    for x0, y0, x1, y1 in np.round(segments).astype(int).tolist():
        cv2.line(drawn, (x0, y0), (x1, y1), 1, 3)
    quads = _crossing_pairs(_lines(segments), drawn.shape)
    if not len(quads):
        return []
    at = quads[:, :, None] + (np.roll(quads, -1, 1) - quads)[:, :, None] * _SAMPLES[:, None]
    columns = np.clip(np.round(at[..., 0]), 0, drawn.shape[1] - 1).astype(np.intp)
    rows = np.clip(np.round(at[..., 1]), 0, drawn.shape[0] - 1).astype(np.intp)
    covered = drawn[rows, columns].mean(-1)
    score = covered.min(1) + 0.5 * covered.mean(1)
    return list(quads[np.argsort(-score)[:_MOST]] / scale)


def _segments(grey: Image) -> Floats:
    """Return the long straight segments (x0, y0, x1, y1) of a grey picture, px, shape (n, 4)."""
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    if found is None:
        return np.zeros((0, 4))
    segments = np.asarray(found, np.float64).reshape(-1, 4)
    long = np.hypot(*(segments[:, 2:] - segments[:, :2]).T) > _MIN_LENGTH
    return np.asarray(segments[long], np.float64)


def _lines(segments: Floats) -> Floats:
    """Merge segments on one line; return lines as (x, y of a point, direction in degrees), (n, 3).

    Lines with the largest total length of segments come first. segments: (x0, y0, x1, y1), px, shape (n, 4).
    """
    along = segments[:, 2:] - segments[:, :2]
    lengths = np.hypot(*along.T)
    angles = np.degrees(np.arctan2(along[:, 1], along[:, 0])) % 180
    middles = (segments[:, :2] + segments[:, 2:]) / 2
    normals = np.c_[-along[:, 1], along[:, 0]] / lengths[:, None]
    turned = np.abs((angles[:, None] - angles + 90) % 180 - 90)
    distance = np.abs(np.einsum("jk,ijk->ij", normals, middles[:, None] - middles))
    same = (turned < _SAME_DEG) & (distance < _SAME_PX)
    weight = same @ lengths
    left = np.ones(len(segments), bool)
    lines, chosen = list[Floats](), list[int]()
    for index in np.argsort(-weight):
        alike = sum(turned[index, other] < _ALIKE_DEG for other in chosen)
        if left[index] and alike < _MOST_ALIKE:
            left &= ~same[:, index]
            chosen.append(int(index))
            lines.append(np.array([*middles[index], angles[index]]))
        if len(lines) == _MOST_LINES:
            break
    return np.array(lines)


def _crossing_pairs(lines: Floats, shape: tuple[int, ...]) -> Floats:
    """Return the corners of the quadrilaterals that two pairs of lines form, clockwise, px, shape (n, 4, 2).

    lines: (x, y, direction in degrees), shape (n, 3). shape: of the picture; small quadrilaterals and those far
    outside of it are left out.
    """
    angles = np.radians(lines[:, 2])
    normals = np.c_[-np.sin(angles), np.cos(angles)]
    offsets = (normals * lines[:, :2]).sum(1)
    turned = np.abs((lines[:, None, 2] - lines[None, :, 2] + 90) % 180 - 90)
    pairs = [pair for pair in combinations(range(len(lines)), 2) if turned[pair] < _PARALLEL_DEG]
    first, second = np.array(pairs, int).reshape(-1, 2).T
    one, other = np.triu_indices(len(pairs), 1)
    crossing = turned[first[one], first[other]] > _CROSSING_DEG
    one, other = one[crossing], other[crossing]
    corners = np.stack(
        [
            _intersections(normals, offsets, a, b)
            for a, b in (
                (first[one], first[other]),
                (first[one], second[other]),
                (second[one], second[other]),
                (second[one], first[other]),
            )
        ],
        1,
    )
    edges = np.roll(corners, -1, 1) - corners
    following = np.roll(edges, -1, 1)
    cross = edges[..., 0] * following[..., 1] - edges[..., 1] * following[..., 0]
    backwards = np.asarray((cross < 0).all(1))
    corners = np.where(backwards[:, None, None], corners[:, ::-1], corners)
    lengths = np.hypot(edges[..., 0], edges[..., 1])
    convex = np.asarray((cross > 0).all(1)) | backwards
    margin = 0.1 * max(shape)
    low, high = -margin, np.array([shape[1], shape[0]]) + margin
    inside = ((corners > low) & (corners < high)).all((1, 2))
    fair = (lengths.min(1) > 0.35 * lengths.max(1)) & (lengths.min(1) > 45)
    return np.asarray(corners[convex & inside & fair], np.float64)


def _intersections(normals: Floats, offsets: Floats, a: NDArray[np.intp], b: NDArray[np.intp]) -> Floats:
    """Return the intersections (x, y) of lines a[i] and b[i], shape (n, 2).

    normals, offsets: unit normals (x, y) of all lines, and their distances from the origin. a, b: indices of lines,
    (n,).
    """
    determinant = normals[a, 0] * normals[b, 1] - normals[a, 1] * normals[b, 0]
    determinant = np.where(np.abs(determinant) < 1e-6, 1e-6, determinant)
    x = (offsets[a] * normals[b, 1] - offsets[b] * normals[a, 1]) / determinant
    y = (normals[a, 0] * offsets[b] - normals[b, 0] * offsets[a]) / determinant
    return np.stack([x, y], -1)
