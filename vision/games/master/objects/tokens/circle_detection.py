"""Detects circles of a known radius in a picture by votes along the gradient (Hough transform)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.cameras.frame import Image
from vision.colour import Colours

Layer = NDArray[np.float32]
"""One float per pixel, (height, width)."""

_BLUR_PX: Final = 1.0
"""Standard deviation of the blur before gradients, px."""
_BLUR_OF_RADIUS: Final = 0.07
"""Standard deviation of the blur of votes, in radii: a rim in perspective is not an exact circle."""
_FLAT: Final = 0.02
"""Gradient (log intensity per px) at which an edge has half of the largest vote."""
_SEPARATION: Final = 1.6
"""Minimum distance of the centres of two circles, in radii."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Edge pixels of a picture; arrays of shape (n,)."""

    x: NDArray[np.float64]
    """Column, px."""
    y: NDArray[np.float64]
    """Row, px."""
    normal_x: NDArray[np.float64]
    """x of the unit vector across the edge."""
    normal_y: NDArray[np.float64]
    """y of the unit vector across the edge."""
    weight: NDArray[np.float64]
    """Weight of the vote, 0..1; larger for stronger edges."""
    shape: tuple[int, int]
    """Height and width of the picture."""


def edges_of(image: Image) -> Edges:
    """Return the edge pixels of a BGR picture."""
    soft: Colours = np.asarray(cv2.GaussianBlur(colour.of_view(image), (0, 0), _BLUR_PX), np.float32)
    dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    # The strongest of the three channels: some rims differ from their ground in hue alone.
    strongest = (dx**2 + dy**2).argmax(axis=2)[..., None]
    dx = np.take_along_axis(dx, strongest, axis=2)[..., 0]
    dy = np.take_along_axis(dy, strongest, axis=2)[..., 0]
    size = np.hypot(dx, dy)
    rows, columns = np.nonzero(size > _FLAT / 2)
    size = size[rows, columns].astype(np.float64)
    height, width = image.shape[:2]
    return Edges(
        columns.astype(np.float64),
        rows.astype(np.float64),
        dx[rows, columns] / size,
        dy[rows, columns] / size,
        size / (size + _FLAT),
        (height, width),
    )


def circle_votes(edges: Edges, radius: float) -> Layer:
    """Return for each pixel the share of a circle around it that is an edge, 0..1, (height, width). radius: px."""
    height, width = edges.shape
    # A border as wide as the radius takes the votes for centres outside the picture.
    border = int(np.ceil(radius)) + 1
    wide = width + 2 * border
    x, y = edges.x + border, edges.y + border
    dx, dy = radius * edges.normal_x, radius * edges.normal_y
    # A rim may be darker than one neighbour and lighter than another.
    centres = [np.rint(y + dy) * wide + np.rint(x + dx), np.rint(y - dy) * wide + np.rint(x - dx)]
    cells = np.concatenate(centres).astype(np.intp)
    count = np.bincount(cells, np.tile(edges.weight, 2), (height + 2 * border) * wide)
    count = count.reshape(-1, wide)[border:-border, border:-border]
    spread = max(1.0, _BLUR_OF_RADIUS * radius)
    blurred = cv2.GaussianBlur(count.astype(np.float32), (0, 0), spread)
    # The blur lowers a peak of one pixel to this share, and an edge is about two pixels wide.
    return np.asarray(blurred * (2 * np.pi * spread**2) / (4 * np.pi * radius), np.float32)


def separate_peaks(votes: Layer, radius: float, most: int) -> NDArray[np.float64]:
    """Return the centres of the strongest circles that hardly overlap, (n, 3): x, y, votes; strongest first.

    votes: as returned by `circle_votes`. radius: px. most: maximum number of circles.
    """
    reach = max(1, round(_SEPARATION * radius / 2))
    kernel = np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    rows, columns = np.nonzero((votes >= cv2.dilate(votes, kernel)) & (votes > 0.05))
    order = np.argsort(-votes[rows, columns])
    kept: list[tuple[float, float, float]] = []
    for index in order:
        x, y = float(columns[index]), float(rows[index])
        if all(np.hypot(x - other[0], y - other[1]) >= _SEPARATION * radius for other in kept):
            kept.append((x, y, float(votes[rows[index], columns[index]])))
        if len(kept) == most:
            break
    return np.array(kept).reshape(-1, 3)
