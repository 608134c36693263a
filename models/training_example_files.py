"""Files of training examples, written atomically: a file is complete or absent."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.progress import track


def make_missing(
    files: Sequence[Path], make_one: Callable[[Path], None], description: str, processes: int | None = None
) -> None:
    """Create the missing files in parallel processes, with a progress bar. make_one: module-level function."""
    missing = [file for file in files if not file.exists()]
    for folder in {file.parent for file in files}:
        folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _ in track(pool.imap_unordered(make_one, missing), description, total=len(missing)):
            pass


def write(file: Path, **arrays: Any) -> None:
    """Write named arrays to a file atomically."""
    half = file.with_suffix(".half.npz")
    np.savez_compressed(half, **arrays)
    half.replace(file)


def read(files: Sequence[Path], names: Sequence[str]) -> list[NDArray[np.generic]]:
    """Return the arrays of these names, each concatenated over all files."""
    opened = [np.load(file) for file in files]
    return [np.concatenate([of[name] for of in opened]) for name in names]
