"""Pictures a second of the simulated table: `python -m tests.bench.simulated`."""

from __future__ import annotations

import time
from dataclasses import replace

import cv2

from tests.vision.cameras.simulated.tables import faces, table
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene

SEATS = 5


def act(scene: Scene, at: float) -> Scene:
    """Show a reveal at a moment from 0 to 1: hands come in closed, open, stay, go."""
    reach = min(1.0, at / 0.3, (1.0 - at) / 0.2)
    openness = min(1.0, max(0.0, (at - 0.35) / 0.15), max(0.0, (0.85 - at) / 0.1))
    hands = tuple(replace(hand, reach=max(0.0, reach), openness=openness) for hand in scene.hands)
    return replace(scene, hands=hands)


def main() -> None:
    """Time a 5-seat reveal with moving hands, a still one, and the table without hands."""
    cv2.setNumThreads(2)
    renderer = Renderer(Look.from_seed(1), faces())
    frames, slowest = 60, 0.0
    started = time.perf_counter()
    number = 0
    for seed in range(2):
        scene = table(seed, SEATS)
        for frame in range(frames):
            before = time.perf_counter()
            renderer.render(act(scene, frame / frames), number)
            slowest = max(slowest, time.perf_counter() - before)
            number += 1
    moving = number / (time.perf_counter() - started)
    print(f"{moving:6.1f} pictures a second, {SEATS} hands moving (slowest picture {slowest * 1000:.0f} ms)")
    for name, scene in (("5 open hands, still", table(0, SEATS)), ("no hands", table(0, SEATS, reveal=False))):
        renderer.render(scene, 0)
        started = time.perf_counter()
        for number in range(frames):
            renderer.render(scene, number)
        print(f"{frames / (time.perf_counter() - started):6.1f} pictures a second, {name}")


if __name__ == "__main__":
    main()
