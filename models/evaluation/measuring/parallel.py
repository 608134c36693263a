"""Apply a measurement to many seeds or jobs in parallel processes, with a progress bar."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TypeVar

from rich.console import Console
from rich.progress import track

_S = TypeVar("_S")
_T = TypeVar("_T")


def over_sessions(
    measure: Callable[[int], _T], first: int, sessions: int, processes: int, title: str, console: Console
) -> list[_T]:
    """Apply `measure` to consecutive seeds in parallel and return the results in order.

    measure: module-level function of a seed. first: the first seed. sessions: number of seeds. processes: their
    maximum number. title: of the progress bar.
    """
    return over(measure, range(first, first + sessions), processes, title, console)


def over(
    measure: Callable[[_S], _T], sources: Sequence[_S], processes: int, title: str, console: Console
) -> list[_T]:
    """Apply `measure` to each source in parallel and return the results in order.

    measure: module-level function. processes: their maximum number; with one process or one source, everything runs
    in this process. title: of the progress bar.
    """
    if min(processes, len(sources)) == 1:  # a process of its own would only load everything anew
        return [measure(source) for source in track(sources, title, console=console)]
    # Threads of OpenCV do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        jobs = [pool.submit(measure, source) for source in sources]
        for _ in track(as_completed(jobs), title, total=len(jobs), console=console):
            pass
        return [job.result() for job in jobs]
