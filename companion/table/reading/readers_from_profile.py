"""Makes the readers of a table from its profile."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.empty_table import BackgroundView
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.adapters import adapter
from companion.table.reading.frame_reader import Readers
from vision.health import Refound
from vision.readings import Point


def readers_for(profile: TableProfile) -> Readers:
    """Make the readers of hands, things at rest and the whole table for a profile and its game.

    Raises ProfileError where something that they need is not enrolled.
    """
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
    """Return a copy of the profile for a moved camera: with its new pose, and the empty table's picture warped."""
    views = profile.views
    if profile.background is not None:
        size = (profile.background.shape[1], profile.background.shape[0])
        there = cv2.warpPerspective(profile.background, refound.movement, size, borderMode=cv2.BORDER_REPLICATE)
        views = (BackgroundView.of(np.asarray(there, np.uint8)),)
    return replace(profile, plane=refound.plane, views=views)
