"""Connects a real camera to a table: takes its frames, and sets the reader that reads them."""

from __future__ import annotations

from collections.abc import Callable

from companion.table.reading.frame_loop import Loop
from companion.table.reading.frame_reader import FrameReader, Readers
from companion.table.table import Table
from vision.cameras.frame import Camera
from vision.cameras.grabber import Grabber, Patience


class LiveCamera:
    """Passes the frames of one camera to a table until it is closed.

    opener: opens the camera. readers: None while the table is not calibrated. patience: how long the grabber waits
    for the camera.
    """

    def __init__(
        self, table: Table, opener: Callable[[], Camera], readers: Readers | None, patience: Patience | None = None
    ) -> None:
        self._table = table
        self._readers = readers
        self._loop = Loop(table, Grabber(opener, patience))

    def start(self) -> None:
        """Set the table's frame reader, if there are readers, and start the camera and its frames' processing."""
        if self._readers is not None:
            self._table.set_reader(FrameReader(self._readers))
        self._loop.start()

    def switch_to(self, opener: Callable[[], Camera], patience: Patience) -> None:
        """Close the camera and open another one; readers calibrated for the old camera are removed."""
        self._loop.close()
        if self._readers is not None and not self._readers.calibrated:
            self._table.set_reader(FrameReader(self._readers))
        else:
            self._table.set_reader(None)
        self._loop = Loop(self._table, Grabber(opener, patience))
        self._loop.start()

    def close(self) -> None:
        """Close the camera and stop processing its frames."""
        self._loop.close()
