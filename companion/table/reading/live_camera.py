"""A real camera at a table: what it reads with, and the loop on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from calibration.background import View
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.table.reading.frame_reader import FrameReader, Readers
from companion.table.reading.loop import Loop
from companion.table.table import Table
from vision.cameras.frame import Camera
from vision.cameras.grabber import Grabber, Patience
from vision.cards.reader import CardReader
from vision.games.wicked.boards import TOKENS, BoardReader
from vision.hands import RevealReader
from vision.health import Refound
from vision.readings import Point


def readers_for(profile: TableProfile) -> Readers:
    """Make the readers of a table that has been taught. Raises ProfileError where something was not."""
    plane = profile.plane

    def seat_of(point: Point, seating: Seating) -> int:
        if plane is None:
            raise ValueError("The table is not calibrated.")
        return seating.seat_of(plane.to_table(point))

    def moved(refound: Refound) -> Readers:
        return readers_for(moved_with_camera(profile, refound))

    cards = CardReader(profile)  # first: a table that is still being taught lacks cards, and a network takes long
    reads_boards = profile.personal_boards and all(kind in profile.pieces for kind in TOKENS)
    boards = (lambda: BoardReader(profile)) if reads_boards else None
    return Readers(RevealReader(profile), cards, seat_of, profile.background, plane, moved, boards)


def moved_with_camera(profile: TableProfile, refound: Refound) -> TableProfile:
    """Give the profile as it is from the camera's new place: its plane, and its empty table carried there."""
    views = profile.views
    if profile.background is not None:
        size = (profile.background.shape[1], profile.background.shape[0])
        there = cv2.warpPerspective(profile.background, refound.movement, size, borderMode=cv2.BORDER_REPLICATE)
        views = (View.of(np.asarray(there, np.uint8)),)
    return replace(profile, plane=refound.plane, views=views)


class LiveCamera:
    """Watches a table with one camera until closed. readers: None while the table has not been found yet."""

    def __init__(
        self, table: Table, opener: Callable[[], Camera], readers: Readers | None, patience: Patience | None = None
    ) -> None:
        self._table = table
        self._readers = readers
        self._loop = Loop(table, Grabber(opener, patience))

    def start(self) -> None:
        """Begin to look."""
        if self._readers is not None:
            self._table.set_reader(FrameReader(self._readers))
        self._loop.start()

    def switch_to(self, opener: Callable[[], Camera], patience: Patience) -> None:
        """Let the camera go and take this one; what was read with before does not fit it."""
        self._loop.close()
        self._table.set_reader(None)
        self._loop = Loop(self._table, Grabber(opener, patience))
        self._loop.start()

    def close(self) -> None:
        """Let the camera go."""
        self._loop.close()
