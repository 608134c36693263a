"""Training crops, cut from synthetic pictures at a fixed scale of the table, with simulated camera defects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector.scenes import SyntheticPicture
from vision.cameras.frame import Image
from vision.cameras.simulated.renderer import Box
from vision.detector import CLOSE_PX_PER_MM, CROP_PX, WIDE_PX_PER_MM

MIN_VISIBLE = {"piece": 0.2, "token": 0.35, "loose": 0.35, "card": 0.5}
"""Visible fraction below which an object is not labelled, by label."""
_FISTS_LEFT_OUT = 0.6
"""Fraction of fists of which no close crop is made."""
_TABLE_CROP_FRACTION = 0.3
"""Fraction of pictures of which a close crop anywhere on the table is made."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A square training picture with its labelled boxes."""

    image: Image
    """BGR picture, CROP_PX square."""
    boxes: tuple[tuple[str, Box], ...]
    """Label and box (x, y, width, height in px) of each object."""


def wide_crops(picture: SyntheticPicture, rng: np.random.Generator, count: int) -> list[Crop]:
    """Return crops at the scale at which whole hands and cards are detected, labelled with hands and cards.

    They lie at random positions, partly beyond the picture. count: number of crops.
    """
    image = with_camera_defects(picture.image, rng)
    height, width = image.shape[:2]
    made = []
    for _ in range(count):
        scale = WIDE_PX_PER_MM / picture.px_per_mm * float(np.exp(rng.uniform(-0.28, 0.3)))
        # Not much of a crop lies beyond the picture.
        inset = [min(0.35, 90 / scale / side) for side in (width, height)]
        at = (rng.uniform(inset[0], 1 - inset[0]) * width, rng.uniform(inset[1], 1 - inset[1]) * height)
        made.append(_random_crop(image, _wide_labels(picture), at, scale, rng))
    return made


def close_crops(picture: SyntheticPicture, rng: np.random.Generator) -> list[Crop]:
    """Return crops at the scale at which pieces are detected, labelled with pieces and tokens.

    There is one around each open hand and around some fists, and sometimes one anywhere on the table.
    """
    image = with_camera_defects(picture.image, rng)
    height, width = image.shape[:2]
    close, made = _close_labels(picture), []
    for hand, local in zip(picture.truth.hands, picture.scales, strict=True):
        if hand.state == "closed" and rng.random() < _FISTS_LEFT_OUT:
            continue
        x, y, w, h = hand.box
        at = np.array([x + w / 2, y + h / 2]) + rng.normal(0, 12 * local, 2)
        scale = CLOSE_PX_PER_MM / local * float(rng.uniform(0.82, 1.22))
        made.append(_random_crop(image, close, (at[0], at[1]), scale, rng))
    if rng.random() < _TABLE_CROP_FRACTION:
        at = rng.uniform(0.1, 0.9, 2) * (width, height)
        made.append(_random_crop(image, close, (at[0], at[1]), CLOSE_PX_PER_MM / picture.px_per_mm, rng))
    return made


def _wide_labels(picture: SyntheticPicture) -> list[tuple[str, Box]]:
    """Return label ("open", "closed", "card") and box (px) of every hand, and of each card visible enough."""
    hands = [(hand.state, hand.box) for hand in picture.truth.hands]
    return hands + [("card", card.box) for card in picture.truth.cards if card.visible >= MIN_VISIBLE["card"]]


def _close_labels(picture: SyntheticPicture) -> list[tuple[str, Box]]:
    """Return label and box (px of the picture) of each piece and token that is visible enough.

    The label is "piece" in a hand, and "loose" or "token" on the table.
    """
    held = [("piece", piece) for hand in picture.truth.hands for piece in hand.pieces]
    lying = [("token" if p.kind.startswith("token") else "loose", p) for p in picture.truth.pieces]
    return [(label, piece.box) for label, piece in (*held, *lying) if piece.visible >= MIN_VISIBLE[label]]


