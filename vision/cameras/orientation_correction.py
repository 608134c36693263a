"""Correct the picture of a camera that hangs rotated or shows a mirrored picture."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cameras.frame import Camera, Frame, Image

_ROTATIONS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}
"""OpenCV's rotation codes by number of clockwise right angles."""


@dataclass(frozen=True, slots=True)
class Orientation:
    """Correction of a picture's orientation: a horizontal mirror first, then clockwise right angles."""

    quarters: int = 0
    """Number of clockwise right angles, 0 to 3."""
    mirrored: bool = False
    """Whether the picture is flipped left to right before it is rotated."""

    def __post_init__(self) -> None:
        """Raise ValueError if `quarters` is not 0 to 3."""
        if self.quarters not in range(4):
            raise ValueError(f"A picture is turned by 0 to 3 right angles, not by {self.quarters}.")

    def then(self, other: Orientation) -> Orientation:
        """Return the one correction that has the same effect as this one followed by `other`."""
        quarters = -self.quarters if other.mirrored else self.quarters
        return Orientation((quarters + other.quarters) % 4, self.mirrored != other.mirrored)

    def apply(self, image: Image) -> Image:
        """Return a BGR picture mirrored and rotated by this correction.

        An odd number of quarters swaps its width and height.
        """
        if self.mirrored:
            image = np.asarray(cv2.flip(image, 1), np.uint8)
        if self.quarters:
            image = np.asarray(cv2.rotate(image, _ROTATIONS[self.quarters]), np.uint8)
        return image


class TurnedCamera:
    """Camera that returns another camera's frames in corrected orientation. turn: the correction."""

    def __init__(self, camera: Camera, turn: Orientation) -> None:
        self._camera = camera
        self._turn = turn

    def grab(self) -> Frame:
        """Wait for the wrapped camera's next frame and return it in corrected orientation. Raises CameraError."""
        frame = self._camera.grab()
        return replace(frame, image=self._turn.apply(frame.image))

    def close(self) -> None:
        """Release the wrapped camera."""
        self._camera.close()
