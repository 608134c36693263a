"""The frame, and what every camera can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""A BGR picture, shape (height, width, 3), uint8."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture of a camera: its pixels, its number from 0, and when it was taken (monotonic seconds)."""

    image: Image
    number: int
    taken_at: float


class CameraError(RuntimeError):
    """A camera that cannot be used: one line in plain words, what is wrong and what to do."""


class EndOfVideoError(CameraError):
    """Nothing more will come from this camera, as at the end of a recorded video: trying again is no use."""


class Camera(Protocol):
    """Anything that hands out frames."""

    def grab(self) -> Frame:
        """Wait for the next frame. Raises CameraError when there is none to be had."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...
