"""Training of the network that detects objects in the maze, resumed after an interruption, and its export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze_objects.random_scenes import DISC, PAWN, RINGS, WIZARDS, Example, random_example
from models.residual_layers import residual_levels
from models.trainer import Trainer, import_pytorch, store_as_float16
from models.trainer import export as exported
from models.training_example_files import make_missing, read, write
from vision.games.master.objects.object_network import CELL_PX, OUTPUTS, PRESENCES, network_input
from vision.games.master.objects.top_views import MARGIN
from vision.games.master.readings import SIZE

EXAMPLES_PER_FILE: Final = 50
"""Examples in each file."""
_WIDTHS: Final = (16, 40, 80, 128, 160)
"""Channels of each level, from half of the input's resolution to one cell per tile."""
_BLOCKS: Final = (0, 1, 2, 2, 1)
"""Residual blocks of each level."""
_TRAINER: Final = Trainer(seed=20261126, batch=32, rate=3e-3, decay=0.02)
_CIRCLE_WEIGHT: Final = 1.0
"""Weight of the discs' circles in the loss."""
_WIZARD_WEIGHT: Final = 5.0
"""Weight of places with a wizard in the loss: with only three among 49 they are learned late otherwise."""
_OTHER_HUES_FRACTION: Final = 0.5
"""Fraction of examples whose hues are changed; colours of wizards and rings are not learned from them."""
_GREY_FRACTION: Final = 0.3
"""Fraction of these examples that lose most of their saturation."""
_LONE_TILES: Final = 0.15
"""Fraction of batches that show single tiles, as the spare is read."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Arrays of many examples along the first axis, named as in `Example`."""

    image: NDArray[np.uint8]
    """BGR, (n, INPUT_PX, INPUT_PX, 3)."""
    camera: NDArray[np.float32]
    """Positions of the cameras, in tiles."""
    present: NDArray[np.uint8]
    """Whether an object is there, (n, 10, 7, 7)."""
    weight: NDArray[np.uint8]
    """Whether that is visible enough to be learned from, (n, 10, 7, 7)."""
    discs: NDArray[np.float32]
    """Offsets of the discs' centres and their radii, in tiles, (n, 3, 7, 7)."""


_NAMES: Final = tuple(one.name for one in fields(Examples))


def make_examples(folder: Path, files: int, processes: int | None = None) -> list[Path]:
    """Write random examples to numbered files in parallel, and return the files; existing ones are kept."""
    targets = [folder / f"{number:04}.npz" for number in range(files)]
    make_missing(targets, _make_one, "Drawing boards", processes)
    return targets


def _make_one(file: Path) -> None:
    """Draw the examples of one file; its number is their seed."""
    cv2.setNumThreads(1)
    first = int(file.stem) * EXAMPLES_PER_FILE
    made = stack([random_example(np.random.default_rng([first + k, 0x0B1])) for k in range(EXAMPLES_PER_FILE)])
    write(file, **{name: getattr(made, name) for name in _NAMES})


def stack(made: list[Example]) -> Examples:
    """Return examples as arrays."""
    return _examples([np.stack([getattr(one, name) for one in made]) for name in _NAMES])


def load(files: list[Path]) -> Examples:
    """Read and concatenate the examples in files."""
    return _examples(read(files, _NAMES))


def _examples(arrays: Sequence[NDArray[Any]]) -> Examples:
    """Return arrays, which are in the order of the fields of `Examples`, as `Examples`."""
    image, camera, present, weight, discs = arrays
    return Examples(
        image.astype(np.uint8),
        camera.astype(np.float32),
        present.astype(np.uint8),
        weight.astype(np.uint8),
        discs.astype(np.float32),
    )


def build() -> Any:
    """Return the network with random weights: five levels of convolutions, and one output cell per tile."""
    torch = import_pytorch()
    nn = torch.nn
    levels = residual_levels(5, _WIDTHS, _BLOCKS)
    network = nn.Sequential(*levels, nn.Conv2d(_WIDTHS[-1], OUTPUTS, 1))
    with torch.no_grad():
        network[-1].bias[:PRESENCES] = -3.0  # most places are empty
    return network


