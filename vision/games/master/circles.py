"""Finds the rims of discs in a top view by votes along the gradient (Hough transform for circles)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Layer = NDArray[np.float32]
"""One float per pixel, (height, width), or several."""

_BLUR_PX: Final = 1.0
"""Standard deviation of the blur before gradients, px."""
_VOTE_BLUR_PX: Final = 1.0
"""Standard deviation of the blur of votes: a rim in perspective is no exact circle, px."""
_FLAT: Final = 0.02
"""Gradient (log intensity per px) at which an edge has half of its vote."""


@dataclass(frozen=True, eq=False)
class CircleVotes:
    """Share of each possible circle's rim that shows an edge across it."""

    radii: tuple[float, ...]
    """Radii, px."""
    votes: Layer
    """Share by radius and centre, 0..1, (radii, height, width)."""


def vote_for_circles(colours: Layer, radii: Sequence[float]) -> CircleVotes:
    """Return the votes for circles in log-opponent colours, (height, width, 3).

    radii: px.
    """
    soft = cv2.GaussianBlur(colours, (0, 0), _BLUR_PX)
    dx = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    dy = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    # The strongest of the three channels: some rims differ from their ground in hue alone.
    strongest = (dx**2 + dy**2).argmax(axis=2)[..., None]
    dx = np.take_along_axis(dx, strongest, axis=2)[..., 0]
    dy = np.take_along_axis(dy, strongest, axis=2)[..., 0]
    size = np.hypot(dx, dy)
    height, width = size.shape
    rows, columns = np.nonzero(size > _FLAT / 4)
    size = size[rows, columns]
    unit_x, unit_y = dx[rows, columns] / size, dy[rows, columns] / size
    weight = size / (size + _FLAT)
    layers = np.zeros((len(radii), height, width), np.float32)
    for layer, radius in zip(layers, radii, strict=True):
        count = np.zeros(height * width)
        for sign in (1, -1):  # a rim may be darker than a path and lighter than a wall beside it
            x = np.rint(columns + sign * radius * unit_x).astype(np.intp)
            y = np.rint(rows + sign * radius * unit_y).astype(np.intp)
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            count += np.bincount(y[inside] * width + x[inside], weight[inside], height * width)
        layer[:] = cv2.GaussianBlur(count.reshape(height, width).astype(np.float32), (0, 0), _VOTE_BLUR_PX)
        # The blur spreads each vote over a Gaussian of which the peak is this share.
        layer *= 2 * np.pi * _VOTE_BLUR_PX**2 / (2 * np.pi * radius)
    return CircleVotes(tuple(radii), layers)
