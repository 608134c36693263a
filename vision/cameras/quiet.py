"""OpenCV and FFmpeg write their own lines on the terminal for each try; ours say what people need."""

from __future__ import annotations

import os

import cv2

_AV_LOG_QUIET = "-8"


def quiet() -> None:
    """Keep the libraries from writing about cameras that do not open, unless an OPENCV_… variable asks for it."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", _AV_LOG_QUIET)
    if "OPENCV_LOG_LEVEL" not in os.environ:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
