"""Reasons why a camera of this machine cannot be opened, as far as the system reports them."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from calibration.translatable import say

_DENIED_ON_MACS = (1, 2)
"""AVAuthorizationStatus: restricted by the device's owner, denied by the user."""


def device_path(device: int | str) -> Path | None:
    """Return the device file of a camera's number or path on Linux; None on other systems."""
    if sys.platform != "linux":
        return None
    return Path(f"/dev/video{device}") if isinstance(device, int) else Path(device)


def why_not_opened(device: int | str, name: str) -> str:
    """Return a message for users: why a camera does not open, and what to do.

    device: number or path. name: displayed name of the camera.
    """
    path = device_path(device)
    if path is not None and path.exists():
        if not os.access(path, os.R_OK | os.W_OK):
            return say(
                "This user may not use camera {name}. Run `sudo usermod -aG {group} $USER`, then log out and in "
                "again.",
                name=name,
                group=_group_of(path),
            )
        return say(
            "Camera {name} is there but does not open. Close other programs that use it, or choose another one of "
            "`companion cameras`.",
            name=name,
        )
    if sys.platform == "darwin" and _denied_on_macs():
        return say(
            "macOS does not let the companion use cameras. Allow it for the terminal in System Settings, Privacy & "
            "Security, Camera, then start the companion again."
        )
    return say(
        "There is no camera {name}. Plug it in, close other programs that use it, or choose "
        "another one of `companion cameras`.",
        name=name,
    )


def denied(device: str | None) -> bool:
    """Return whether the system denies this user access to a camera. device: its path; None where it has none."""
    if sys.platform == "linux":
        return device is not None and Path(device).exists() and not os.access(device, os.R_OK | os.W_OK)
    return sys.platform == "darwin" and _denied_on_macs()


def _group_of(path: Path) -> str:
    """Return the name of the group that owns a device file; "video" if the group has no name."""
    try:
        return path.group()
    except (KeyError, OSError):
        return "video"


def _denied_on_macs() -> bool:
    """Return whether macOS denies this program the use of cameras; False if that cannot be determined."""
    try:
        framework = importlib.import_module("AVFoundation")
    except ImportError:
        return False
    status = framework.AVCaptureDevice.authorizationStatusForMediaType_(framework.AVMediaTypeVideo)
    return status in _DENIED_ON_MACS
