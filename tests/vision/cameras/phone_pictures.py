"""Pictures of a phone, and a clock for their pace."""

from __future__ import annotations

import cv2
import numpy as np


def jpeg(shade: int = 90, size: tuple[int, int] = (160, 90)) -> bytes:
    data: bytes = cv2.imencode(".jpg", np.full((size[1], size[0], 3), shade, np.uint8))[1].tobytes()
    return data


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now
