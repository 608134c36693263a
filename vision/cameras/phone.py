"""A phone's browser as the camera: reception of its pictures, and the camera built on them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from calibration.errors import PictureError
from calibration.files.picture_files import decode_picture
from calibration.translatable import say
from vision.cameras.frame import CameraError, Frame, NoFrameYetError

LARGEST_PICTURE = 3 * 1024 * 1024
"""Maximum size of one picture, bytes; a phone's 1920×1080 JPEG of high quality takes a third of it."""
MOST_PIXELS = 3840 * 2160
"""Maximum number of pixels of a picture."""
MOST_A_SECOND = 15.0
"""Maximum number of pictures kept per second; pictures that come earlier are dropped."""
LONGEST_GAP_S = 5.0
"""Maximum age of a picture that is kept, and time without one after which a connected phone counts as silent, s."""
_TIMEOUT_S = 1.0
"""Default time to wait for a picture, s."""
_JPEG = b"\xff\xd8\xff"
_MAX_LENS_NAME = 80
"""Maximum length of a lens name, characters."""
_MAX_LENSES = 16
"""Maximum number of phones whose lens is stored."""


_TOO_LATE = say(
    "The phone's pictures arrive too late to be read, because its network is too slow. Bring it nearer to the "
    "Wi-Fi router."
)


class PhoneRefused(Exception):
    """A picture was rejected, or another phone is the camera; the message says in one line what to do."""


@dataclass(frozen=True, slots=True)
class PhoneFigures:
    """Counters of received pictures."""

    kept: int = 0
    """Pictures kept for reading."""
    early: int = 0
    """Pictures dropped because they came too early."""
    unusable: int = 0
    """Pictures that could not be decoded."""
    late: int = 0
    """Pictures dropped because they may show the table as it was too long ago."""


@dataclass(frozen=True, slots=True)
class PhonePicture:
    """A picture of a phone."""

    jpeg: bytes
    """JPEG file."""
    taken_at: float
    """Earliest time at which it can have been taken, by the link's clock, s."""


