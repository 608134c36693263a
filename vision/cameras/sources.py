"""What `--camera` names, made into a camera that can be opened, and how patiently it is tried again."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from calibration.wording import say
from vision.cameras.files import VideoCamera, check_source
from vision.cameras.frame import Camera, CameraError
from vision.cameras.grabber import Patience
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


def camera_source(
    name: str, *, size: tuple[int, int] = SIZE, steady: bool = True, phone: PhoneLink | None = None
) -> CameraSource:
    """Give the camera of a name: a number or a device file, the address of a stream, a video file, or "phone".

    size, steady: for cameras of this machine, see `Webcam`. phone: where a phone's pictures arrive. Raises
    CameraError for a name that cannot become right by itself; a camera that is only unplugged is no reason.
    """
    if name == PHONE and phone is not None:
        return CameraSource(lambda: PhoneCamera(phone), _PHONE_PATIENCE)
    if name.isascii() and name.isdecimal():
        if len(name) > 4:
            raise CameraError(say("There is no camera number {name}: `companion cameras` lists them.", name=name))
        return CameraSource(lambda: Webcam(int(name), size, steady=steady))
    if os.name == "posix" and Path(name).is_relative_to("/dev"):
        return CameraSource(lambda: Webcam(name, size, steady=steady))
    check_source(name)
    return CameraSource(lambda: VideoCamera(name))
