"""Training of the network that finds the field, its lattice and the spare."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze.pool import StoredScene
from models.maze.scenes import HEIGHT, WIDTH, Scene
from models.trainer import Trainer, import_pytorch
from models.trainer import export as exported
from vision.games.master.finding import CHANNELS, INPUT_HEIGHT, INPUT_WIDTH, PADDING, RECTIFIED_PX, STRIDE
from vision.games.master.lattice import UNIT, normalised, projected, to_picture
from vision.games.master.readings import SIZE

WIDTHS: Final = (12, 24, 40, 64, 96)
"""Channels at strides 2, 4, 8, 16 and 32."""
TRAINER: Final = Trainer(seed=20261126, batch=16, rate=4e-3, decay=0.02)
"""Hyperparameters."""
_SPREAD: Final = 1.2
"""Standard deviation of a point's blob, cells."""
_RECTIFIED: Final = 0.35
"""Fraction of batches that show the field roughly rectified, as the second pass does."""
_LATTICE: Final = np.stack(np.meshgrid(np.arange(SIZE + 1.0), np.arange(SIZE + 1.0)), -1).reshape(-1, 2)
_SQUARE: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


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
                nn.Sequential(block(width, wider, 2), block(wider, wider, 1))
                for width, wider in zip(WIDTHS, WIDTHS[1:], strict=False)
            )
            self.deep = nn.Sequential(block(WIDTHS[-1], WIDTHS[-1], 1), block(WIDTHS[-1], WIDTHS[-1], 1))
            self.narrow = nn.ModuleList(
                nn.Conv2d(wider, width, 1) for width, wider in zip(WIDTHS[1:], WIDTHS[2:], strict=False)
            )
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
            for narrow, up, skip in zip(
                reversed(self.narrow), reversed(self.up), reversed(kept[:-1]), strict=True
            ):
                shown = narrow(shown)
                shown = up(nn.functional.interpolate(shown, scale_factor=2, mode="nearest") + skip)
            return self.head(shown)

    del torch
    return Finder()


def train(scenes: list[StoredScene], folder: Path, epochs: int) -> Path:
    """Train on each picture once per epoch; return the weights' file. Resumes from an existing file."""

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        rectify = rng.random() < _RECTIFIED
        pairs = [_example(scenes[index].decoded(), rng, rectify) for index in chosen]
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*pairs, strict=True))

    return TRAINER.train(build, folder / "finder.pt", len(scenes), epochs, batch, _lost)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for pictures of any size and return the file."""
    return exported(build, weights, target, (1, 3, INPUT_HEIGHT, INPUT_WIDTH), "heat", {2: "h", 3: "w"})


def _lost(heat: Any, truth: Any) -> Any:
    torch = import_pytorch()
    weight = torch.tensor([8.0, 1.0, 3.0, 1.0])[:, None, None] * (1 + 6 * truth)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(heat, truth, reduction="none")
    return (loss * weight).mean()


def _example(
    scene: Scene, rng: np.random.Generator, rectify: bool
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return an input and its truth from a random crop of a picture."""
    image = scene.image
    known = bool(np.isfinite(scene.field).all())
    if rectify:
        width = height = RECTIFIED_PX
        field = scene.field if known else rng.uniform(0.1, 0.9, (4, 2)) * (WIDTH, HEIGHT)
        tile = np.linalg.norm(field[0] - field[2]) / (SIZE * np.sqrt(2))
        aim = np.roll(field, int(rng.integers(4)), 0) + rng.normal(0, 0.15 * tile, (4, 2)).clip(-0.4 * tile, 0.4 * tile)
        edge = rng.uniform(1.0, 1.9)
        scale = RECTIFIED_PX / (SIZE + 2 * edge)
        if not known:
            aim = field[0] + (UNIT / SIZE - 0.5) * rng.uniform(100, 400)
        matrix = np.array([[scale, 0, edge * scale], [0, scale, edge * scale], [0, 0, 1]]) @ np.linalg.inv(
            to_picture(aim)
        )
    else:
        width, height = INPUT_WIDTH, INPUT_HEIGHT
        inner = width * (1 - 2 * PADDING) / WIDTH
        zoom = inner * np.exp(rng.uniform(-0.3, 0.25))
        angle = rng.normal(0, 0.4) + rng.integers(4) * np.pi / 2 * (rng.random() < 0.3)
        cos, sin = zoom * np.cos(angle), zoom * np.sin(angle)
        middle = np.array([WIDTH / 2, HEIGHT / 2])
        turn = np.array([[cos, -sin], [sin, cos]])
        # As in play, what lies outside the picture's own frame is not shown.
        shift = np.array([width / 2, height / 2]) - turn @ middle + rng.normal(0, 0.05, 2) * width
        matrix = np.vstack([np.c_[turn, shift], [0, 0, 1]])
    shown = cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_AREA)
    if not rectify:
        left, top = round(PADDING * width), round(PADDING * height)
        frame = np.zeros((height, width, 1), np.uint8)
        frame[top : height - top, left : width - left] = 1
        shown = shown * frame
    shown = shown[..., rng.permutation(3)] if rng.random() < 0.5 else shown
    cells = (height // STRIDE, width // STRIDE)
    truth = np.zeros((CHANNELS, *cells), np.float32)
    if known:
        field = _mapped(scene.field, matrix)
        truth[0] = _blobs(field, cells)
        truth[1] = _filled(field, cells)
        truth[2] = _blobs(_mapped(projected(_LATTICE, to_picture(scene.field.astype(float))), matrix), cells)
    if np.isfinite(scene.spare).all():
        truth[3] = _filled(_mapped(scene.spare, matrix), cells)
    return normalised(np.ascontiguousarray(shown)), truth


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
