"""A camera plugged into this machine, by its index."""

from __future__ import annotations

import time

import cv2
import numpy as np

from vision.cameras.frame import CameraError, Frame


class Webcam:
    """A local camera opened by OpenCV at the wanted size, or the nearest that it can do."""

    def __init__(self, index: int, width: int = 1280, height: int = 720) -> None:
        """Open the camera. Raises CameraError if there is none at that index."""
        self._index = index
        self._capture = cv2.VideoCapture(index)
        if not self._capture.isOpened():
            raise CameraError(
                f"There is no camera number {index}. Plug it in, close other programs that use it, "
                "or start with another number."
            )
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._number = 0

    def grab(self) -> Frame:
        """Wait for the next frame. Raises CameraError when the camera is gone."""
        good, image = self._capture.read()
        if not good or image is None:
            raise CameraError(f"Camera number {self._index} gives no picture. Check its cable.")
        frame = Frame(np.asarray(image, dtype=np.uint8), self._number, time.monotonic())
        self._number += 1
        return frame

    def close(self) -> None:
        """Let the device go."""
        self._capture.release()
