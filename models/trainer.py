"""Training of small networks with AdamW and a one-cycle learning rate, and their export as ONNX."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

BatchMaker = Callable[[Any, NDArray[np.intp], np.random.Generator], tuple[Any, ...]]
"""Function that returns a batch, input and targets, from the PyTorch module, indices of examples, and a generator.
"""
_BATCHES_AHEAD = 4
"""Batches that each process prepares ahead for a graphics card."""


@dataclass(frozen=True, slots=True)
class Trainer:
    """Hyperparameters of a one-cycle training with AdamW."""

    seed: int
    """Seed of the shuffling and augmentation."""
    batch: int
    """Examples per step."""
    rate: float
    """Highest learning rate."""
    decay: float
    """Weight decay."""
    max_gradient_norm: float = math.inf
    """Largest norm of the gradients; larger ones are clipped."""
    bfloat16: bool = True
    """Whether to compute in bfloat16 where the processor is fast in it; small networks are faster in 32 bits."""

    def train(
        self,
        build: Callable[[], Any],
        file: Path,
        examples: int,
        epochs: int,
        batch: BatchMaker,
        lost: Callable[..., Any],
    ) -> Path:
        """Train on each example once per epoch, save the weights after each epoch, and return their file.

        Resumes from an existing file. Trains on a graphics card where there is one; other cores then prepare the
        batches. build: returns the network. examples: number of examples. batch: returns a batch. lost: loss of the
        outputs (32-bit) against the targets. Raises RuntimeError without PyTorch.
        """
        torch = import_pytorch()
        device = "cuda" if torch.cuda.is_available() else "cpu"
        file.parent.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".half.pt")
        torch.manual_seed(self.seed)
        network = build().to(device)
        optimizer = torch.optim.AdamW(network.parameters(), self.rate, weight_decay=self.decay)
        steps = math.ceil(examples / self.batch)
        rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, self.rate, total_steps=steps * epochs + 1)
        first = 0
        if file.exists():
            kept = torch.load(file, weights_only=True, map_location=device)
            network.load_state_dict(kept["network"])
            optimizer.load_state_dict(kept["optimizer"])
            rate.load_state_dict(kept["rate"])
            first = kept["epochs"]
        low_precision = self.bfloat16 and computes_bfloat16(device)
        batches = self.batches(batch, examples, range(first * steps, epochs * steps), device)
        for epoch in range(first, epochs):
            network.train()
            losses = []
            for _ in track(range(steps), f"Epoch {epoch + 1} of {epochs}"):
                shown, *truth = (part.to(device, non_blocking=True) for part in next(batches))
                with torch.autocast(device, torch.bfloat16, enabled=low_precision):
                    output = network(shown)
                loss = lost(output.float(), *truth)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), self.max_gradient_norm)
                optimizer.step()
                rate.step()
                losses.append(loss.detach())
            print(f"epoch {epoch + 1}: loss {float(torch.stack(losses).mean()):.4f}", flush=True)
            state = {
                "network": network.state_dict(),
                "optimizer": optimizer.state_dict(),
                "rate": rate.state_dict(),
            }
            torch.save({**state, "epochs": epoch + 1}, half)
            half.replace(file)
        return file

    def batches(self, batch: BatchMaker, examples: int, steps: range, device: str) -> Iterator[tuple[Any, ...]]:
        """Return the batches of some steps, counted over all epochs, in order."""
        torch = import_pytorch()
        of_epoch = math.ceil(examples / self.batch)

        def one(step: int) -> tuple[Any, ...]:
            epoch, number = divmod(step, of_epoch)
            order = np.random.default_rng([self.seed, epoch]).permutation(examples)
            chosen = order[number * self.batch : (number + 1) * self.batch]
            return batch(torch, chosen, np.random.default_rng([self.seed, epoch, number]))

        if device == "cpu":
            return map(one, steps)
        processes = max(1, (os.cpu_count() or 1) - 1)
        # Forked processes share the examples, which would be copied otherwise.
        return iter(
            torch.utils.data.DataLoader(
                steps,
                batch_size=None,
                collate_fn=one,
                num_workers=processes,
                prefetch_factor=_BATCHES_AHEAD,
                multiprocessing_context="fork",
                worker_init_fn=_use_one_thread,
                pin_memory=True,
            )
        )


def _use_one_thread(_: int) -> None:
    """Keep the processes that prepare batches from competing with one another for the cores."""
    import cv2

    cv2.setNumThreads(1)


def computes_bfloat16(device: str) -> bool:
    """Return whether a device ("cpu", "cuda") computes fast in bfloat16; a processor does with AVX-512.

    Without it the smoke training takes 165 s in bfloat16 and 80 s in 32-bit floats.
    """
    return device != "cpu" or bool(import_pytorch().backends.cpu.get_cpu_capability().startswith("AVX512"))


def export(
    build: Callable[[], Any],
    weights: Path,
    target: Path,
    shape: tuple[int, ...],
    output_name: str,
    free: Mapping[int, str] = MappingProxyType({0: "n"}),
) -> Path:
    """Export trained weights to ONNX and return the file.

    build: returns the network. shape: of an example input. output_name: name of the output. free: names of input
    dimensions that may have any size, by index; the number of inputs unless others are named.
    """
    torch = import_pytorch()
    network = build()
    network.load_state_dict(torch.load(weights, weights_only=True)["network"])
    network.eval()
    torch.onnx.export(
        network,
        (torch.zeros(shape),),
        target,
        opset_version=17,
        dynamo=False,
        input_names=["shown"],
        output_names=[output_name],
        dynamic_axes={"shown": dict(free), output_name: dict(free)},
    )
    return target


def store_as_float16(file: Path) -> None:
    """Convert the weights in an ONNX file to 16-bit floats, half the size; inference uses 32-bit ones."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(file)
    halved = []
    for weights in model.graph.initializer:
        values = numpy_helper.to_array(weights)
        if values.dtype != np.float32 or values.ndim < 2:
            continue
        name = weights.name
        weights.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}_half"))
        halved.append(helper.make_node("Cast", [f"{name}_half"], [name], to=onnx.TensorProto.FLOAT))
    for number, node in enumerate(halved):
        model.graph.node.insert(number, node)
    onnx.save(model, file)


def import_pytorch() -> Any:
    """Return the PyTorch module. Raises RuntimeError when it is not installed."""
    try:
        import torch
    except ImportError as error:
        raise RuntimeError("Training needs PyTorch: install the project with its `train` extra.") from error
    return torch
