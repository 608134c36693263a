"""Generate boards, train the print segmentation on them, resume, and export it for play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.example_files import make_missing, read, write
from models.print_segmentation.scenes import SIDE_PX, PrintedScene, scene
from models.trainer import Trainer, import_pytorch, store_as_float16
from models.trainer import export as exported
from vision.counting.pixel_features import STEP
from vision.counting.print_segmentation import FAR_PX, FEATURES, OUTPUTS, PAINT, SIDES

FIRST_SEED = 8_020_000
"""Seed of the first scene."""
PER_FILE = 50
"""Scenes per file."""
_WIDTHS = (FEATURES, 48, 72, 96)
"""Channels of each level."""
_CUT_PX = 192
"""Side of the training crop, px."""
_STEM = 16
"""Channels of the first convolution."""
_TRAINER = Trainer(seed=20261124, batch=16, rate=3e-3, decay=0.02, rising=0.15, max_gradient_norm=5.0)
_BOX_WEIGHT = 0.5
"""Weight of the boxes' loss against that of presence."""
_PAINT_WEIGHT = 0.25
"""Weight of the paints' loss against that of presence."""


@dataclass(frozen=True, slots=True)
class PrintSamples:
    """Training examples."""

    images: NDArray[np.uint8]
    """BGR uint8, (n, side, side, 3)."""
    whose: NDArray[np.uint8]
    """1 + index of the object at each pixel, 0 for none, (n, side, side)."""
    paints: NDArray[np.uint8]
    """Linear BGR of each object, (n, 256, 3)."""


def make(folder: Path, files: int, processes: int | None = None) -> list[Path]:
    """Write random scenes to files, `PER_FILE` in each, and return the files; existing ones are kept."""
    targets = [folder / f"{FIRST_SEED + number * PER_FILE}.npz" for number in range(files)]
    make_missing(targets, _make_one, "Generating boards", processes)
    return targets


def _make_one(file: Path) -> None:
    cv2.setNumThreads(1)
    boards = stack([scene(np.random.default_rng([int(file.stem) + number, 0xB0A2D])) for number in range(PER_FILE)])
    write(file, images=boards.images, whose=boards.whose, paints=boards.paints)


def stack(made: Sequence[PrintedScene]) -> PrintSamples:
    """Stack scenes into arrays."""
    paints = np.zeros((len(made), 256, 3), np.uint8)
    for number, one in enumerate(made):
        paints[number, 1 : 1 + len(one.paints)] = one.paints
    return PrintSamples(np.stack([one.image for one in made]), np.stack([one.whose for one in made]), paints)


def load(files: Sequence[Path]) -> PrintSamples:
    """Read and concatenate the examples in files."""
    images, whose, paints = read(files, ("images", "whose", "paints"))
    return PrintSamples(np.asarray(images, np.uint8), np.asarray(whose, np.uint8), np.asarray(paints, np.uint8))


