"""Residual convolution layers, of which the small networks are built."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any


def residual_levels(inputs: int, widths: Sequence[int], blocks: Sequence[int]) -> list[Any]:
    """Return the PyTorch layers of a sequence of levels, each with half the resolution of the one before.

    The weights are random. inputs: channels of the input. widths: channels of each level. blocks: number of
    residual blocks in each level. Raises ImportError without PyTorch.
    """
    from torch import nn

    def conv(before: int, after: int, stride: int = 1) -> Any:
        return nn.Sequential(nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.SiLU())

    # PyTorch is not installed where types are checked, so its classes are untyped.
    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self, width: int) -> None:
            super().__init__()
            self.inner = nn.Sequential(conv(width, width), conv(width, width))

        def forward(self, x: Any) -> Any:
            return x + self.inner(x)

    layers: list[Any] = []
    for (before, after), count in zip(pairwise((inputs, *widths)), blocks, strict=True):
        layers += [conv(before, after, 2), *(Block(after) for _ in range(count))]
    return layers
