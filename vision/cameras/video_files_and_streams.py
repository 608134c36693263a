"""Recorded videos and network streams as cameras."""

from __future__ import annotations

import time
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np

from calibration.translatable import say
from vision.cameras.frame import CameraError, EndOfVideoError, Frame
from vision.cameras.silenced_logs import silence_logs

SCHEMES = ("rtsp", "rtsps", "http", "https")
"""Accepted URL schemes; the library supports others, which reach files and other programs."""
_TIMEOUT_MS = 4000
"""Timeout of opening and reading a stream, ms."""


def is_address(source: str) -> bool:
    """Return whether a source is a URL such as http://… or rtsp://…, not a file name."""
    return "://" in source


def without_secrets(address: str) -> str:
    """Return a URL without user, password and query, for display."""
    try:
        parts = urlsplit(address)
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        return "the address given"
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


def check_source(source: str) -> None:
    """Raise CameraError for a missing video file or an unusable URL."""
    if is_address(source):
        try:
            parts = urlsplit(source)
            usable = parts.scheme.lower() in SCHEMES and bool(parts.hostname)
            _ = parts.port
        except ValueError:
            usable = False
        if not usable:
            raise CameraError(
                say(
                    "{source} is not the address of a stream: it must begin with rtsp:// or http:// and name the "
                    "camera, for example http://192.168.1.20:8080/video.",
                    source=without_secrets(source),
                )
            )
        return
    try:
        there = Path(source).is_file()
    except (OSError, ValueError):
        there = False
    if not there:
        raise CameraError(say("There is no video file {source}. Check the name.", source=source))


class VideoCamera:
    """Camera from a video file, played at its frame rate, or from a network stream. source: file name or URL."""

    def __init__(self, source: str) -> None:
        """Open the video file or network stream. Raises CameraError on failure."""
        check_source(source)
        silence_logs()
        self._live = is_address(source)
        self._name = without_secrets(source) if self._live else source
        if self._live:
            timeouts = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _TIMEOUT_MS, cv2.CAP_PROP_READ_TIMEOUT_MSEC, _TIMEOUT_MS]
            self._capture = cv2.VideoCapture(source, cv2.CAP_FFMPEG, timeouts)
        else:
            self._capture = cv2.VideoCapture(source)
        if not self._capture.isOpened():
            what = "The stream does not answer" if self._live else "The file is not a video that can be played"
            raise CameraError(
                say("{what}: {name}. Check that it plays in a video player.", what=what, name=self._name)
            )
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._interval = 0.0 if self._live else 1.0 / (rate if 1.0 <= rate <= 240.0 else 25.0)
        self._next = time.monotonic()
        self._number = 0

    def grab(self) -> Frame:
        """Wait for the next frame and return it.

        Raises EndOfVideoError after a file's last, CameraError if a stream breaks.
        """
        wait = self._next - time.monotonic()
        if wait > 0:
            time.sleep(wait)
        good, image = self._capture.read()
        if not good or image is None:
            if self._live:
                raise CameraError(say("The stream was interrupted: {name}.", name=self._name))
            raise EndOfVideoError(
                say("The video has ended: {name}. Continue by hand, or start with another one.", name=self._name)
            )
        now = time.monotonic()
        self._next = max(self._next + self._interval, now - self._interval)
        frame = Frame(np.asarray(image, dtype=np.uint8), self._number, now)
        self._number += 1
        return frame

    def close(self) -> None:
        """Release the file or the stream."""
        self._capture.release()
