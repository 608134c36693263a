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
"""Function that returns a batch as tensors: the input, then the targets.

Arguments: the PyTorch module, the indices of the examples, and a random generator for augmentation."""
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
        make_batch: BatchMaker,
        loss_function: Callable[..., Any],
    ) -> Path:
        """Train a network, save its weights after each epoch, and return the file of weights.

        Each example is used once per epoch. Training resumes from an existing file. It runs on a graphics card if
        there is one; processor cores then prepare the batches. build: returns the network with random weights.
        file: of weights, optimizer and progress (PyTorch). examples: number of examples. make_batch: returns one
        batch. loss_function: returns the loss of the outputs (32-bit) against the targets. Raises RuntimeError
        without PyTorch.
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
        batches = self.batches(make_batch, examples, range(first * steps, epochs * steps), device)
        for epoch in range(first, epochs):
            network.train()
            losses = []
            for _ in track(range(steps), f"Epoch {epoch + 1} of {epochs}"):
                shown, *truth = (part.to(device, non_blocking=True) for part in next(batches))
                with torch.autocast(device, torch.bfloat16, enabled=low_precision):
                    output = network(shown)
                loss = loss_function(output.float(), *truth)
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

    def batches(
        self, make_batch: BatchMaker, examples: int, steps: range, device: str
    ) -> Iterator[tuple[Any, ...]]:
        """Return an iterator over the batches (input, then targets) of some steps, in order.

        examples: number of examples. steps: indices of steps, counted from the first epoch on. device: "cpu" or
        "cuda"; for the latter, parallel processes prepare the batches.
        """
        torch = import_pytorch()
        of_epoch = math.ceil(examples / self.batch)

        def prepare(step: int) -> tuple[Any, ...]:
            """Return the batch of one step; the examples are shuffled anew for each epoch."""
            epoch, number = divmod(step, of_epoch)
            order = np.random.default_rng([self.seed, epoch]).permutation(examples)
            chosen = order[number * self.batch : (number + 1) * self.batch]
            return make_batch(torch, chosen, np.random.default_rng([self.seed, epoch, number]))

        if device == "cpu":
            return map(prepare, steps)
        processes = max(1, (os.cpu_count() or 1) - 1)
        # Forked processes share the examples, which would be copied otherwise.
        return iter(
            torch.utils.data.DataLoader(
                steps,
                batch_size=None,
                collate_fn=prepare,
                num_workers=processes,
                prefetch_factor=_BATCHES_AHEAD,
                multiprocessing_context="fork",
                worker_init_fn=_use_one_thread,
                pin_memory=True,
            )
        )


def _use_one_thread(_: int) -> None:
    """Restrict OpenCV to one thread, so that the processes that prepare batches do not compete for cores."""
    import cv2

    cv2.setNumThreads(1)


def computes_bfloat16(device: str) -> bool:
    """Return whether a device ("cpu" or "cuda") computes fast in bfloat16; a processor needs AVX-512.

    On a processor without it, the smoke training takes 165 s in bfloat16 and 80 s in 32-bit floats.
    """
    return device != "cpu" or bool(import_pytorch().backends.cpu.get_cpu_capability().startswith("AVX512"))


def export(
    build: Callable[[], Any],
    weights: Path,
    target: Path,
    shape: tuple[int, ...],
    output_name: str,
    free_axes: Mapping[int, str] = MappingProxyType({0: "n"}),
) -> Path:
    """Export trained weights to ONNX and return the ONNX file.

    build: returns the network. weights: file that `Trainer.train` wrote. target: ONNX file. shape: of an example
    input. output_name: name of the output. free_axes: names of the axes of input and output that may have any size,
    by index; by default only the first, the number of inputs.
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
        dynamic_axes={"shown": dict(free_axes), output_name: dict(free_axes)},
    )
    return target


def store_as_float16(file: Path) -> None:
    """Convert the weights in an ONNX file in place to 16-bit floats, which halves its size.

    Inference converts them back to 32 bits.
    """
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
