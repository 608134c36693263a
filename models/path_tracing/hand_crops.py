"""Crops of path-traced hands and their ground truth, for training and evaluation of the detector."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.detector.crops import MIN_VISIBLE, Crop, with_camera_defects
from vision.cameras.frame import Image
from vision.cameras.simulated.renderer import Box
from vision.detector import CROP_PX

_WITH_SIDES = 1.25
"""Median ratio of an enrolled area to that of the outline; a picture also shows an object's sides."""


@dataclass(frozen=True, slots=True)
class RenderedPiece:
    """Ground truth of a piece in a rendered hand."""

    visible: float
    """Visible fraction, 0..1."""
    box: Box | None
    """Box (px) of the visible part; None if hidden."""
    job_index: int = -1
    """Index of the piece in its render job, -1 where unknown."""


def rendered_hands(folder: Path) -> Iterator[tuple[int, Image, tuple[RenderedPiece, ...]]]:
    """Yield seed, picture (BGR) and true pieces of each rendered hand in a folder, sorted by seed."""
    lines = [line for file in folder.glob("truth-*.jsonl") for line in file.read_text("utf-8").splitlines()]
    for truth in sorted(map(json.loads, lines), key=lambda truth: int(truth["seed"])):
        picture = cv2.imread(str(folder / f"{truth['seed']}.png"))
        if picture is not None:
            yield int(truth["seed"]), np.asarray(picture, np.uint8), tuple(map(_parse_piece, truth["pieces"]))


def enrolled_area(outline: Sequence[Sequence[float]]) -> float:
    """Return the area (mm²) that enrolment would measure for a piece in a picture, which also shows its sides.

    It is that of the smallest rectangle around the outline, enlarged. outline: corners of the piece, mm.
    """
    width, height = cv2.minAreaRect(np.array(outline, np.float32))[1]
    return _WITH_SIDES * float(width * height)


def rendered_boxes(folder: Path) -> Iterator[tuple[int, Image, tuple[Box, ...]]]:
    """Yield seed, picture (BGR) and boxes of visible pieces of each rendered hand in a folder, sorted by seed."""
    for seed, picture, pieces in rendered_hands(folder):
        boxes = (piece.box for piece in pieces if piece.visible >= MIN_VISIBLE["piece"])
        yield seed, picture, tuple(box for box in boxes if box is not None)


def _parse_piece(truth: dict[str, Any]) -> RenderedPiece:
    """Return a piece from its JSON object in a line of ground truth."""
    job_index = int(truth.get("ordered", -1))
    if truth["box"] is None:
        return RenderedPiece(0.0, None, job_index)
    x, y, width, height = (float(value) for value in truth["box"])
    return RenderedPiece(float(truth["visible"]), (x, y, width, height), job_index)


def crop(picture: Image, boxes: tuple[Box, ...], rng: np.random.Generator, *, max_zoom: float = 1.15) -> Crop:
    """Return a rendered hand as a training crop: with camera defects, randomly enlarged, shifted and mirrored.

    picture: square, BGR. boxes: of visible pieces, px of the picture. max_zoom: maximum enlargement beyond the size
    of a crop.
    """
    side = picture.shape[0]
    photo = _with_sensor_defects(picture, rng)
    scale = CROP_PX / side * float(rng.uniform(1, max_zoom))
    slack = side * scale - CROP_PX
    left, top = (float(v) for v in rng.uniform(0, 1, 2) * slack)
    matrix = np.array([[scale, 0, (scale - 1) / 2 - left], [0, scale, (scale - 1) / 2 - top]])
    flags = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
    image = cv2.warpAffine(photo, matrix, (CROP_PX, CROP_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    placed = [_clip_box((x * scale - left, y * scale - top, w * scale, h * scale)) for x, y, w, h in boxes]
    if rng.random() < 0.5:
        image = cv2.flip(image, 1)
        placed = [(CROP_PX - x - w, y, w, h) for x, y, w, h in placed]
    kept = tuple(("piece", box) for box in placed if box[2] > 2 and box[3] > 2)
    return Crop(with_camera_defects(np.asarray(image, np.uint8), rng), kept)


def _clip_box(box: Box) -> Box:
    """Return the part of a box that lies inside the crop; width or height is negative if there is none."""
    x, y, w, h = box
    left, top = max(x, 0.0), max(y, 0.0)
    return left, top, min(x + w, CROP_PX) - left, min(y + h, CROP_PX) - top


def _with_sensor_defects(picture: Image, rng: np.random.Generator) -> Image:
    """Return a picture with the defects of a sensor: slight blur, noise, chroma subsampling."""
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 0.75)))
    grain = cv2.GaussianBlur(rng.normal(0, 1, picture.shape).astype(np.float32), (3, 3), 0.55)
    strength = float(rng.uniform(1, 5.5)) / max(1e-6, float(np.std(grain)))
    noisy = np.clip(soft + grain * strength, 0, 255).astype(np.uint8)
    even = noisy[: noisy.shape[0] // 2 * 2, : noisy.shape[1] // 2 * 2]
    noisy[: even.shape[0], : even.shape[1]] = cv2.cvtColor(
        cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420), cv2.COLOR_YUV2BGR_I420
    )
    return np.asarray(noisy, np.uint8)
