"""The frame type, the camera interface and camera errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""BGR picture, shape (height, width, 3), uint8."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a camera."""

    image: Image
    """Pixels, BGR."""
    number: int
    """Index of the frame since the camera was opened, from 0."""
    taken_at: float
    """Time of capture, monotonic seconds."""


class CameraError(RuntimeError):
    """A camera cannot be used; the message, one line for users, states what is wrong and what to do."""


class NoFrameYetError(CameraError):
    """No frame has arrived in time, but the camera works and need not be reopened."""


class EndOfVideoError(CameraError):
    """No more frames will come, as at the end of a recorded video; a retry is useless."""


class Camera(Protocol):
    """A source of frames."""

    def grab(self) -> Frame:
        """Wait for the next frame and return it. Raises CameraError when none is available."""
        ...

    def close(self) -> None:
        """Release the device."""
        ...
