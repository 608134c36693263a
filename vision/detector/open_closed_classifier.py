"""Open/closed classifier: a small network on a crop of each detected hand.

The hand detector works at a scale where a hand is about thirty pixels long; the classifier's crops are half as
large again.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.detector.compilation import compiled
from vision.readings import Box

WEIGHTS = Path(__file__).parent / "openness.onnx"
"""Weights of the network, ONNX."""
SIDE_PX = 80
"""Side of a hand's crop, px: 160 mm at palm height."""
PX_PER_MM = 0.5
"""Scale of the crop at palm height."""
_GREY = (114.0, 114.0, 114.0)
"""Padding colour (BGR) outside the picture."""
_SPREAD_PX = 4
"""Margin of the window that is cut before the warp, px of the picture."""
_MIN_BLURRED_RATIO = 0.5
"""Picture px per crop px above which the picture is blurred before resampling."""
_BLUR = 0.45
"""Standard deviation of that blur, in picture px, per unit above `_MIN_BLURRED_RATIO`."""


class OpenClosedClassifier:
    """Classifier of hands as open or closed. Not thread-safe."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        self._request: Any = compiled(weights, (-1, 3, SIDE_PX, SIDE_PX)).create_infer_request()

    def log_odds(self, patches: Sequence[Image]) -> NDArray[np.float64]:
        """Return the log odds that each hand is open, (hands,). patches: crops as returned by `hand_patch`."""
        if not patches:
            return np.zeros(0)
        upright = np.stack(patches).astype(np.float32).transpose(0, 3, 1, 2) / 255
        # Also rotated by 180 degrees: two passes are more accurate than one, and four hardly more than two.
        both = np.concatenate([upright, upright[..., ::-1, ::-1]])
        raw = np.asarray(self._request.infer(both)[0], np.float64)
        return np.asarray(raw.reshape(2, len(patches)).mean(axis=0), np.float64)


def hand_patch(image: Image, box: Box, px_per_mm: float, side: int = SIDE_PX) -> Image:
    """Return the classifier's input: a square crop (side, side, 3) around the centre of a hand's box.

    image: BGR. px_per_mm: scale of the picture there, at palm height. Beyond the picture's edge the crop is grey.
    """
    x, y, width, height = box
    scale = PX_PER_MM / px_per_mm
    middle_x, middle_y, half = x + width / 2, y + height / 2, side / scale / 2 + _SPREAD_PX
    left, top = max(0, int(middle_x - half)), max(0, int(middle_y - half))
    window = image[top : max(0, int(middle_y + half)) + 1, left : max(0, int(middle_x + half)) + 1]
    if not window.size:
        return np.full((side, side, 3), _GREY, np.uint8)
    blur = _BLUR * (1 / scale - _MIN_BLURRED_RATIO)
    soft = cv2.GaussianBlur(window, (0, 0), blur) if blur > 0 else window
    matrix = np.array(
        [[scale, 0, side / 2 - (middle_x - left) * scale], [0, scale, side / 2 - (middle_y - top) * scale]]
    )
    return np.asarray(cv2.warpAffine(soft, matrix, (side, side), borderValue=_GREY), np.uint8)
