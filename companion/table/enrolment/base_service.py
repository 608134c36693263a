"""Where a table is taught: its profile, the newest picture, and the one draft that is open."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from calibration.errors import TeachError
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.seats import Seating
from calibration.wording import say
from companion.adapters.wicked.rules_deck import rules_deck
from companion.games.wicked.components import Deck
from companion.table.enrolment.auto_capture import AutoCapture
from companion.table.enrolment.box_check import BoxView
from companion.table.enrolment.cameras import OTHER_CAMERA, Cameras
from companion.table.enrolment.drafts import Draft, DraftView, KeptView
from companion.table.enrolment.saved_profile import SavedProfile
from companion.table.enrolment.steps import EnrolmentStep, KnownView, for_screens, known_view
from companion.table.reading.frame_reader import FrameReader, Readers
from companion.table.views import Refused, TableView

_SEATS = 4
_NO_SHEET = "The table is not found yet: show the calibration sheet first."


class TaughtTable(Protocol):
    """A table as its teacher knows it."""

    deck: Deck
    """What the next game is played with."""

    @property
    def picture(self) -> Image | None:
        """The newest picture, None while the camera gives none."""
        ...

    @property
    def plane(self) -> TablePlane | None:
        """The plane that is read with now."""
        ...

    @property
    def view(self) -> TableView:
        """What was published last."""
        ...

    def equip(self, eyes: FrameReader | None, why_not: str = "") -> None:
        """Read with these eyes from now on; why_not: one line where there are none."""
        ...


class TeachersRoom:
    """What every lesson needs: looks, shows and keeps under one lock. See `Teacher`, which teaches in it."""

    def __init__(
        self,
        table: TaughtTable,
        profile: str | Path,
        readers: Callable[[TableProfile], Readers],
        cameras: Cameras | None = None,
    ) -> None:
        self._cameras = cameras
        self._table = table
        self._profile = profile
        self._saved = SavedProfile(profile, _SEATS)
        self._readers = readers
        self._lock = threading.Lock()
        self._draft: Draft | None = None
        self._drafts = 0
        self._shutter = AutoCapture()

    @property
    def profile(self) -> str | Path:
        """The name or folder of the profile that is taught."""
        return self._profile

    def taught(self) -> TableProfile:
        """Give all that the table has been taught."""
        with self._lock, plainly():
            return self._load()

    def known(self) -> KnownView:
        """Tell what the table has been taught."""
        with self._lock, plainly():
            return self._known(self._load())

    def keep_seating(self, seating: Seating) -> None:
        """Keep where people sit; the readers go on as they are."""
        with self._lock, plainly():
            self._saved.load().with_seating(seating).save(self._profile)

    # Under the lock

    def _known(self, profile: TableProfile) -> KnownView:
        known = known_view(profile)
        return known if self._fits(profile) else replace(known, calibrated=False, findings=None, corners=None)

    def _keep(self, profile: TableProfile, *, seen: bool = False) -> KeptView:
        """Save a profile and read with it. seen: its plane has been seen with the camera as it is now."""
        profile.save(self._profile)
        if seen and self._cameras is not None and profile.plane is not None:
            self._cameras.found(profile.plane)
        self._draft = None
        self._table.deck = rules_deck(profile)
        return KeptView(self._known(profile), self._read_with(profile))

    def _read_with(self, profile: TableProfile) -> str:
        if profile.plane is not None and not self._fits(profile):
            why = self._cameras.wrong_lens(profile.plane) if self._cameras is not None else ""
            self._table.equip(None, why or OTHER_CAMERA)
            return why or OTHER_CAMERA
        try:
            eyes = FrameReader(self._readers(profile))
        except TeachError as error:
            # What was read with before does not fit the table as it was taught now.
            self._table.equip(None)
            return for_screens(str(error))
        self._table.equip(eyes)
        return ""

    def _load(self) -> TableProfile:
        profile = self._saved.load()
        plane = self._table.plane
        if plane is None or profile.plane is None or plane == profile.plane:
            return profile
        # A nudged camera was found again: pictures of the table from its old place are no use any more.
        return replace(profile, plane=plane, views=())

    def _fits(self, profile: TableProfile) -> bool:
        plane = profile.plane
        return plane is None or self._cameras is None or plane == self._table.plane or self._cameras.fit(plane)

    def _fitting(self) -> TableProfile:
        """Give the profile, without its plane where that was found with another camera."""
        profile = self._load()
        return profile if self._fits(profile) else replace(profile, plane=None, findings=None, views=())

    def _found(self) -> TableProfile:
        """Give the profile of a table that has been found. Raises `Refused`."""
        profile = self._load()
        if profile.plane is None:
            raise Refused("not_now", _NO_SHEET)
        if not self._fits(profile):
            raise Refused("not_now", OTHER_CAMERA)
        return profile

    def _picture(self) -> Image:
        image = self._table.picture
        if image is None:
            raise Refused("not_now", say("The camera gives no picture now. Wait until it does, then try again."))
        return image

    def _begin(self, lesson: EnrolmentStep | None, image: Image, box: BoxView | None = None) -> DraftView:
        self._drafts += 1
        self._draft = Draft(f"d{self._drafts}", image, lesson, box)
        return self._draft.view

    def _go_on(self, lesson: EnrolmentStep) -> DraftView:
        if self._draft is None:
            raise ValueError("no draft")
        self._draft = replace(self._draft, lesson=lesson)
        return self._draft.view

    def _at(self, draft: str) -> Draft:
        if self._draft is None or self._draft.id != draft:
            raise Refused(
                "stale", say("That picture is gone: another one was taken since. Look at the table again.")
            )
        return self._draft


@contextmanager
def plainly() -> Iterator[None]:
    """Turn what the calibration refuses into `Refused`, as screens need it."""
    try:
        yield
    except TeachError as error:
        raise Refused("not_now", for_screens(str(error))) from None
