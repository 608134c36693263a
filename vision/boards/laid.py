"""A board laid straight beside its enrolled self: the same scale, the same light, pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_alignment import PX_PER_MM, AlignedBoard, free_of_things, reference, scale_of, straight
from calibration.board_features import Matrix
from calibration.light import linear
from calibration.personal_boards import EnrolledBoard
from calibration.plane import Image
from vision.reveal import colour
from vision.reveal.colour import Colours

Mask = NDArray[np.bool_]
Layer = NDArray[np.float32]
_Number = TypeVar("_Number", np.uint8, np.float32)

_SHOWN = 251
"""Where a white picture (255) is seen darker than this, its edge is near."""
_BLOWN, _NEARLY_WHITE = 247, 232
"""A pixel as bright as this in all channels shows light, not what lies there."""
_MOST_LIGHT = 0.97
"""Linear light above which a channel shows no more."""
_LIGHT_PRINT = 0.3
"""Print that should be lighter than this in the picture (linear) may well come out white: that hides nothing."""
_DARK = 0.012
"""Added to linear light before its logarithm, so that black print does not say how bright the lamp is."""
_EVERY = 3
_SHARPER, _SOFT = 1.3, 0.6
_MOST_GAIN = 1.6
"""Logarithm of how much darker or brighter than its enrolled picture a board may be lit."""
_ROUNDS, _SURE = 4, 0.12


@dataclass(frozen=True, eq=False)
class LaidBoard:
    """A straight picture at PX_PER_MM and the enrolled one beside it.

    colours, own: (height, width, 3) colours of both under the enrolled picture's light. seen: inside the picture;
    blown: so bright that print which is not white cannot be told there; white: so bright that hue is lost, but it
    may be print. gain: (height, width, 3), what linear light was multiplied by. scale: px/mm in the coarser of both
    pictures.
    """

    board: EnrolledBoard
    colours: Colours
    own: Colours
    seen: Mask
    blown: Mask
    white: Mask
    gain: NDArray[np.float32]
    scale: float

    def spot_px(self, spot: tuple[float, float]) -> tuple[float, float]:
        """Give the pixel of a point in board mm."""
        u, v = (self.board.layout.to_pixels(PX_PER_MM) @ (*spot, 1.0))[:2]
        return float(u), float(v)


def prepare(board: EnrolledBoard, seen_at: float) -> None:
    """Learn the colours of a board that will be seen at about this scale, px/mm."""
    _enrolled(board, _rounded(min(seen_at, board.seen_px_per_mm)))


def lay(image: Image, board: EnrolledBoard, aligned: AlignedBoard) -> LaidBoard:
    """Lay a board of a BGR picture straight and bring it into the light of its enrolled picture."""
    seen_at = scale_of(aligned.homography, board.layout)
    scale = min(seen_at, board.seen_px_per_mm)
    view = straight(image, aligned.homography, board.layout)
    if seen_at > _SHARPER * scale:  # print that is finer than what was enrolled would look new
        view = np.asarray(cv2.GaussianBlur(view, (0, 0), _SOFT * PX_PER_MM / scale), np.uint8)
    to_picture = aligned.homography @ np.linalg.inv(board.layout.to_pixels(PX_PER_MM))
    seen = in_sight(image, to_picture, board.layout.pixels(PX_PER_MM))
    own, own_colours = _enrolled(board, _rounded(scale))
    darkest = least(view)
    white = darkest >= _BLOWN
    light = linear(view)
    gain = fit_gain(light, own, free_of_things(board.layout) & seen & ~_any_of(light > _MOST_LIGHT))
    # Light print in strong light is white, too: only where it should be far darker does light hide it.
    lightest = cv2.dilate(least(own / gain), np.ones((5, 5), np.uint8))
    blown = white & seen & (lightest < _LIGHT_PRINT)
    colours = colour.of_light(light * gain)
    # Where a lamp is too bright for the camera, some channels of the print end at their most: hue moves.
    overexposed = _any_of(own > _MOST_LIGHT * gain)
    if overexposed.any():
        own_colours = own_colours.copy()
        own_colours[overexposed] = colour.of_light(np.minimum(own, _MOST_LIGHT * gain)[overexposed])
    return LaidBoard(board, colours, own_colours, seen, blown, darkest >= _NEARLY_WHITE, gain, scale)


def in_sight(image: Image, to_picture: Matrix, size: tuple[int, int]) -> Mask:
    """Tell which pixels of a warp show a picture and not what lies beyond its edges, (height, width).

    to_picture: the warp's homography from its own pixels to the picture's; size: its width and height.
    """
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    shown = cv2.warpPerspective(np.full(image.shape[:2], 255, np.uint8), to_picture, size, flags=flags)
    return np.asarray(shown >= _SHOWN, np.bool_)


def _rounded(scale: float) -> float:
    return round(min(scale, 3.0), 1)


def least(picture: NDArray[_Number]) -> NDArray[_Number]:
    """Give the least of three channels: many times faster than NumPy's own along the last axis."""
    return np.minimum(np.minimum(picture[..., 0], picture[..., 1]), picture[..., 2])


