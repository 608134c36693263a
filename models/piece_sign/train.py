"""Training of the piece/sign classifier, resumed after an interruption, and its export for play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.piece_sign.examples import LEVELS, BoxExamples
from models.trainer import Trainer, import_pytorch
from models.trainer import export as exported
from vision.hands.piece_sign_classifier import HIDES, NOWHERE, OUTPUTS, PLANES, SIDE_PX, SIGN, SIGN_PLANES

_WIDTHS = (24, 24, 48, 48, 72)
"""Channels of each convolution."""
_STRIDES = (2, 1, 2, 1, 2)
"""Stride of each convolution."""
_TRAINER = Trainer(seed=20261123, batch=128, rate=2e-3, decay=0.05)
_NO_SIGN = 0.06
"""Fraction of examples without a sign in the box that are treated as if the sign were not enrolled."""
_MAX_ROTATION = 0.5
"""Largest random rotation of a view, radians; quarter turns and mirroring are added."""
_MAX_ZOOM = 0.1
"""Largest random zoom of a view, as a fraction."""
_MAX_SHIFT = 2.0 / SIDE_PX
"""Largest random shift of a view, in view widths."""
_BRIGHTNESS_SPREAD = 0.2
"""Standard deviation of a random offset of brightness."""
_HUE_SPREAD = 0.12
"""Standard deviation of random offsets of hue."""
_CONTRAST_SPREAD = 0.15
"""Standard deviation of the log of a factor on each plane: kinds differ more on some tables."""
_NOISE_SPREAD = 0.05
"""Standard deviation of pixel noise."""


def build() -> Any:
    """Return the network with random weights: five convolutions, then two dense layers."""
    from torch import nn

    def step(inputs: int, outputs: int, stride: int) -> list[Any]:
        return [nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU()]

    layers, width = list[Any](), PLANES
    for wider, stride in zip(_WIDTHS, _STRIDES, strict=True):
        layers += step(width, wider, stride)
        width = wider
    side = SIDE_PX // 8
    return nn.Sequential(
        *layers,
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(width * side * side, 64),
        nn.SiLU(),
        nn.Linear(64, OUTPUTS),
    )


def train(views: BoxExamples, folder: Path, epochs: int) -> Path:
    """Train on each box once per epoch, compared with a random sign, and return the file of weights.

    Training resumes from an existing file. folder: of that file. Raises RuntimeError without PyTorch.
    """

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        return *_augmented_batch(torch, views, chosen, rng), torch.from_numpy(views.more[chosen].astype(np.float32))

    def lost(logits: Any, shown: Any, more: Any) -> Any:
        of = import_pytorch().nn.functional
        return of.cross_entropy(logits[:, :HIDES], shown) + of.poisson_nll_loss(logits[:, HIDES], more)

    return _TRAINER.train(build, folder / "likeness.pt", len(views.views), epochs, batch, lost)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for any number of inputs, and return the ONNX file."""
    return exported(build, weights, target, (1, PLANES, SIDE_PX, SIDE_PX), "told")


def _augmented_batch(
    torch: Any, views: BoxExamples, chosen: NDArray[np.intp], rng: np.random.Generator
) -> tuple[Any, Any]:
    """Return augmented inputs of some boxes, each for a random sign to compare with, and their true classes.

    torch: the PyTorch module. chosen: indices of the boxes.
    """
    sign = rng.integers(views.outcomes.shape[1], size=len(chosen))
    shown = views.outcomes[chosen, sign].astype(np.int64)
    seen = torch.from_numpy(views.views[chosen, sign].astype(np.float32) / LEVELS)
    without = (rng.random(len(chosen)) < _NO_SIGN) & (shown < SIGN)
    seen[torch.from_numpy(without), SIGN_PLANES] = NOWHERE
    seen = torch.rot90(seen.flip(3) if rng.random() < 0.5 else seen, int(rng.integers(4)), (2, 3))
    turn, zoom = (
        rng.uniform(-_MAX_ROTATION, _MAX_ROTATION, len(chosen)),
        1 + rng.uniform(-_MAX_ZOOM, _MAX_ZOOM, len(chosen)),
    )
    shift = rng.uniform(-_MAX_SHIFT, _MAX_SHIFT, (2, len(chosen)))
    moved = np.array(
        [
            [zoom * np.cos(turn), -zoom * np.sin(turn), shift[0]],
            [zoom * np.sin(turn), zoom * np.cos(turn), shift[1]],
        ]
    )
    grid = torch.nn.functional.affine_grid(
        torch.from_numpy(moved.transpose(2, 0, 1).astype(np.float32)), list(seen.shape), align_corners=False
    )
    seen = torch.nn.functional.grid_sample(seen, grid, padding_mode="border", align_corners=False)
    light = rng.normal(0, 1, (len(chosen), 3)) * np.array([_BRIGHTNESS_SPREAD, _HUE_SPREAD, _HUE_SPREAD])
    seen[:, :3] += torch.from_numpy(light.astype(np.float32))[:, :, None, None]
    clearer = np.exp(rng.normal(0, _CONTRAST_SPREAD, (len(chosen), PLANES)))
    seen *= torch.from_numpy(clearer.astype(np.float32))[:, :, None, None]
    seen = seen.clamp(NOWHERE, -NOWHERE)
    return seen + _NOISE_SPREAD * torch.randn(seen.shape), torch.from_numpy(shown)
