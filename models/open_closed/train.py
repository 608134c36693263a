"""Training of the open/closed classifier on augmented hands, and its export for play."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.open_closed.hand_crops import KEPT_PX, HandPatches
from models.trainer import Trainer, import_pytorch
from models.trainer import export as exported
from vision.detector.open_closed_classifier import SIDE_PX

WIDTHS = (16, 32, 32, 48, 64)
"""Channels of each convolution."""
STRIDES = (2, 2, 1, 2, 2)
"""Stride of each convolution."""
_TRAINER = Trainer(seed=20261123, batch=64, rate=3e-3, decay=0.05)
_MAX_LOG_ZOOM = 0.2
"""Largest random zoom, as a natural logarithm."""
_MAX_SHIFT = 0.27
"""Largest random shift, in half widths of the stored crop."""
_BRIGHTNESS_SPREAD = 0.25
"""Standard deviation of the log of brightness."""
_TINT_SPREAD = 0.08
"""Standard deviation of the log of each channel."""
_GAMMA_SPREAD = 0.2
"""Standard deviation of the log of gamma."""
_SATURATION_RANGE = (0.3, 1.3)
"""Smallest and largest factor on saturation."""
_MAX_NOISE = 0.05
"""Largest standard deviation of pixel noise."""
_BLURRED_FRACTION = 0.3
"""Fraction of hands that are blurred."""
SURE = 0.99
"""Probability of the true state as training target (label smoothing)."""


def build() -> Any:
    """Return the network with random weights: five convolutions, then two dense layers."""
    from torch import nn

    layers, width = list[Any](), 3
    for wider, stride in zip(WIDTHS, STRIDES, strict=True):
        layers += [nn.Conv2d(width, wider, 3, stride, 1, bias=False), nn.BatchNorm2d(wider), nn.SiLU()]
        width = wider
    side = SIDE_PX // 16
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Dropout(0.3), nn.Linear(width * side * side, 48), nn.SiLU(), nn.Linear(48, 1)
    )


def train(patches: HandPatches, folder: Path, epochs: int) -> Path:
    """Train on each hand once per epoch, and return the file of weights.

    Training resumes from an existing file. folder: of that file. Raises RuntimeError without PyTorch.
    """

    def batch(torch: Any, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, ...]:
        truly = np.where(patches.opened[chosen], SURE, 1 - SURE).astype(np.float32)
        return augmented(torch, patches.hands[chosen], rng), torch.from_numpy(truly)

    def lost(logits: Any, truly: Any) -> Any:
        return import_pytorch().nn.functional.binary_cross_entropy_with_logits(logits[:, 0], truly)

    return _TRAINER.train(build, folder / "openness.pt", len(patches.hands), epochs, batch, lost)


def export(weights: Path, target: Path) -> Path:
    """Export trained weights to ONNX for any number of hands, and return the ONNX file."""
    return exported(build, weights, target, (1, 3, SIDE_PX, SIDE_PX), "open")


def augmented(torch: Any, hands: NDArray[np.uint8], rng: np.random.Generator) -> Any:
    """Return network inputs of hands, randomly mirrored, rotated, shifted and recoloured.

    torch: the PyTorch module. hands: BGR uint8, (n, 104, 104, 3). Returns floats 0..1, (n, 3, SIDE_PX, SIDE_PX).
    """
    count = len(hands)
    seen = torch.from_numpy(hands.transpose(0, 3, 1, 2).astype(np.float32) / 255)
    turn, mirror = rng.uniform(0, 2 * math.pi, count), np.where(rng.random(count) < 0.5, -1, 1)
    zoom = SIDE_PX / KEPT_PX * np.exp(rng.uniform(-_MAX_LOG_ZOOM, _MAX_LOG_ZOOM, count))
    shift = rng.uniform(-_MAX_SHIFT, _MAX_SHIFT, (2, count))
    moved = np.array(
        [
            [zoom * np.cos(turn) * mirror, -zoom * np.sin(turn), shift[0]],
            [zoom * np.sin(turn) * mirror, zoom * np.cos(turn), shift[1]],
        ]
    )
    grid = torch.nn.functional.affine_grid(
        torch.from_numpy(moved.transpose(2, 0, 1).astype(np.float32)),
        [count, 3, SIDE_PX, SIDE_PX],
        align_corners=False,
    )
    seen = torch.nn.functional.grid_sample(seen, grid, padding_mode="border", align_corners=False)
    light = np.exp(rng.normal(0, _BRIGHTNESS_SPREAD, (count, 1)) + rng.normal(0, _TINT_SPREAD, (count, 3)))
    seen = (seen * _each(torch, light)).clamp(1e-3, 1) ** _each(
        torch, np.exp(rng.normal(0, _GAMMA_SPREAD, (count, 1)))
    )
    grey = seen.mean(1, keepdim=True)
    seen = grey + (seen - grey) * _each(torch, rng.uniform(*_SATURATION_RANGE, (count, 1)))
    blurred = torch.from_numpy(rng.random(count) < _BLURRED_FRACTION)
    seen[blurred] = torch.nn.functional.avg_pool2d(seen[blurred], 3, 1, 1)
    return (seen + _each(torch, rng.uniform(0, _MAX_NOISE, (count, 1))) * torch.randn(seen.shape)).clamp(0, 1)


def _each(torch: Any, values: NDArray[np.float64]) -> Any:
    """Return values (hands, channels) as a tensor (hands, channels, 1, 1), to be broadcast over pixels."""
    return torch.from_numpy(values.astype(np.float32))[:, :, None, None]
