"""Processor time of watching a table on which nothing happens: `python -m tests.bench.reading.idle [SECONDS]`.

The real loop, grabber, table and frame reader with the readers of an enrolled table, at five frames a second. The
pictures are drawn beforehand, so that none of the time is the simulated camera's own.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from companion.games.wicked.standin_deck import STANDIN
from companion.table import FrameReader, Loop, SavedGames, Table
from tests.companion.director.rehearsal import PLAYERS, furnished
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import Grabber
from vision.cameras.simulated.scene import Scene

FRAMES_A_SECOND = 5.0
PICTURES = 8
SETTLING = 5.0
"""Seconds before measuring begins: opening, and the first readings of a table at rest."""


class Drawn:
    """A camera that shows pictures drawn beforehand."""

    def __init__(self, images: list[Image]) -> None:
        self._images = images
        self._number = 0

    def grab(self) -> Frame:
        """Wait for the next moment and give a picture."""
        time.sleep(1.0 / FRAMES_A_SECOND)
        self._number += 1
        return Frame(self._images[self._number % len(self._images)], self._number, time.monotonic())

    def close(self) -> None:
        """Nothing is held."""


def main(seconds: float = 30.0) -> None:
    """Watch a still table, with a game that waits for cards, and print the share of one core that it took."""
    room = furnished()
    images = [room.renderer.render(Scene(seats=4), number) for number in range(PICTURES)]
    with tempfile.TemporaryDirectory() as folder:
        table = Table(SavedGames(Path(folder)), STANDIN)
        table.set_reader(FrameReader(room.readers))
        table.start_game(PLAYERS[:4])
        loop = Loop(table, Grabber(lambda: Drawn(images)))
        loop.start()
        time.sleep(SETTLING)
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
