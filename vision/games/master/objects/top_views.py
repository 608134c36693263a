"""Top views: pictures of the field or the spare rectified as from straight above, with the camera's position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.detection import Matrix
from calibration.homography import map_points
from vision import colour
from vision.cameras.frame import Image
from vision.colour import Colours
from vision.games.master.readings import SIZE

TILE_PX: Final = 48
"""Width of a tile in a view, px."""
COLOUR_SCALE: Final = np.array([1.0, 2.0, 2.0], np.float32)
"""Factors on log-opponent colours in the input of networks."""
MARGIN: Final = 1
"""Margin of a view around its tiles, in tiles: things that stand at the edge lean into it."""
_FOCAL_LENGTHS: Final = np.geomspace(0.55, 2.2, 33)
"""Focal lengths that are tried, in widths of the picture."""
_USUAL_FOCAL_LENGTH: Final = 0.95
"""Mean of the prior of focal lengths, in widths of the picture; a picture from straight above is no evidence."""
_FOCAL_SPREAD: Final = 0.3
"""Standard deviation of that prior, in the logarithm of focal lengths."""
_CORNER_NOISE: Final = 0.02
"""Standard deviation of the residuals of orthogonality and equal length of the plane's axes."""


@dataclass(frozen=True, eq=False)
class FieldView:
    """Top view of the field, or of the spare alone."""

    image: Image
    """BGR, a square of (tiles + 2 MARGIN) · TILE_PX."""
    colours: Colours
    """Log-opponent colours of `image`."""
    homography: Matrix
    """3×3, from px of the view to px of the picture."""
    picture_px: float
    """Mean width of a tile in the picture, px."""
    tiles: int
    """Number of tiles along each side, without margins."""
    camera: tuple[float, float, float]
    """Position (x, y, height) of the camera, in tiles from the upper left corner of the view's first tile."""

    def to_picture(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Convert points (x, y), shape (n, 2), from px of the view to px of the picture."""
        return map_points(points, self.homography)


def view_of(image: Image, homography: Matrix, tiles: int = SIZE) -> FieldView:
    """Return the top view of a square of tiles, with a margin, in a BGR picture.

    homography: 3×3, from (x, y) in tiles to px of the picture. tiles: number of tiles along each side.
    """
    offset = MARGIN * TILE_PX - 0.5
    to_view = np.array([[TILE_PX, 0, offset], [0, TILE_PX, offset], [0, 0, 1.0]])
    to_picture = np.asarray(homography @ np.linalg.inv(to_view), np.float64)
    side = (tiles + 2 * MARGIN) * TILE_PX
    corners = map_points(np.array([[0, 0], [tiles, 0], [tiles, tiles], [0, tiles]], np.float64), homography)
    area = cv2.contourArea(corners.astype(np.float32))
    picture_px = float(np.sqrt(area)) / tiles
    flags = cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    source = image
    if picture_px > 1.6 * TILE_PX:  # finer than the view: smoothed, so that nothing is skipped
        source = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * picture_px / TILE_PX), np.uint8)
    view = cv2.warpPerspective(source, to_picture, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    top = np.asarray(view, np.uint8)
    size = (image.shape[1], image.shape[0])
    return FieldView(top, colour.of_view(top), to_picture, picture_px, tiles, camera_position(homography, size))


def camera_position(homography: Matrix, size: tuple[int, int]) -> tuple[float, float, float]:
    """Return the position (x, y, height) of the camera above a plane, in units of the plane.

    The principal point is assumed to be the picture's centre; the focal length is estimated. homography: 3×3, from
    the plane to px. size: width and height of the picture, px.
    """
    width, height = size
    centred = np.array([[1 / width, 0, -0.5], [0, 1 / width, -0.5 * height / width], [0, 0, 1.0]]) @ homography
    best, least = np.eye(3), np.inf
    for focal in _FOCAL_LENGTHS:
        axes = np.diag([1 / focal, 1 / focal, 1.0]) @ centred
        first, second = axes[:, 0], axes[:, 1]
        length = (np.linalg.norm(first) + np.linalg.norm(second)) / 2
        skew = float(first @ second) / length**2
        stretch = (np.linalg.norm(first) - np.linalg.norm(second)) / length
        cost = (skew**2 + stretch**2) / _CORNER_NOISE**2 + (
            np.log(focal / _USUAL_FOCAL_LENGTH) / _FOCAL_SPREAD
        ) ** 2
        if cost < least:
            best, least = axes / length, float(cost)
    first, second, offset = best.T
    upright = np.cross(first, second)
    rotation = np.column_stack([first, second, upright])
    position = -np.linalg.solve(rotation, offset)
    return float(position[0]), float(position[1]), float(abs(position[2]))
