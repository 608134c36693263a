"""Detect that a camera sees more or less of the table than it did: another lens, or another zoom. Pure."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.health.still import Small, local_contrast

_SCALES = tuple(float(scale) for scale in np.exp(np.arange(math.log(0.55), math.log(1.9), 0.02)))
"""Sizes of the table in the picture, as multiples of its size in the known picture."""
_MARGIN = 16
"""Pixels of the small picture by which the lens's axis may lie elsewhere."""
_LEAST_LOG_SCALE, _NEIGHBOURHOOD = 0.08, 0.1
_LEAST_CORRELATION, _LEAST_RATIO = 0.13, 1.6
"""Correlation of the pictures' local contrast, weighed by the root of the share of the picture compared, and how
many times that of any other size it is."""


def zoomed(known: Image, now: Image) -> float | None:
    """Return how many times as large the table is seen as in the known picture, None where nothing tells.

    known, now: BGR pictures of one size; things may have been laid on the table since. Takes half a second.
    """
    if known.shape != now.shape:
        return None
    small, contrast = Small.of(known), Small.of(now).even
    scores = np.array([_score(small, contrast, scale) for scale in _SCALES])
    best = int(scores.argmax())
    logs = np.log(_SCALES)
    others = scores[np.abs(logs - logs[best]) > _NEIGHBOURHOOD]
    if abs(logs[best]) < _LEAST_LOG_SCALE or scores[best] < max(_LEAST_CORRELATION, _LEAST_RATIO * others.max()):
        return None
    return _SCALES[best]


def _score(known: Small, contrast: Image, scale: float) -> float:
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    half = np.asarray(cv2.resize(known.half, None, fx=scale / 2, fy=scale / 2, interpolation=method), np.float32)
    resized = local_contrast(half)
    (high, wide), (most_high, most_wide) = resized.shape, contrast.shape
    height, width = min(high - 8, most_high - 2 * _MARGIN), min(wide - 8, most_wide - 2 * _MARGIN)
    top, left = (high - height) // 2, (wide - width) // 2
    template = resized[top : top + height, left : left + width]
    correlation = float(cv2.matchTemplate(contrast, template, cv2.TM_CCOEFF_NORMED).max())
    return correlation * math.sqrt(template.size / contrast.size)
