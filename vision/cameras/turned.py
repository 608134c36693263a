"""A camera that hangs upside down or on its side, or shows its picture mirrored."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.cameras.frame import Camera, Frame, Image

_ROTATIONS = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}


@dataclass(frozen=True, slots=True)
class Turn:
    """How a camera's picture is put right: mirrored left to right first, then turned clockwise by right angles.

    quarters: right angles, 0 to 3.
    """

    quarters: int = 0
    mirrored: bool = False

    def __post_init__(self) -> None:
        """Refuse other turns."""
        if self.quarters not in range(4):
            raise ValueError(f"A picture is turned by 0 to 3 right angles, not by {self.quarters}.")

    def then(self, other: Turn) -> Turn:
        """Return the one turn that does what this one and then another do."""
        quarters = -self.quarters if other.mirrored else self.quarters
        return Turn((quarters + other.quarters) % 4, self.mirrored != other.mirrored)

    def of(self, image: Image) -> Image:
        """Put one BGR picture right, (height, width, 3); on its side it is (width, height, 3)."""
        if self.mirrored:
            image = np.asarray(cv2.flip(image, 1), np.uint8)
        if self.quarters:
            image = np.asarray(cv2.rotate(image, _ROTATIONS[self.quarters]), np.uint8)
        return image


class TurnedCamera:
    """Hands out another camera's frames, put right."""

    def __init__(self, camera: Camera, turn: Turn) -> None:
        self._camera = camera
        self._turn = turn

    def grab(self) -> Frame:
        """Wait for the next frame. Raises CameraError as the camera does."""
        frame = self._camera.grab()
        return replace(frame, image=self._turn.of(frame.image))

    def close(self) -> None:
        """Let the camera go."""
        self._camera.close()
