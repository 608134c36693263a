"""Crops of single places, rotated so that a figure which stands there is upright, and not rectified otherwise."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.cameras.frame import Image
from vision.colour import Colours
from vision.games.master.objects.top_views import MARGIN, TILE_PX, FieldView

CROP_PX: Final = 48
"""Side of a crop, px."""
SCALE_PX: Final = 30
"""Width of a tile in a crop, px, across the direction in which upright things lean."""
FOOT: Final = (24.0, 31.5)
"""Position (x, y) of the middle of the place in a crop, px."""
PLANES: Final = 6
"""Number of planes of the network's input: three of colour, the similarity to the given paint and that to the most
similar other paint, and the lean."""
_HEIGHT: Final = 0.5
"""Height of the point whose projection gives the upright direction, in tiles."""
_MIN_ABOVE: Final = 3.0
"""Minimum height of the camera, in tiles; estimates below it are wrong."""
_SPREADS: Final = np.array([0.5, 0.32, 0.28], np.float32)
"""Standard deviations of a figure's colours from that of its paint, in the scale of the input."""
_SHADE: Final = -0.15
"""Mean difference of a figure's intensity to its paint's: most of its surface faces away from the light."""


def crop_transform(
    view: FieldView, place: int, camera: tuple[float, float, float], zoom: float = 1.0, margin: float = 0.0
) -> tuple[NDArray[np.float64], float]:
    """Return the 3×3 homography from px of a place's crop to px of a view, and the lean of upright things there.

    In the crop, things that stand on the place are upright. The lean is the tangent of the angle between the line
    of sight and straight down. place: index of the tile in the view, row by row. camera: its position (x, y,
    height), in tiles. zoom: factor on the crop's scale. margin: px that the crop shows in addition on each side.
    """
    middle = np.array([place % view.tiles + 0.5, place // view.tiles + 0.5])
    eye, above = np.array(camera[:2]), max(_MIN_ABOVE, camera[2])
    head = eye + (middle - eye) * (above / (above - _HEIGHT))
    points = np.stack([middle, head, middle + np.array([0.1, 0]), middle + np.array([0, 0.1])])
    foot, top, right, down = view.to_picture((points + MARGIN) * TILE_PX - 0.5)
    jacobian = np.stack([right - foot, down - foot], axis=1) / 0.1
    scale = float(np.linalg.svd(jacobian, compute_uv=False)[0]) / (SCALE_PX * zoom)
    below = foot - top
    length = float(np.hypot(*below))
    below = below / length if length > 1e-6 else np.array([0.0, 1.0])
    across = np.array([below[1], -below[0]])
    axes = scale * np.stack([across, below], axis=1)
    at = np.array(FOOT) * zoom + margin
    to_picture = np.eye(3)
    to_picture[:2, :2], to_picture[:2, 2] = axes, foot - axes @ at
    return np.linalg.inv(view.homography) @ to_picture, float(np.hypot(*(middle - eye))) / above


def crop(image: Image, to_view: NDArray[np.float64], side: int = CROP_PX) -> Image:
    """Return a crop of a view's BGR picture, (side, side, 3). to_view: as returned by `crop_transform`."""
    flags = cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    made = cv2.warpPerspective(image, to_view, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(made, np.uint8)


def median_colour(view: FieldView) -> Colours:
    """Return the median log-opponent colour of a view without its margin, (3,): the reference of other colours."""
    edge = MARGIN * TILE_PX
    return np.asarray(np.median(view.colours[edge:-edge:3, edge:-edge:3].reshape(-1, 3), axis=0), np.float32)


def similarities(colours: Colours, paints: Colours) -> NDArray[np.float32]:
    """Return how similar each pixel is to each paint, 0 to 1, (paints, side, side).

    colours: of a crop, (side, side, 3). paints: (n, 3). Both are relative to `median_colour` and scaled by
    `COLOUR_SCALE`.
    """
    shade = np.array([_SHADE, 0, 0], np.float32)
    away = np.stack([colour.squared(colours - (paint + shade), _SPREADS) for paint in paints])
    return np.asarray(np.exp(-0.5 * np.minimum(away, 30.0)), np.float32)


def input_planes(colours: Colours, alike: NDArray[np.float32], wizard: int, lean: float) -> NDArray[np.float32]:
    """Return the network's input for the wizard of one paint, (PLANES, side, side).

    colours: of a crop, as for `similarities`. alike: as returned by `similarities`. wizard: index of the paint.
    lean: as returned by `crop_transform`.
    """
    others = np.delete(alike, wizard, axis=0).max(axis=0)
    flat = np.full(colours.shape[:2], lean, np.float32)
    return np.stack([*colours.transpose(2, 0, 1), alike[wizard], others, flat])
