"""A recorded video or a network stream as a camera."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from vision.cameras.frame import CameraError, EndOfVideoError, Frame

_TIMEOUT_MS = 4000


def is_address(source: str) -> bool:
    """Tell an address such as http://… or rtsp://… from a file name."""
    return "://" in source


class VideoCamera:
    """A video file, played at its own pace and then over, or a stream, taken as fast as it comes."""

    def __init__(self, source: str) -> None:
        """Open the video. Raises CameraError where that cannot be done."""
        self._source = source
        self._live = is_address(source)
        if not self._live and not Path(source).is_file():
            raise CameraError(f"There is no video file {source}. Check the name.")
        if self._live:
            timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _TIMEOUT_MS]
            self._capture = cv2.VideoCapture(source, cv2.CAP_FFMPEG, timeouts)
        else:
            self._capture = cv2.VideoCapture(source)
        if not self._capture.isOpened():
            what = "The stream does not answer" if self._live else "The file is not a video that can be played"
            raise CameraError(f"{what}: {source}. Check that it plays in a video player.")
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._interval = 0.0 if self._live else 1.0 / (rate if 1.0 <= rate <= 240.0 else 25.0)
        self._next = time.monotonic()
        self._number = 0

    def grab(self) -> Frame:
        """Wait for the next frame. Raises EndOfVideoError after a file's last, CameraError when a stream breaks."""
        wait = self._next - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        good, image = self._capture.read()
        if not good or image is None:
            if self._live:
                raise CameraError(f"The stream broke off: {self._source}.")
            raise EndOfVideoError(f"The video is over: {self._source}. Go on by hand, or start with another one.")
        now = time.monotonic()
        self._next = max(self._next + self._interval, now - self._interval)
        frame = Frame(np.asarray(image, dtype=np.uint8), self._number, now)
        self._number += 1
        return frame

    def close(self) -> None:
        """Let the file or the stream go."""
        self._capture.release()
