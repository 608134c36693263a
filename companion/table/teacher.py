"""Teaches a running table from its own pictures: where it lies and what its pieces look like."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from calibration.errors import TeachError
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile, exists
from companion.table.eyes import Eyes, Readers
from companion.table.overlay import jpeg
from companion.table.teaching import (
    KnownView,
    Lesson,
    PiecesLesson,
    PiecesView,
    SheetLesson,
    SheetView,
    Wish,
    corners_lesson,
    for_screens,
    known_view,
    pieces_lesson,
    sheet_lesson,
)
from companion.table.views import Refused

_WIDEST = 1920
_SEATS = 4


class TaughtTable(Protocol):
    """A table as its teacher knows it."""

    @property
    def picture(self) -> Image | None:
        """The newest picture, None while the camera gives none."""
        ...

    @property
    def plane(self) -> TablePlane | None:
        """The plane that is read with now."""
        ...

    def equip(self, eyes: Eyes | None) -> None:
        """Read with these eyes from now on."""
        ...


@dataclass(frozen=True, slots=True)
class DraftView:
    """A picture that the table is taught from, by its id, its size in px, and what was found in it."""

    draft: str
    size: tuple[int, int]
    sheet: SheetView | None = None
    pieces: PiecesView | None = None


@dataclass(frozen=True, slots=True)
class KeptView:
    """What is known after something was kept; `unread`: why the table cannot be read all the same, else empty."""

    known: KnownView
    unread: str


@dataclass(frozen=True, eq=False)
class _Draft:
    id: str
    image: Image
    lesson: Lesson | None = None

    @property
    def view(self) -> DraftView:
        height, width = self.image.shape[:2]
        sheet = self.lesson.view if isinstance(self.lesson, SheetLesson) else None
        pieces = self.lesson.view if isinstance(self.lesson, PiecesLesson) else None
        return DraftView(self.id, (width, height), sheet, pieces)


class Teacher:
    """Shows what it found, and keeps it in the profile once somebody has said that it is right.

    The game is not touched. There is one draft at a time, the newest; commands for an older one are refused. Every
    command raises `Refused` with one plain line, and then nothing has changed. Callable from any thread.
    """

    def __init__(self, table: TaughtTable, profile: str | Path, readers: Callable[[TableProfile], Readers]) -> None:
        self._table = table
        self._profile = profile
        self._readers = readers
        self._lock = threading.Lock()
        self._draft: _Draft | None = None
        self._drafts = 0

    def known(self) -> KnownView:
        """Tell what the table has been taught."""
        with self._lock, _plainly():
            return known_view(self._load())

    def look(self) -> DraftView:
        """Take a picture to show the sheet's corners in."""
        with self._lock:
            return self._begin(None, self._picture())

    def find_sheet(self) -> DraftView:
        """Take a picture and find the printed sheet in it."""
        with self._lock, _plainly():
            image = self._picture()
            return self._begin(sheet_lesson(image, self._load()), image)

    def fit_corners(self, draft: str, corners: Sequence[tuple[float, float]]) -> DraftView:
        """Find the table by the sheet's four corners in the draft's picture, px."""
        with self._lock, _plainly():
            image = self._at(draft).image
            return self._go_on(corners_lesson(image, self._load(), corners))

    def find_pieces(self, kind: str) -> DraftView:
        """Take a picture and find the pieces of one kind in it, none perhaps."""
        with self._lock, _plainly():
            image, profile = self._picture(), self._load()
            if profile.plane is None:
                raise Refused("not_now", "The table is not found yet: show the calibration sheet first.")
            return self._begin(pieces_lesson(image, profile, kind), image)

    def point_at(self, draft: str, spots: Sequence[tuple[float, float]]) -> DraftView:
        """Show where more pieces lie in the draft's picture, px."""
        with self._lock, _plainly():
            lesson = self._at(draft).lesson
            if not isinstance(lesson, PiecesLesson):
                raise Refused("bad_request", "No pieces are being looked at. Choose a kind first.")
            return self._go_on(lesson.pointed_at(spots))

    def keep(self, draft: str, wish: Wish) -> KeptView:
        """Keep what was found, and read with it from now on."""
        with self._lock, _plainly():
            lesson = self._at(draft).lesson
            if lesson is None:
                raise Refused("not_now", "Nothing was found in that picture yet, so there is nothing to keep.")
            profile = lesson.kept_in(self._load(), wish)
            profile.save(self._profile)
            self._draft = None
            return KeptView(known_view(profile), self._read_with(profile))

    def picture(self, draft: str) -> bytes | None:
        """Give the draft's picture as JPEG, None where it is gone."""
        with self._lock:
            image = self._draft.image if self._draft is not None and self._draft.id == draft else None
        return None if image is None else jpeg(image, width=_WIDEST, quality=90)

    def forget(self) -> None:
        """Let the draft go."""
        with self._lock:
            self._draft = None

    def _read_with(self, profile: TableProfile) -> str:
        try:
            eyes = Eyes(self._readers(profile))
        except TeachError as error:
            # What was read with before does not fit the table as it was taught now.
            self._table.equip(None)
            return for_screens(str(error))
        self._table.equip(eyes)
        return ""

    def _load(self) -> TableProfile:
        profile = TableProfile.load(self._profile) if exists(self._profile) else TableProfile(_SEATS)
        plane = self._table.plane
        if plane is None or profile.plane is None or plane == profile.plane:
            return profile
        # A nudged camera was found again: pictures of the table from its old place are no use any more.
        return replace(profile, plane=plane, views=())

    def _picture(self) -> Image:
        image = self._table.picture
        if image is None:
            raise Refused("not_now", "The camera gives no picture now. Wait until it does, then try again.")
        return image

    def _begin(self, lesson: Lesson | None, image: Image) -> DraftView:
        self._drafts += 1
        self._draft = _Draft(f"d{self._drafts}", image, lesson)
        return self._draft.view

    def _go_on(self, lesson: Lesson) -> DraftView:
        if self._draft is None:
            raise ValueError("no draft")
        self._draft = replace(self._draft, lesson=lesson)
        return self._draft.view

    def _at(self, draft: str) -> _Draft:
        if self._draft is None or self._draft.id != draft:
            raise Refused("stale", "That picture is gone: another one was taken since. Look at the table again.")
        return self._draft


@contextmanager
def _plainly() -> Iterator[None]:
    try:
        yield
    except TeachError as error:
        raise Refused("not_now", for_screens(str(error))) from None
