"""Detect a changed zoom or lens by comparison with an earlier picture of the table."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.health.change_from_table_at_rest import Downscaled, local_contrast

_SCALES = tuple(float(scale) for scale in np.exp(np.arange(math.log(0.55), math.log(1.9), 0.02)))
"""Candidate scales of the table relative to the known picture."""
_MAX_SHIFT_PX = 16
"""Maximum shift of the optical axis, px of the downscaled picture (320 wide)."""
_MIN_LOG_SCALE = 0.08
"""Minimum log scale of a detected zoom."""
_NEIGHBOURHOOD = 0.1
"""Log scale around the best one that is excluded from the comparison."""
_MIN_CORRELATION = 0.13
"""Minimum correlation of local contrast, weighted by the root of the compared share of the picture."""
_MIN_RATIO = 1.6
"""Minimum ratio of that correlation to that of any other scale."""


def zoom_factor(known: Image, now: Image) -> float | None:
    """Return the factor by which the table has grown in the picture; None if unchanged or undecidable.

    Below 1 it has shrunk. known, now: earlier and current BGR picture of one size; objects may have been added
    since. Takes half a second.
    """
    if known.shape != now.shape:
        return None
    small, contrast = Downscaled.of(known), Downscaled.of(now).light_invariant
    scores = np.array([_score(small, contrast, scale) for scale in _SCALES])
    best = int(scores.argmax())
    logs = np.log(_SCALES)
    others = scores[np.abs(logs - logs[best]) > _NEIGHBOURHOOD]
    if abs(logs[best]) < _MIN_LOG_SCALE or scores[best] < max(_MIN_CORRELATION, _MIN_RATIO * others.max()):
        return None
    return _SCALES[best]


def _score(known: Downscaled, contrast: Image, scale: float) -> float:
    """Return how well the known picture, scaled, matches the current one: correlation weighted by common area.

    contrast: local contrast of the current picture. scale: factor applied to the known one.
    """
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    half = np.asarray(cv2.resize(known.half, None, fx=scale / 2, fy=scale / 2, interpolation=method), np.float32)
    resized = local_contrast(half)
    (high, wide), (most_high, most_wide) = resized.shape, contrast.shape
    height, width = min(high - 8, most_high - 2 * _MAX_SHIFT_PX), min(wide - 8, most_wide - 2 * _MAX_SHIFT_PX)
    top, left = (high - height) // 2, (wide - width) // 2
    template = resized[top : top + height, left : left + width]
    correlation = float(cv2.matchTemplate(contrast, template, cv2.TM_CCOEFF_NORMED).max())
    return correlation * math.sqrt(template.size / contrast.size)
