"""Hand-crafted features of each pixel for separating pieces from print: colours, contrast, edges, rings.

All are invariant to rotation, most also to light.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from calibration.plane import Image
from vision import colour
from vision.colour import Colours

Layer = NDArray[np.float32]
STEP = 2
"""Sampling step in both directions, px."""
_RING_POINTS = 8
"""Number of sampled directions of a ring."""
_RINGS = ((4, 1.0), (8, 2.0), (12, 2.0), (18, 4.0))
"""Radius and blur (standard deviation) of each ring, px; a piece is about 30 px long."""
_HUE_WEIGHT = np.array([1.0, 4.0, 4.0], np.float32)[:, None]
"""Weight of each colour channel in a distance."""


def local_features(image: Image) -> Layer:
    """Return hand-crafted features at every second pixel of a BGR picture, (height / 2, width / 2, features)."""
    colours = colour.of_light(linear(image))
    smooth = {sigma: np.asarray(cv2.GaussianBlur(colours, (0, 0), sigma), np.float32) for sigma in (1.0, 2.0, 4.0)}
    near, around = _wide(colours, 4.0), _wide(colours, 10.0)
    one, two, four = smooth[1.0], smooth[2.0], smooth[4.0]
    # The mean, not the median: of a half blue board the median jumps between both halves.
    mean = colours.reshape(-1, 3).mean(axis=0)
    layers = [
        _thin(layer)
        for layer in (one - mean, one - near, one - around, two - near, one - two, two - four, four - near)
    ]
    layers += [_thin(_spread(colours, sigma)) for sigma in (2.0, 4.0)]
    for channel in range(3):
        single = cv2.GaussianBlur(np.ascontiguousarray(colours[..., channel]), (0, 0), 1.0)
        layers += [_thin(_edges(np.asarray(single, np.float32), sigma)) for sigma in (2.0, 5.0)]
    for radius, sigma in _RINGS:
        layers += _ring(smooth[sigma], one, radius)
    return np.concatenate(layers, axis=-1).astype(np.float32)


def _thin(layer: Layer) -> Layer:
    return layer[STEP // 2 :: STEP, STEP // 2 :: STEP]


def _wide(colours: Colours, sigma: float) -> Layer:
    height, width = colours.shape[:2]
    quarter = cv2.resize(colours, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(cv2.GaussianBlur(quarter, (0, 0), sigma), (width, height)), np.float32)


def _spread(colours: Colours, sigma: float) -> Layer:
    mean = cv2.GaussianBlur(colours, (0, 0), sigma)
    return np.asarray(np.sqrt(np.maximum(cv2.GaussianBlur(colours**2, (0, 0), sigma) - mean**2, 0.0)), np.float32)


def _edges(layer: Layer, sigma: float) -> Layer:
    """Return the strength and the coherence of edges (structure tensor), (height, width, 2)."""
    across, down = (cv2.Sobel(layer, cv2.CV_32F, *way, scale=0.125) for way in ((1, 0), (0, 1)))
    xx, yy, xy = (cv2.GaussianBlur(p, (0, 0), sigma) for p in (across**2, down**2, across * down))
    both = xx + yy
    return np.dstack([np.sqrt(both), np.sqrt((xx - yy) ** 2 + 4 * xy**2) / (both + 1e-4)]).astype(np.float32)


def _ring(ring_of: Layer, centre: Layer, radius: int) -> list[Layer]:
    """Return features of the colours on a ring around each pixel, compared with the centre.

    Mean, first and second harmonic over the directions, and order statistics of the differences.
    """
    middle = _thin(centre)
    angles = 2 * np.pi * np.arange(_RING_POINTS) / _RING_POINTS
    # (height, width, 3, directions)
    beside = np.stack([_thin(_moved(ring_of, radius * np.cos(a), radius * np.sin(a))) - middle for a in angles], -1)
    waves = np.fft.rfft(beside, axis=-1) / _RING_POINTS
    unlike = np.sort(np.sqrt((beside**2 * _HUE_WEIGHT).sum(axis=2)), axis=-1)
    return [waves[..., 0].real, np.abs(waves[..., 1]), np.abs(waves[..., 2]), unlike[..., [0, 2, 4, 7]]]


def _moved(layer: Layer, across: float, down: float) -> Layer:
    height, width = layer.shape[:2]
    way = np.array([[1, 0, across], [0, 1, down]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(layer, way, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
