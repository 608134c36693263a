"""False alarms and delays of the trouble reports of a view: `python -m tests.bench.reading.health [LOOK...]`.

The first rounds of games, in which hands come and go all the time and cards are laid, must not raise an alarm; then
each trouble is made on the same table, and the pictures are counted until it is reported.
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

from companion.adapters.wicked.bots.simulated_players import BOTS
from companion.director.director import Director
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.views import CameraView, TableView
from tests.companion.director.rehearsal import PLAYERS, Clock
from tests.vision.cameras.simulated.tables import faces, table
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene
from vision.health import ViewHealth
from vision.motion_state import HandsWatcher

FRAMES_A_SECOND = 8.0
PICTURES = 400
"""How much of each game is watched: 50 seconds of play, in which some rounds are shown."""
SHOWN = 1.5
"""Seconds for which everything is shown before it is entered."""


class Unread(Table):
    """A table whose camera sees well and reads nothing: what is shown is entered by hand."""

    @property
    def view(self) -> TableView:
        """What the director looks at."""
        return replace(super().view, camera=CameraView("watching"))


def scenes(seed: int, players: int) -> Iterator[Scene]:
    """Yield every scene of a whole game."""
    clock, shown = Clock(), list[Scene]()
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Unread(SavedGames(Path(folder)), STANDIN, clock=clock)) as played,
    ):
        director = Director(played, BOTS, STANDIN, shown.append, seed, clock, 4.0)
        played.start_game(PLAYERS[:players])
        while (game := played.view.game) is not None and game.state.phase != "over":
            director.tick()
            yield shown[-1]
            act = director.shown
            now = played.view.game
            waiting = act is not None and now is not None and act.taken_at is None and act.number == now.number
            if act is not None and waiting and act.shown_at is not None and clock() - act.shown_at > SHOWN:
                played.play(act.moves[0], act.number)
            clock.advance(1.0 / FRAMES_A_SECOND)


class Watched:
    """A view and the watcher that tells it of motion and hands, fed as the frame reader does."""

    def __init__(self) -> None:
        self.watcher, self.view, self.now = HandsWatcher(), ViewHealth(), 0.0

    def sees(self, image: Image) -> str | None:
        """Feed a picture; return the reported trouble, or "unfit" for a picture that is merely not read."""
        self.now += 1.0 / FRAMES_A_SECOND
        sight = self.watcher.feed(image)
        health = self.view.feed(image, self.now, still=sight.still, hands=sight.state != "watching")
        return health.trouble or (None if health.fit else "unfit")


def false_alarms(look: Look, seed: int, players: int) -> None:
    """Play the first rounds of a game and print what was reported of a view that nothing was wrong with."""
    renderer, watched = Renderer(look, faces()), Watched()
    watched_scenes = islice(scenes(seed, players), PICTURES)
    reported = [watched.sees(renderer.render(scene, number)) for number, scene in enumerate(watched_scenes)]
    alarms = sum(trouble not in (None, "unfit") for trouble in reported)
    print(
        f"  game of {players} on {look.table}: {len(reported)} pictures, {alarms} alarms, "
        f"{reported.count('unfit')} unread"
    )


def latency(look: Look) -> None:
    """Make each trouble and print after how many pictures it is reported, and is over."""
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
        watched = Watched()
        for number in range(6):
            watched.sees(well.render(bare, number))
        reported = [watched.sees(cause(10 + number)) for number in range(6)]
        over = [watched.sees(well.render(full, 20 + number)) for number in range(6)]
        first = next((count for count, trouble in enumerate(reported, 1) if trouble not in (None, "unfit")), None)
        read = sum(trouble is None for trouble in reported)
        again = next((count for count, trouble in enumerate(over, 1) if trouble is None), None)
        print(
            f"  {name}: {reported[-1]} reported with picture {first}, "
            f"{read} read meanwhile, over with picture {again}"
        )


def _head(image: Image) -> Image:
    drawn = cv2.ellipse(image.copy(), (640, 420), (120, 140), 0, 0, 360, (30, 40, 52), -1)
    return np.asarray(cv2.ellipse(drawn, (640, 640), (270, 140), 0, 0, 360, (90, 60, 50), -1), np.uint8)


def main(*looks: int) -> None:
    """Measure on the usual look and on some others, by seed."""
    for seed in looks or (0, 4, 6):
        look = Look.from_seed(seed) if seed else Look()
        print(f"look {seed}")
        false_alarms(look, 3, 5 if seed % 2 == 0 else 3)
        latency(look)
        sys.stdout.flush()


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
