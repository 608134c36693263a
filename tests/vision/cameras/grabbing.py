"""Grabbing from cameras that fail, at a test's pace."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np

from tests.waiting import eventually
from vision.cameras.frame import CameraError, Frame, Image
from vision.cameras.grabber import Grabber, GrabState, Patience

QUICK = Patience(first=0.01, longest=0.02, tries=3, rarely=0.05)
SOON_SILENT = replace(QUICK, silence=0.15)
"""For tests of silence: elsewhere a busy machine would be taken for a silent camera."""


class ScriptedCamera:
    """Returns a frame each time that the test allows one; fails while it is torn off."""

    def __init__(self, image: Image | None = None) -> None:
        self.image: Image = np.zeros((4, 6, 3), np.uint8) if image is None else image
        self.allowed = threading.Semaphore(0)
        self.torn = threading.Event()
        self.opened = 0
        self.closed = 0
        self.number = 0

    def open(self) -> ScriptedCamera:
        if self.torn.is_set():
            raise CameraError("The camera is not there. Plug it in.")
        self.opened += 1
        return self

    def grab(self) -> Frame:
        while not self.allowed.acquire(timeout=0.01):
            if self.torn.is_set():
                raise CameraError("The camera gives no picture. Check its cable.")
        self.number += 1
        return Frame(self.image, self.number - 1, time.monotonic())

    def close(self) -> None:
        self.closed += 1


def reaches(grabber: Grabber, state: GrabState) -> None:
    eventually(lambda: grabber.status.state == state)
