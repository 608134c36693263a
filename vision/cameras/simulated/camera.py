"""Simulated camera over the simulated table."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from calibration.translatable import say
from vision.cameras.frame import CameraError, Frame
from vision.cameras.simulated.renderer import Renderer
from vision.cameras.simulated.scene import Scene

_RESTING_INTERVAL: Final = 0.5
"""Seconds between two pictures while the camera rests."""


class SimulatedCamera:
    """Camera that renders the current scene, at most `fps` pictures per second.

    `show` may be called from another thread than `grab`.
    """

    def __init__(
        self,
        renderer: Renderer,
        fps: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._renderer = renderer
        self._interval = 1.0 / fps
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()
        self._scene = Scene(seats=4)
        self._number = 0
        self._next_at = float("-inf")
        self._plugged_in, self._closed = True, False
        self._resting = False

    def rest(self, on: bool) -> None:
        """Reduce the frame rate to 2 per second (on), because rendering is expensive, or restore it (off)."""
        self._resting = on

    def show(self, scene: Scene) -> None:
        """Set the scene that is rendered from the next frame on."""
        with self._lock:
            self._scene = scene

    def unplug(self) -> None:
        """Simulate an unplugged camera: every grab fails until `plug_in`."""
        self._plugged_in = False

    def plug_in(self) -> None:
        """End the effect of `unplug`."""
        self._plugged_in = True

    def grab(self) -> Frame:
        """Wait until the next frame is due and return the rendered scene.

        Raises CameraError when unplugged or closed.
        """
        self._check()
        wait = self._next_at - self._clock()
        if wait > 0:
            self._sleep(wait)
        self._check()
        taken_at = self._clock()
        # A camera that fell behind does not catch up.
        due = self._next_at if taken_at - self._next_at < self._interval else taken_at
        self._next_at = due + (_RESTING_INTERVAL if self._resting else self._interval)
        with self._lock:
            scene, number = self._scene, self._number
            self._number += 1
        return Frame(self._renderer.render(scene, number), number, taken_at)

    def close(self) -> None:
        """Close the camera; later grabs fail."""
        self._closed = True

    def _check(self) -> None:
        """Raise CameraError if the camera is closed or unplugged."""
        if self._closed:
            raise CameraError(say("The simulated camera is closed: start it again to get pictures."))
        if not self._plugged_in:
            raise CameraError(say("The simulated camera gives no pictures: it is unplugged; plug it in again."))
