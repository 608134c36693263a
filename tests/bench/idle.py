"""Processor time of watching a still table: `python -m tests.bench.idle [SECONDS]`.

The real loop, grabber, table and frame reader of an enrolled table, at five frames per second. The pictures are
rendered beforehand, so the simulated camera takes no time.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from companion.games.wicked.standin import STANDIN
from companion.table import Eyes, Loop, SavedGames, Table
from tests.companion.director.rehearsal import PLAYERS, furnished
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import Grabber
from vision.cameras.simulated.scene import Scene

FRAMES_PER_SECOND = 5.0
"""Rate of the camera."""
PICTURES = 8
"""Rendered pictures, which are repeated."""
WARM_UP_SECONDS = 5.0
"""Seconds before measuring, with the first readings of the still table."""


class PrerenderedCamera:
    """A camera that repeats rendered pictures."""

    def __init__(self, images: list[Image]) -> None:
        self._images = images
        self._number = 0

    def grab(self) -> Frame:
        """Return the next picture, when it is due."""
        time.sleep(1.0 / FRAMES_PER_SECOND)
        self._number += 1
        return Frame(self._images[self._number % len(self._images)], self._number, time.monotonic())

    def close(self) -> None:
        """Do nothing."""


def main(seconds: float = 30.0) -> None:
    """Watch a still table, with a game that waits for cards, and print the fraction of one core that it takes."""
    room = furnished()
    images = [room.renderer.render(Scene(seats=4), number) for number in range(PICTURES)]
    with tempfile.TemporaryDirectory() as folder:
        table = Table(SavedGames(Path(folder)), STANDIN)
        table.equip(Eyes(room.readers))
        table.start_game(PLAYERS[:4])
        loop = Loop(table, Grabber(lambda: PrerenderedCamera(images)))
        loop.start()
        time.sleep(WARM_UP_SECONDS)
        clock, processor, frames = time.perf_counter(), time.process_time(), table.view.camera.frames
        time.sleep(seconds)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        frames = table.view.camera.frames - frames
        state = table.view.camera.state
        loop.close()
        table.close()
    print(
        f"still table ({state}), {frames / clock:.1f} frames a second for {clock:.0f} s: "
        f"{100 * processor / clock:.1f} % of one core, {1000 * processor / max(1, frames):.1f} ms a frame"
    )


if __name__ == "__main__":
    main(*(float(argument) for argument in sys.argv[1:]))
