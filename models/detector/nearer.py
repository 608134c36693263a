"""Crops for the network that looks into hands from nearer: parts of close crops, shown larger, in other tones."""

from __future__ import annotations

import cv2
import numpy as np

from models.detector.crops import Crop, seen_of
from vision.cameras.frame import Image
from vision.detector import CROP_PX
from vision.detector.cropping import frame_nearer

_NEARER = (1.2, 1.7)
"""So many times as large as in the close crop; less where the pieces lie further apart."""
_OFF_PX, _OFF_BARE_PX = 8.0, 20.0
"""How far from the middle of the pieces, or of the crop where there is nothing, one looks (spread)."""
_TONED = 0.5
"""So many of the crops are in other tones."""


def nearer(crop: Crop, rng: np.random.Generator) -> Crop:
    """Look at the pieces of a close crop from nearer, as play does, or at whatever else it shows."""
    boxes = [box for label, box in crop.boxes if label == "piece"] or [box for _, box in crop.boxes]
    most = float(rng.uniform(*_NEARER))
    right, down = rng.normal(0, (_OFF_PX if boxes else _OFF_BARE_PX) / most, 2)
    around = boxes or [(CROP_PX / 2, CROP_PX / 2, 0.0, 0.0)]
    frame = frame_nearer([(x + right, y + down, width, height) for x, y, width, height in around], most)
    image = frame.picture(crop.image)
    return Crop(_toned(image, rng) if rng.random() < _TONED else image, seen_of(crop.boxes, frame.matrix()))


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
