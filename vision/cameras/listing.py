"""Which cameras are plugged into this machine."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.wording import say
from vision.cameras.frame import CameraError
from vision.cameras.webcam import BACKEND

MOST_IDENTITY = 200
"""Characters of a camera's identity."""
_BY_ID = Path("/dev/v4l/by-id")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class ListedCamera:
    """A camera as `--camera NUMBER` finds it.

    device: its own path or name in the system, if it has one; by_id: its path on Linux that names make and serial
    number, and stays the same wherever and whenever it is plugged in.
    """

    number: int
    name: str
    device: str | None
    by_id: str | None = None

    @property
    def identity(self) -> str:
        """What the camera is known again by when it comes back under another number."""
        return (self.by_id or self.name)[:MOST_IDENTITY]


def listed_cameras() -> tuple[ListedCamera, ...]:
    """List this machine's cameras by number; empty where there is none. Raises CameraError if nobody can tell."""
    try:
        from cv2_enumerate_cameras import enumerate_cameras, supported_backends
    except ImportError:  # what asks the system is missing, as it may be on a Mac
        raise CameraError(say("This system does not tell its cameras. Try --camera 0, then --camera 1.")) from None
    if BACKEND not in supported_backends:
        found = {info.index: info for info in enumerate_cameras()}
    else:
        found = {info.index: info for info in enumerate_cameras(BACKEND)}
    by_id = _paths_by_id()
    return tuple(
        # A name comes from the device: whatever it says goes to a terminal.
        ListedCamera(
            number,
            _UNPRINTABLE.sub("?", info.name or "a camera without a name"),
            info.path or None,
            by_id.get(info.path or ""),
        )
        for number, info in sorted(found.items())
    )


def camera_of(identity: str, number: int, cameras: Sequence[ListedCamera]) -> ListedCamera | None:
    """Return the camera of an identity, of several alike the one that has this number; None where none is there."""
    alike = [camera for camera in cameras if camera.identity == identity]
    return next((camera for camera in alike if camera.number == number), alike[0] if alike else None)


def _paths_by_id() -> dict[str, str]:
    """Return Linux's stable paths of cameras by their device files."""
    try:
        links = sorted(_BY_ID.iterdir())
    except OSError:
        return {}
    return {str(link.resolve()): _UNPRINTABLE.sub("?", str(link)) for link in links}
