"""Whether a hand is open or a fist: a closer look than the one by which hands are found.

Hands are found where one is some thirty pixels long. Here each is looked at by itself, half as large again, by a
small network that tells nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.detector.network import loaded
from vision.readings import Box

WEIGHTS = Path(__file__).parent / "openness.onnx"
SIDE_PX, PX_PER_MM = 80, 0.5
"""A hand is looked at in a square of 160 mm at the height of palms."""
_GREY = (114.0, 114.0, 114.0)
_SPREAD_PX = 4
_FINER, _BLUR = 0.5, 0.45
"""A picture of more pixels is blurred before it is made smaller, so much for each pixel that becomes one."""


class Openness:
    """The network, loaded for play. Not to be shared between threads."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights of an ONNX file. Raises RuntimeError when they cannot be used."""
        _, core, model = loaded(weights)
        model.reshape([-1, 3, SIDE_PX, SIDE_PX])
        self._compiled: Any = core.compile_model(model, "CPU")

    def tell(self, patches: Sequence[Image]) -> NDArray[np.float64]:
        """Give the log odds that each hand is open, (hands); patches as `patch` cuts them."""
        if not patches:
            return np.zeros(0)
        upright = np.stack(patches).astype(np.float32).transpose(0, 3, 1, 2) / 255
        # Each half a turn round, too: two looks err less than one, and four hardly less than two.
        both = np.concatenate([upright, upright[..., ::-1, ::-1]])
        raw = np.asarray(self._compiled(both)[0], np.float64)
        return np.asarray(raw.reshape(2, len(patches)).mean(axis=0), np.float64)


def patch(image: Image, box: Box, px_per_mm: float, side: int = SIDE_PX) -> Image:
    """Cut a square round the middle of a hand's box out of a BGR picture, (side, side, 3).

    px_per_mm: of the picture there, at the height of palms. What lies beyond the picture is grey.
    """
    x, y, width, height = box
    scale = PX_PER_MM / px_per_mm
    middle_x, middle_y, half = x + width / 2, y + height / 2, side / scale / 2 + _SPREAD_PX
    left, top = max(0, int(middle_x - half)), max(0, int(middle_y - half))
    window = image[top : max(0, int(middle_y + half)) + 1, left : max(0, int(middle_x + half)) + 1]
    if not window.size:
        return np.full((side, side, 3), _GREY, np.uint8)
    blur = _BLUR * (1 / scale - _FINER)
    soft = cv2.GaussianBlur(window, (0, 0), blur) if blur > 0 else window
    matrix = np.array(
        [[scale, 0, side / 2 - (middle_x - left) * scale], [0, scale, side / 2 - (middle_y - top) * scale]]
    )
    return np.asarray(cv2.warpAffine(soft, matrix, (side, side), borderValue=_GREY), np.uint8)
