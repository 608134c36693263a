"""A phone's browser as the camera: where its pictures arrive, and the camera made of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from calibration.errors import PictureError
from calibration.pictures import decode_picture
from calibration.wording import say
from vision.cameras.frame import CameraError, Frame

LARGEST_PICTURE = 3 * 1024 * 1024
"""Bytes of one picture; a phone's 1920×1080 JPEG of high quality is a third of it."""
MOST_PIXELS = 3840 * 2160
MOST_A_SECOND = 15.0
"""Pictures that are kept of a phone in a second; more are thrown away unread."""
_SILENT_AFTER = 3.0
"""Seconds without a picture after which another phone may take its place."""
_PATIENCE = 1.0
"""Seconds to wait for a picture."""
_JPEG = b"\xff\xd8\xff"
_MOST_LENS_NAME = 80
_MOST_LENSES = 16
"""Phones whose lens is remembered; more never have the page open at a time."""


class PhoneRefused(Exception):
    """A picture that is not taken, or a phone that is not the camera: one plain line, what is wrong and to do."""


@dataclass(frozen=True, slots=True)
class PhoneFigures:
    """What has arrived so far: pictures `kept` for reading, `early` ones thrown away, and unusable ones."""

    kept: int = 0
    early: int = 0
    unusable: int = 0


class PhoneLink:
    """Takes the pictures of one phone at a time and keeps only the newest. Used from any thread.

    A phone is named by whatever the channel calls its connection. address: of the page that a phone opens, for
    the lines that people read. clock: monotonic seconds. lens_changed: called back where the phone that is the
    camera looks through another lens, or another phone takes its place.
    """

    def __init__(self, address: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self.address = address
        self._clock = clock
        self._changed = threading.Condition()
        self._phone: str | None = None
        self._heard_at = 0.0
        self._kept_at = float("-inf")
        self._picture: bytes | None = None
        self._seen_one = False
        self._figures = PhoneFigures()
        self._lenses: dict[str, str] = {}
        self._told_lens = ""
        self.lens_changed: Callable[[], None] = lambda: None

    @property
    def figures(self) -> PhoneFigures:
        """How many pictures have come."""
        return self._figures

    @property
    def missing(self) -> str:
        """Say what to do about a phone that sends nothing."""
        where = self.address or say("/camera of this server")
        if self._seen_one:
            return say(
                "The phone sends no pictures any more. Keep its page open and in front, or open {where} again.",
                where=where,
            )
        return say("No phone is the camera yet. Open {where} on the phone.", where=where)

    @property
    def lens(self) -> str:
        """Name of the lens that the camera looks through, as the phone calls it; "" while none is known."""
        return self._told_lens

    def tell_lens(self, phone: str, name: object) -> None:
        """Take note of the lens that a phone looks through; anything but a name is overlooked."""
        if not isinstance(name, str):
            return
        with self._changed:
            if phone not in self._lenses and len(self._lenses) >= _MOST_LENSES:
                return
            self._lenses[phone] = "".join(letter for letter in name if letter.isprintable())[
                :_MOST_LENS_NAME
            ].strip()
        self._check_lens()

    def _check_lens(self) -> None:
        with self._changed:
            now = self._lenses.get(self._phone or "", "")
            changed = bool(now) and now != self._told_lens
            if changed:
                self._told_lens = now
        if changed:
            self.lens_changed()

    def offer(self, phone: str, picture: object) -> bool:
        """Take a picture from a phone; tell whether it is kept, or was too early after the last one.

        The first phone that offers is the camera until it leaves or falls silent. Only the size and the first
        bytes are looked at here. Raises PhoneRefused.
        """
        if not isinstance(picture, bytes) or not picture.startswith(_JPEG):
            raise PhoneRefused(say("That is not a JPEG picture. Reload the page and start again."))
        if len(picture) > LARGEST_PICTURE:
            raise PhoneRefused(say("The picture is too large. Reload the page and start again."))
        kept = self._offered(phone, picture)
        self._check_lens()
        return kept

    def _offered(self, phone: str, picture: bytes) -> bool:
        with self._changed:
            now = self._clock()
            if self._phone not in (None, phone) and now - self._heard_at < _SILENT_AFTER:
                raise PhoneRefused(say("Another phone is the camera now. Stop it there, and this one takes over."))
            self._phone, self._heard_at, self._seen_one = phone, now, True
            if now - self._kept_at < 1.0 / MOST_A_SECOND:
                self._count(early=1)
                return False
            self._kept_at = now
            self._picture = picture
            self._count(kept=1)
            self._changed.notify_all()
            return True

    def leave(self, phone: str) -> None:
        """Note that a phone is gone; nothing happens where it was not the camera."""
        with self._changed:
            self._lenses.pop(phone, None)
            if self._phone == phone:
                self._phone = self._picture = None
                self._changed.notify_all()

    def newest(self, timeout: float) -> bytes | None:
        """Take the newest picture that nobody has taken, waiting so many seconds for one; None where none came."""
        with self._changed:
            self._changed.wait_for(lambda: self._picture is not None, timeout)
            picture, self._picture = self._picture, None
            return picture

    def unusable(self) -> None:
        """Count a picture that could not be decoded."""
        with self._changed:
            self._count(unusable=1)

    def _count(self, kept: int = 0, early: int = 0, unusable: int = 0) -> None:
        old = self._figures
        self._figures = PhoneFigures(old.kept + kept, old.early + early, old.unusable + unusable)


class PhoneCamera:
    """The phone of a link as a camera: it can always be opened, and fails while no phone sends pictures."""

    def __init__(self, link: PhoneLink, patience: float = _PATIENCE) -> None:
        self._link = link
        self._patience = patience
        self._number = 0

    def grab(self) -> Frame:
        """Wait for the next picture and decode it. Raises CameraError where none comes, or none that is usable."""
        until = time.monotonic() + self._patience
        wrong = None
        while (left := until - time.monotonic()) > 0:
            picture = self._link.newest(left)
            if picture is None:
                continue
            try:
                image = decode_picture(picture, "The phone's picture", MOST_PIXELS)
            except PictureError as error:
                self._link.unusable()
                wrong = str(error)
                continue
            frame = Frame(image, self._number, time.monotonic())
            self._number += 1
            return frame
        raise CameraError(wrong or self._link.missing)

    def close(self) -> None:
        """Let go; the phone may go on sending to the next one."""
