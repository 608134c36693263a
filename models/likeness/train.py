"""Train the network on views, continue after an interruption, and export it for play."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from models.likeness.views import LEVELS, Views
from vision.reveal.likeness import HIDES, NOWHERE, PLANES, SIDE_PX, SIGN, SIGN_PLANES, TOLD

SEED = 20261123
_WIDTHS, _STRIDES = (24, 24, 48, 48, 72), (2, 1, 2, 1, 2)
_BATCH = 128
_RATE = 2e-3
_DECAY = 0.05
_NO_SIGN = 0.06
"""In so many views of what is no sign the sign is one that was not enrolled."""
_TURN, _ZOOM, _SHIFT = 0.5, 0.1, 2.0 / SIDE_PX
"""Views are turned (radians), enlarged and shifted by up to so much; quarters of a turn and mirrors come to it."""
_BRIGHTER, _TINTED, _CLEARER, _GRAIN = 0.2, 0.12, 0.15, 0.05
"""Spread of what is added to offsets of brightness and hue; of the logarithm of what planes are multiplied by, for
kinds are told apart more or less plainly elsewhere; and of grain."""


def build() -> Any:
    """Make the network: five convolutions, every second one with a stride, then two layers that see the whole."""
    from torch import nn

    def step(inputs: int, outputs: int, stride: int) -> list[Any]:
        return [nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.SiLU()]

    layers, width = list[Any](), PLANES
    for wider, stride in zip(_WIDTHS, _STRIDES, strict=True):
        layers += step(width, wider, stride)
        width = wider
    side = SIDE_PX // 8
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Dropout(0.2), nn.Linear(width * side * side, 64), nn.SiLU(),
        nn.Linear(64, TOLD),
    )  # fmt: skip


def train(views: Views, folder: Path, epochs: int) -> Path:
    """Train with each box once an epoch, beside a sign by lot; gives the weights' file. Continues what lies there.

    Raises RuntimeError when there is no PyTorch.
    """
    torch = _torch()
    folder.mkdir(parents=True, exist_ok=True)
    file, half = folder / "likeness.pt", folder / "half.pt"
    torch.manual_seed(SEED)
    network = build()
    optimizer = torch.optim.AdamW(network.parameters(), _RATE, weight_decay=_DECAY)
    boxes = len(views.views)
    steps = math.ceil(boxes / _BATCH) * epochs
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
        order = rng.permutation(boxes)
        for start in track(range(0, boxes, _BATCH), f"Epoch {epoch + 1} of {epochs}"):
            chosen = order[start : start + _BATCH]
            seen, shown = _batch(torch, views, chosen, rng)
            more = torch.from_numpy(views.more[chosen].astype(np.float32))
            with torch.autocast("cpu", torch.bfloat16):
                told = network(seen)
            told = told.float()
            lost = torch.nn.functional.cross_entropy(told[:, :HIDES], shown)
            lost = lost + torch.nn.functional.poisson_nll_loss(told[:, HIDES], more)
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
    """Write trained weights as ONNX for any number of views; gives the file."""
    torch = _torch()
    network = build()
    network.load_state_dict(torch.load(weights, weights_only=True)["network"])
    network.eval()
    view = torch.zeros(1, PLANES, SIDE_PX, SIDE_PX)
    names = {"input_names": ["views"], "output_names": ["told"]}
    torch.onnx.export(
        network, (view,), target, opset_version=17, dynamo=False, dynamic_axes={"views": {0: "n"}}, **names
    )
    return target


def _batch(torch: Any, views: Views, chosen: NDArray[np.intp], rng: np.random.Generator) -> tuple[Any, Any]:
    """Take some boxes, each beside a sign by lot, mirrored, turned and lit another way."""
    sign = rng.integers(views.outcomes.shape[1], size=len(chosen))
    shown = views.outcomes[chosen, sign].astype(np.int64)
    seen = torch.from_numpy(views.views[chosen, sign].astype(np.float32) / LEVELS)
    without = (rng.random(len(chosen)) < _NO_SIGN) & (shown < SIGN)
    seen[torch.from_numpy(without), SIGN_PLANES] = NOWHERE
    seen = torch.rot90(seen.flip(3) if rng.random() < 0.5 else seen, int(rng.integers(4)), (2, 3))
    turn, zoom = rng.uniform(-_TURN, _TURN, len(chosen)), 1 + rng.uniform(-_ZOOM, _ZOOM, len(chosen))
    shift = rng.uniform(-_SHIFT, _SHIFT, (2, len(chosen)))
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
    light = rng.normal(0, 1, (len(chosen), 3)) * np.array([_BRIGHTER, _TINTED, _TINTED])
    seen[:, :3] += torch.from_numpy(light.astype(np.float32))[:, :, None, None]
    clearer = np.exp(rng.normal(0, _CLEARER, (len(chosen), PLANES)))
    seen *= torch.from_numpy(clearer.astype(np.float32))[:, :, None, None]
    seen = seen.clamp(NOWHERE, -NOWHERE)
    return seen + _GRAIN * torch.randn(seen.shape), torch.from_numpy(shown)


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise RuntimeError("Training needs PyTorch: install the project with its `train` extra.") from error
    return torch
