"""The grab thread: keeps a camera going and holds only its newest frame."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import cv2

from calibration.wording import say
from vision.cameras.frame import Camera, CameraError, EndOfVideoError, Frame

GrabState = Literal["starting", "running", "silent", "retrying", "waiting", "over", "closed"]
"""silent: the camera has given no frame for a while, or none at all; retrying: it failed and is opened again after
a growing pause; waiting: the budget of quick tries is spent, so it is only tried now and then; over: a recorded
video has come to its end."""


@dataclass(frozen=True, slots=True)
class GrabStatus:
    """How the camera is doing: one state, one plain line (empty when all is well), and its figures."""

    state: GrabState
    message: str = ""
    frames: int = 0
    dropped: int = 0
    frames_per_second: float = 0.0


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how soon a failed camera is tried again; all times in seconds.

    Pauses double from `first` up to `longest`. After `tries` failures without a frame in between the camera
    counts as gone and is tried every `rarely`. A camera without a frame for `silence` is told as silent.
    """

    first: float = 0.25
    longest: float = 4.0
    tries: int = 6
    rarely: float = 5.0
    silence: float = 3.0

    def pause(self, failures: int) -> float:
        """Tell how long to wait after so many failures in a row (1 or more)."""
        if failures >= self.tries:
            return self.rarely
        return min(self.longest, self.first * float(2 ** (failures - 1)))


class Grabber:
    """Grabs in a thread of its own; whoever reads takes the newest frame, and older ones are dropped and counted.

    opener: opens the camera, raising CameraError with a plain line where that fails. A camera that fails is
    closed and opened again with back-off, for as long as the grabber lives: it comes back by itself.
    """

    def __init__(self, opener: Callable[[], Camera], patience: Patience | None = None) -> None:
        self._opener = opener
        self._patience = patience or Patience()
        self._slot: Frame | None = None
        self._fresh = threading.Condition()
        self._stop = threading.Event()
        self._state: GrabState = "starting"
        self._message: str = say("Opening the camera.")
        self._frames = 0
        self._dropped = 0
        self._stamps: deque[float] = deque(maxlen=30)
        self._started_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        """Start grabbing."""
        self._started_at = time.monotonic()
        self._thread.start()

    def newest(self, timeout: float) -> Frame | None:
        """Take the newest frame that nobody has taken, waiting up to `timeout` seconds; None if there is none."""
        with self._fresh:
            if self._slot is None:
                self._fresh.wait(timeout)
            frame, self._slot = self._slot, None
            return frame

    @property
    def status(self) -> GrabStatus:
        """The camera's state now."""
        with self._fresh:
            state, message, rate = self._state, self._message, 0.0
            if state == "starting" and time.monotonic() - self._started_at > self._patience.silence:
                # Drivers and networks can hold a thread up for good, so nobody but the clock can tell of it.
                state = "silent"
                message = say("The camera has given no picture yet. Check that it is on and its address right.")
            elif state == "running":
                age = time.monotonic() - self._stamps[-1]
                if age > self._patience.silence:
                    state = "silent"
                    message = say(
                        "The camera has given no picture for {age} s. Check its cable or its app.", age=f"{age:.0f}"
                    )
                elif len(self._stamps) > 1:
                    rate = (len(self._stamps) - 1) / max(self._stamps[-1] - self._stamps[0], 1e-6)
            return GrabStatus(state, message, self._frames, self._dropped, rate)

    def close(self) -> None:
        """Stop grabbing and let the camera go; waits a moment for the thread to end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        self._tell("closed", "")

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            camera: Camera | None = None
            try:
                camera = self._opener()
                while not self._stop.is_set():
                    self._put(camera.grab())
                    failures = 0
            except EndOfVideoError as over:
                self._tell("over", str(over))
                return
            except CameraError as error:
                failures += 1
                self._failed(failures, str(error))
            except Exception as error:
                # Drivers and damaged streams fail in many ways; none may end the trying, or the table stays blind.
                failures += 1
                if not isinstance(error, cv2.error | OSError):
                    logging.getLogger(__name__).exception("The camera failed.")
                self._failed(failures, "The camera failed. Check its cable.")
            finally:
                if camera is not None:
                    _let_go(camera)
            if failures:
                self._stop.wait(self._patience.pause(failures))

    def _failed(self, failures: int, message: str) -> None:
        self._tell("waiting" if failures >= self._patience.tries else "retrying", message)

    def _put(self, frame: Frame) -> None:
        with self._fresh:
            if self._slot is not None:
                self._dropped += 1
            self._slot = frame
            self._frames += 1
            self._stamps.append(time.monotonic())
            self._state, self._message = "running", ""
            self._fresh.notify_all()

    def _tell(self, state: GrabState, message: str) -> None:
        with self._fresh:
            self._state, self._message = state, message
            self._stamps.clear()


def _let_go(camera: Camera) -> None:
    try:
        camera.close()
    except Exception:
        # A driver may fail in any way here too, and the next try must come nevertheless.
        logging.getLogger(__name__).exception("The camera could not be closed.")
