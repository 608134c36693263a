"""The simulated table: camera, profile and director, set up in the background."""

from __future__ import annotations

import itertools
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from calibration.errors import CalibrationError
from calibration.games import GAMES
from calibration.profile import TableProfile, exists, folder_of
from calibration.simulated_profile_mark import is_simulated
from calibration.translatable import say
from companion.adapters import adapter
from companion.director.bot_interface import Bots
from companion.director.director import Director
from companion.director.pre_enrolled_pieces import GROUND, SHOWN, prepared_pieces
from companion.director.simulated_profile import SimulatedBox, bare_profile, simulated_profile
from companion.director.thread import DirectorThread
from companion.table import FrameReader, Loop, Table
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.readers_from_profile import readers_for
from vision.cameras.grabber import Grabber, GrabStatus
from vision.cameras.simulated import Renderer, SimulatedCamera
from vision.cameras.simulated.scene import Scene
from vision.cameras.simulated.table_surfaces import Ground
from vision.games import drawn_components

_PROFILE = "simulated"
"""Name of the first game's profile."""
GROUNDS_TRIED = 3
"""Patterned grounds tried before plain wood: on some not every kind of piece can be enrolled."""


def profile_of(game: str) -> str:
    """Return the name of the profile of a game's simulated table: one that no real table has taken."""
    name = _PROFILE if game == GAMES[0] else f"{_PROFILE}-{game}"
    names = itertools.chain((name,), (f"{name}-{number}" for number in itertools.count(2)))
    return next(name for name in names if not exists(name) or is_simulated(folder_of(name)))


def prepare_table(
    name: str, box: SimulatedBox, seed: int | None, report: Callable[[str], None]
) -> tuple[Renderer, TableProfile]:
    """Return the renderer of a simulated table, and the profile enrolled from its pictures.

    name: of the profile; report: called with a line of text before each step. seed: chooses the pattern of the
    table's surface; None for the one of the bundled pieces, with which the table is ready at once. Raises
    CalibrationError where the pieces cannot be enrolled even on plain wood.
    """
    game, faces = box.bots.game.id, box.bots.card_faces(box.setup)
    usual = drawn_components(game).look
    if not adapter(game).calibrated:
        ground = GROUND if seed is None else Ground.from_seed(seed % (1 << 31), SHOWN)
        return Renderer(replace(usual, ground=ground), faces, game=game), bare_profile(name, box)
    if seed is None:
        renderer = Renderer(replace(usual, ground=GROUND), faces, game=game)
        return renderer, simulated_profile(name, renderer.render, box, report, prepared_pieces(box.bots))
    for attempt in range(GROUNDS_TRIED):
        ground = Ground.from_seed(seed % (1 << 31) + attempt, SHOWN)
        renderer = Renderer(replace(usual, ground=ground), faces, game=game)
        try:
            return renderer, simulated_profile(name, renderer.render, box, report)
        except CalibrationError as error:
            logging.getLogger(__name__).info("Another ground is laid on the simulated table: %s", error)
            report(say("The pieces do not stand out from this ground: another one is laid."))
    renderer = Renderer(usual, faces, game=game)
    return renderer, simulated_profile(name, renderer.render, box, report)


class Simulation:
    """The simulated table, which is set up in a thread of its own and then runs until it is closed.

    setup: what the game's `Adapter.setup` returns, with the cards that lie on the table. profile: name of its
    profile; "" for the one of `profile_of`.
    """

    def __init__(
        self, table: Table, bots: Bots[Any, Any], setup: Any, seed: int | None = None, profile: str = ""
    ) -> None:
        self._table = table
        self._box = SimulatedBox(bots, setup)
        self._profile = profile or profile_of(bots.game.id)
        self._seed = seed
        self._camera: SimulatedCamera | None = None
        self._director = Director(table, bots, setup, self._show, seed)
        self._lock = threading.Lock()
        self._closing = False
        self._acting = DirectorThread(self._director, table.notice)
        self._loop: Loop | None = None
        self._thread = threading.Thread(target=self._set_up, name="setting-up", daemon=True)
        table.director = self._director
        table.seating.laid_evenly = True
        table.publish()

    def start(self) -> None:
        """Start to set up and run the table; returns at once."""
        self._thread.start()

    def close(self) -> None:
        """Stop everything that was set up; from now on the table is left alone."""
        with self._lock:
            self._closing = True
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._acting.close()
        if self._loop is not None:
            self._loop.close()

    def _show(self, scene: Scene) -> None:
        """Show a scene to the camera, once there is one."""
        if self._camera is not None:
            self._camera.rest(self._director.resting)
            self._camera.show(scene)

    def _open_camera(self, renderer: Renderer) -> SimulatedCamera:
        """Return a new simulated camera, to which all scenes are shown from now on."""
        self._camera = SimulatedCamera(renderer)
        return self._camera

    @contextmanager
    def _unless_closing(self) -> Iterator[None]:
        """Return a context in which the table may be changed. Raises _ClosingError once `close` was called."""
        with self._lock:
            if self._closing:
                raise _ClosingError
            yield

    def _report(self, line: str) -> None:
        """Show a line of text as the camera's status on screens. Raises _ClosingError once `close` was called."""
        with self._unless_closing():
            self._table.update_camera_status(GrabStatus("starting", line))

    def _set_up(self) -> None:
        """Set up the table step by step, then start director and camera; runs in the thread."""
        try:
            self._report(say("The simulated table is being set up."))
            renderer, profile = prepare_table(self._profile, self._box, self._seed, self._report)
            self._report(say("The readers are being made ready."))
            reader = FrameReader(readers_for(profile))
            self._report(say("The camera is being started."))
            with self._unless_closing():
                self._run(reader, renderer, profile)
        except _ClosingError:
            return
        except Exception as error:
            # After any error the page must not show the setup state for ever.
            logging.getLogger(__name__).exception("The simulated table could not be set up.")
            reason = str(error) if isinstance(error, (CalibrationError, OSError)) else say("The log says more.")
            line = say("The simulated table could not be set up: {reason}", reason=reason)
            with suppress(_ClosingError), self._unless_closing():
                self._table.update_camera_status(GrabStatus("closed", line))

    def _run(self, reader: FrameReader, renderer: Renderer, profile: TableProfile) -> None:
        """Hand the table what was set up, and start director and camera."""
        table = self._table
        table.set_reader(reader)
        table.enrolment = EnrolmentService(table, self._profile, readers_for, game=self._box.kit.game)
        table.seating.known, table.seating.keep = profile.seatings, table.enrolment.keep_seating
        self._loop = Loop(table, Grabber(lambda: self._open_camera(renderer)))
        self._acting.start()
        self._loop.start()


class _ClosingError(Exception):
    """The companion closes while the table is being set up."""
