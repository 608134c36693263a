"""Which cameras are plugged into this machine."""

from __future__ import annotations

import re
from dataclasses import dataclass

from calibration.wording import say
from vision.cameras.frame import CameraError
from vision.cameras.webcam import BACKEND

_UNPRINTABLE = re.compile(r"[^\x20-\x7e\xa0-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class ListedCamera:
    """A camera as `--camera NUMBER` finds it; `device` is its own path or name in the system, if it has one."""

    number: int
    name: str
    device: str | None


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
    return tuple(
        # A name comes from the device: whatever it says goes to a terminal.
        ListedCamera(number, _UNPRINTABLE.sub("?", info.name or "a camera without a name"), info.path or None)
        for number, info in sorted(found.items())
    )
