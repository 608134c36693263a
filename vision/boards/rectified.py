"""Rectify a board to the scale and light of its enrolled picture, for a comparison pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.alignment import PX_PER_MM, AlignedBoard, print_mask, rectify_board, reference, scale_of
from calibration.boards.detection import Matrix
from calibration.boards.enrolled_board import EnrolledBoard
from calibration.light.light_field import linear
from calibration.plane import Image
from vision import colour
from vision.colour import Colours

Mask = NDArray[np.bool_]
"""Mask: true or false for each pixel, (height, width)."""
Layer = NDArray[np.float32]
"""One float per pixel, (height, width), or several."""
_Number = TypeVar("_Number", np.uint8, np.float32)

_MIN_INSIDE_LEVEL = 251
"""Minimum level of a warped all-white picture (255) at pixels that lie fully inside the source picture."""
_MIN_BLOWN_LEVEL = 247
"""Minimum level of all channels of an overexposed pixel."""
_MIN_WHITE_LEVEL = 232
"""Minimum level of all channels of a pixel without reliable hue."""
_MAX_LIGHT = 0.97
"""Linear light at which a channel saturates."""
_MIN_LIGHT_PRINT = 0.3
"""Minimum expected linear light of print that may appear white without glare."""
_LIGHT_OFFSET = 0.012
"""Offset of linear light before its logarithm, so that black print does not affect the estimated light."""
_SAMPLE_STEP = 3
"""Sampling step of the gain fit, px."""
_MIN_SHARPER = 1.3
"""Ratio of the picture's scale to the enrolled one from which the picture is blurred before comparison."""
_SOFT = 0.6
"""Standard deviation of the blur, in pixels of the enrolled picture."""
_MAX_LOG_GAIN = 1.6
"""Maximum log gain of a board's light against its enrolled picture."""
_ITERATIONS = 4
"""Number of iterations of the robust gain fit."""
_MIN_REACH = 0.12
"""Minimum scale (log) by which residuals are divided in the weights of the robust fit."""


@dataclass(frozen=True, eq=False)
class RectifiedBoard:
    """A board's picture, rectified to PX_PER_MM and brought to the light of its enrolled picture."""

    board: EnrolledBoard
    """The enrolled board."""
    colours: Colours
    """Colours of the picture under the enrolled picture's light, (height, width, 3)."""
    own: Colours
    """Colours of the enrolled picture, (height, width, 3)."""
    seen: Mask
    """Pixels inside the picture."""
    blown: Mask
    """Overexposed pixels that should show darker print."""
    white: Mask
    """Pixels too bright to have a reliable hue; they may be light print."""
    gain: NDArray[np.float32]
    """Factor from the picture's linear light to the enrolled picture's, (height, width, 3)."""
    scale: float
    """Scale of the coarser of both pictures, px/mm."""

    def spot_px(self, spot: tuple[float, float]) -> tuple[float, float]:
        """Return the pixel (x, y) of a point given in mm on the board."""
        u, v = (self.board.layout.to_pixels(PX_PER_MM) @ (*spot, 1.0))[:2]
        return float(u), float(v)


def cache_colours(board: EnrolledBoard, px_per_mm: float) -> None:
    """Compute and cache an enrolled board's colours as a camera at this scale shows them."""
    _enrolled(board, _rounded(min(px_per_mm, board.seen_px_per_mm)))


def rectify(image: Image, board: EnrolledBoard, aligned: AlignedBoard) -> RectifiedBoard:
    """Rectify a board in a BGR picture and bring its colours to the light of its enrolled picture."""
    seen_at = scale_of(aligned.homography, board.layout)
    scale = min(seen_at, board.seen_px_per_mm)
    view = rectify_board(image, aligned.homography, board.layout)
    if seen_at > _MIN_SHARPER * scale:  # print finer than the enrolled one would look changed
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), _SOFT * PX_PER_MM / scale), np.uint8)
    to_picture = aligned.homography @ np.linalg.inv(board.layout.to_pixels(PX_PER_MM))
    seen = inside_picture(image, to_picture, board.layout.pixels(PX_PER_MM))
    own, own_colours = _enrolled(board, _rounded(scale))
    darkest = channel_min(view)
    white = darkest >= _MIN_BLOWN_LEVEL
    light = linear(view)
    gain = fit_gain(light, own, print_mask(board.layout) & seen & ~_any_of(light > _MAX_LIGHT))
    # In strong light, light print is white as well: only where it should be much darker does glare hide it.
    lightest = cv2.dilate(channel_min(own / gain), np.ones((5, 5), np.uint8))
    blown = white & seen & (lightest < _MIN_LIGHT_PRINT)
    colours = colour.of_light(light * gain)
    # Under an overexposing lamp some channels of the print saturate, which shifts hue.
    overexposed = _any_of(own > _MAX_LIGHT * gain)
    if overexposed.any():
        own_colours = own_colours.copy()
        own_colours[overexposed] = colour.of_light(np.minimum(own, _MAX_LIGHT * gain)[overexposed])
    return RectifiedBoard(board, colours, own_colours, seen, blown, darkest >= _MIN_WHITE_LEVEL, gain, scale)


