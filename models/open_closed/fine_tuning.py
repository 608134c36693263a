"""Fine-tuning of the shipped open/closed classifier on hands over varied table tops.

`python -m models.open_closed --tune` draws hands over a few tables, each scene on several table tops in several
lights, and continues from the shipped weights. It takes minutes on one core; training from scratch takes an hour.
"""

from __future__ import annotations

import math
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np

from models.open_closed.hand_crops import HandPatches
from models.open_closed.train import STRIDES, SURE, WIDTHS, augmented
from models.trainer import export, import_pytorch
from vision.detector.open_closed_classifier import SIDE_PX, WEIGHTS

SEED = 1
"""Seed of the fine-tuning."""
STEPS = 475
"""Default number of steps, as used for the shipped weights."""
_BATCH = 64
"""Hands per step."""
_RATE = 6e-4
"""Highest learning rate."""
_LAST_RATE = 0.03
"""Final learning rate, as a fraction of the highest."""
_WARM_STEPS = 50
"""Steps in which the learning rate rises, and time constant with which the averaging of weights begins."""
_WEIGHT_DECAY = 0.01
"""Weight decay of AdamW."""
_MEAN_DECAY = 0.995
"""Decay per step of the exponential moving average of the weights."""
_MAX_GRADIENT = 5.0
"""Largest norm of the gradients; larger ones are clipped."""


def folded_network() -> Any:
    """Return the classifier as exported, with random weights: batch norms are folded into the convolutions."""
    from torch import nn

    layers, width = list[Any](), 3
    for wider, stride in zip(WIDTHS, STRIDES, strict=True):
        layers += [nn.Conv2d(width, wider, 3, stride, 1), nn.SiLU()]
        width = wider
    side = SIDE_PX // 16
    return nn.Sequential(
        *layers, nn.Flatten(), nn.Dropout(0.3), nn.Linear(width * side * side, 48), nn.SiLU(), nn.Linear(48, 1)
    )


def shipped_network(weights: Path = WEIGHTS) -> Any:
    """Return the classifier as a PyTorch network with the weights of an exported ONNX file."""
    import onnx
    from onnx import numpy_helper

    torch = import_pytorch()
    graph = onnx.load(weights).graph
    values = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    nodes = [node for node in graph.node if node.op_type in ("Conv", "Gemm")]
    network = folded_network()
    layers = [layer for layer in network if isinstance(layer, (torch.nn.Conv2d, torch.nn.Linear))]
    with torch.no_grad():
        for layer, node in zip(layers, nodes, strict=True):
            layer.weight.copy_(torch.from_numpy(values[node.input[1]].copy()))
            layer.bias.copy_(torch.from_numpy(values[node.input[2]].copy()))
    return network


def tune(patches: HandPatches, folder: Path, steps: int = STEPS) -> Path:
    """Fine-tune the shipped weights, and return the file of the averaged weights. folder: of that file."""
    torch = import_pytorch()
    torch.manual_seed(SEED)
    rng, network = np.random.default_rng(SEED), shipped_network().train()
    mean = deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_WEIGHT_DECAY)
    for step in range(steps):
        falling = _LAST_RATE + (1 - _LAST_RATE) * 0.5 * (1 + math.cos(math.pi * step / steps))
        for group in optimizer.param_groups:
            group["lr"] = _RATE * min(1.0, (step + 1) / _WARM_STEPS) * falling
        chosen = rng.integers(0, len(patches.hands), _BATCH)
        truly = np.where(patches.opened[chosen], SURE, 1 - SURE).astype(np.float32)
        output = network(augmented(torch, patches.hands[chosen], rng))[:, 0]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(output, torch.from_numpy(truly))
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), _MAX_GRADIENT)
        optimizer.step()
        decay = _MEAN_DECAY * (1 - math.exp(-(step + 1) / _WARM_STEPS))
        with torch.no_grad():
            for averaged, now in zip(mean.parameters(), network.parameters(), strict=True):
                averaged.lerp_(now, 1 - decay)
    file = folder / "tuned.pt"
    file.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"network": mean.state_dict()}, file)
    return file


def export_tuned(weights: Path, target: Path) -> Path:
    """Export fine-tuned weights to ONNX for any number of hands, and return the ONNX file."""
    return export(folded_network, weights, target, (1, 3, SIDE_PX, SIDE_PX), "open")
