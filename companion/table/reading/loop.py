"""The reading thread: newest frames from the camera to the table, and time passing."""

from __future__ import annotations

import logging
import threading

from calibration.errors import TeachError
from companion.table.table import Table
from vision.cameras.grabber import Grabber

_PATIENCE = 0.1
"""Seconds to wait for a frame before time is let pass without one."""
_AFTER_A_BAD_ONE = 0.5
"""Seconds until the next picture is tried where one could not be read."""


class Loop:
    """Runs a table on a camera until it is closed. A frame that cannot be read is told and passed over."""

    def __init__(self, table: Table, grabber: Grabber) -> None:
        self._table = table
        self._grabber = grabber
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reading", daemon=True)

    def start(self) -> None:
        """Start the camera and the reading."""
        self._grabber.start()
        self._thread.start()

    def close(self) -> None:
        """Stop both; waits a moment for what is being read."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._grabber.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            frame = self._grabber.newest(_PATIENCE)
            try:
                self._table.update_camera_status(self._grabber.status)
                if frame is not None:
                    self._table.process_frame(frame)
                self._table.tick()
            except TeachError as error:
                self._passed_over(str(error))
            except Exception:
                # One bad picture must not end the evening: the game goes on by hand or with the next one.
                logging.getLogger(__name__).exception("A picture could not be read.")
                self._passed_over("A picture could not be read. Enter by hand what the camera missed.")

    def _passed_over(self, line: str) -> None:
        self._table.notice(line)
        self._stop.wait(_AFTER_A_BAD_ONE)
