"""Time of a reading, compared with one pass of ultralytics' `predict` on the same frames.

`python -m tests.bench speed`. Every frame (1280×720, five open hands) is read by the reveal reader and right
after it by `predict` (torch, 640 px, the library's smallest network, untrained, which does not change its
time), so that other programs slow both. The same network also runs with OpenVINO, as the reader's do, to
separate the library's share of the ratio. ultralytics is an extra (`pip install -e '.[train]'`).
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.adapters.wicked.bots.furnishings import taught
from companion.games.wicked.components import PLAYER_COLOURS, SEARCH_PIECES
from companion.games.wicked.standin import STANDIN
from models.evaluation.measuring.cards import measure_cards
from models.evaluation.scenes.sessions import SyntheticSession
from tests.vision.cameras.simulated.tables import table
from vision.cameras.frame import Image
from vision.detector.network import loaded
from vision.hands import RevealReader
from vision.readings import Expectation

SEATS = 5
"""Hands in each frame."""
FRAMES = 20
"""Timed frames."""
TARGET_RATIO = 0.25
"""Target of a whole reveal's time, as a fraction of `predict`'s."""
STAGES = ("find", "palms", "look", "weigh")
"""Methods of the reader that are timed separately; the network runs in parallel with the second and the third."""
NETWORK, SIZE = "yolo11n.yaml", (384, 640)
"""The network, and the rows and columns to which `predict` scales a frame of 1280×720."""
LATER = 3
"""Index of a later picture of the same still hands: the last three of five get one inference pass only."""
WHOLE, LATER_ONE, PREDICT = "whole reveal", "a later picture of the same hands", "ultralytics predict"
BARE = "the same network by OpenVINO, nothing but its pass"

Times = dict[str, list[float]]
Rivals = dict[str, Callable[[Image], object]]


def frames() -> tuple[RevealReader, Expectation, list[Image]]:
    """Return a reader for a held-out table, its expectation, and pictures of reveals of five hands."""
    session = SyntheticSession(1)
    profile = taught(session.renderer.render, STANDIN, lambda _: None)
    shots = []
    for number in range(FRAMES):
        scene = table(number // 4, SEATS)
        hands = tuple(replace(hand, openness=1.0, drift=(0.5 * (number % 4), 0.0, 0.0)) for hand in scene.hands)
        shots.append(session.renderer.render(replace(scene, hands=hands), number))
    whole_box = {f"search:{colour}": max(SEARCH_PIECES.values()) for colour in PLAYER_COLOURS}
    limits = (whole_box | {"sign:witch": 1, "sign:soul": 1},) * SEATS
    return RevealReader(profile), Expectation(SEATS, limits), shots


@contextmanager
def stopwatches(reader: RevealReader, spent: dict[str, float]) -> Iterator[None]:
    """Add the milliseconds of each stage of the reader to `spent`, within the context."""

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


def measure(reader: RevealReader, expectation: Expectation, shots: Sequence[Image], rivals: Rivals) -> Times:
    """Read every frame, also with each rival, and return the milliseconds by stage and rival."""
    times: Times = defaultdict(list)
    reader.read(shots[0], expectation)
    for rival in rivals.values():
        rival(shots[0])
    for shot in shots:
        spent: dict[str, float] = defaultdict(float)
        with stopwatches(reader, spent):
            began = time.perf_counter()
            reader.read(shot, expectation)
            times[WHOLE].append(1000 * (time.perf_counter() - began))
        for stage, milliseconds in spent.items():
            times[stage].append(milliseconds)
        began = time.perf_counter()
        reader.read(shot, expectation, number=LATER)
        times[LATER_ONE].append(1000 * (time.perf_counter() - began))
        for name, rival in rivals.items():
            began = time.perf_counter()
            rival(shot)
            times[name].append(1000 * (time.perf_counter() - began))
    return times


def rivals() -> Rivals:
    """Return ultralytics' `predict`, and the same network with OpenVINO; none if ultralytics is not installed."""
    if importlib.util.find_spec("ultralytics") is None:
        return {}
    # Otherwise the library logs a lot.
    os.environ.setdefault("YOLO_VERBOSE", "false")
    from ultralytics import YOLO

    network = YOLO(NETWORK)
    with tempfile.TemporaryDirectory() as temporary, chdir(temporary):
        _, core, model = loaded(Path(YOLO(NETWORK).export(format="onnx", imgsz=SIZE, verbose=False)).resolve())
    compiled = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})

    def bare(image: Image) -> object:
        return compiled(cv2.dnn.blobFromImage(image, 1 / 255, SIZE[::-1], swapRB=True))

    return {PREDICT: lambda image: network.predict(image, imgsz=640, device="cpu", verbose=False), BARE: bare}


def line(name: str, times: Sequence[float]) -> str:
    """Return the line with the median and the 95th percentile of times in ms."""
    middle, slow = np.percentile(times, (50, 95))
    return f"  {name}: {middle:.1f} ms (95th percentile {slow:.1f} ms)"


def main() -> None:
    """Print the times of readings by stage, and the ratio."""
    times = measure(*frames(), rivals())
    for name, spent in times.items():
        print(line(name, spent))
    if PREDICT in times:
        beside = (WHOLE, LATER_ONE, "find", BARE)
        whole, later, find, bare = (np.median(times[name]) / np.median(times[PREDICT]) for name in beside)
        print(f"  a whole reveal takes {whole:.2f} of the time of predict (target {TARGET_RATIO:.2f})")
        print(f"  a later picture takes {later:.2f} of it, finding the hands alone {find:.2f},")
        print(f"  one pass of predict's own network by OpenVINO {bare:.2f}")
    else:
        print("  ultralytics is not installed: the ratio is left out (pip install -e '.[train]')")
    rings: Times = defaultdict(list)
    for seed in (0, 2):
        for one in measure_cards(seed)[0]:
            rings[one.way].append(one.milliseconds)
    for way, spent in rings.items():
        print(line(f"cards, {way} (target 60 ms; 24-card deck, six slots)", spent))


if __name__ == "__main__":
    main()