def train(examples: Examples, folder: Path, epochs: int) -> Path:
    """Train on each example once per epoch, mirrored and rotated at random, and return the file of weights.

    Training resumes from an existing file. folder: of that file. Raises RuntimeError without PyTorch.
    """

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        lone = rng.random() < _LONE_TILES
        made = [_training_example(examples, int(index), rng, lone=lone) for index in chosen]
        return tuple(torch.from_numpy(np.stack(of)) for of in zip(*made, strict=True))

    return _TRAINER.train(build, folder / "objects.pt", len(examples.image), epochs, batch, _loss)


def _training_example(
    examples: Examples, index: int, rng: np.random.Generator, *, lone: bool
) -> tuple[NDArray[np.float32], ...]:
    """Return an example, randomly rotated and mirrored: network input, presence, weights, and discs.

    lone: whether to return a single tile of it instead of the board, as the spare tile is read.
    """
    image, present, weight = examples.image[index], examples.present[index], examples.weight[index]
    discs, camera = examples.discs[index].copy(), examples.camera[index].copy()
    if rng.random() < 0.5:
        image, present, weight, discs = (
            image[:, ::-1],
            present[..., ::-1],
            weight[..., ::-1],
            discs[..., ::-1].copy(),
        )
        discs[0] *= -1
        camera[0] = SIZE - camera[0]
    turns = int(rng.integers(4))
    image = np.rot90(image, turns)
    present, weight, discs = (np.rot90(of, turns, (1, 2)) for of in (present, weight, discs))
    for _ in range(turns):
        discs = np.stack([discs[1], -discs[0], discs[2]])
        camera = np.array([camera[1], SIZE - camera[0], camera[2]], np.float32)
    if lone:
        row, column = (int(v) for v in rng.integers(0, SIZE, 2))
        side = (1 + 2 * MARGIN) * CELL_PX
        image = image[row * CELL_PX : row * CELL_PX + side, column * CELL_PX : column * CELL_PX + side]
        one = (slice(None), slice(row, row + 1), slice(column, column + 1))
        present, weight, discs = present[one], weight[one], discs[one]
        camera = camera - np.array([column, row, 0], np.float32)
    shown = network_input(np.ascontiguousarray(image), (float(camera[0]), float(camera[1]), float(camera[2])))
    weight = weight.astype(np.float32)
    if rng.random() < _OTHER_HUES_FRACTION:
        shown[1:3] = np.tensordot(_random_hue_change(rng), shown[1:3], 1)
        weight[WIZARDS] = weight[RINGS] = 0
    return shown, present.astype(np.float32), weight, np.ascontiguousarray(discs, np.float32)


def _random_hue_change(rng: np.random.Generator) -> NDArray[np.float32]:
    """Return a random matrix (2, 2) on the two opponent colours that changes hues and often reduces saturation."""
    return random_hue_matrix(rng, rng.uniform(0, 0.25) if rng.random() < _GREY_FRACTION else rng.uniform(0.4, 1.3))


def random_hue_matrix(rng: np.random.Generator, strength: float) -> NDArray[np.float32]:
    """Return a matrix (2, 2) that rotates, and perhaps mirrors, the two opponent colours at random.

    strength: factor on the saturation.
    """
    angle, sign = rng.uniform(0, 2 * np.pi), rng.choice((-1.0, 1.0))
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(strength * np.array([[cos, -sin * sign], [sin, cos * sign]]), np.float32)


def _loss(outputs: Any, present: Any, weight: Any, discs: Any) -> Any:
    """Return the loss: cross-entropy of presence, and error of centre and radius where there are discs."""
    of = import_pytorch().nn.functional
    inner = outputs[:, :, MARGIN:-MARGIN, MARGIN:-MARGIN]
    rare = present.new_ones(PRESENCES, 1, 1)
    rare[WIZARDS] = rare[PAWN] = _WIZARD_WEIGHT
    presence = of.binary_cross_entropy_with_logits(
        inner[:, :PRESENCES], present, weight=weight, pos_weight=rare, reduction="sum"
    )
    there = (present * weight)[:, DISC : DISC + 1]
    circles = of.smooth_l1_loss(inner[:, PRESENCES:], discs, reduction="none", beta=0.05) * there
    return 10 * presence / (weight.sum() + 1) + _CIRCLE_WEIGHT * circles.sum() / (there.sum() + 1)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX with 16-bit weights, and return the ONNX file.

    The network takes one top view whose sides are multiples of 32 px.
    """
    side = (SIZE + 2 * MARGIN) * CELL_PX
    store_as_float16(exported(build, weights, target, (1, 5, side, side), "objects", {2: "height", 3: "width"}))
    return target
