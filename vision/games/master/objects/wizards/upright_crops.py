"""Crops of single places in the picture's own perspective, turned so that what stands there stands upright."""

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
"""Width of a tile in a crop, across the direction in which upright things lean, px."""
FOOT: Final = (24.0, 31.5)
"""Where the middle of the place lies in a crop, px."""
PLANES: Final = 6
"""Planes of the network's input: three of colour, the similarity to the wizard's paint and to the most similar
other one, and the lean."""
_HEIGHT: Final = 0.5
"""Height by whose projection the upright direction is found, in tiles."""
_MIN_ABOVE: Final = 3.0
"""Least height of the camera, in tiles: it is estimated from the picture."""
_SPREADS: Final = np.array([0.5, 0.32, 0.28], np.float32)
"""Standard deviations of a figure's colour about its paint's, in the scale of the input."""
_SHADE: Final = -0.15
"""Mean of its intensity about its paint's: most of its surface is turned away from the light."""


def crop_transform(
    view: FieldView, place: int, camera: tuple[float, float, float], zoom: float = 1.0, margin: float = 0.0
) -> tuple[NDArray[np.float64], float]:
    """Return the 3×3 homography from px of a place's crop to px of a view, and how much upright things lean.

    place: of the view's tiles, row by row. camera: its position in tiles. zoom: factor of the crop's scale. margin:
    px that it shows more on each side. The lean is the tangent of the angle between the line of sight and straight
    down.
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
    """Return a crop of a view's picture, BGR, (side, side, 3). to_view: as returned by `crop_transform`."""
    flags = cv2.WARP_INVERSE_MAP | cv2.INTER_LINEAR
    made = cv2.warpPerspective(image, to_view, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(made, np.uint8)


def levels(view: FieldView) -> Colours:
    """Return the median colour of a view's inner part, (3,): that of its light and its board."""
    edge = MARGIN * TILE_PX
    return np.asarray(np.median(view.colours[edge:-edge:3, edge:-edge:3].reshape(-1, 3), axis=0), np.float32)


def similarities(colours: Colours, paints: Colours) -> NDArray[np.float32]:
    """Return how similar each pixel is to each paint, 0 to 1, (paints, side, side).

    colours: of a crop, (side, side, 3), and paints: (n, 3); both relative to `levels` and scaled by `COLOUR_SCALE`.
    """
    shade = np.array([_SHADE, 0, 0], np.float32)
    away = np.stack([colour.squared(colours - (paint + shade), _SPREADS) for paint in paints])
    return np.asarray(np.exp(-0.5 * np.minimum(away, 30.0)), np.float32)


def input_planes(colours: Colours, alike: NDArray[np.float32], wizard: int, lean: float) -> NDArray[np.float32]:
    """Return the network's input for one wizard, (PLANES, side, side).

    colours: of a crop, as for `similarities`. alike: as returned by it. wizard: index of its paint.
    """
    others = np.delete(alike, wizard, axis=0).max(axis=0)
    flat = np.full(colours.shape[:2], lean, np.float32)
    return np.stack([*colours.transpose(2, 0, 1), alike[wizard], others, flat])
