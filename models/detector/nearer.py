"""Crops for the network that looks into hands from nearer: parts of close crops, shown larger, in other tones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector.crops import Crop
from vision.cameras.frame import Image
from vision.cameras.simulated.renderer import Box
from vision.detector import CROP_PX

_NEARER = (1.2, 1.7)
"""So many times as large as in the close crop; less where the pieces lie further apart."""
_OFF_PX, _OFF_BARE_PX, _MARGIN_PX = 8.0, 20.0, 3.0
"""How far from the middle of the pieces one looks (spread), or of the crop where there are none, and how much is
shown round them."""
_LEAST_SHOWN, _LEAST_PX = 0.45, 3.0
"""A thing that reaches beyond the edge is asked for if so much of it, and so many pixels, are shown."""
_TONED = 0.5
"""So many of the crops are in other tones."""


def nearer(crop: Crop, rng: np.random.Generator) -> Crop:
    """Look at the pieces of a close crop from nearer, or at whatever else it shows."""
    boxes = [box for label, box in crop.boxes if label == "piece"] or [box for _, box in crop.boxes]
    scale = float(rng.uniform(*_NEARER))
    if boxes:
        placed = np.array(boxes)
        low, high = placed[:, :2].min(axis=0), (placed[:, :2] + placed[:, 2:]).max(axis=0)
        scale = min(scale, max(1.0, CROP_PX / (float((high - low).max()) + 2 * _MARGIN_PX)))
        at = (low + high) / 2 + rng.normal(0, _OFF_PX / scale, 2)
    else:
        at = CROP_PX / 2 + rng.normal(0, _OFF_BARE_PX, 2)
    half = CROP_PX / scale / 2
    corner = np.clip(at, half, CROP_PX - half) - half
    move = (scale - 1) / 2 - scale * corner
    flags = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
    matrix = np.array([[scale, 0, move[0]], [0, scale, move[1]]])
    part = cv2.warpAffine(crop.image, matrix, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    image = np.asarray(part, np.uint8)
    seen = [(label, within) for label, box in crop.boxes if (within := _within(box, scale, corner)) is not None]
    return Crop(_toned(image, rng) if rng.random() < _TONED else image, tuple(seen))


def _within(box: Box, scale: float, corner: NDArray[np.float64]) -> Box | None:
    """Give where a box is seen in a part of its crop; None where too little of it is."""
    low = scale * (np.array(box[:2]) - corner)
    size = scale * np.array(box[2:])
    left_top, right_bottom = np.maximum(low, 0.0), np.minimum(low + size, CROP_PX)
    width, height = (float(side) for side in right_bottom - left_top)
    if min(width, height) < _LEAST_PX or width * height <= _LEAST_SHOWN * float(np.prod(size)):
        return None
    return float(left_top[0]), float(left_top[1]), width, height


def _toned(image: Image, rng: np.random.Generator) -> Image:
    """Show a picture as another camera would: other curves, contrast and balance, fewer pixels, more grain."""
    x = np.arange(256) / 255
    bent, gamma = float(rng.normal(0, 0.35)), float(np.exp(rng.normal(0, 0.22)))
    contrast = float(np.exp(rng.normal(0.05, 0.25)))
    curve = x**gamma
    curve = np.clip((curve + bent * curve * (1 - curve) * (2 * curve - 1) - 0.5) * contrast + 0.5, 0, 1)
    tables = [np.clip(curve * float(np.exp(rng.normal(0, 0.06))), 0, 1) for _ in range(3)]
    toned = cv2.LUT(image, (np.stack(tables, axis=-1)[None] * 255).astype(np.uint8))
    if rng.random() < 0.3:
        fewer = int(CROP_PX * rng.uniform(0.55, 0.9))
        coarse = cv2.resize(toned, (fewer, fewer), interpolation=cv2.INTER_AREA)
        toned = cv2.resize(coarse, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        toned = np.clip(toned + rng.normal(0, float(rng.uniform(1, 6)), toned.shape), 0, 255)
    return np.asarray(toned, np.uint8)
