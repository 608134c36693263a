"""Geometry of the 7 × 7 field in a picture: corners, homographies, and rectified pictures for the networks."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from vision.cameras.frame import Image
from vision.games.master.readings import FIXED, SIZE

Corners = NDArray[np.float64]
"""Corners (x, y) of the field, px, clockwise from the outer corner of place 0; shape (4, 2)."""
SQUARE: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
"""Corners (x, y) of a tile, in tiles, clockwise from the upper left one."""
UNIT: Final = SIZE * SQUARE
"""Corners (x, y) of the field, in tiles."""
CENTRES: Final = np.stack(np.meshgrid(np.arange(SIZE) + 0.5, np.arange(SIZE) + 0.5), -1).reshape(-1, 2)
"""Centres (x, y) of the 49 places, in tiles; shape (49, 2)."""
TILE_PX: Final = 32
"""Width of a tile in the rectified picture that the side network reads, px."""
MARGIN: Final = 0.5
"""Border round the field in that picture, in tiles."""
SIDE_PX: Final = round((SIZE + 2 * MARGIN) * TILE_PX)
"""Side of that picture, px."""
SIDES: Final = "TRBL"
"""Letters of a tile's sides, in the order of every array of sides."""
KNOWN: Final = np.array([place in FIXED for place in range(SIZE**2)])
"""Whether each place holds a fixed tile; shape (49,)."""
OPEN: Final = np.array([[side in FIXED.get(place, "") for side in SIDES] for place in range(SIZE**2)])
"""Whether each side of a fixed tile is open; shape (49, 4)."""


def to_picture(corners: Corners) -> NDArray[np.float64]:
    """Return the homography from (x, y) in the field, in tiles 0..7, to px of the picture.

    corners: of the field, px.
    """
    matrix = cv2.getPerspectiveTransform(UNIT.astype(np.float32), corners.astype(np.float32))
    return np.asarray(matrix, np.float64)


def to_tiles(corners: Corners) -> NDArray[np.float64]:
    """Return the homography from px of the picture to (x, y) in the field, in tiles 0..7.

    corners: of the field, px.
    """
    return np.asarray(np.linalg.inv(to_picture(corners)), np.float64)


def rectified(image: Image, corners: Corners, side_px: int = SIDE_PX, margin: float = MARGIN) -> Image:
    """Return the field rectified as if viewed from straight above: BGR, (side_px, side_px, 3).

    corners: of the field, px. margin: width of the border around the field that is also shown, in tiles. What lies
    outside of the picture is black.
    """
    scale = side_px / (SIZE + 2 * margin)
    placed = np.array([[1 / scale, 0, -margin], [0, 1 / scale, -margin], [0, 0, 1]])
    matrix = to_picture(corners) @ placed
    # Sampling a large picture at a small scale would alias: shrink what is needed of it first.
    longest = float(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1).max())
    factor = SIZE * scale / longest
    if factor < 0.6:
        left, top, right, bottom = _bounds(map_points(side_px * SQUARE, matrix), image.shape)
        shrunk = cv2.resize(image[top:bottom, left:right], None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        image = np.asarray(shrunk, np.uint8)
        matrix = np.diag([factor, factor, 1]) @ np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ matrix
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, matrix, (side_px, side_px), flags=flags), np.uint8)


def _bounds(points: NDArray[np.float64], shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom (px) of the part of a picture that contains all points, and 4 px around.

    The whole picture if that part is too small or a point is not finite. shape: of the picture.
    """
    limits = (shape[1], shape[0])
    low = np.clip(np.floor(points.min(0)) - 4, 0, limits).astype(int).tolist()
    high = np.clip(np.ceil(points.max(0)) + 4, 0, limits).astype(int).tolist()
    if min(high[0] - low[0], high[1] - low[1]) < 8 or not np.isfinite(points).all():
        return 0, 0, limits[0], limits[1]
    return low[0], low[1], high[0], high[1]


def normalised(image: Image) -> NDArray[np.float32]:
    """Return a rectified BGR picture as input of the side network, shape (3, height, width).

    Over the pixels that are not black, each channel has mean 0, and all three together about standard deviation 1;
    black pixels become 0.
    """
    inside = np.asarray(cv2.transform(image, np.ones((1, 3), np.float32)) > 0, np.uint8)
    means, deviations = cv2.meanStdDev(image, mask=inside if inside.any() else None)
    # Deviation of all three channels together.
    deviation = np.sqrt(float((deviations**2 + (means - means.mean()) ** 2).mean()))
    shown = np.empty((3, *image.shape[:2]), np.float32)
    for plane, channel, mean in zip(shown, cv2.split(image), means.ravel().tolist(), strict=True):
        np.subtract(channel, np.float32(mean), out=plane, dtype=np.float32)
    shown *= inside.astype(np.float32) / np.float32(deviation + 4)
    return shown
