"""The picture of the empty table, which is stored only where nothing seems to lie there."""

from __future__ import annotations

from functools import cached_property

from calibration.errors import EnrolError
from calibration.pieces.enrolment import things_near_the_middle, with_empty_table
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.translatable import counted, say
from companion.table.enrolment.drafts import KeptView
from companion.table.enrolment.workspace import Workspace
from companion.table.views import Refused
from vision.detector.network import HANDS, Network
from vision.hands.hand_detection import detect_hands


class Occupied(EnrolError):
    """Something seems to lie on a table that is to be stored as empty."""


class EmptyTableEnrolment:
    """Detects hands and loose pieces; the network is loaded for the first picture. Used by one thread at a time."""

    def keep(self, work: Workspace, *, force: bool) -> KeptView:
        """Save the newest picture as the empty table; force as below. Raises `Refused` ("doubtful")."""
        profile, image = work.load_calibrated(), work.picture()
        try:
            return work.keep(self.with_picture(profile, image, force=force))
        except Occupied as occupied:
            raise Refused("doubtful", str(occupied)) from None

    def with_picture(self, profile: TableProfile, image: Image, *, force: bool = False) -> TableProfile:
        """Return the profile with a BGR picture of the empty table, taken by the calibrated camera.

        force: also where something seems to lie there. Raises Occupied otherwise, else as `with_empty_table`.
        Pieces are detected near the middle only; a bold pattern may be taken for some.
        """
        changed = with_empty_table(profile, image)
        if force:
            return changed
        if profile.plane is not None and detect_hands(self._network, image, profile.plane):
            raise Occupied(say("A hand is over the table: take it away and take the picture again."))
        things = things_near_the_middle(profile, image)
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
        return Network(HANDS)
