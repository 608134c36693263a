"""Reads and saves the settings that the host chooses for a game."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.session import Session
from companion.session.game_settings import EntryMode, GameSettings, load_settings, save_settings
from companion.table.refusals import refusals


class SettingsService:
    """Reads and saves the settings of games. Callable from any thread.

    lock: the table's. playing: returns the session of the game that is played, else raises `Refused`.
    publish: called after the settings changed.
    """

    def __init__(self, lock: threading.RLock, playing: Callable[[], Session], publish: Callable[[], None]) -> None:
        self._lock = lock
        self._playing = playing
        self._publish = publish
        self._chosen: tuple[str, GameSettings] | None = None

    def settings_of(self, session: Session) -> GameSettings:
        """Return the settings that the host chose for a game."""
        with self._lock:
            if self._chosen is None or self._chosen[0] != session.id:
                self._chosen = session.id, load_settings(session.path)
            return self._chosen[1]

    def entry_mode(self, session: Session, served: str, *, simulated: bool) -> EntryMode:
        """Return how moves of a game are entered: by hand unless the camera of its own table reads it.

        served: id of the game that the camera reads. simulated: whether it shows the simulated table.
        """
        way = self.settings_of(session).way
        elsewhere = way == ("camera" if simulated else "demo")
        return "hand" if elsewhere or session.game.id != served else way

    def choose(self, settings: GameSettings) -> GameSettings:
        """Save the settings of the running game; return those before. Raises `Refused` without a running game."""
        with self._lock, refusals():
            session = self._playing()
            before = self.settings_of(session)
            if settings != before:
                save_settings(session.path, settings)
                self._chosen = session.id, settings
                self._publish()
            return before
