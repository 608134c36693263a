"""Files of training examples (.npz), written atomically: a file is complete or absent."""

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
    """Create the files that do not exist yet, in parallel processes with a progress bar.

    make_one: writes one file; a function of a module, so that it can be pickled. description: label of the progress
    bar. processes: number of processes; None: one per processor.
    """
    missing = [file for file in files if not file.exists()]
    for folder in {file.parent for file in files}:
        folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for _ in track(pool.imap_unordered(make_one, missing), description, total=len(missing)):
            pass


def write(file: Path, **arrays: Any) -> None:
    """Write named arrays to a compressed .npz file atomically."""
    half = file.with_suffix(".half.npz")
    np.savez_compressed(half, **arrays)
    half.replace(file)


def read(files: Sequence[Path], names: Sequence[str]) -> list[NDArray[np.generic]]:
    """Return the arrays with these names from .npz files, concatenated over the files along the first axis."""
    opened = [np.load(file) for file in files]
    return [np.concatenate([of[name] for of in opened]) for name in names]
