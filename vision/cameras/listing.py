"""List the cameras of this machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.translatable import say
from vision.cameras.frame import CameraError
from vision.cameras.webcam import BACKEND

MOST_IDENTITY = 200
"""Maximum length of a camera's identity, characters."""
_BY_ID = Path("/dev/v4l/by-id")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class ListedCamera:
    """One of this machine's cameras, as selected by `--camera NUMBER`."""

    number: int
    """Index by which OpenCV opens it."""
    name: str
    """Name reported by the device."""
    device: str | None
    """Path or name in the system, if any."""
    by_id: str | None = None
    """Stable path on Linux that contains make and serial number."""

    @property
    def identity(self) -> str:
        """Stable path, or else name, by which the camera is recognised after the system has renumbered it."""
        return (self.by_id or self.name)[:MOST_IDENTITY]


def listed_cameras() -> tuple[ListedCamera, ...]:
    """Return this machine's cameras in order of their numbers; empty if there is none.

    Raises CameraError if they cannot be listed.
    """
    try:
        from cv2_enumerate_cameras import enumerate_cameras, supported_backends
    except ImportError:  # the listing library is missing, as it may be on a Mac
        raise CameraError(say("This system cannot list its cameras. Try --camera 0, then --camera 1.")) from None
    if BACKEND not in supported_backends:
        found = {info.index: info for info in enumerate_cameras()}
    else:
        found = {info.index: info for info in enumerate_cameras(BACKEND)}
    by_id = _paths_by_id()
    return tuple(
        # A name comes from the device and is printed on a terminal: replace unprintable characters.
        ListedCamera(
            number,
            _UNPRINTABLE.sub("?", info.name or "a camera without a name"),
            info.path or None,
            by_id.get(info.path or ""),
        )
        for number, info in sorted(found.items())
    )


def camera_of(identity: str, number: int, cameras: Sequence[ListedCamera]) -> ListedCamera | None:
    """Return the camera with this identity (`ListedCamera.identity`); None if it is not plugged in.

    number: of the camera to prefer where several have the same identity.
    """
    alike = [camera for camera in cameras if camera.identity == identity]
    return next((camera for camera in alike if camera.number == number), alike[0] if alike else None)


def _paths_by_id() -> dict[str, str]:
    """Return the stable path of each camera (/dev/v4l/by-id/…) by its device file; empty except on Linux."""
    try:
        links = sorted(_BY_ID.iterdir())
    except OSError:
        return {}
    return {str(link.resolve()): _UNPRINTABLE.sub("?", str(link)) for link in links}