def build() -> Any:
    """Return the network with random weights: encoder to 1/16 of the resolution, decoder, residual blocks."""
    import torch
    from torch import nn

    def conv(inputs: int, outputs: int, stride: int = 1) -> Any:
        return nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU()
        )

    # PyTorch is not installed where types are checked, so its classes are untyped.
    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self, width: int) -> None:
            super().__init__()
            self.inner = nn.Sequential(conv(width, width), conv(width, width))

        def forward(self, x: Any) -> Any:
            return x + self.inner(x)

    class Segmenter(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.stem = conv(3, _STEM)
            widths = (_STEM, *_WIDTHS)
            self.down = nn.ModuleList(nn.Sequential(conv(a, b, 2), Block(b), Block(b)) for a, b in pairwise(widths))
            self.lateral = nn.ModuleList(nn.Conv2d(b, a, 1) for a, b in pairwise(_WIDTHS))
            self.up = nn.ModuleList(Block(a) for a in _WIDTHS[:-1])
            self.tell = nn.Conv2d(FEATURES, OUTPUTS, 1)

        def forward(self, x: Any) -> Any:
            x = self.stem(x)
            seen = []
            for down in self.down:
                x = down(x)
                seen.append(x)
            for level in (2, 1, 0):
                x = nn.functional.interpolate(self.lateral[level](x), scale_factor=2, mode="nearest")
                x = self.up[level](x + seen[level])
            return torch.cat([self.tell(x), x], 1)

    return Segmenter()


def train(boards: PrintSamples, folder: Path, epochs: int) -> Path:
    """Train on a random crop of each scene once per epoch; return the weights' file.

    Resumes from an existing file.

    Raises RuntimeError when PyTorch is not installed.
    """

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        return _batch(torch, boards, chosen, rng)

    return _TRAINER.train(build, folder / "printed.pt", len(boards.images), epochs, batch, _lost)


def _lost(told: Any, there: Any, sides: Any, paint: Any) -> Any:
    of, inside = import_pytorch().nn.functional, there[:, None]
    some = inside.sum() + 1
    shown = of.binary_cross_entropy_with_logits(told[:, 0], there)
    box = of.smooth_l1_loss(told[:, SIDES], sides, reduction="none", beta=0.1)
    own = of.smooth_l1_loss(told[:, PAINT], paint, reduction="none", beta=0.2)
    return shown + (_BOX_WEIGHT * (box * inside).sum() + _PAINT_WEIGHT * (own * inside).sum()) / some


def _batch(torch: Any, boards: PrintSamples, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
    """Return random crops of the chosen scenes, mirrored and rotated by quarter turns, with their targets."""
    images, there, sides, paints = [], [], [], []
    for number in chosen:
        top, left = (2 * int(rng.integers(0, (SIDE_PX - _CUT_PX) // 2 + 1)) for _ in range(2))
        window = (slice(top, top + _CUT_PX), slice(left, left + _CUT_PX))
        turns, mirrored = int(rng.integers(4)), rng.random() < 0.5
        image, whose = boards.images[number][window], boards.whose[number][window]
        if mirrored:
            image, whose = image[:, ::-1], whose[:, ::-1]
        image, whose = np.rot90(image, turns), np.ascontiguousarray(np.rot90(whose, turns))
        own, far, colour = wanted(whose, boards.paints[number])
        images.append(image.transpose(2, 0, 1))
        there.append(own)
        sides.append(far)
        paints.append(colour)
    seen = torch.from_numpy(np.ascontiguousarray(np.stack(images))).float() / 255
    return seen, *(torch.from_numpy(np.stack(of)) for of in (there, sides, paints))


def wanted(
    whose: NDArray[np.uint8], paints: NDArray[np.uint8]
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Return the targets at each cell: presence of an object, distances to the sides of its box (4), paint (3)."""
    own = whose[STEP // 2 :: STEP, STEP // 2 :: STEP]
    rows, columns = np.nonzero(whose)
    ids = whose[rows, columns]
    low, high = np.full((2, 256), 1 << 20, np.int64), np.full((2, 256), -1, np.int64)
    for axis, values in enumerate((columns, rows)):
        np.minimum.at(low[axis], ids, values)
        np.maximum.at(high[axis], ids, values)
    y, x = np.indices(own.shape) * STEP + STEP // 2
    far = np.stack([x - low[0][own], y - low[1][own], high[0][own] - x, high[1][own] - y]) / FAR_PX
    far[:, own == 0] = 0
    light = (paints.astype(np.float32) / 255 + 0.02)[own].transpose(2, 0, 1)
    logs = np.log(light)
    colour = np.stack([logs.mean(axis=0), logs[2] - logs[1], logs[0] - logs[1]])
    return (own > 0).astype(np.float32), far.astype(np.float32), colour.astype(np.float32)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for one picture whose sides are multiples of 16 px, and return the file."""
    store_as_float16(exported(build, weights, target, (1, 3, 64, 64), "told", {2: "height", 3: "width"}))
    return target
