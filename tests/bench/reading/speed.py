"""How long a reading takes, beside one pass of ultralytics' own `predict` on the same frames.

`python -m tests.bench speed`. Every frame (1280×720, five open hands) is read by the reveal reader and at once by
`predict` (torch, 640 px, the smallest network of the library, not trained: that does not change its time), so that
whatever else the machine does slows both; and by the same network as OpenVINO runs it, which runs the reader's: so
much of the ratio is the library's. ultralytics is an extra (`pip install -e '.[train]'`).
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

from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director.simulated_profile import SimulatedBox, enrolled_profile
from companion.games.wicked.components import PLAYER_COLOURS, SEARCH_PIECES
from companion.games.wicked.standin_deck import STANDIN
from models.evaluation.measuring.card_reading import measure_cards
from models.evaluation.scenes.synthetic_sessions import SyntheticSession
from tests.vision.cameras.simulated.tables import table
from vision.cameras.frame import Image
from vision.detector.compilation import loaded
from vision.hands import HandReader
from vision.readings import Expectation

SEATS = 5
FRAMES = 20
ONE_IN = 4
"""A whole reveal may take this part of the time that `predict` takes."""
STAGES = ("find", "detect_pieces", "classify_pieces", "rank_contents")
"""Methods of the reader that are timed by themselves; the network runs beside the second and the third."""
NETWORK, SIZE = "yolo11n.yaml", (384, 640)
"""The network, and what `predict` shows it of a frame of 1280×720: rows, columns."""
LATER = 3
"""Of five pictures of the same still hands the last three are looked at once, as this one is."""
WHOLE, LATER_ONE, PREDICT = "whole reveal", "a later picture of the same hands", "ultralytics predict"
BARE = "the same network by OpenVINO, nothing but its pass"
PROCESSOR = {WHOLE: "processor time of a whole reveal", LATER_ONE: "processor time of a later picture"}
"""Names of the processor times of all threads, less dependent on what else the machine does."""

Times = dict[str, list[float]]
Rivals = dict[str, Callable[[Image], object]]


def frames() -> tuple[HandReader, Expectation, list[Image]]:
    """Teach a held-out table and photograph reveals of five over it."""
    session = SyntheticSession(1)
    profile = enrolled_profile(session.renderer.render, SimulatedBox(BOTS, STANDIN), lambda _: None)
    shots = []
    for number in range(FRAMES):
        scene = table(number // 4, SEATS)
        hands = tuple(replace(hand, openness=1.0, drift=(0.5 * (number % 4), 0.0, 0.0)) for hand in scene.hands)
        shots.append(session.renderer.render(replace(scene, hands=hands), number))
    whole_box = {f"search:{colour}": max(SEARCH_PIECES.values()) for colour in PLAYER_COLOURS}
    limits = (whole_box | {"sign:witch": 1, "sign:soul": 1},) * SEATS
    return HandReader(profile), Expectation(SEATS, limits), shots


@contextmanager
def stopwatches(reader: HandReader, spent: dict[str, float]) -> Iterator[None]:
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


def measure(reader: HandReader, expectation: Expectation, shots: Sequence[Image], rivals: Rivals) -> Times:
    """Read every frame, and let each rival have it next; milliseconds by stage and rival."""
    times: Times = defaultdict(list)
    reader.read(shots[0], expectation)
    for rival in rivals.values():
        rival(shots[0])
    for shot in shots:
        spent: dict[str, float] = defaultdict(float)
        with stopwatches(reader, spent):
            began, used = time.perf_counter(), time.process_time()
            reader.read(shot, expectation)
            times[WHOLE].append(1000 * (time.perf_counter() - began))
            times[PROCESSOR[WHOLE]].append(1000 * (time.process_time() - used))
        for stage, milliseconds in spent.items():
            times[stage].append(milliseconds)
        began, used = time.perf_counter(), time.process_time()
        reader.read(shot, expectation, number=LATER)
        times[LATER_ONE].append(1000 * (time.perf_counter() - began))
        times[PROCESSOR[LATER_ONE]].append(1000 * (time.process_time() - used))
        for name, rival in rivals.items():
            began = time.perf_counter()
            rival(shot)
            times[name].append(1000 * (time.perf_counter() - began))
    return times


def rivals() -> Rivals:
    """Return ultralytics' own inference, and the same network's by OpenVINO; none if not installed."""
    if importlib.util.find_spec("ultralytics") is None:
        return {}
    # It tells much about itself otherwise.
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
    """Format the median and the 95th percentile of some times in ms."""
    middle, slow = np.percentile(times, (50, 95))
    return f"  {name}: {middle:.1f} ms (95th percentile {slow:.1f} ms)"


def main() -> None:
    """Print how long readings take, by stage, and the ratio."""
    times = measure(*frames(), rivals())
    for name, spent in times.items():
        print(line(name, spent))
    if PREDICT in times:
        beside = (WHOLE, LATER_ONE, "find", BARE)
        whole, later, find, bare = (np.median(times[name]) / np.median(times[PREDICT]) for name in beside)
        print(f"  a whole reveal takes {whole:.2f} of the time of predict (target: at most {1 / ONE_IN:.2f})")
        print(f"  a later picture takes {later:.2f} of it, finding the hands alone {find:.2f},")
        print(f"  one pass of predict's own network by OpenVINO {bare:.2f}")
    else:
        print("  ultralytics is not installed: the ratio is left out (pip install -e '.[train]')")
    rings: Times = defaultdict(list)
    for seed in (0, 2):
        for one in measure_cards(seed)[0]:
            rings[one.way].append(one.milliseconds)
    for way, spent in rings.items():
        print(line(f"cards, {way} (at most 60 ms wanted; 24-card deck, six slots)", spent))


if __name__ == "__main__":
    main()
