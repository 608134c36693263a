"""What stands on print rather than being printed: seen by a trained network that knows no colours and no game.

It was trained on made-up boards (`models/printed`). A table learns from what it sees, beside colours, which of all
that are its own pieces.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import Image
from vision.count_features import STEP, Layer
from vision.detector.network import loaded

WEIGHTS = Path(__file__).parent / "printed.onnx"
TOLD, FEATURES = 8, 24
"""Numbers that it tells of each place: whether something stands there (log odds), how far off the sides of its box
are (left, top, right, bottom; in `FAR_PX`), of which paint it is (brightness, two hues); and those it knows by."""
FAR_PX = 16.0
SIDES, PAINT = slice(1, 5), slice(5, 8)
_LARGER = 1.3
"""Pictures are looked at so much larger than they are: on photographed boards that shows far more than it costs."""
_DIVISOR = 16


@dataclass(frozen=True, eq=False)
class Raised:
    """What is seen at every other pixel of a picture.

    there: (height, width) how likely something stands there, 0..1. sides: (height, width, 4), where its box would
    have its left, upper, right and lower side, in cells of two pixels. seen: (height, width, numbers), all that a
    table can learn by.
    """

    there: Layer
    sides: Layer
    seen: Layer


class RaisedNetwork:
    """The network loaded for play; of pictures of any size."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights of an ONNX file. Raises RuntimeError when they cannot be used."""
        _, core, model = loaded(weights)
        self._compiled: Any = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})

    def look(self, image: Image) -> Raised:
        """Look at a BGR picture (height, width, 3), and at its mirror images, which err in other ways."""
        high, wide = (max(_DIVISOR, _DIVISOR * round(_LARGER * side / _DIVISOR)) for side in image.shape[:2])
        large = np.asarray(cv2.resize(image, (wide, high), interpolation=cv2.INTER_CUBIC), np.uint8)
        # Each its own request: two people may check a box at once.
        request = self._compiled.create_infer_request()
        looks = [_told(request, large, *ways) for ways in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
        mean = np.asarray(np.mean(looks, axis=0), np.float32)
        seen = np.asarray(cv2.resize(mean, (image.shape[1] // STEP, image.shape[0] // STEP)), np.float32)
        there = 1.0 / (1.0 + np.exp(-np.clip(seen[..., 0], -30, 30)))
        row, column = np.indices(there.shape) + 0.5
        larger = np.array([wide / image.shape[1], high / image.shape[0]] * 2)
        off = seen[..., SIDES] * np.array([-1, -1, 1, 1]) * (FAR_PX / STEP) / larger
        sides = np.stack([column, row, column, row], axis=-1) + off
        return Raised(np.ascontiguousarray(there), np.asarray(sides, np.float32), seen)


def _told(request: Any, whole: NDArray[np.uint8], down: int, across: int) -> Layer:
    """Look at a picture, mirrored in one way, both or none (-1: mirrored); gives what is told, turned back."""
    mirrored = whole[::down, ::across].transpose(2, 0, 1)[None]
    told = np.asarray(request.infer(np.ascontiguousarray(mirrored, np.float32) / 255)[0][0], np.float32)
    told = told[:, ::down, ::across].transpose(1, 2, 0).copy()
    sides = told[..., SIDES]
    if across < 0:
        sides[..., [0, 2]] = sides[..., [2, 0]]
    if down < 0:
        sides[..., [1, 3]] = sides[..., [3, 1]]
    return told


@cache
def shipped() -> RaisedNetwork:
    """Give the shipped network, loaded once."""
    return RaisedNetwork()