def _random_crop(
    image: Image,
    boxes: list[tuple[str, Box]],
    centre: tuple[float, float],
    scale: float,
    rng: np.random.Generator,
) -> Crop:
    """Return a square crop around a pixel of a picture, mirrored at random.

    boxes: label and box of each object, px of the picture. centre: (x, y), px of the picture. scale: crop px per
    picture px.
    """
    flip = -1.0 if rng.random() < 0.5 else 1.0
    half = CROP_PX / 2
    matrix = np.array([[flip * scale, 0, half - flip * scale * centre[0]], [0, scale, half - scale * centre[1]]])
    soft = cv2.GaussianBlur(image, (0, 0), 0.35 / scale) if scale < 0.7 else image
    flags = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
    crop = cv2.warpAffine(soft, matrix, (CROP_PX, CROP_PX), flags=flags, borderValue=(114.0, 114.0, 114.0))
    return Crop(np.asarray(crop, np.uint8), visible_boxes(boxes, matrix))


def visible_boxes(boxes: Sequence[tuple[str, Box]], matrix: NDArray[np.float64]) -> tuple[tuple[str, Box], ...]:
    """Return label and box (px of a crop) of the objects of which over 45 % lie inside the crop; boxes are clipped.

    boxes: label and box (x, y, width, height), px of the picture. matrix: affine map from picture to crop, (2, 3).
    """
    seen: list[tuple[str, Box]] = []
    for label, (x, y, w, h) in boxes:
        ends = np.array([[x, y], [x + w, y + h]]) @ matrix[:, :2].T + matrix[:, 2]
        low, high = ends.min(axis=0), ends.max(axis=0)
        inner_low, inner_high = np.clip(low, 0, CROP_PX), np.clip(high, 0, CROP_PX)
        share = float(np.prod(inner_high - inner_low) / max(1e-6, np.prod(high - low)))
        if share > 0.45 and np.all(inner_high - inner_low >= 3):
            width, height = inner_high - inner_low
            seen.append((label, (float(inner_low[0]), float(inner_low[1]), float(width), float(height))))
    return tuple(seen)


def with_camera_defects(image: Image, rng: np.random.Generator) -> Image:
    """Return a picture with random defects of cheap cameras: exposure, blur, sharpening, noise, JPEG artefacts."""
    x = np.arange(256, dtype=np.float32) / 255
    gamma = float(np.exp(rng.normal(-0.05, 0.18)))
    tables = [np.clip(x**gamma * float(rng.normal(1, 0.06)) + float(rng.normal(0, 0.015)), 0, 1) for _ in range(3)]
    spoiled = cv2.LUT(image, (np.stack(tables, axis=-1)[None] * 255).astype(np.uint8))
    chance = rng.random()
    if chance < 0.15:
        length, turn = float(rng.uniform(1.5, 4)), float(rng.uniform(0, np.pi))
        kernel = np.zeros((7, 7), np.float32)
        for step in np.linspace(-length / 2, length / 2, 15):
            kernel[round(3 + step * np.sin(turn)), round(3 + step * np.cos(turn))] += 1
        spoiled = cv2.filter2D(spoiled, -1, kernel / kernel.sum())
    elif chance < 0.22:
        spoiled = cv2.GaussianBlur(spoiled, (0, 0), float(rng.uniform(0.4, 0.9)))
    elif chance < 0.6:
        soft = cv2.GaussianBlur(spoiled, (0, 0), 1.2)
        amount = float(rng.uniform(0.3, 1.0))
        spoiled = cv2.addWeighted(spoiled, 1 + amount, soft, -amount, 0)
    if rng.random() < 0.4:
        grain = np.empty(image.shape, np.int16)
        cv2.setRNGSeed(int(rng.integers(1 << 30)))
        cv2.randn(grain, np.zeros(3), np.full(3, float(rng.uniform(1, 5))))
        spoiled = np.asarray(cv2.add(spoiled, grain, dtype=cv2.CV_8U))
    if rng.random() < 0.6:
        coded = cv2.imencode(".jpg", spoiled, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 96))])[1]
        spoiled = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))
    return np.asarray(spoiled, np.uint8)