class PhoneLink:
    """Receives the pictures of one phone at a time and keeps only the newest. Thread-safe.

    A phone takes its next picture only after the answer to the last one, so a picture is at most as old as that
    answer, however slow the network is. `phone` arguments are identifiers of phones. clock: returns monotonic
    seconds. Attributes: find_address: returns the URL of the page to open on the phone, "" if there is none yet;
    lens_changed: called when the name of the lens in use changes, as when another phone takes over.
    """

    def __init__(self, address: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self.find_address: Callable[[], str] = lambda: address
        self._clock = clock
        self._changed = threading.Condition()
        self._phone: str | None = None
        self._heard_at = 0.0
        self._kept_at = float("-inf")
        self._picture: PhonePicture | None = None
        self._answered_at: dict[str, float] = {}
        self._seen_one = False
        self._too_slow = False
        self._figures = PhoneFigures()
        self._lenses: dict[str, str] = {}
        self._reported_lens = ""
        self.lens_changed: Callable[[], None] = lambda: None

    @property
    def figures(self) -> PhoneFigures:
        """Numbers of pictures that were kept or dropped."""
        return self._figures

    @property
    def is_sending(self) -> bool:
        """Whether a phone is the camera and has sent a picture not too long ago; its next one may be on the way."""
        with self._changed:
            return self._phone is not None and self._clock() - self._heard_at < LONGEST_GAP_S

    @property
    def address(self) -> str:
        """URL of the page to open on the phone, as it is now; "" if there is none yet."""
        return self.find_address()

    @property
    def missing(self) -> str:
        """Message for users while no phone sends pictures; it states what to do."""
        where = self.address or say("/camera of this server")
        if self._too_slow:
            return _TOO_LATE
        if self._seen_one:
            return say(
                "The phone has stopped sending pictures. Keep its page open and in front, or open {where} again.",
                where=where,
            )
        return say("No phone is the camera yet. Open {where} on the phone.", where=where)

    @property
    def lens(self) -> str:
        """Name of the lens in use as the phone reports it; "" while unknown."""
        return self._reported_lens

    def report_lens(self, phone: str, name: object) -> None:
        """Store the name of a phone's lens; call `lens_changed` if the phone in use has another one than before.

        A name that is not a str is ignored.
        """
        if not isinstance(name, str):
            return
        with self._changed:
            if phone not in self._lenses and len(self._lenses) >= _MAX_LENSES:
                return
            self._lenses[phone] = "".join(letter for letter in name if letter.isprintable())[
                :_MAX_LENS_NAME
            ].strip()
        self._check_lens()

    def _check_lens(self) -> None:
        """Call `lens_changed` if the lens of the phone in use has another name than the one last reported."""
        with self._changed:
            now = self._lenses.get(self._phone or "", "")
            changed = bool(now) and now != self._reported_lens
            if changed:
                self._reported_lens = now
        if changed:
            self.lens_changed()

    def join(self, phone: str) -> None:
        """Record that a phone's page has connected: it takes its first picture from now on."""
        with self._changed:
            self._answered_at[phone] = self._clock()

    def offer(self, phone: str, picture: object) -> bool:
        """Receive a JPEG picture from a phone; return whether it was kept, or False if it came too early.

        The first phone is the camera until it leaves or falls silent. Raises PhoneRefused for another phone, for
        a picture that may be too old, and for one that is too large or does not begin like a JPEG file; it is not
        decoded here.
        """
        try:
            if not isinstance(picture, bytes) or not picture.startswith(_JPEG):
                raise PhoneRefused(say("That is not a JPEG picture. Reload the page and start again."))
            if len(picture) > LARGEST_PICTURE:
                raise PhoneRefused(say("The picture is too large. Reload the page and start again."))
            kept = self._keep(phone, picture)
        finally:
            self.join(phone)
        self._check_lens()
        return kept

    def _keep(self, phone: str, picture: bytes) -> bool:
        """Keep a picture and return True, or False if it came too early.

        Raises PhoneRefused if another phone is in use, and if the picture may be too old.
        """
        with self._changed:
            now = self._clock()
            if self._phone not in (None, phone) and now - self._heard_at < LONGEST_GAP_S:
                raise PhoneRefused(say("Another phone is the camera now. Stop it there, and this one takes over."))
            taken_at = self._answered_at.get(phone, now)
            self._too_slow = now - taken_at > LONGEST_GAP_S
            if self._too_slow:
                self._count(late=1)
                raise PhoneRefused(_TOO_LATE)
            self._phone, self._heard_at, self._seen_one = phone, now, True
            if now - self._kept_at < 1.0 / MOST_A_SECOND:
                self._count(early=1)
                return False
            self._kept_at = now
            self._picture = PhonePicture(picture, taken_at)
            self._count(kept=1)
            self._changed.notify_all()
            return True

    def pause(self, phone: str) -> None:
        """Record that a phone has no new picture, as while its page is hidden; another one can take over."""
        with self._changed:
            self._answered_at[phone] = self._clock()
            self._release(phone)

    def leave(self, phone: str) -> None:
        """Forget a phone whose page has disconnected; if it was the camera, another one can take over."""
        with self._changed:
            self._lenses.pop(phone, None)
            self._answered_at.pop(phone, None)
            self._release(phone)

    def _release(self, phone: str) -> None:
        """End the use of a phone as the camera, if it is the one."""
        if self._phone in (None, phone):
            self._phone = self._picture = None
            self._too_slow = False
            self._changed.notify_all()

    def newest(self, timeout: float) -> PhonePicture | None:
        """Return the newest unread picture, waiting up to `timeout` seconds for one; None if none came."""
        with self._changed:
            self._changed.wait_for(lambda: self._picture is not None, timeout)
            picture, self._picture = self._picture, None
            return picture

    def count_unusable(self) -> None:
        """Count one more picture that could not be decoded."""
        with self._changed:
            self._count(unusable=1)

    def _count(self, kept: int = 0, early: int = 0, unusable: int = 0, late: int = 0) -> None:
        old = self._figures
        self._figures = PhoneFigures(old.kept + kept, old.early + early, old.unusable + unusable, old.late + late)


class PhoneCamera:
    """Camera whose frames come from a phone's browser; `grab` waits `patience` seconds for one."""

    def __init__(self, link: PhoneLink, patience: float = _TIMEOUT_S) -> None:
        self._link = link
        self._patience = patience
        self._number = 0

    def grab(self) -> Frame:
        """Wait for the phone's next picture and return it decoded.

        Raises NoFrameYetError if none arrives in time from a phone that is slow, CameraError if no phone sends any.
        """
        until = time.monotonic() + self._patience
        wrong = None
        while (left := until - time.monotonic()) > 0:
            picture = self._link.newest(left)
            if picture is None:
                continue
            try:
                image = decode_picture(picture.jpeg, say("The phone's picture"), MOST_PIXELS)
            except PictureError as error:
                self._link.count_unusable()
                wrong = str(error)
                continue
            frame = Frame(image, self._number, picture.taken_at)
            self._number += 1
            return frame
        if wrong is None and self._link.is_sending:
            raise NoFrameYetError("The next picture has not arrived yet.")
        raise CameraError(wrong or self._link.missing)

    def close(self) -> None:
        """Do nothing: the link stays open, so that a `PhoneCamera` opened later can use the same phone."""
