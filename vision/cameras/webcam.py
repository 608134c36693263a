"""Camera of this machine, by number or device file."""

from __future__ import annotations

import sys
import time

import cv2
import numpy as np

from calibration.translatable import say
from vision.cameras.frame import CameraError, Frame
from vision.cameras.locked_controls import ControlLock
from vision.cameras.permission import why_not_opened
from vision.cameras.silenced_logs import silence_logs

SIZE = (1280, 720)
"""Default width and height requested, px."""
BACKEND = {"linux": cv2.CAP_V4L2, "darwin": cv2.CAP_AVFOUNDATION}.get(sys.platform, cv2.CAP_ANY)
"""OpenCV backend of local cameras; cameras are listed by the same one, so that numbers agree."""
_MANUAL = 1.0 if sys.platform == "linux" else 0.25
"""Exposure mode "manual" of the backend's driver."""
_AUTOMATIC = 3.0 if sys.platform == "linux" else 0.75
"""Exposure mode "automatic" of the backend's driver."""


class Webcam:
    """Local camera opened by OpenCV at the requested size, or the nearest that it supports.

    device: number, or a path such as /dev/v4l/by-id/…, which is stable across ports. steady: lock focus, exposure
    and white balance once they have settled, where the driver supports it.
    """

    def __init__(self, device: int | str, size: tuple[int, int] = SIZE, *, steady: bool = True) -> None:
        """Open the camera. Raises CameraError if there is none, or if it may not be used."""
        silence_logs()
        self._name = say("number {number}", number=device) if isinstance(device, int) else device
        self._capture = cv2.VideoCapture(device, BACKEND)
        if not self._capture.isOpened():
            raise CameraError(why_not_opened(device, self._name))
        # Over USB, uncompressed pictures of this size come at a few per second, compressed ones at full speed.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._steadying = ControlLock(self._capture, _MANUAL, _AUTOMATIC) if steady else None
        self._number = 0

    def grab(self) -> Frame:
        """Wait for the next frame and return it. Raises CameraError when the camera is gone."""
        good, image = self._capture.read()
        if not good or image is None:
            raise CameraError(say("Camera {name} sends no picture. Check its cable.", name=self._name))
        frame = Frame(np.asarray(image, dtype=np.uint8), self._number, time.monotonic())
        self._number += 1
        if self._steadying is not None:
            self._steadying.feed(frame)
        return frame

    def close(self) -> None:
        """Enable automatic controls, as the next program expects, and release the device."""
        if self._steadying is not None:
            self._steadying.release()
        self._capture.release()
