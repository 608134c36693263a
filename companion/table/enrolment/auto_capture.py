"""Auto-capture: detects when the picture is still and hands have left it, so that it can be captured."""

from __future__ import annotations

from vision.cameras.frame import Image
from vision.motion_state import HandsWatcher, MotionState

_MAX_STILL_WITH_HANDS = 8
"""Number of still pictures after which an object at the edge counts as part of the table, not as a hand."""


class AutoCapture:
    """Detects the first picture of each still interval without hands.

    `feed` has to be called a few times a second. Used by one thread at a time.
    """

    def __init__(self) -> None:
        self._watcher = HandsWatcher()
        self._last: Image | None = None
        self._captured = 0
        self._still_pictures = 0
        self.motion = MotionState("watching", False, 0, 1.0)

    def feed(self, image: Image) -> bool:
        """Process a BGR picture; return whether it is the first still one without hands since the last motion."""
        if image is self._last:
            return False
        self._last = image
        self.motion = self._watcher.feed(image)
        self._still_pictures = self._still_pictures + 1 if self.motion.still else 0
        if self._still_pictures >= _MAX_STILL_WITH_HANDS and self.motion.state != "watching":
            self._watcher.no_hands(image)
        if not self.motion.still or self.motion.state != "watching" or self.motion.period == self._captured:
            return False
        self._captured = self.motion.period
        return True
