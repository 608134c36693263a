"""Connects a real camera to a table: makes the readers, and starts the thread that processes its frames."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from calibration.empty_table import BackgroundView
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.adapters import adapter
from companion.table.reading.frame_loop import Loop
from companion.table.reading.frame_reader import FrameReader, Readers
from companion.table.table import Table
from vision.cameras.frame import Camera
from vision.cameras.grabber import Grabber, Patience
from vision.health import Refound
from vision.readings import Point


def readers_for(profile: TableProfile) -> Readers:
    """Return readers made from a profile, for its game. Raises ProfileError where something is not enrolled."""
    made_by = adapter(profile.game)
    plane = profile.plane

    def seat_of(point: Point, seating: Seating) -> int:
        if plane is None:
            raise ValueError("The table is not calibrated.")
        return seating.seat_of(plane.to_table(point))

    def moved(refound: Refound) -> Readers:
        return readers_for(moved_with_camera(profile, refound))

    # Things at rest first: incomplete profiles lack cards, and loading the networks for hands takes long.
    at_rest = None if made_by.rest_reader is None else made_by.rest_reader(profile)
    hands = None if made_by.hands_reader is None else made_by.hands_reader(profile)
    whole_table = None if made_by.whole_table is None else made_by.whole_table.reader(profile)
    return Readers(
        hands,
        at_rest,
        seat_of,
        profile.background,
        plane,
        moved,
        whole_table,
        made_by.draw_at_rest,
        made_by.calibrated,
    )


def moved_with_camera(profile: TableProfile, refound: Refound) -> TableProfile:
    """Return a copy of the profile for a moved camera, with the new plane and the empty table's picture warped."""
    views = profile.views
    if profile.background is not None:
        size = (profile.background.shape[1], profile.background.shape[0])
        there = cv2.warpPerspective(profile.background, refound.movement, size, borderMode=cv2.BORDER_REPLICATE)
        views = (BackgroundView.of(np.asarray(there, np.uint8)),)
    return replace(profile, plane=refound.plane, views=views)


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
        """Start reading."""
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
        """Close the camera."""
        self._loop.close()
