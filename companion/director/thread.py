"""Thread that runs a director."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from calibration.translatable import say
from companion.director.director import Director

TICKS_PER_SECOND = 15.0
"""Scenes per second, as many as the simulated camera takes pictures."""
_RESTING_INTERVAL = 0.25
"""Seconds between two scenes while nothing happens on the table."""


class DirectorThread:
    """Calls `Director.tick` repeatedly in a thread of its own. After an error the bots are paused.

    notice: shows a line of text on screens.
    """

    def __init__(self, director: Director, notice: Callable[[str], None]) -> None:
        self._director = director
        self._notice = notice
        self._stop = threading.Event()
        self._reported = ""
        self._thread = threading.Thread(target=self._run, name="director", daemon=True)

    def start(self) -> None:
        """Start the thread that calls `Director.tick`."""
        self._thread.start()

    def close(self) -> None:
        """Stop the thread; wait up to 2 s for the tick that is running."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)

    def _run(self) -> None:
        while not self._stop.wait(_RESTING_INTERVAL if self._director.resting else 1.0 / TICKS_PER_SECOND):
            running = self._director.view.running
            try:
                self._director.tick()
            except Exception as error:
                # The table must not stand still without a word: the game goes on by hand.
                self._director.resting = True
                if not running and repr(error) == self._reported:
                    continue
                self._reported = repr(error)
                logging.getLogger(__name__).exception("The bots could not go on.")
                self._director.run(False)
                self._notice(say("The bots could not go on and are paused. Start them again, or play by hand."))
            else:
                self._reported = "" if running else self._reported
