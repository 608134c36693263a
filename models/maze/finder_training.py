"""Training of the network that finds the field, its lattice and the spare."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze.pool import StoredScene
from models.maze.scenes import HEIGHT, WIDTH, Scene, random_camera
from models.maze.tables import table
from models.maze.textures import TextureBank
from models.trainer import Trainer, import_pytorch
from models.trainer import export as exported
from vision.cameras.frame import Image
from vision.games.master.finding import (
    CHANNELS,
    CORNER,
    FIELD,
    INPUT_HEIGHT,
    INPUT_WIDTH,
    PADDING,
    SPARE,
    STRIDE,
)
from vision.games.master.lattice import UNIT, normalised, projected, to_picture
from vision.games.master.readings import SIZE

WIDTHS: Final = (12, 24, 40, 64, 96)
"""Channels at strides 2, 4, 8, 16 and 32."""
TRAINER: Final = Trainer(seed=20261126, batch=16, rate=4e-3, decay=0.02)
"""Hyperparameters."""
FIELD_PX: Final = (55, 215)
"""Smallest and largest field, side of a square of the same area, px of the input."""
_SPREAD: Final = 1.5
"""Standard deviation of a point's blob, cells."""
_OTHER_TABLE: Final = 0.5
"""Fraction of boards that are cut out and laid on another table."""
_REDUCED: Final = 2
"""Factor by which pictures are shrunk when they are decoded."""
_TABLES: Final = 400
"""Number of other tables."""


