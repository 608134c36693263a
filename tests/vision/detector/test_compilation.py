"""Networks are compiled once per process, and anew when their file changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vision.detector.compilation import compiled
from vision.detector.open_closed_classifier import SIDE_PX, WEIGHTS

SHAPE = (-1, 3, SIDE_PX, SIDE_PX)
SHOWN = (1, 3, SIDE_PX, SIDE_PX)


def test_equal_calls_share_a_network() -> None:
    assert compiled(WEIGHTS, SHAPE) is compiled(WEIGHTS, SHAPE)
    assert compiled(WEIGHTS, SHAPE) is not compiled(WEIGHTS, SHAPE, streams=2)


def test_weights_that_were_written_again_are_read_again(tmp_path: Path) -> None:
    file = Path(shutil.copy(WEIGHTS, tmp_path / "weights.onnx"))
    before = compiled(file, SHAPE)
    os.utime(file, ns=(0, 1))
    assert compiled(file, SHAPE) is not before
    file.write_bytes(b"half a download")
    with pytest.raises(RuntimeError, match="install the companion again"):
        compiled(file, SHAPE)
    file.unlink()
    with pytest.raises(RuntimeError, match="install the companion again"):
        compiled(file, SHAPE)


def test_networks_run_where_the_processors_instructions_are_limited() -> None:
    run = (
        "import sys, numpy; from pathlib import Path; from vision.detector.compilation import compiled;"
        f"compiled(Path(sys.argv[1]), {SHAPE}).create_infer_request().infer(numpy.zeros({SHOWN}, numpy.float32))"
    )
    limited = {**os.environ, "ONEDNN_MAX_CPU_ISA": "AVX2"}
    done = subprocess.run([sys.executable, "-c", run, str(WEIGHTS)], env=limited, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
