"""What `--camera` names, made into a camera that can be opened, and how patiently it is tried again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.wording import say
from vision.cameras.files import VideoCamera, check_source
from vision.cameras.frame import Camera, CameraError
from vision.cameras.grabber import Patience
from vision.cameras.listing import ListedCamera, camera_of, listed_cameras
from vision.cameras.phone import PhoneCamera, PhoneLink
from vision.cameras.webcam import SIZE, Webcam

PHONE = "phone"
_PHONE_PATIENCE = Patience(first=0.05, longest=0.1, tries=1, rarely=0.1)
"""Waiting for a phone costs nothing, and it should be seen at once when it comes back."""


@dataclass(frozen=True)
class CameraSource:
    """A camera that was named: `open` opens it, raising CameraError; `patience` tells how it is tried again."""

    open: Callable[[], Camera]
    patience: Patience = field(default_factory=Patience)


class NumberedCamera:
    """Opens a camera of this machine by its number, and by what it is once that is known.

    A camera that was unplugged may come back under another number, and another one under its old one. identity:
    see `ListedCamera`; "" until the camera has been opened for the first time.
    """

    def __init__(
        self,
        number: int,
        identity: str,
        opener: Callable[[int], Camera],
        listed: Callable[[], Sequence[ListedCamera]] = listed_cameras,
    ) -> None:
        self._number = number
        self._identity = identity
        self._opener = opener
        self._listed = listed

    def open(self) -> Camera:
        """Open the camera where it is now. Raises CameraError while it is not there."""
        try:
            cameras = self._listed()
        except CameraError:
            # Nobody can tell which camera is which: the number is all there is.
            return self._opener(self._number)
        if not self._identity:
            camera = self._opener(self._number)
            self._identity = next((one.identity for one in cameras if one.number == self._number), "")
            return camera
        there = camera_of(self._identity, self._number, cameras)
        if there is None:
            raise CameraError(
                say(
                    "The camera {name} is not plugged in. Plug it in, or choose another one under "
                    "“Camera & table”.",
                    name=Path(self._identity).name,
                )
            )
        camera = self._opener(there.number)
        self._number = there.number
        return camera


def camera_source(
    name: str,
    *,
    size: tuple[int, int] = SIZE,
    steady: bool = True,
    phone: PhoneLink | None = None,
    identity: str = "",
) -> CameraSource:
    """Return the camera of a name: a number or a device file, the address of a stream, a video file, or "phone".

    size, steady: for cameras of this machine, see `Webcam`. phone: where a phone's pictures arrive. identity: what
    the camera of this number was when it was chosen. Raises CameraError for a name that cannot become right by
    itself; a camera that is only unplugged is no reason.
    """
    if name == PHONE and phone is not None:
        return CameraSource(lambda: PhoneCamera(phone), _PHONE_PATIENCE)
    if name.isascii() and name.isdecimal():
        if len(name) > 4:
            raise CameraError(say("There is no camera number {name}: `companion cameras` lists them.", name=name))
        return CameraSource(
            NumberedCamera(int(name), identity, lambda number: Webcam(number, size, steady=steady)).open
        )
    if os.name == "posix" and Path(name).is_relative_to("/dev"):
        return CameraSource(lambda: Webcam(name, size, steady=steady))
    check_source(name)
    return CameraSource(lambda: VideoCamera(name))
