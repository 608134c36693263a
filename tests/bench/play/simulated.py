"""Pictures a second of the simulated table: `python -m tests.bench.play.simulated`.

Processor time counts all threads and stays true on a busy machine; the clock does not.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

import cv2

from tests.vision.cameras.simulated.tables import faces, table
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene

SEATS = 5
FRAMES = 60


def act(scene: Scene, at: float) -> Scene:
    """Show a reveal at a moment from 0 to 1: hands come in closed, open, stay, go."""
    reach = min(1.0, at / 0.3, (1.0 - at) / 0.2)
    openness = min(1.0, max(0.0, (at - 0.35) / 0.15), max(0.0, (0.85 - at) / 0.1))
    hands = tuple(replace(hand, reach=max(0.0, reach), openness=openness) for hand in scene.hands)
    return replace(scene, hands=hands)


def measure(name: str, renderer: Renderer, scenes: Iterable[Scene]) -> None:
    """Draw scenes one after another and print how fast it went."""
    clock, processor = time.perf_counter(), time.process_time()
    slowest, last, count = 0.0, clock, 0
    for number, scene in enumerate(scenes):
        renderer.render(scene, number)
        now = time.perf_counter()
        slowest, last, count = max(slowest, now - last), now, number + 1
    clock, processor = last - clock, time.process_time() - processor
    print(
        f"{name}: {count / clock:.1f} pictures a second, {processor / count * 1000:.0f} ms of processor time each, "
        f"slowest {slowest * 1000:.0f} ms"
    )


def main() -> None:
    """Time a 5-seat reveal with moving hands, a still one, and the table without hands."""
    cv2.setNumThreads(2)
    renderer = Renderer(Look.from_seed(1), faces())
    reveals = [table(seed, SEATS) for seed in range(2)]
    moving = (act(scene, frame / FRAMES) for scene in reveals for frame in range(FRAMES))
    measure(f"{SEATS} hands moving", renderer, moving)
    measure(f"{SEATS} hands still", renderer, [reveals[-1]] * FRAMES)
    measure("no hands", renderer, [replace(reveals[-1], hands=())] * FRAMES)


if __name__ == "__main__":
    main()
