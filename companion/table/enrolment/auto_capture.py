"""When somebody who shows the table something has taken their hands away: then its picture is taken by itself."""

from __future__ import annotations

from vision.cameras.frame import Image
from vision.stillness import MotionState, RevealWatcher

_RESTED = 8
"""Pictures at rest after which what reaches in over the edge belongs to the table: the camera was pushed."""


class AutoCapture:
    """Watches pictures while the table is taught, and says once for each rest that now is the moment.

    It has to be fed a few pictures a second. What has been taken is not taken again until something has moved.
    Used by one thread at a time.
    """

    def __init__(self) -> None:
        self._watcher = RevealWatcher()
        self._last: Image | None = None
        self._taken = 0
        self._rested = 0
        self.motion = MotionState("watching", False, 0, 1.0)

    def feed(self, image: Image) -> bool:
        """Take in the newest picture, BGR; tell whether it rests, free of hands, for the first time."""
        if image is self._last:
            return False
        self._last = image
        self.motion = self._watcher.feed(image)
        self._rested = self._rested + 1 if self.motion.still else 0
        if self._rested >= _RESTED and self.motion.state != "watching":
            self._watcher.no_hands(image)
        if not self.motion.still or self.motion.state != "watching" or self.motion.period == self._taken:
            return False
        self._taken = self.motion.period
        return True
