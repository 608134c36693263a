"""Train the network that detects pawns by their shape: crops of random boards, training and export."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.example_files import make_missing, read, write
from models.maze_objects.scene import RINGS, WIZARDS, Scene, random_scene
from models.trainer import Trainer, import_pytorch, store_as_float16
from models.trainer import export as exported
from vision.games.master.objects.pawn_network import CHANNELS, CROP_PX, pawn_crops
from vision.games.master.readings import SIZE

BOARDS_PER_FILE: Final = 50
"""Boards in each file."""
_SEED: Final = 0x9A3
"""Second part of the boards' seeds, so that other networks and fits draw other boards."""
_STEPS_PER_UNIT: Final = 31
"""Steps of the integers in which crops are stored, for a deviation of 1."""
_BESIDE: Final = 2
"""Places beside each wizard that are taken."""
_ELSEWHERE: Final = 12
"""Random places that are taken of each board."""
_GREY: Final = 0.3
"""Share of crops that lose most of their saturation."""
_WIDTHS: Final = (24, 32, 48)
"""Channels of each level."""
_HIDDEN: Final = 48
"""Width of the last layer but one."""
_TRAINER: Final = Trainer(seed=20261127, batch=96, rate=3e-3, decay=0.02, bfloat16=False)


@dataclass(frozen=True, eq=False)
class Pawns:
    """Crops, and whether a pawn stands in their middle."""

    crop: NDArray[np.int8]
    """(n, CHANNELS, CROP_PX, CROP_PX), in 1/31."""
    present: NDArray[np.uint8]
    """(n,)."""


_NAMES: Final = tuple(one.name for one in fields(Pawns))


def make(folder: Path, files: int, processes: int | None = None) -> list[Path]:
    """Write crops of random boards to files and return the files; existing ones are kept."""
    targets = [folder / f"{number:04}.npz" for number in range(files)]
    make_missing(targets, _make_one, "Drawing boards for pawns", processes)
    return targets


def _make_one(file: Path) -> None:
    cv2.setNumThreads(1)
    first = int(file.stem) * BOARDS_PER_FILE
    made = joined([board_pawns(number) for number in range(first, first + BOARDS_PER_FILE)])
    write(file, **{name: getattr(made, name) for name in _NAMES})


def load(files: list[Path]) -> Pawns:
    """Read and concatenate the crops in files."""
    crop, present = read(files, _NAMES)
    return Pawns(crop.astype(np.int8), present.astype(np.uint8))


def joined(parts: Sequence[Pawns]) -> Pawns:
    """Return the crops of several boards as one value."""
    return Pawns(np.concatenate([one.crop for one in parts]), np.concatenate([one.present for one in parts]))


def board_pawns(number: int) -> Pawns:
    """Return crops of a random board."""
    scene = random_scene(np.random.default_rng([number, _SEED]))
    return scene_pawns(scene, np.random.default_rng([number, _SEED, 1]))


def scene_pawns(scene: Scene, rng: np.random.Generator) -> Pawns:
    """Return crops of the wizards of a scene, of places beside them, of rings, and of random places."""
    occupied = scene.present[WIZARDS].max(axis=0)
    hidden = (scene.present[WIZARDS] & (scene.weight[WIZARDS] == 0)).max(axis=0) > 0
    standing = np.flatnonzero(occupied)
    rows, columns = np.divmod(np.repeat(standing, _BESIDE), SIZE)
    down, right = rng.integers(-1, 2, (2, len(rows)))
    beside = np.clip(rows + down, 0, SIZE - 1) * SIZE + np.clip(columns + right, 0, SIZE - 1)
    rings = np.flatnonzero(scene.present[RINGS].max(axis=0))
    places = np.unique(np.r_[standing, beside, rings, rng.integers(0, SIZE**2, _ELSEWHERE)])
    places = places[~hidden[places] & (scene.weight[WIZARDS][:, places].min(axis=0) > 0)]
    stored = np.clip(np.rint(pawn_crops(scene.view)[places] * _STEPS_PER_UNIT), -127, 127)
    return Pawns(stored.astype(np.int8), occupied[places])


def build() -> Any:
    """Return the network with random weights: three levels of convolutions and a layer for the whole crop."""
    import torch
    from torch import nn

    layers: list[Any] = []
    inputs = CHANNELS
    for width in _WIDTHS:
        layers += [nn.Conv2d(inputs, width, 3, 2, 1, bias=False), nn.BatchNorm2d(width), nn.SiLU()]
        inputs = width
    side = CROP_PX // 2 ** len(_WIDTHS)
    network = nn.Sequential(
        *layers,
        nn.Flatten(),
        nn.Linear(inputs * side**2, _HIDDEN),
        nn.SiLU(),
        nn.Dropout(0.2),
        nn.Linear(_HIDDEN, 1),
    )
    with torch.no_grad():
        network[-1].bias[:] = -2.0  # most crops are empty
    return network


def train(pawns: Pawns, folder: Path, epochs: int) -> Path:
    """Train once per epoch on each crop, mirrored and in random hues; return the weights' file.

    Resumes from an existing file. Raises RuntimeError when PyTorch is not installed.
    """

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        shown = pawns.crop[chosen].astype(np.float32) / _STEPS_PER_UNIT
        mirrored = rng.random(len(chosen)) < 0.5
        shown[mirrored] = shown[mirrored, ..., ::-1]
        shown[:, 1:3] = np.einsum("nij,njyx->niyx", _hues(len(chosen), rng), shown[:, 1:3])
        shown[:, :3] += rng.normal(0, 0.1, (len(chosen), 3, 1, 1)).astype(np.float32)
        return torch.from_numpy(shown), torch.from_numpy(pawns.present[chosen].astype(np.float32))

    return _TRAINER.train(build, folder / "pawns.pt", len(pawns.present), epochs, batch, _loss)


def _hues(count: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return random rotations, reflections and scalings of the two opponents, (count, 2, 2)."""
    angle = rng.uniform(0, 2 * np.pi, count)
    strength = np.where(rng.random(count) < _GREY, rng.uniform(0, 0.25, count), rng.uniform(0.4, 1.3, count))
    sign = rng.choice((-1.0, 1.0), count)
    cos, sin = np.cos(angle), np.sin(angle)
    turned = np.stack([np.stack([cos, -sin * sign], axis=1), np.stack([sin, cos * sign], axis=1)], axis=1)
    return (turned * strength[:, None, None]).astype(np.float32)


def _loss(outputs: Any, present: Any) -> Any:
    return import_pytorch().nn.functional.binary_cross_entropy_with_logits(outputs[:, 0], present)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for any number of crops, and return the file."""
    store_as_float16(exported(build, weights, target, (1, CHANNELS, CROP_PX, CROP_PX), "pawns"))
    return target
