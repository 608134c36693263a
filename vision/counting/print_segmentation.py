"""Print segmentation: a network that detects what is raised above print, independent of colours and game.

It was trained on synthetic boards (`models/print_segmentation`). Which raised objects are pieces is learned at each
table.
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
from vision.counting.pixel_features import STEP, Layer
from vision.detector.network import loaded

WEIGHTS = Path(__file__).parent / "printed.onnx"
"""Weights of the network, ONNX."""
OUTPUTS = 8
"""Number of interpretable outputs per cell: log odds of a raised object, distances to the sides of its box (left,
top, right, bottom; in units of `FAR_PX`), and its paint (brightness, two hues)."""
FEATURES = 24
"""Number of additional outputs per cell, used as features."""
FAR_PX = 16.0
"""Unit of the distances to a box's sides, px of the network's input."""
SIDES = slice(1, 5)
"""Outputs with the distances to the box's sides."""
PAINT = slice(5, 8)
"""Outputs with the paint."""
_UPSCALING = 1.3
"""Upscaling of pictures before inference: on photographed boards it detects far more pieces."""
_DIVISOR = 16
"""The network's input height and width must be a multiple of this, px."""


@dataclass(frozen=True, eq=False)
class PrintSegmentation:
    """Output of the print segmentation for each cell of two by two pixels."""

    presence: Layer
    """Probability of a raised object, (height, width)."""
    sides: Layer
    """Left, top, right and bottom side of its box in cells of two pixels, (height, width, 4)."""
    outputs: Layer
    """All outputs, (height, width, outputs)."""


class PrintSegmentationNetwork:
    """The print segmentation network, for pictures of any size."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        _, core, model = loaded(weights)
        self._compiled: Any = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})

    def segment(self, image: Image) -> PrintSegmentation:
        """Return the print segmentation of a BGR picture (height, width, 3), averaged over its mirror images."""
        high, wide = (max(_DIVISOR, _DIVISOR * round(_UPSCALING * side / _DIVISOR)) for side in image.shape[:2])
        large = np.asarray(cv2.resize(image, (wide, high), interpolation=cv2.INTER_CUBIC), np.uint8)
        # One request per call: two threads may use the network at once.
        request = self._compiled.create_infer_request()
        looks = [_mirrored_pass(request, large, *ways) for ways in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
        mean = np.asarray(np.mean(looks, axis=0), np.float32)
        seen = np.asarray(cv2.resize(mean, (image.shape[1] // STEP, image.shape[0] // STEP)), np.float32)
        there = 1.0 / (1.0 + np.exp(-np.clip(seen[..., 0], -30, 30)))
        row, column = np.indices(there.shape) + 0.5
        larger = np.array([wide / image.shape[1], high / image.shape[0]] * 2)
        off = seen[..., SIDES] * np.array([-1, -1, 1, 1]) * (FAR_PX / STEP) / larger
        sides = np.stack([column, row, column, row], axis=-1) + off
        return PrintSegmentation(np.ascontiguousarray(there), np.asarray(sides, np.float32), seen)


def _mirrored_pass(request: Any, whole: NDArray[np.uint8], down: int, across: int) -> Layer:
    """Return the outputs of a pass over a mirrored picture, mirrored back. down, across: -1 to mirror."""
    mirrored = whole[::down, ::across].transpose(2, 0, 1)[None]
    outputs = np.asarray(request.infer(np.ascontiguousarray(mirrored, np.float32) / 255)[0][0], np.float32)
    outputs = outputs[:, ::down, ::across].transpose(1, 2, 0).copy()
    sides = outputs[..., SIDES]
    if across < 0:
        sides[..., [0, 2]] = sides[..., [2, 0]]
    if down < 0:
        sides[..., [1, 3]] = sides[..., [3, 1]]
    return outputs


@cache
def shipped_network() -> PrintSegmentationNetwork:
    """Load the shipped print segmentation network; later calls return the same one."""
    return PrintSegmentationNetwork()
