"""Thread that grabs frames, reopens a failed camera and holds only the newest frame."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import cv2

from calibration.translatable import say
from vision.cameras.frame import Camera, CameraError, EndOfVideoError, Frame, NoFrameYetError

GrabState = Literal["starting", "running", "silent", "retrying", "waiting", "over", "closed"]
"""silent: no frame for a while, or none yet; retrying: the camera failed and is reopened with growing pauses;
waiting: the quick retries are used up, and attempts are rare; over: a recorded video has ended."""


@dataclass(frozen=True, slots=True)
class GrabStatus:
    """Status of the camera."""

    state: GrabState
    """State of the grab thread."""
    message: str = ""
    """What is wrong, in one line; empty when all is well."""
    frames: int = 0
    """Number of frames grabbed."""
    dropped: int = 0
    """Number of frames that were replaced by newer ones before they were read."""
    frames_per_second: float = 0.0
    """Current frame rate."""
    age: float = 0.0
    """Time since the newest frame was taken, s; 0 without one."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Retry policy of a failed camera with exponential back-off; all times in seconds."""

    first: float = 0.25
    """First pause; it doubles after each failure."""
    longest: float = 4.0
    """Maximum pause."""
    tries: int = 6
    """Number of consecutive failures from which attempts are rare."""
    rarely: float = 5.0
    """Pause between attempts from that number of failures on."""
    silence: float = 3.0
    """Time without a frame after which the camera is reported as silent."""

    def pause(self, failures: int) -> float:
        """Return the pause before the camera is opened again, s.

        failures: consecutive failures so far, 1 or more.
        """
        if failures >= self.tries:
            return self.rarely
        return min(self.longest, self.first * float(2 ** (failures - 1)))


class Grabber:
    """Grab a camera's frames in a thread and hold the newest one; unread older ones are dropped and counted.

    opener: returns the opened camera or raises CameraError. A failed camera is closed and reopened
    with back-off for as long as the grabber lives.
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
        self._taken_at: float | None = None
        self._started_at = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="grabber", daemon=True)

    def start(self) -> None:
        """Start the thread that opens the camera and grabs its frames."""
        self._started_at = time.monotonic()
        self._thread.start()

    def newest(self, timeout: float) -> Frame | None:
        """Return the newest unread frame, waiting up to `timeout` seconds for one; None if none came."""
        with self._fresh:
            if self._slot is None:
                self._fresh.wait(timeout)
            frame, self._slot = self._slot, None
            return frame

    @property
    def status(self) -> GrabStatus:
        """State of the camera, error message, frame counts and frame rate; "silent" if no frame comes."""
        with self._fresh:
            state, message, rate = self._state, self._message, 0.0
            if state == "starting" and time.monotonic() - self._started_at > self._patience.silence:
                # Drivers and networks can block the thread forever, so only the clock detects it.
                state = "silent"
                message = say(
                    "The camera has sent no picture yet. Check that it is on and that its address is right."
                )
            elif state == "running":
                age = time.monotonic() - self._stamps[-1]
                if age > self._patience.silence:
                    state = "silent"
                    message = say(
                        "The camera has sent no picture for {age} s. Check its cable or its app.", age=f"{age:.0f}"
                    )
                elif len(self._stamps) > 1:
                    rate = (len(self._stamps) - 1) / max(self._stamps[-1] - self._stamps[0], 1e-6)
            age = 0.0 if self._taken_at is None else time.monotonic() - self._taken_at
            return GrabStatus(state, message, self._frames, self._dropped, rate, age)

    def close(self) -> None:
        """Stop grabbing, and wait up to 2 s for the thread to release the camera and end."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)
        self._set_state("closed", "")

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            camera: Camera | None = None
            try:
                camera = self._opener()
                while not self._stop.is_set():
                    with suppress(NoFrameYetError):
                        self._put(camera.grab())
                        failures = 0
            except EndOfVideoError as over:
                self._set_state("over", str(over))
                return
            except CameraError as error:
                failures += 1
                self._failed(failures, str(error))
            except Exception as error:
                # Drivers and damaged streams fail in many ways; none may end the retries.
                failures += 1
                if not isinstance(error, cv2.error | OSError):
                    logging.getLogger(__name__).exception("The camera failed.")
                self._failed(failures, say("The camera failed. Check its cable."))
            finally:
                if camera is not None:
                    _close_quietly(camera)
            if failures:
                self._stop.wait(self._patience.pause(failures))

    def _failed(self, failures: int, message: str) -> None:
        self._set_state("waiting" if failures >= self._patience.tries else "retrying", message)

    def _put(self, frame: Frame) -> None:
        with self._fresh:
            if self._slot is not None:
                self._dropped += 1
            self._slot = frame
            self._frames += 1
            self._stamps.append(time.monotonic())
            self._taken_at = frame.taken_at
            self._state, self._message = "running", ""
            self._fresh.notify_all()

    def _set_state(self, state: GrabState, message: str) -> None:
        with self._fresh:
            self._state, self._message = state, message
            self._stamps.clear()


def _close_quietly(camera: Camera) -> None:
    try:
        camera.close()
    except Exception:
        # Closing may fail in any way too, and the next attempt must follow nevertheless.
        logging.getLogger(__name__).exception("The camera could not be closed.")
