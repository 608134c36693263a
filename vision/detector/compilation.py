"""Networks on OpenVINO, each compiled once per process."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

_KEPT: Final = 40
"""Compiled networks that are kept: each shape of each network counts, and a table needs about fifteen."""


def compiled(
    weights: Path, shape: tuple[int, ...] | None = None, *, streams: int | None = None, of_bytes: bool = False
) -> Any:
    """Return the OpenVINO network in an ONNX file, compiled for this processor.

    Equal calls return the same network until the file changes. The network may be used by several threads, but each
    of its inference requests by one only. shape: input shape, -1 for a side of any length; None: as in the file.
    streams: number of inferences that run in parallel; None: one, on all cores. of_bytes: whether the input is
    uint8, which is divided by 255, instead of float32. Raises RuntimeError when the file cannot be used.
    """
    return _compiled(weights, _modification_time(weights), shape, streams, of_bytes)


@lru_cache(maxsize=_KEPT)
def _compiled(weights: Path, _: int, shape: tuple[int, ...] | None, streams: int | None, of_bytes: bool) -> Any:
    openvino, core, model = loaded(weights)
    if shape is not None:
        model.reshape(list(shape))
    if of_bytes:
        prepared = openvino.preprocess.PrePostProcessor(model)
        prepared.input().tensor().set_element_type(openvino.Type.u8)
        prepared.input().preprocess().convert_element_type().scale(255.0)
        model = prepared.build()
    how: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY"} if streams is None else {"NUM_STREAMS": streams}
    if "ONEDNN_MAX_CPU_ISA" in os.environ:
        # OpenVINO chooses bfloat16 by the processor and fails where this variable forbids its instructions.
        how["INFERENCE_PRECISION_HINT"] = "f32"
    return core.compile_model(model, "CPU", how)


def loaded(weights: Path) -> tuple[Any, Any, Any]:
    """Load a network's ONNX file; return the OpenVINO module, its core, and a fresh copy of the model.

    Raises RuntimeError when the file cannot be used.
    """
    openvino, core, model = _read(weights, _modification_time(weights))
    return openvino, core, model.clone()


@lru_cache(maxsize=_KEPT)
def _read(weights: Path, _: int) -> tuple[Any, Any, Any]:
    # OpenVINO's import reports usage to its vendor unless its telemetry module is missing; None marks a module as
    # missing, which the stub does not know.
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    # Imported late: it is slow, and a table without a camera needs none of it.
    import openvino

    core = openvino.Core()
    try:
        return openvino, core, core.read_model(weights.read_bytes(), b"")
    except (RuntimeError, OSError) as error:
        raise _unusable(weights) from error


def _modification_time(weights: Path) -> int:
    """Return a file's modification time, ns. Raises RuntimeError where there is no such file."""
    try:
        return weights.stat().st_mtime_ns
    except OSError as error:
        raise _unusable(weights) from error


def _unusable(weights: Path) -> RuntimeError:
    """Return the error for an ONNX file that cannot be used."""
    return RuntimeError(f"The detector's weights in {weights} cannot be used: install the companion again.")
