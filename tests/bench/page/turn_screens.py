"""How soon a turn of Master Labyrinth is on another screen: `python -m tests.bench turn_screens`.

A served table with 20 screens connected, in a process of their own. The bots' turns are shown to its camera; the
time is taken from the first frame in which the table is at rest to the turn that was read, on every screen. The
pictures are drawn beforehand. The processor time, of all threads of the server, stays true on a busy machine; the
clock does not.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration.profile import TableProfile
from companion.adapters.master.bots.choices import turn_moves
from companion.adapters.master.bots.scenes import scene
from companion.adapters.master.bots.simulated_players import BOTS
from companion.adapters.master.bots.turn_animation import turn_staging
from companion.director.pre_enrolled_pieces import GROUND
from companion.games.master.components import LOOSE
from companion.games.master.maze import letters
from companion.games.master.moves import LayBoard, Move, Stay
from companion.games.master.rules.setup import random_board
from companion.games.master.state import MasterState
from companion.table import FrameReader, Loop, SavedGames, Table
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import TableView
from tests.bench.page.screens import FRAMES_A_SECOND, SCREENS, Acted, print_times, screens
from tests.serving import running
from vision.cameras.frame import Image
from vision.cameras.grabber import Grabber
from vision.cameras.simulated import Renderer
from vision.games.master.simulated_components import LOOK
from web import create_app

TURNS = 12
MOVING = 18
"""Pictures that are drawn of the end of each turn."""
SCENES_A_SECOND = 15.0
"""How many of them are shown in a second."""
LONGEST = 30.0
"""Seconds until a turn counts as not read."""


def main(turns: int = TURNS) -> None:
    """Print how long the turns took."""
    renderer = Renderer(replace(LOOK, ground=GROUND), {}, game="master")
    camera, rng = Acted(), random.Random(1)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        table = Table(SavedGames(Path(folder)), None, game="master", delay=1000.0)
        table.set_reader(FrameReader(readers_for(TableProfile(len(BOTS.seats), game="master"))))
        table.start_game(BOTS.seats)
        maze, tokens = random_board(rng)
        loose = tuple(letters(maze.tile(place)) for place in LOOSE)
        table.play(LayBoard(loose, letters(maze.spare), tokens), _number(table))
        camera.idle = [renderer.render(scene(_state(table)), number) for number in range(5)]
        app = create_app(table)
        server = stack.enter_context(running(app))
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        process = multiprocessing.get_context("spawn").Process(target=screens, args=(server.port, theirs))
        process.start()
        assert ours.recv() == "connected"
        loop = Loop(table, Grabber(lambda: camera))
        loop.start()
        time.sleep(3.0)
        shown: list[TableView] = []
        unsubscribe = table.subscribe(shown.append)
        waits: list[float] = []
        work: list[float] = []
        right = 0
        for _ in range(turns):
            state = _state(table)
            moves = turn_moves(state, rng)
            if not moves:
                break
            visible = tuple(move for move in moves if not isinstance(move, Stay))
            frames, rest = _drawn(renderer, state, moves)
            shown.clear()
            camera.rested, camera.script, camera.idle = None, iter(frames), rest
            told, spent = _told(camera, shown)
            if told is not None and told.proposal is not None and camera.rested is not None:
                ours.send(told.version)
                waits.append(max(ours.recv()) - camera.rested)
                work.append(spent)
                right += told.proposal.questions[0].choices[0].moves == visible
            for move in moves:
                table.play(move, _number(table))
            time.sleep(1.0)
        unsubscribe()
        ours.send(None)
        process.join(10)
        loop.close()
        app.extensions["unsubscribe"]()
        table.close()
    print(f"{turns} turns, {len(waits)} read, {right} of them right")
    print_times(f"from a still table to the turn on each of {SCREENS} screens (wanted: 1000 ms)", waits)
    print_times("processor time of the server meanwhile", work)


def _told(camera: Acted, shown: list[TableView]) -> tuple[TableView | None, float]:
    """Return the first view with a proposal after the table came to rest, and the processor time until then."""
    until, began = time.monotonic() + LONGEST, 0.0
    while time.monotonic() < until:
        time.sleep(0.002)
        if camera.rested is not None and not began:
            began = time.process_time()
        for view in list(shown):
            if began and view.proposal is not None:
                return view, time.process_time() - began
    return None, 0.0


def _drawn(
    renderer: Renderer, state: MasterState, moves: tuple[Move, ...]
) -> tuple[list[tuple[Image, bool]], list[Image]]:
    """Return the frames of a turn, of which the last ones are at rest, and the pictures of the table after it."""
    staging = turn_staging(state, moves)
    still = [renderer.render(staging.scene(staging.seconds + 1.0), seed) for seed in range(5)]
    moving = [
        renderer.render(staging.scene(staging.seconds - number / SCENES_A_SECOND), 0) for number in range(MOVING)
    ]
    # The hand leaves the picture before the staging ends, and the table is at rest from then on.
    while np.array_equal(moving[0], still[0]):
        del moving[0]
    # Each picture is shown so briefly that the table does not seem to be at rest meanwhile.
    shown = int(FRAMES_A_SECOND / SCENES_A_SECOND)
    frames = [(image, False) for image in reversed(moving) for _ in range(shown)]
    return frames + [(still[number % 5], True) for number in range(int(LONGEST * FRAMES_A_SECOND))], still


def _state(table: Table) -> MasterState:
    assert table.view.game is not None
    state = table.view.game.state
    assert isinstance(state, MasterState)
    return state


def _number(table: Table) -> int:
    assert table.view.game is not None
    return table.view.game.number


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
