"""Enrols a picture of the empty table, unless something seems to lie on it."""

from __future__ import annotations

from functools import cached_property

from calibration.errors import EnrolError
from calibration.pieces.enrolment import count_objects_near_middle, with_empty_table
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.translatable import counted, say
from companion.table.enrolment.drafts import KeptView
from companion.table.enrolment.profile_and_draft import Workspace
from companion.table.views import Refused
from vision.detector.network import HANDS, Network
from vision.hands.hand_detection import detect_hands


class Occupied(EnrolError):
    """Something seems to lie on a table that is to be stored as empty."""


class EmptyTableEnrolment:
    """Enrols a picture of the empty table. Used by one thread at a time; the network is loaded at first use."""

    def save_newest(self, work: Workspace, *, force: bool) -> KeptView:
        """Save the camera's newest picture as that of the empty table; return what is enrolled then.

        force: save it even if something seems to lie there; without it, that raises `Refused` ("doubtful").
        """
        profile, image = work.load_calibrated(), work.picture()
        try:
            return work.save(self.with_picture(profile, image, force=force))
        except Occupied as occupied:
            raise Refused("doubtful", str(occupied)) from None

    def with_picture(self, profile: TableProfile, image: Image, *, force: bool = False) -> TableProfile:
        """Return a copy of the profile with this BGR picture, by the calibrated camera, as that of the empty table.

        force: accept it even if something seems to lie there; without it, that raises Occupied. Hands are detected
        anywhere, pieces near the middle only; a bold pattern may be taken for pieces. Raises like
        `with_empty_table`, too.
        """
        changed = with_empty_table(profile, image)
        if force:
            return changed
        if profile.plane is not None and detect_hands(self._network, image, profile.plane):
            raise Occupied(say("A hand is over the table: take it away and take the picture again."))
        things = count_objects_near_middle(profile, image)
        if things:
            raise Occupied(
                counted(
                    things,
                    "{n} thing seems to lie on the table: put it away and take the picture again.",
                    "{n} things seem to lie on the table: put them away and take the picture again.",
                )
            )
        return changed

    @cached_property
    def _network(self) -> Network:
        """The network that detects hands."""
        return Network(HANDS)
