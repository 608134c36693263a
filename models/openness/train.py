"""Train the network on hands that are turned, lit and blurred by lot, and export it for play."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from models.openness.patches import KEPT_PX, Patches
from vision.detector.openness import SIDE_PX

SEED = 20261123
_WIDTHS, _STRIDES = (16, 32, 32, 48, 64), (2, 2, 1, 2, 2)
_BATCH = 64
_RATE, _DECAY = 3e-3, 0.05
_ZOOM, _SHIFT = 0.2, 0.27
"""Hands are up to so much (log) larger or smaller, and shifted by up to so much of half a square."""
_BRIGHTER, _TINTED, _GAMMA = 0.25, 0.08, 0.2
_PALER, _GRAIN, _BLURRED = (0.3, 1.3), 0.05, 0.3
_SURE = 0.99
"""No hand is open, or closed, more surely than this."""


def build() -> Any:
    """Make the network: five convolutions, then two layers that see the whole."""
    from torch import nn

    layers, width = list[Any](), 3
    for wider, stride in zip(_WIDTHS, _STRIDES, strict=True):
        layers += [nn.Conv2d(width, wider, 3, stride, 1, bias=False), nn.BatchNorm2d(wider), nn.SiLU()]
        width = wider
    side = SIDE_PX // 16
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Dropout(0.3), nn.Linear(width * side * side, 48), nn.SiLU(), nn.Linear(48, 1)
    )


def train(patches: Patches, folder: Path, epochs: int) -> Path:
    """Train with each hand once an epoch; gives the weights' file. Continues what lies there.

    Raises RuntimeError when there is no PyTorch.
    """
    torch = _torch()
    folder.mkdir(parents=True, exist_ok=True)
    file, half = folder / "openness.pt", folder / "half.pt"
    torch.manual_seed(SEED)
    network = build()
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=_DECAY)
    hands = len(patches.hands)
    steps = math.ceil(hands / _BATCH) * epochs
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1)
    first = 0
    if file.exists():
        kept = torch.load(file, weights_only=True)
        network.load_state_dict(kept["network"])
        optimizer.load_state_dict(kept["optimizer"])
        rate.load_state_dict(kept["rate"])
        first = kept["epochs"]
    rng = np.random.default_rng([SEED, first])
    for epoch in range(first, epochs):
        network.train()
        losses = []
        order = rng.permutation(hands)
        for start in track(range(0, hands, _BATCH), f"Epoch {epoch + 1} of {epochs}"):
            chosen = order[start : start + _BATCH]
            seen = _batch(torch, patches.hands[chosen], rng)
            truly = torch.from_numpy(np.where(patches.opened[chosen], _SURE, 1 - _SURE).astype(np.float32))
            with torch.autocast("cpu", torch.bfloat16):
                told = network(seen)
            lost = torch.nn.functional.binary_cross_entropy_with_logits(told.float()[:, 0], truly)
            optimizer.zero_grad()
            lost.backward()
            optimizer.step()
            rate.step()
            losses.append(float(lost.detach()))
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}", flush=True)
        state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "rate": rate.state_dict()}
        torch.save({**state, "epochs": epoch + 1}, half)
        half.replace(file)
    return file


def export(weights: Path, target: Path) -> Path:
    """Write trained weights as ONNX for any number of hands; gives the file."""
    torch = _torch()
    network = build()
    network.load_state_dict(torch.load(weights, weights_only=True)["network"])
    network.eval()
    names = {"input_names": ["hands"], "output_names": ["open"], "dynamic_axes": {"hands": {0: "n"}}}
    hand = torch.zeros(1, 3, SIDE_PX, SIDE_PX)
    torch.onnx.export(network, (hand,), target, opset_version=17, dynamo=False, **names)
    return target


def _batch(torch: Any, hands: NDArray[np.uint8], rng: np.random.Generator) -> Any:
    """Show some hands mirrored, turned anyhow, shifted, and by another camera in other light."""
    count = len(hands)
    seen = torch.from_numpy(hands.transpose(0, 3, 1, 2).astype(np.float32) / 255)
    turn, mirror = rng.uniform(0, 2 * math.pi, count), np.where(rng.random(count) < 0.5, -1, 1)
    zoom = SIDE_PX / KEPT_PX * np.exp(rng.uniform(-_ZOOM, _ZOOM, count))
    shift = rng.uniform(-_SHIFT, _SHIFT, (2, count))
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
    light = np.exp(rng.normal(0, _BRIGHTER, (count, 1)) + rng.normal(0, _TINTED, (count, 3)))
    seen = (seen * _each(torch, light)).clamp(1e-3, 1) ** _each(torch, np.exp(rng.normal(0, _GAMMA, (count, 1))))
    grey = seen.mean(1, keepdim=True)
    seen = grey + (seen - grey) * _each(torch, rng.uniform(*_PALER, (count, 1)))
    blurred = torch.from_numpy(rng.random(count) < _BLURRED)
    seen[blurred] = torch.nn.functional.avg_pool2d(seen[blurred], 3, 1, 1)
    return (seen + _each(torch, rng.uniform(0, _GRAIN, (count, 1))) * torch.randn(seen.shape)).clamp(0, 1)


def _each(torch: Any, values: NDArray[np.float64]) -> Any:
    """Give numbers (hands, channels) a shape by which every pixel of a hand is changed alike."""
    return torch.from_numpy(values.astype(np.float32))[:, :, None, None]


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise RuntimeError("Training needs PyTorch: install the project with its `train` extra.") from error
    return torch
