"""Training of the network that compares sides of tiles with the known sides of fixed tiles in the same picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from models.maze_sides.picture_files import StoredScene
from models.maze_sides.synthetic_photographs import LabelledPicture
from models.trainer import Trainer, import_pytorch
from models.trainer import export as exported
from vision.games.master.field.rectification import (
    CENTRES,
    KNOWN,
    OPEN,
    SIDE_PX,
    SIDES,
    normalised,
    rectified,
    to_picture,
)
from vision.games.master.field.tiles.open_sides import CHANNELS, COVERED, DIMENSIONS, OFFSET
from vision.games.master.objects.board_orientation import turned_openings
from vision.games.master.readings import SIZE

WIDTHS: Final = (16, 32, 48)
"""Channels at strides 2, 4 and 8."""
TRAINER: Final = Trainer(seed=20261127, batch=32, rate=5e-3, decay=0.02)
"""Hyperparameters."""
_FINE, _ROUGH = 0.05, 0.12
"""Standard deviations of errors of the field's corners, in tiles: after refinement, and before it."""
_ROUGH_FRACTION, _MAX_SHIFT = 0.4, 0.4
"""Fraction of examples with corners as before refinement, and largest shift of their field, in tiles."""
_MAX_OFFSET: Final = 0.2
"""Offset from the assumed place above which a tile's sides are not learned from, in tiles."""
_MIN_VISIBLE: Final = 0.8
"""Fraction of a tile inside the picture below which it is not learned from."""
_PLACES: Final = np.arange(SIZE**2).reshape(SIZE, SIZE)
"""Places by row and column."""


def build() -> Any:
    """Return the network with random weights: convolutions to stride 8, then outputs per tile.

    Raises ImportError without PyTorch.
    """
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
    """Train on each picture with a board once per epoch, and return the file of weights.

    Training resumes from an existing file. folder: of that file.
    """
    boards = [scene for scene in scenes if scene.truth.tiles]

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        examples = [_training_example(boards[index].decoded(), rng) for index in chosen]
        return tuple(torch.from_numpy(np.stack(part)) for part in zip(*examples, strict=True))

    return TRAINER.train(build, folder / "sides.pt", len(boards), epochs, batch, _loss)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for any number of boards, and return the ONNX file."""
    return exported(build, weights, target, (1, 3, SIDE_PX, SIDE_PX), "tiles")


def _training_example(scene: LabelledPicture, rng: np.random.Generator) -> tuple[NDArray[np.float32], ...]:
    """Return one randomly rotated and distorted example: the network's input, then the four targets.

    The targets are: whether each side is open (49, 4); weights of the tiles (49,); whether each tile is covered, in
    a shifted row, in a shifted column (3, 49); and offsets x, y of each tile from its assumed place, in tiles, with
    a weight (3, 49).
    """
    quarters = int(rng.integers(4))
    field = scene.field.astype(float)
    tile = np.linalg.norm(field[0] - field[2]) / (SIZE * np.sqrt(2))
    true = np.roll(field, quarters, 0)
    rough = rng.random() < _ROUGH_FRACTION
    assumed = true + rng.normal(0, (_ROUGH if rough else _FINE) * tile, (4, 2))
    assumed += rough * rng.uniform(-_MAX_SHIFT, _MAX_SHIFT, 2) * tile
    shown = rectified(scene.image, assumed)
    offsets = map_points(CENTRES, np.linalg.inv(to_picture(assumed)) @ to_picture(true)) - CENTRES
    if rng.random() < 0.5:
        shown = np.ascontiguousarray(shown[..., rng.permutation(3)])
    order = np.rot90(_PLACES, -quarters).reshape(-1)
    tiles = [turned_openings(scene.tiles[place], quarters) for place in order]
    sides = np.array([[side in openings for side in SIDES] for openings in tiles], np.float32)
    shifted = np.zeros((2, SIZE, SIZE), np.float32)
    if scene.half_pushed >= 0:
        along, number = divmod(scene.half_pushed, SIZE)
        (shifted[0] if along == 0 else shifted[1].T)[number] = 1
        shifted = np.rot90(shifted, -quarters, (1, 2))
        if quarters % 2:
            shifted = shifted[::-1]
    lines = shifted.reshape(2, -1)
    edge = SIDE_PX // (2 * (SIZE + 1))
    inner = shown[edge:-edge, edge:-edge].any(-1).reshape(SIZE, 2 * edge, SIZE, 2 * edge)
    inside = inner.mean((1, 3)).reshape(-1)
    covered = np.maximum(scene.covered[order], inside < _MIN_VISIBLE).astype(np.float32)
    visible = (1 - covered) * (1 - lines.max(0))
    weights = visible * (np.linalg.norm(offsets, axis=1) < _MAX_OFFSET)
    return (
        normalised(shown),
        sides,
        weights.astype(np.float32),
        np.concatenate([covered[None], lines]),
        np.concatenate([offsets.T, visible[None]]).astype(np.float32),
    )


def _loss(output: Any, sides: Any, weights: Any, flags: Any, offsets: Any) -> Any:
    """Return the sum of the losses: open sides, covered and shifted tiles, offsets.

    The sides are predicted by comparison with known ones, and also from each tile alone. sides, weights, flags,
    offsets: the targets of `_training_example`.
    """
    torch = import_pytorch()
    count = len(output)
    flat = output[..., 1:-1, 1:-1].reshape(count, CHANNELS, SIZE**2).transpose(1, 2)
    each = flat[..., : 4 * (DIMENSIONS + 1)].reshape(count, SIZE**2, 4, DIMENSIONS + 1)
    points, alone = each[..., :-1], each[..., -1]
    known = torch.from_numpy(KNOWN).to(output.device)[:, None].float() * weights[..., None]
    opened = torch.from_numpy(OPEN).to(output.device).float()
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
    marks = flat[..., COVERED:OFFSET].transpose(1, 2)
    apart = torch.nn.functional.smooth_l1_loss(
        flat[..., OFFSET:CHANNELS].transpose(1, 2), offsets[:, :2], reduction="none", beta=0.1
    )
    misplaced = (apart.mean(1) * offsets[:, 2]).sum() / offsets[:, 2].sum().clamp(min=1)
    return mean + loss(marks, flags) + 2 * misplaced
