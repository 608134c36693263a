"""Many held-out evenings at once: processes of their own, progress shown, results in the order of the seeds."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from rich.console import Console
from rich.progress import track

_T = TypeVar("_T")


def over_evenings(
    measure: Callable[[int], _T], first: int, evenings: int, processes: int, title: str, console: Console
) -> list[_T]:
    """Measure so many evenings from the seed `first` on. measure: a module's own function, called with a seed."""
    # Threads of OpenCV do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        jobs = {pool.submit(measure, seed): seed for seed in range(first, first + evenings)}
        done = {
            jobs[job]: job.result() for job in track(as_completed(jobs), title, total=evenings, console=console)
        }
    return [done[seed] for seed in sorted(done)]
