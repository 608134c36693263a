"""Training of the network that compares the sides of tiles with the known ones of the same picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from models.maze.pool import StoredScene
from models.maze.scenes import Scene
from models.maze.tiles import turned
from models.trainer import Trainer, import_pytorch
from models.trainer import export as exported
from vision.games.master.lattice import KNOWN, OPEN, SIDE_PX, SIDES, normalised, rectified
from vision.games.master.readings import SIZE
from vision.games.master.sides import CHANNELS, COVERED, DIMENSIONS, SHIFTED

WIDTHS: Final = (16, 32, 48)
"""Channels at strides 2, 4 and 8."""
TRAINER: Final = Trainer(seed=20261127, batch=16, rate=4e-3, decay=0.02)
"""Hyperparameters."""
_CORNER_SPREAD: Final = 0.06
"""Standard deviation of the error of each corner of the field, in tiles."""
_MIN_VISIBLE: Final = 0.8
"""A tile of which less is inside the picture is not learned from."""
_IN_ORDER: Final = np.arange(SIZE**2).reshape(SIZE, SIZE)


def build() -> Any:
    """Return the network: convolutions to stride 8 with wide context, then one readout per tile."""
    from torch import nn

    def block(width: int, wider: int, stride: int = 1, dilation: int = 1) -> list[Any]:
        return [
            nn.Conv2d(width, wider, 3, stride, dilation, dilation, bias=False),
            nn.BatchNorm2d(wider),
            nn.ReLU(),
        ]

    narrow, middle, wide = WIDTHS
    return nn.Sequential(
        *block(3, narrow, 2),
        *block(narrow, middle, 2),
        *block(middle, middle),
        *block(middle, wide, 2),
        *block(wide, wide),
        *block(wide, wide, 1, 2),
        *block(wide, wide),
        # Tiles begin half a tile, two cells of the map, inside the picture: the readouts begin one tile before.
        nn.Conv2d(wide, 2 * wide, 4, 4, 2),
        nn.ReLU(),
        nn.Conv2d(2 * wide, CHANNELS, 1),
    )


def train(scenes: list[StoredScene], folder: Path, epochs: int) -> Path:
    """Train on each picture once per epoch; return the weights' file. Resumes from an existing file."""
    boards = [scene for scene in scenes if scene.truth.tiles]

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        examples = [_example(boards[index].decoded(), rng) for index in chosen]
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*examples, strict=True))

    return TRAINER.train(build, folder / "sides.pt", len(boards), epochs, batch, _lost)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for any number of boards and return the file."""
    return exported(build, weights, target, (1, 3, SIDE_PX, SIDE_PX), "tiles", {0: "n"})


def _example(scene: Scene, rng: np.random.Generator) -> tuple[NDArray[np.float32], ...]:
    """Return an input, the open sides (49, 4), their weights (49,), covered and shifted tiles (3, 49)."""
    quarters = int(rng.integers(4))
    field = scene.field.astype(float)
    tile = np.linalg.norm(field[0] - field[2]) / (SIZE * np.sqrt(2))
    field += rng.normal(0, _CORNER_SPREAD * tile, (4, 2))
    shown = rectified(scene.image, np.roll(field, quarters, 0))
    if rng.random() < 0.5:
        shown = np.ascontiguousarray(shown[..., rng.permutation(3)])
    order = np.rot90(_IN_ORDER, -quarters).reshape(-1)
    tiles = [turned(scene.tiles[place], quarters) for place in order]
    sides = np.array([[side in openings for side in SIDES] for openings in tiles], np.float32)
    shifted = np.zeros((2, SIZE, SIZE), np.float32)
    if scene.half_pushed >= 0:
        along, number = divmod(scene.half_pushed, SIZE)
        (shifted[0] if along == 0 else shifted[1].T)[number] = 1
        shifted = np.rot90(shifted, -quarters, (1, 2))
        if quarters % 2:
            shifted = shifted[::-1]
    shifted = shifted.reshape(2, -1)
    edge = SIDE_PX // (2 * (SIZE + 1))
    inner = shown[edge:-edge, edge:-edge].any(-1).reshape(SIZE, 2 * edge, SIZE, 2 * edge)
    visible = inner.mean((1, 3)).reshape(-1)
    covered = np.maximum(scene.covered[order], visible < _MIN_VISIBLE).astype(np.float32)
    weights = (1 - covered) * (1 - shifted.max(0))
    return normalised(shown), sides, weights.astype(np.float32), np.concatenate([covered[None], shifted])


def _lost(output: Any, sides: Any, weights: Any, flags: Any) -> Any:
    """Return the loss: sides by comparison and alone, covered and shifted tiles."""
    torch = import_pytorch()
    count = len(output)
    flat = output[..., 1:-1, 1:-1].reshape(count, CHANNELS, SIZE**2).transpose(1, 2)
    each = flat[..., : 4 * (DIMENSIONS + 1)].reshape(count, SIZE**2, 4, DIMENSIONS + 1)
    points, alone = each[..., :-1], each[..., -1]
    known = torch.from_numpy(KNOWN)[:, None].float() * weights[..., None]
    opened = torch.from_numpy(OPEN).float()
    far = list[Any]()
    for class_ in (opened, 1 - opened):
        share = known * class_
        total = (share[..., None] * points).sum((1, 2), keepdim=True)
        number = share.sum((1, 2), keepdim=True)[..., None]
        # A known side is compared with the others, not with itself.
        mean = (total - share[..., None] * points) / (number - share[..., None]).clamp(min=1)
        far.append(((points - mean) ** 2).sum(-1))
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    compared = loss(far[1] - far[0] + alone, sides, reduction="none")
    generic = loss(alone, sides, reduction="none")
    mean = ((compared + 0.1 * generic).mean(-1) * weights).sum() / weights.sum().clamp(min=1)
    marks = flat[..., COVERED : SHIFTED + 2].transpose(1, 2)
    return mean + 0.3 * loss(marks, flags) * 3