def build() -> Any:
    """Return the network: an encoder to stride 32 and a decoder back to stride 4."""
    import torch
    from torch import nn

    def block(width: int, wider: int, stride: int) -> Any:
        return nn.Sequential(
            nn.Conv2d(width, wider, 3, stride, 1, bias=False),
            nn.BatchNorm2d(wider),
            nn.ReLU(),
        )

    class Finder(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.stem = block(3, WIDTHS[0], 2)
            self.down = nn.ModuleList(
                nn.Sequential(block(width, wider, 2), block(wider, wider, 1)) for width, wider in pairwise(WIDTHS)
            )
            self.deep = nn.Sequential(block(WIDTHS[-1], WIDTHS[-1], 1), block(WIDTHS[-1], WIDTHS[-1], 1))
            self.narrow = nn.ModuleList(nn.Conv2d(wider, width, 1) for width, wider in pairwise(WIDTHS[1:]))
            self.up = nn.ModuleList(block(width, width, 1) for width in WIDTHS[1:-1])
            self.head = nn.Conv2d(WIDTHS[1], CHANNELS, 1)
            nn.init.constant_(self.head.bias, -3)

        def forward(self, shown: Any) -> Any:
            shown = self.stem(shown)
            kept = list[Any]()
            for down in self.down:
                shown = down(shown)
                kept.append(shown)
            shown = self.deep(shown)
            for narrow, up, skip in zip(reversed(self.narrow), reversed(self.up), reversed(kept[:-1]), strict=True):
                shown = narrow(shown)
                shown = up(nn.functional.interpolate(shown, scale_factor=2, mode="nearest") + skip)
            return self.head(shown)

    del torch
    return Finder()


def train(scenes: list[StoredScene], folder: Path, epochs: int) -> Path:
    """Train on each picture once per epoch; return the weights' file. Resumes from an existing file."""

    tables = _tables()

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        pairs = [_example(scenes[index].decoded(_REDUCED), tables, rng) for index in chosen]
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*pairs, strict=True))

    return TRAINER.train(build, folder / "finder.pt", len(scenes), epochs, batch, _lost)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for pictures of any size and return the file."""
    return exported(build, weights, target, (1, 3, INPUT_HEIGHT, INPUT_WIDTH), "heat", {2: "h", 3: "w"})


def _lost(heat: Any, truth: Any) -> Any:
    torch = import_pytorch()
    weight = torch.tensor([6.0, 2.0, 2.0])[:, None, None] * (1 + 6 * truth)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(heat, truth, reduction="none")
    return (loss * weight).mean()


def _tables() -> list[Image]:
    """Return tables on which boards are laid, of the size of the input."""
    rng = np.random.default_rng(TRAINER.seed)
    bank = TextureBank(TRAINER.seed, 20)
    drawn = (table(bank, rng, (WIDTH, HEIGHT), random_camera(rng)) for _ in range(_TABLES))
    return [
        np.asarray(
            cv2.resize(np.asarray(255 * np.clip(one, 0, 1), np.uint8), (INPUT_WIDTH, INPUT_HEIGHT)), np.uint8
        )
        for one in drawn
    ]


def _example(
    scene: Scene, tables: list[Image], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return an input and its truth from a random crop of a picture, sometimes with another table."""
    known = bool(scene.tiles)
    width, height = INPUT_WIDTH, INPUT_HEIGHT
    zoom = width * (1 - 2 * PADDING) / WIDTH * np.exp(rng.uniform(-0.3, 0.25))
    if known:
        zoom = np.exp(rng.uniform(*np.log(FIELD_PX))) / np.sqrt(cv2.contourArea(scene.field))
    angle = rng.normal(0, 0.4) + rng.integers(4) * np.pi / 2 * (rng.random() < 0.3)
    cos, sin = zoom * np.cos(angle), zoom * np.sin(angle)
    middle = np.array([WIDTH / 2, HEIGHT / 2])
    middle = 0.5 * middle + 0.5 * scene.field.mean(0) if known else middle
    turn = np.array([[cos, -sin], [sin, cos]])
    shift = np.array([width / 2, height / 2]) - turn @ middle + rng.normal(0, 0.07, 2) * width
    matrix = np.vstack([np.c_[turn, shift], [0, 0, 1]])
    reduced = matrix @ np.diag([_REDUCED, _REDUCED, 1])
    shown = np.asarray(cv2.warpPerspective(scene.image, reduced, (width, height), flags=cv2.INTER_LINEAR))
    if known and rng.random() < _OTHER_TABLE:
        other = tables[rng.integers(len(tables))][
            :: rng.choice([-1, 1]), :: rng.choice([-1, 1]), rng.permutation(3)
        ]
        shown = _on_other_table(shown, scene, other, matrix, rng)
    left, top = round(PADDING * width), round(PADDING * height)
    frame = np.zeros((height, width, 1), np.uint8)
    frame[top : height - top, left : width - left] = 1
    shown = shown * frame
    shown = shown[..., rng.permutation(3)] if rng.random() < 0.5 else shown
    cells = (height // STRIDE, width // STRIDE)
    truth = np.zeros((CHANNELS, *cells), np.float32)
    if known:
        field = _mapped(scene.field, matrix)
        truth[CORNER] = _blobs(field, cells)
        truth[FIELD] = _filled(field, cells)
    if np.isfinite(scene.spare).all():
        truth[SPARE] = _filled(_mapped(scene.spare, matrix), cells)
    return normalised(np.ascontiguousarray(shown)), truth


def _on_other_table(
    shown: Image, scene: Scene, other: Image, matrix: NDArray[np.float64], rng: np.random.Generator
) -> Image:
    """Return an input with its board and spare cut out and laid on another table."""
    lit = other * (max(1.0, shown.mean()) / max(1.0, other.mean())) ** rng.random()
    edge = rng.choice([0.05, 0.3, 0.9]) * rng.uniform(0.5, 1.2)
    outside = UNIT + edge * np.sign(UNIT - SIZE / 2)
    cover = np.zeros(shown.shape[:2], np.float32)
    quads = [projected(outside, to_picture(scene.field.astype(float)))]
    if np.isfinite(scene.spare).all():
        quads.append(scene.spare.astype(float))
    for quad in quads:
        cv2.fillConvexPoly(cover, np.round(projected(quad, matrix) * 8).astype(np.int32), 1, cv2.LINE_AA, 3)
    return np.asarray(np.clip(lit + cover[..., None] * (shown - lit), 0, 255), np.uint8)


def _mapped(points: NDArray[Any], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of the picture in cells of the truth."""
    return (projected(points.astype(float), matrix) + 0.5) / STRIDE - 0.5


def _blobs(points: NDArray[np.float64], cells: tuple[int, int]) -> NDArray[np.float32]:
    """Return a map with a Gaussian blob of height 1 at each point."""
    heat = np.zeros(cells, np.float32)
    for x, y in points.tolist():
        if not (-3 < x < cells[1] + 3 and -3 < y < cells[0] + 3):
            continue
        left, top = max(0, int(x) - 4), max(0, int(y) - 4)
        part = heat[top : max(0, int(y) + 6), left : max(0, int(x) + 6)]
        rows, columns = np.mgrid[top : top + part.shape[0], left : left + part.shape[1]]
        blob = np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * _SPREAD**2))
        np.maximum(part, blob.astype(np.float32), out=part)
    return heat


def _filled(corners: NDArray[np.float64], cells: tuple[int, int]) -> NDArray[np.float32]:
    """Return a map that is 1 inside a quadrilateral."""
    heat = np.zeros(cells, np.float32)
    cv2.fillConvexPoly(heat, np.round(corners * 8).astype(np.int32), 1, cv2.LINE_8, 3)
    return heat
