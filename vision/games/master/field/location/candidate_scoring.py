"""Fast test of many possible fields: do the colours near the known sides separate open from walled ones?

The 64 sides of the 16 fixed tiles are known: each is open or walled on every board.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.games.master.field.rectification import KNOWN, OPEN, Corners
from vision.games.master.readings import SIZE

Fields = NDArray[np.float64]
"""Corners of several fields, px; shape (n, 4, 2)."""
_LONG_SIDE: Final = 640
"""Longer side of the scaled picture, px."""
_INSET: Final = 0.13
"""Distance of a sample from its side, in tiles."""
_SPREAD: Final = (-0.07, 0.0, 0.07)
"""Positions of the samples along a side, relative to its middle, in tiles."""
_BLUR_PX: Final = 1.5
"""Blur of the scaled picture, px."""
_MIN_INSIDE: Final = 0.8
"""Minimum fraction of the known sides that are inside the picture."""
_SPREADS: Final = (0.25, 0.15, 0.1, 0.05)
"""Standard deviations of random steps from the best field so far, in tiles, in the order in which they are used."""
_STEPS: Final = 50
"""Number of random steps with each standard deviation."""
_FLOOR: Final = 4.0
"""Variance added to that of each feature, so that prints without texture are not overrated; squared grey values."""


def _samples() -> NDArray[np.float64]:
    """Return homogeneous points (tiles) near each known side: three at its middle, two at its ends; (64, 5, 3)."""
    points = list[NDArray[np.float64]]()
    for place in np.flatnonzero(KNOWN):
        centre = np.array([place % SIZE + 0.5, place // SIZE + 0.5])
        for inward in np.array([[0, 1], [-1, 0], [0, -1], [1, 0]], float):
            edge = centre - (0.5 - _INSET) * inward
            points.append(np.array([edge + step * inward[::-1] for step in (*_SPREAD, _INSET - 0.5, 0.5 - _INSET)]))
    return np.concatenate([np.array(points), np.ones((len(points), len(points[0]), 1))], -1)


_POINTS: Final = _samples().astype(np.float32)
"""Homogeneous sample points near the known sides, in tiles, shape (64, 5, 3)."""
_MIDDLE: Final = len(_SPREAD)
"""Number of points at the middle of a side, which come before those at its corners."""
_OPENED: Final = OPEN[KNOWN].reshape(-1)
"""Whether each known side is open, shape (64,)."""


def _homographies(fields: Fields) -> NDArray[np.float64]:
    """Return the homographies from tiles (0..7) to px of each field, shape (n, 3, 3), in closed form."""
    first, second, third, fourth = fields.transpose(1, 0, 2)
    along, down = second - third, fourth - third
    sheared = first - second + third - fourth
    scale = along[:, 0] * down[:, 1] - down[:, 0] * along[:, 1]
    scale = np.where(np.abs(scale) < 1e-9, 1e-9, scale)
    g = (sheared[:, 0] * down[:, 1] - down[:, 0] * sheared[:, 1]) / scale
    h = (along[:, 0] * sheared[:, 1] - sheared[:, 0] * along[:, 1]) / scale
    whole = np.ones((len(fields), 3, 3))
    whole[:, :2, 0] = second - first + g[:, None] * second
    whole[:, :2, 1] = fourth - first + h[:, None] * fourth
    whole[:, :2, 2] = first
    whole[:, 2, 0], whole[:, 2, 1] = g, h
    return np.asarray(whole / np.array([SIZE, SIZE, 1]), np.float64)


class CandidateScorer:
    """Fast test of fields in one picture."""

    def __init__(self, image: Image) -> None:
        """Prepare a BGR picture: downscale, blur and convert it to CIELAB."""
        self._scale = min(1.0, _LONG_SIDE / max(image.shape[:2]))
        small = cv2.resize(image, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small, (0, 0), _BLUR_PX)
        self._lab = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32)

    def separations(self, fields: Fields) -> NDArray[np.float64]:
        """Return, for each field, how well colours separate open from walled sides of its fixed tiles, (n,).

        It is the squared Mahalanobis distance of the two classes' means: about 8 to 100 for a board, at most 2 for
        anything else, 0 for a field that is partly outside of the picture. Features are differences of colour
        between the middle of a side and its corners, which are walls in every tile, so that uneven light cancels
        out. fields: corners, shape (n, 4, 2), px of the picture.
        """
        height, width = self._lab.shape[:2]
        # The whole of it in 32 bits: thousands of samples of hundreds of fields.
        matrices = _homographies(fields * self._scale).astype(np.float32)
        points = matrices @ _POINTS.reshape(-1, 3).T
        points = points[:, :2] / np.where(np.abs(points[:, 2:]) < 1e-9, np.float32(1e-9), points[:, 2:])
        columns, rows = np.clip(points, -10, 10 + max(height, width)).transpose(1, 0, 2)
        inside = (columns > -1) & (columns < width) & (rows > -1) & (rows < height)
        inside = inside.reshape(len(fields), *_POINTS.shape[:2]).all(-1)
        found = cv2.remap(self._lab, columns, rows, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)
        colours = found.reshape(len(fields), *_POINTS.shape[:2], 3).transpose(2, 0, 1, 3)
        middle, corners = colours[:_MIDDLE], colours[_MIDDLE:]
        # Adding so few slices takes a quarter of the time of `mean` along so short an axis.
        features = sum(middle[1:], middle[0]) / len(middle) - sum(corners[1:], corners[0]) / len(corners)
        scatter, means = np.zeros((len(fields), 3, 3)), list[NDArray[np.float64]]()
        for class_ in (_OPENED, ~_OPENED):
            share = (inside & class_).astype(np.float32)
            number = np.maximum(share.sum(1), 1)[:, None]
            means.append(((share[:, None] @ features)[:, 0] / number).astype(np.float64))
            apart = (features - means[-1][:, None].astype(np.float32)) * share[..., None]
            scatter += apart.transpose(0, 2, 1) @ apart
        within = scatter / np.maximum(inside.sum(1), 1)[:, None, None] + _FLOOR * np.eye(3)
        between = means[0] - means[1]
        separation = np.einsum("ij,ij->i", between, np.linalg.solve(within, between[..., None])[..., 0])
        return np.where(inside.mean(1) < _MIN_INSIDE, 0, separation)

    def best_nearby(self, field: Corners, rng: np.random.Generator) -> tuple[Corners, float]:
        """Improve a field by random steps; return the one with the largest separation, (4, 2), and that separation.

        field: its corners, px of the picture. rng: source of the steps.
        """
        best, score = field, float(self.separations(field[None])[0])
        for spread in _SPREADS:
            tile = np.linalg.norm(best[0] - best[2]) / (SIZE * np.sqrt(2))
            steps = rng.normal(0, spread * tile, (_STEPS, 4, 2))
            steps[::2] += rng.normal(0, spread * tile, (_STEPS // 2, 1, 2)) - steps[::2] * 0.7
            tried = best + steps
            values = self.separations(tried)
            if values.max() > score:
                best, score = tried[values.argmax()], float(values.max())
        return best, score
