"""Detection of a bad camera view, and false alarms: `python -m tests.bench.health [LOOK...]`.

The first rounds of games, with hands in motion and cards being laid, must raise no alarm; then each fault is
produced on the same table, and the pictures until its detection are counted.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from companion.director.director import Director
from companion.games.wicked.standin import STANDIN
from companion.table import SavedGames, Table
from companion.table.views import CameraView, TableView
from tests.companion.director.rehearsal import PLAYERS, Clock
from tests.vision.cameras.simulated.tables import faces, table
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene
from vision.health import ViewHealth
from vision.stillness import RevealWatcher

FRAMES_PER_SECOND = 8.0
"""Rate of the simulated camera."""
PICTURES = 400
"""Pictures of each game: 50 s of play, with some rounds."""
SHOWN_SECONDS = 1.5
"""Seconds for which a reveal is shown before it is entered."""


class UnreadTable(Table):
    """A table that reads nothing: every reveal is entered by hand."""

    @property
    def view(self) -> TableView:
        """The view with a working camera, for the director."""
        return replace(super().view, camera=CameraView("watching"))


def scenes(seed: int, players: int) -> Iterator[Scene]:
    """Yield every scene of a whole game."""
    clock, shown = Clock(), list[Scene]()
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(UnreadTable(SavedGames(Path(folder)), STANDIN, clock=clock)) as played,
    ):
        director = Director(played, shown.append, seed, clock, 4.0)
        played.start_game(PLAYERS[:players])
        while (game := played.view.game) is not None and game.state.phase != "over":
            director.tick()
            yield shown[-1]
            act = director._act
            waiting = act is not None and act.taken_at is None and act.number == played.view.game.number
            if waiting and act.shown_at is not None and clock() - act.shown_at > SHOWN_SECONDS:
                played.play(act.move, act.number)
            clock.advance(1.0 / FRAMES_PER_SECOND)


class HealthMonitor:
    """A view's health and the reveal watcher, fed as the frame reader feeds them."""

    def __init__(self) -> None:
        self.watcher, self.view, self.now = RevealWatcher(), ViewHealth(), 0.0

    def feed(self, image: Image) -> str | None:
        """Process a picture; return the reported fault, or "unfit" for a picture that is only not read."""
        self.now += 1.0 / FRAMES_PER_SECOND
        sight = self.watcher.feed(image)
        health = self.view.feed(image, self.now, still=sight.still, hands=sight.state != "watching")
        return health.trouble or (None if health.fit else "unfit")


def false_alarms(look: Look, seed: int, players: int) -> None:
    """Play the first rounds of a game and print the number of alarms, all of them false."""
    renderer, monitor = Renderer(look, faces()), HealthMonitor()
    first_scenes = islice(scenes(seed, players), PICTURES)
    faults = [monitor.feed(renderer.render(scene, number)) for number, scene in enumerate(first_scenes)]
    alarms = sum(fault not in (None, "unfit") for fault in faults)
    unread = faults.count("unfit")
    print(f"  game of {players} on {look.table}: {len(faults)} pictures, {alarms} alarms, {unread} unread")


def latency(look: Look) -> None:
    """Produce each fault and print after how many pictures it is reported, and cleared again."""
    full = table(5, 4)
    bare = replace(full, hands=())
    well = Renderer(look, faces())

    def other(changed: Look) -> Callable[[int], Image]:
        renderer = Renderer(changed, faces())
        return lambda number: renderer.render(full, number)

    causes: dict[str, Callable[[int], Image]] = {
        "moved by 5 mm": other(replace(look, aim=(look.aim[0] + 5.0, look.aim[1]))),
        "turned by 1 degree": other(replace(look, yaw=look.yaw + 1.0)),
        "light at 60 %": other(replace(look, exposure=0.6 * look.exposure)),
        "blur of 2 px": lambda number: np.asarray(
            cv2.GaussianBlur(well.render(full, number), (0, 0), 2.0), np.uint8
        ),
        "a head of 24 cm": lambda number: _head(well.render(full, number)),
        "no light": lambda number: (well.render(full, number) * 0.08).astype(np.uint8),
    }
    for name, cause in causes.items():
        monitor = HealthMonitor()
        for number in range(6):
            monitor.feed(well.render(bare, number))
        during = [monitor.feed(cause(10 + number)) for number in range(6)]
        after = [monitor.feed(well.render(full, 20 + number)) for number in range(6)]
        first = next((count for count, fault in enumerate(during, 1) if fault not in (None, "unfit")), None)
        read = sum(fault is None for fault in during)
        again = next((count for count, fault in enumerate(after, 1) if fault is None), None)
        print(f"  {name}: {during[-1]} at picture {first}, {read} read meanwhile, cleared at picture {again}")


def _head(image: Image) -> Image:
    drawn = cv2.ellipse(image.copy(), (640, 420), (120, 140), 0, 0, 360, (30, 40, 52), -1)
    return np.asarray(cv2.ellipse(drawn, (640, 640), (270, 140), 0, 0, 360, (90, 60, 50), -1), np.uint8)


def main(*looks: int) -> None:
    """Measure on the default look and on others, by seed."""
    for seed in looks or (0, 4, 6):
        look = Look.from_seed(seed) if seed else Look()
        print(f"look {seed}")
        false_alarms(look, 3, 5 if seed % 2 == 0 else 3)
        latency(look)
        sys.stdout.flush()


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
