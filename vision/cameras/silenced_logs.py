"""Reduce the log output of OpenCV and FFmpeg, which duplicates the program's own error messages."""

from __future__ import annotations

import os

import cv2

_AV_LOG_QUIET = "-8"
"""FFmpeg's log level "quiet"."""


def silence_logs() -> None:
    """Silence FFmpeg, and OpenCV except for errors, unless environment variables set their log levels."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", _AV_LOG_QUIET)
    if "OPENCV_LOG_LEVEL" not in os.environ:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
