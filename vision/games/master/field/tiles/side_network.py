"""Runs the side network, which describes each side of each tile of a rectified field, on OpenVINO."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.detector.compilation import compiled, loaded

SIDES_WEIGHTS = Path(__file__).parent / "sides.onnx"
"""ONNX file with the shipped weights."""


class SideNetwork:
    """A loaded network with one input and one output."""

    def __init__(self, weights: Path) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        loaded(weights)  # refuses an unusable file now; each size is compiled when it is first needed
        self._weights = weights
        self._requests: dict[tuple[int, ...], Any] = {}
        self._lock = Lock()

    def run(self, shown: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the network's output for a batch of rectified pictures, (n, channels, rows, columns).

        shown: pictures as returned by `normalised`, (n, 3, height, width).
        """
        with self._lock:
            if shown.shape not in self._requests:
                self._requests[shown.shape] = compiled(self._weights, shown.shape).create_infer_request()
            found = self._requests[shown.shape].infer(np.ascontiguousarray(shown))[0]
        return np.asarray(found, np.float32)
