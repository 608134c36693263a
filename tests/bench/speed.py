"""How long a reading takes, beside one pass of ultralytics' own `predict` on the same frames.

`python -m tests.bench speed`. Every frame (1280×720, five open hands) is read by the reveal reader and at once by
`predict` (torch, 640 px, the smallest network of the library, not trained: that does not change its time), so that
whatever else the machine does slows both. ultralytics is an extra (`pip install -e '.[train]'`).
"""

from __future__ import annotations

import importlib.util
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from companion.director.furnishing import taught
from companion.games.wicked.components import PLAYER_COLOURS, SEARCH_PIECES
from companion.games.wicked.standin import STANDIN
from models.evaluation.card_tables import measure_cards
from models.evaluation.evenings import Evening
from tests.vision.cameras.simulated.tables import table
from vision.cameras.frame import Image
from vision.readings import Expectation
from vision.reveal import RevealReader

SEATS = 5
FRAMES = 20
ONE_IN = 4
"""A whole reveal may take this part of the time that `predict` takes."""
STAGES = ("find", "palms", "look", "weigh")
"""Methods of the reader that are timed by themselves; the network runs beside the second and the third."""
NETWORK = "yolo11n.yaml"

Times = dict[str, list[float]]


def frames() -> tuple[RevealReader, Expectation, list[Image]]:
    """Teach a held-out table and photograph reveals of five over it."""
    evening = Evening(1)
    profile = taught(evening.renderer.render, STANDIN, lambda _: None)
    shots = []
    for number in range(FRAMES):
        scene = table(number // 4, SEATS)
        hands = tuple(replace(hand, openness=1.0, drift=(0.5 * (number % 4), 0.0, 0.0)) for hand in scene.hands)
        shots.append(evening.renderer.render(replace(scene, hands=hands), number))
    whole_box = {f"search:{colour}": max(SEARCH_PIECES.values()) for colour in PLAYER_COLOURS}
    limits = (whole_box | {"sign:witch": 1, "sign:soul": 1},) * SEATS
    return RevealReader(profile), Expectation(SEATS, limits), shots


@contextmanager
def stopwatches(reader: RevealReader, spent: dict[str, float]) -> Iterator[None]:
    """Add up the milliseconds that each stage of the reader takes while this lasts."""

    def timed(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return method(*arguments, **named)
            finally:
                spent[name] += 1000 * (time.perf_counter() - began)

        return run

    for name in STAGES:
        setattr(reader, name, timed(name, getattr(reader, name)))
    try:
        yield
    finally:
        for name in STAGES:
            delattr(reader, name)


def measure(
    reader: RevealReader, expectation: Expectation, shots: Sequence[Image], rival: Callable[[Image], object] | None
) -> Times:
    """Read every frame, and let the rival have it next; milliseconds by stage."""
    times: Times = defaultdict(list)
    reader.read(shots[0], expectation)
    if rival is not None:
        rival(shots[0])
    for shot in shots:
        spent: dict[str, float] = defaultdict(float)
        with stopwatches(reader, spent):
            began = time.perf_counter()
            reader.read(shot, expectation)
            times["whole reveal"].append(1000 * (time.perf_counter() - began))
        for stage, milliseconds in spent.items():
            times[stage].append(milliseconds)
        if rival is not None:
            began = time.perf_counter()
            rival(shot)
            times["ultralytics predict"].append(1000 * (time.perf_counter() - began))
    return times


def predict() -> Callable[[Image], object] | None:
    """Give ultralytics' own way to look at a picture, None where it is not installed."""
    if importlib.util.find_spec("ultralytics") is None:
        return None
    from ultralytics import YOLO

    network = YOLO(NETWORK)
    return lambda image: network.predict(image, imgsz=640, device="cpu", verbose=False)


def line(name: str, times: Sequence[float]) -> str:
    """Tell the median and the 95th percentile of some times in ms."""
    middle, slow = np.percentile(times, (50, 95))
    return f"  {name}: {middle:.1f} ms (95th percentile {slow:.1f} ms)"


def main() -> None:
    """Print how long readings take, by stage, and the ratio."""
    rival = predict()
    times = measure(*frames(), rival)
    for name, spent in times.items():
        print(line(name, spent))
    if rival is None:
        print("  ultralytics is not installed: the ratio is left out (pip install -e '.[train]')")
    else:
        ratio = float(np.median(times["whole reveal"]) / np.median(times["ultralytics predict"]))
        print(f"  a whole reveal takes {ratio:.2f} of the time of predict (at most {1 / ONE_IN:.2f} wanted)")
    rings: Times = defaultdict(list)
    for seed in (0, 2):
        for one in measure_cards(seed)[0]:
            rings[one.way].append(one.milliseconds)
    for way, spent in rings.items():
        print(line(f"cards, {way} (at most 60 ms wanted; 24-card deck, six slots)", spent))


if __name__ == "__main__":
    main()
