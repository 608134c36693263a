"""Training of the network that detects wizards on single places, resumed after an interruption, and its export."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze_objects.train import random_hue_matrix
from models.maze_pawns.place_crops import BORDER, ZOOM, Places, concatenate
from models.residual_layers import residual_levels
from models.trainer import Trainer, import_pytorch, store_as_float16
from models.trainer import export as exported
from vision import colour
from vision.cameras.simulated.array_types import as_floats
from vision.games.master.objects.top_views import COLOUR_SCALE
from vision.games.master.objects.wizards.upright_crops import (
    CROP_PX,
    FOOT,
    PLANES,
    input_planes,
    similarities,
)

_OUTPUTS: Final = 2
"""Log odds of the wizard, and of a pawn of any paint."""
_WIDTHS: Final = (24, 48, 96, 160)
"""Channels of each level, each at half of the resolution of the one before."""
_BLOCKS: Final = (1, 2, 2, 1)
"""Residual blocks of each level."""
_HEAD: Final = (48, 96)
"""Channels to which the last level is reduced, and width of the hidden dense layer."""
_TRAINER: Final = Trainer(seed=20261128, batch=128, rate=3e-3, decay=0.02, max_gradient_norm=5.0)
_TRACED: Final = 0.5
"""Fraction of an epoch's places that are path-traced, where there are any."""
_SHIFT: Final = 1.5
"""Standard deviation of a crop's displacement, px."""
_TURN: Final = 6.0
"""Standard deviation of its rotation, degrees."""
_STRETCH: Final = 0.08
"""Standard deviation of the logarithm of its scale."""
_OTHER_HUES: Final = 0.4
"""Fraction of crops whose hues are changed, together with those of the paints."""
_OWN: Final = 0.5
"""Fraction of crops with a wizard in which that wizard is searched; in others, any of the four."""
_PAINT_ERROR: Final = np.array([0.08, 0.05, 0.05])
"""Standard deviations of simulated errors of the paints, per channel."""


def build() -> Any:
    """Return the network with random weights: residual blocks at four resolutions, then dense layers."""
    nn = import_pytorch().nn
    side = CROP_PX // 2 ** len(_WIDTHS)
    kept, hidden = _HEAD
    return nn.Sequential(
        *residual_levels(PLANES, _WIDTHS, _BLOCKS),
        nn.Conv2d(_WIDTHS[-1], kept, 1),
        nn.SiLU(),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(kept * side * side, hidden),
        nn.SiLU(),
        nn.Linear(hidden, _OUTPUTS),
    )


def epoch_places(drawn: Places, traced: Places | None) -> tuple[Places, NDArray[np.intp]]:
    """Return all places together, and the indices of those that are used in an epoch, with repetitions.

    Drawn places are used once; path-traced ones are repeated until they are the fraction `_TRACED` of the epoch.
    """
    count = len(drawn.image)
    if traced is None:
        return drawn, np.arange(count)
    repeated = np.arange(round(count * _TRACED / (1 - _TRACED))) % len(traced.image)
    return concatenate([drawn, traced]), np.concatenate([np.arange(count), count + repeated])


def train(places: Places, picked: NDArray[np.intp], folder: Path, epochs: int) -> Path:
    """Train once per epoch on each chosen place, and return the file of weights.

    Training resumes from an existing file. picked: indices of the chosen places, with repetitions. folder: of the
    file. Raises RuntimeError without PyTorch.
    """

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        made = [_training_example(places, int(index), rng) for index in picked[chosen]]
        return tuple(torch.from_numpy(np.stack(of)) for of in zip(*made, strict=True))

    return _TRAINER.train(build, folder / "pawns.pt", len(picked), epochs, batch, _loss)


def _training_example(places: Places, index: int, rng: np.random.Generator) -> tuple[NDArray[np.float32], ...]:
    """Return network input, presence (2,) and weights (2,) of one augmented place.

    The input is for one wizard, given by its paint; presence is that of this wizard and of any pawn. Augmentation
    changes position, mirroring, light and paints. index: of the place.
    """
    zoom = float(np.exp(rng.normal(0, _STRETCH))) / ZOOM
    stored = ZOOM * np.array(FOOT) + BORDER
    matrix = as_floats(cv2.getRotationMatrix2D(stored.tolist(), float(rng.normal(0, _TURN)), zoom))
    matrix[:, 2] += np.array(FOOT) + rng.normal(0, _SHIFT, 2) - stored
    shown = cv2.warpAffine(places.image[index], matrix, (CROP_PX, CROP_PX), borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.5:
        shown = shown[:, ::-1]
    if rng.random() < 0.2:
        shown = cv2.GaussianBlur(shown, (0, 0), float(rng.uniform(0.4, 0.9)))
    colours = (colour.of_view(np.ascontiguousarray(shown, np.uint8)) - places.levels[index]) * COLOUR_SCALE
    paints = places.paints[index] + rng.normal(0, 1, (4, 3)) * _PAINT_ERROR
    if rng.random() < 0.3:
        colours = colours + rng.standard_normal(colours.shape, np.float32) * float(rng.uniform(0.02, 0.1))
    shift = rng.normal(0, (0.15, 0.05, 0.05))  # the levels are those of a board with other things on it
    colours, paints = colours + shift, paints + shift
    if rng.random() < _OTHER_HUES:
        hues = random_hue_matrix(rng, rng.uniform(0.5, 1.3))
        colours[..., 1:], paints[:, 1:] = colours[..., 1:] @ hues, paints[:, 1:] @ hues
    present = places.present[index]
    standing = np.flatnonzero(present[:4])
    wizard = int(rng.choice(standing)) if len(standing) and rng.random() < _OWN else int(rng.integers(4))
    colours, paints = colours.astype(np.float32), paints.astype(np.float32)
    planes = input_planes(colours, similarities(colours, paints), wizard, float(places.lean[index]))
    chosen = [wizard, 4]
    return planes, present[chosen].astype(np.float32), places.weight[index, chosen].astype(np.float32)


def _loss(outputs: Any, present: Any, weight: Any) -> Any:
    """Return the weighted cross-entropy of the presence of the wizard in question and of any pawn."""
    of = import_pytorch().nn.functional
    each = of.binary_cross_entropy_with_logits(outputs, present, weight=weight, reduction="sum")
    return each / (weight.sum() + 1) * _OUTPUTS


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for any number of crops, with 16-bit weights; return the ONNX file."""
    store_as_float16(exported(build, weights, target, (1, PLANES, CROP_PX, CROP_PX), "pawns"))
    return target
