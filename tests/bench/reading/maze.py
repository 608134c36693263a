"""How long the reading of one picture of the maze takes: `python -m tests.bench maze`.

Thirty drawn pictures, 1280 × 720, of all looks and lights are read one after the other, first without knowing where
the board lies, then beginning with the corners of that reading, as at a table whose camera stays where it is. The
processor time, of all threads, stays true on a busy machine; the clock does not.
"""

from __future__ import annotations

import statistics
import time
from itertools import islice, product
from typing import Final

from calibration.games.master.art.maze_picture_styles import LOOKS
from models.evaluation.maze.synthetic_pictures import LIGHTS, picture
from vision.games.master.reader import MazeReader

PICTURES: Final = 30
"""Number of pictures."""
FIRST_SEED: Final = 8800
"""Seed of the first one."""


def main() -> None:
    """Print the median and the 95th percentile."""
    reader = MazeReader()
    reader.read(picture(FIRST_SEED)[0])  # loads the networks
    searched, known = list[tuple[float, float]](), list[tuple[float, float]]()
    for number, (light, look) in enumerate(islice(product(LIGHTS, LOOKS), PICTURES)):
        image, _ = picture(FIRST_SEED + number, look, light)
        begun = time.perf_counter(), time.process_time()
        reading = reader.read(image)
        found = time.perf_counter(), time.process_time()
        reader.read(image, reading.corners)
        again = time.perf_counter(), time.process_time()
        searched.append((found[0] - begun[0], found[1] - begun[1]))
        known.append((again[0] - found[0], again[1] - found[1]))
    for name, times in (("board searched for", searched), ("near the known board", known)):
        clock, processor = ([1000 * each[index] for each in times] for index in (0, 1))
        print(
            f"  {name}: median {statistics.median(clock):.0f} ms, 95th percentile {_p95(clock):.0f} ms; "
            f"processor time {statistics.median(processor):.0f} and {_p95(processor):.0f} ms"
        )


def _p95(values: list[float]) -> float:
    return sorted(values)[int(0.95 * (len(values) - 1))]
