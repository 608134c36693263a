"""The reading thread: passes the camera's newest frames to the table in a loop."""

from __future__ import annotations

import logging
import threading

from calibration.errors import CalibrationError
from calibration.translatable import say
from companion.table.table import Table
from vision.cameras.grabber import Grabber

_FRAME_TIMEOUT = 0.1
"""Seconds to wait for a frame before a tick without one."""
_RETRY_DELAY = 0.5
"""Seconds before the next frame after one that could not be read."""


class Loop:
    """Runs a table on a camera until it is closed. A frame that cannot be read is reported and skipped."""

    def __init__(self, table: Table, grabber: Grabber) -> None:
        self._table = table
        self._grabber = grabber
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="reading", daemon=True)

    def start(self) -> None:
        """Start the camera and the thread that processes its frames."""
        self._grabber.start()
        self._thread.start()

    def close(self) -> None:
        """Stop the thread, after the frame that is being read or 5 s, and then the camera."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._grabber.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            frame = self._grabber.newest(_FRAME_TIMEOUT)
            try:
                self._table.update_camera_status(self._grabber.status)
                if frame is not None:
                    self._table.process_frame(frame)
                self._table.tick()
            except CalibrationError as error:
                self._skip(str(error))
            except Exception:
                # One bad picture must not end the session: the game goes on by hand or with the next one.
                logging.getLogger(__name__).exception("A picture could not be read.")
                self._skip(say("A picture could not be read. Enter by hand what the camera missed."))

    def _skip(self, line: str) -> None:
        """Publish why a frame could not be read, and wait before the next one."""
        self._table.report_unreadable_frame(line)
        self._stop.wait(_RETRY_DELAY)