def inside_picture(image: Image, to_picture: Matrix, size: tuple[int, int]) -> Mask:
    """Return a mask (height, width) of the pixels of a warped view that lie inside the source picture.

    to_picture: homography from px of the view to px of the picture. size: width and height of the view.
    """
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shown = cv2.warpPerspective(np.full(image.shape[:2], 255, np.uint8), to_picture, size, flags=flags)
    return np.asarray(shown >= _MIN_INSIDE_LEVEL, np.bool_)


def _rounded(scale: float) -> float:
    """Return a scale (px/mm) rounded, so that similar ones share a cache entry."""
    return round(min(scale, 3.0), 1)


def channel_min(picture: NDArray[_Number]) -> NDArray[_Number]:
    """Return the minimum of each pixel's three channels, (height, width); faster than NumPy along the last axis."""
    return np.minimum(np.minimum(picture[..., 0], picture[..., 1]), picture[..., 2])


def _any_of(channels: Mask) -> Mask:
    """Return where any of three channels is true, (height, width); faster than NumPy along the last axis."""
    return channels[..., 0] | channels[..., 1] | channels[..., 2]


@lru_cache(maxsize=64)
def _enrolled(board: EnrolledBoard, scale: float) -> tuple[NDArray[np.float32], Colours]:
    """Return an enrolled board's linear light and its colours, blurred as at this scale (px/mm)."""
    light = linear(reference(board, scale))
    return light, colour.of_light(light)


def fit_gain(light: NDArray[np.float32], own: NDArray[np.float32], free: Mask) -> NDArray[np.float32]:
    """Return the smooth gain per channel that brings a picture to an enrolled one's light, (height, width, 3).

    light, own: linear BGR of the picture and of the enrolled one. free: pixels at which no game piece is expected.
    """
    height, width = free.shape
    rows, columns = np.nonzero(free[::_SAMPLE_STEP, ::_SAMPLE_STEP])
    rows, columns = rows * _SAMPLE_STEP, columns * _SAMPLE_STEP
    if len(rows) < 60:
        return np.ones((height, width, 3), np.float32)
    soft, known = (cv2.blur(each, (5, 5))[rows, columns].T.astype(np.float64) for each in (light, own))
    gain = np.array([_median_gain(now, then) for now, then in zip(soft, known, strict=True)])[:, None]
    terms = _quadratic_terms(rows / height - 0.5, columns / width - 0.5)
    weights = np.ones(len(rows))
    fit: NDArray[np.float64] = np.zeros((len(terms), 3))
    for _ in range(_ITERATIONS):
        # Black print is no evidence of the light: the offset added to it is scaled by the gain, too.
        ratio = np.log((known + _LIGHT_OFFSET) / (soft + _LIGHT_OFFSET / gain))
        # Objects and glare must not bias the fit: weights fall with the residual (Geman-McClure).
        weighed = terms * weights
        normal = weighed @ terms.T + 1e-6 * np.eye(len(terms))
        fit = np.asarray(np.linalg.solve(normal, weighed @ ratio.T), np.float64)
        fitted = fit.T @ terms
        gain = np.exp(np.clip(fitted, -_MAX_LOG_GAIN, _MAX_LOG_GAIN))
        away = np.abs(ratio - fitted).max(axis=0)
        reach = max(_MIN_REACH, float(np.median(away)))
        weights = 1 / (1 + (away / reach) ** 2) ** 2
    small_rows, small_columns = np.mgrid[0 : height + 15 : 16, 0 : width + 15 : 16]
    grid = fit.T @ _quadratic_terms((small_rows / height - 0.5).ravel(), (small_columns / width - 0.5).ravel())
    coarse = np.clip(grid.T, -_MAX_LOG_GAIN, _MAX_LOG_GAIN).reshape(*small_rows.shape, 3).astype(np.float32)
    # The grid's nodes are pixel centres, 16 apart: scaled about the first one.
    matrix = np.array([[1 / 16, 0, 0], [0, 1 / 16, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    field = cv2.warpAffine(coarse, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.exp(field), np.float32)


def _median_gain(now: NDArray[np.float64], then: NDArray[np.float64]) -> float:
    """Return the median factor from one picture's light to another's, over the lighter half of their pixels.

    now, then: linear light of one channel, of the picture and of the enrolled one.
    """
    light = then >= np.median(then)
    return float(np.median((then[light] + _LIGHT_OFFSET) / (now[light] + _LIGHT_OFFSET)))


def _quadratic_terms(v: NDArray[np.float64], u: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the six terms of a quadratic surface at n points, (6, n). v, u: rows and columns, -0.5..0.5."""
    return np.stack([np.ones_like(u), u, v, u * v, u * u, v * v])


@lru_cache(maxsize=12)
def disc_kernel(radius: float) -> Layer:
    """Return a convolution kernel that averages over a disc of this radius, px."""
    half = int(np.ceil(radius))
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    disc = (rows**2 + columns**2 <= radius**2).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)