def _any_of(channels: Mask) -> Mask:
    """Tell where any of three channels is so; as with `least`, NumPy's own takes far longer."""
    return channels[..., 0] | channels[..., 1] | channels[..., 2]


@lru_cache(maxsize=64)
def _enrolled(board: EnrolledBoard, scale: float) -> tuple[NDArray[np.float32], Colours]:
    light = linear(reference(board, scale))
    return light, colour.of_light(light)


def fit_gain(light: NDArray[np.float32], own: NDArray[np.float32], free: Mask) -> NDArray[np.float32]:
    """Fit how much brighter an enrolled picture is, smoothly all over and for each channel: (height, width, 3).

    light, own: linear BGR of both pictures; free: where nothing has its place, at least not on purpose.
    """
    height, width = free.shape
    rows, columns = np.nonzero(free[::_EVERY, ::_EVERY])
    rows, columns = rows * _EVERY, columns * _EVERY
    if len(rows) < 60:
        return np.ones((height, width, 3), np.float32)
    soft, known = (cv2.blur(each, (5, 5))[rows, columns].T.astype(np.float64) for each in (light, own))
    gain = np.array([_brightest(now, then) for now, then in zip(soft, known, strict=True)])[:, None]
    terms = _terms(rows / height - 0.5, columns / width - 0.5)
    weights = np.ones(len(rows))
    fit: NDArray[np.float64] = np.zeros((len(terms), 3))
    for _ in range(_ROUNDS):
        # Black print says nothing of the lamp: what is added to it is seen in the lamp's light, too.
        ratio = np.log((known + _DARK) / (soft + _DARK / gain))
        # What lies on the board, and glare, must not pull: weights fall with the distance (Geman-McClure).
        weighed = terms * weights
        normal = weighed @ terms.T + 1e-6 * np.eye(len(terms))
        fit = np.asarray(np.linalg.solve(normal, weighed @ ratio.T), np.float64)
        fitted = fit.T @ terms
        gain = np.exp(np.clip(fitted, -_MOST_GAIN, _MOST_GAIN))
        away = np.abs(ratio - fitted).max(axis=0)
        reach = max(_SURE, float(np.median(away)))
        weights = 1 / (1 + (away / reach) ** 2) ** 2
    small_rows, small_columns = np.mgrid[0 : height + 15 : 16, 0 : width + 15 : 16]
    grid = fit.T @ _terms((small_rows / height - 0.5).ravel(), (small_columns / width - 0.5).ravel())
    coarse = np.clip(grid.T, -_MOST_GAIN, _MOST_GAIN).reshape(*small_rows.shape, 3).astype(np.float32)
    # The grid's nodes are pixels' centres, 16 apart: scaled about the first one.
    matrix = np.array([[1 / 16, 0, 0], [0, 1 / 16, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    field = cv2.warpAffine(coarse, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.exp(field), np.float32)


def _brightest(now: NDArray[np.float64], then: NDArray[np.float64]) -> float:
    """Give how much brighter the lightest half of the print was enrolled than it is seen, of one channel."""
    light = then >= np.median(then)
    return float(np.median((then[light] + _DARK) / (now[light] + _DARK)))


def _terms(v: NDArray[np.float64], u: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack([np.ones_like(u), u, v, u * v, u * u, v * v])


@lru_cache(maxsize=12)
def round_mean(radius: float) -> Layer:
    """Give the kernel, a square that sums to 1, of a mean over all that is nearer than so many px."""
    half = int(np.ceil(radius))
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    disc = (rows**2 + columns**2 <= radius**2).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)
