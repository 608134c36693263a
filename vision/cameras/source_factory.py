"""Map the values that `--camera` accepts to cameras, each with its retry policy."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.translatable import say
from vision.cameras.frame import Camera, CameraError
from vision.cameras.grabber import Patience
from vision.cameras.listing import ListedCamera, camera_of, listed_cameras
from vision.cameras.phone import LONGEST_GAP_S, PhoneCamera, PhoneLink
from vision.cameras.video_files_and_streams import VideoCamera, check_source
from vision.cameras.webcam import SIZE, Webcam

PHONE = "phone"
"""Name of the phone as a camera."""
_PHONE_PATIENCE = Patience(first=0.05, longest=0.1, tries=1, rarely=0.1, silence=LONGEST_GAP_S + 1.0)
"""Retry policy of a phone: waiting is cheap, and it should reappear at once. The phone itself is silent earlier."""


@dataclass(frozen=True)
class CameraSource:
    """How to open one camera, and how to retry."""

    open: Callable[[], Camera]
    """Opens the camera and returns it; raises CameraError on failure."""
    patience: Patience = field(default_factory=Patience)
    """Retry policy."""


class NumberedCamera:
    """Opens a camera of this machine by number, and from then on by its identity.

    The system may renumber cameras when one is plugged in again. identity: `ListedCamera.identity`, "" if not known
    yet. opener: opens the camera of a number. listed: returns the cameras that are plugged in.
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
        """Open the camera under its current number and return it. Raises CameraError while it is absent."""
        try:
            cameras = self._listed()
        except CameraError:
            # Without a listing the number is the only identification.
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
    """Return how to open a camera, by its name: a number, a device file, a stream's URL, a video file, or "phone".

    size, steady: for cameras of this machine, see `Webcam`. phone: receives a phone's pictures. identity: of the
    numbered camera when it was chosen (`ListedCamera.identity`). Raises CameraError for an invalid name; for a
    camera that is absent, opening raises it.
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
