"""State shared by all enrolment commands: the saved profile, the table that uses it, and the open draft."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.errors import CalibrationError
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.translatable import say
from companion.adapters import adapter
from companion.table.enrolment.camera_choice import OTHER_CAMERA, Cameras
from companion.table.enrolment.drafts import Draft, DraftView, EnrolmentStep, KeptView
from companion.table.enrolment.enrolled_view import KnownView, known_view
from companion.table.enrolment.game_box_check import BoxView
from companion.table.enrolment.profile_cache import SavedProfile
from companion.table.enrolment.screen_messages import as_shown_on_screens
from companion.table.reading.frame_reader import FrameReader, Readers
from companion.table.views import Refused

if TYPE_CHECKING:
    from companion.table.table import Table

_SEATS = 4
"""Number of seats of a profile that is created here."""
_NO_SHEET = say("The table is not calibrated yet: show the calibration sheet first.")


class Workspace:
    """The profile that is being enrolled, with at most one open draft.

    Methods other than `locked` are called in a `locked` block.

    profile: its name or folder. readers: makes readers from a profile. cameras: the choice of camera, None on the
    simulated table. game: id of the game whose pieces, cards and boards are enrolled.
    """

    def __init__(
        self,
        table: Table,
        profile: str | Path,
        readers: Callable[[TableProfile], Readers],
        cameras: Cameras | None,
        game: str,
    ) -> None:
        self.cameras = cameras
        self.table = table
        self.profile = profile
        self.game = game
        self.saved = SavedProfile(profile, _SEATS)
        self.lock = threading.Lock()
        self.draft: Draft | None = None
        self._readers = readers
        self._drafts = 0

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Return a context that holds the workspace's lock and converts CalibrationError to `Refused`."""
        with self.lock:
            try:
                yield
            except CalibrationError as error:
                raise Refused("not_now", as_shown_on_screens(str(error))) from None

    # The profile

    def load(self) -> TableProfile:
        """Return the saved profile for the game; where a moved camera's pose was found again, with that pose."""
        profile = self.saved.load().of(self.game)
        plane = self.table.plane
        if plane is None or profile.plane is None or plane == profile.plane:
            return profile
        # A nudged camera was found again: pictures of the table from its old place are no use any more.
        return replace(profile, plane=plane, views=())

    def load_for_camera(self) -> TableProfile:
        """Return the profile as `load` does, but without a table plane of another camera or orientation."""
        profile = self.load()
        return profile if self.fits(profile) else replace(profile, plane=None, findings=None, views=())

    def load_calibrated(self) -> TableProfile:
        """Return the profile as `load` does. Raises `Refused` unless it was calibrated with the present camera."""
        profile = self.load()
        if profile.plane is None:
            raise Refused("not_now", _NO_SHEET)
        if not self.fits(profile):
            raise Refused("not_now", OTHER_CAMERA)
        return profile

    def fits(self, profile: TableProfile) -> bool:
        """Return False where the profile's calibration is of another camera or orientation, otherwise True."""
        plane = profile.plane
        return plane is None or self.cameras is None or plane == self.table.plane or self.cameras.fits(plane)

    def known(self, profile: TableProfile) -> KnownView:
        """Return what is enrolled, for screens; a table plane from another camera counts as not calibrated."""
        return replace(known_view(profile, fits=self.fits(profile)), sheet=adapter(profile.game).calibrated)

    def write(self, profile: TableProfile) -> None:
        """Save a profile; the readers stay in use. At the simulated table it stays one that may be overwritten."""
        profile.save(self.profile, simulated=self.cameras is None)

    def save(self, profile: TableProfile, *, observed: bool = False) -> KeptView:
        """Save a profile, use it for reading from now on, and close the draft; return what is enrolled then.

        observed: whether its table plane was found with the present camera and orientation.
        """
        self.write(profile)
        plane = profile.plane
        if self.cameras is not None and plane is not None:
            # So was the plane in use, where it is that of a moved camera whose pose was found again.
            found_again = plane == self.table.plane and not self.cameras.fits(plane)
            if observed or found_again:
                self.cameras.record_calibration(plane)
        self.draft = None
        self.table.components = adapter(profile.game).components(profile)
        return KeptView(self.known(profile), self.read_with(profile))

    def read_with(self, profile: TableProfile) -> str:
        """Make the table's readers anew from a profile; return an error line where that is impossible, else ""."""
        if profile.plane is not None and not self.fits(profile):
            why = self.cameras.wrong_lens(profile.plane) if self.cameras is not None else ""
            self.table.set_reader(None, why or OTHER_CAMERA)
            return why or OTHER_CAMERA
        try:
            reader = FrameReader(self._readers(profile))
        except CalibrationError as error:
            # The readers made before do not fit the profile as it is now.
            self.table.set_reader(None)
            return as_shown_on_screens(str(error))
        self.table.set_reader(reader)
        return ""

    # The draft

    def picture(self) -> Image:
        """Return the camera's newest picture, BGR. Raises `Refused` where there is none."""
        image = self.table.picture
        if image is None:
            raise Refused(
                "not_now", say("The camera sends no pictures at the moment. Wait until it does, then try again.")
            )
        return image

    def begin_draft(self, step: EnrolmentStep | None, image: Image, box: BoxView | None = None) -> DraftView:
        """Open a new draft with this picture, in place of the one before; return it for screens.

        step: what was found, None for nothing yet. box: result of the box check, if one was run.
        """
        self._drafts += 1
        self.draft = Draft(f"d{self._drafts}", image, step, box)
        return self.draft.view

    def update_draft(self, step: EnrolmentStep) -> DraftView:
        """Replace what was found in the open draft's picture; return the draft for screens."""
        if self.draft is None:
            raise ValueError("no draft")
        self.draft = replace(self.draft, step=step)
        return self.draft.view

    def open_draft(self, draft: str) -> Draft:
        """Return the draft that is open. Raises `Refused` ("stale") unless it has this id."""
        if self.draft is None or self.draft.id != draft:
            raise Refused("stale", say("That picture was replaced by a newer one. Check the newer one."))
        return self.draft

    def step_of(self, draft: str) -> EnrolmentStep | None:
        """Return what was found in the draft of this id; None if nothing was, or if it is not open any more."""
        return self.draft.step if self.draft is not None and self.draft.id == draft else None
