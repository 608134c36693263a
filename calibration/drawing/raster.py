"""Render an SVG drawing in mm as pixels, by MuPDF."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pymupdf
from numpy.typing import NDArray

MM_PER_POINT = 25.4 / 72.0
"""Size of an SVG point (1/72 inch), mm."""

_one_at_a_time = threading.Lock()
"""MuPDF's Python binding has one context for the whole process and must not be entered by two threads at once."""


def rasterise(svg: str, px_per_mm: float) -> NDArray[np.uint8]:
    """Return an SVG whose size is given in mm as pixels, (height, width, 4) BGRA; alpha is not premultiplied."""
    mupdf: Any = pymupdf
    with _one_at_a_time, mupdf.open(stream=svg.encode(), filetype="svg") as document:
        zoom = px_per_mm * MM_PER_POINT
        pixmap = document[0].get_pixmap(matrix=mupdf.Matrix(zoom, zoom), alpha=True)
        rgba = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 4)
        bgra = np.ascontiguousarray(rgba[..., [2, 1, 0, 3]])
        soft = (bgra[..., 3] > 0) & (bgra[..., 3] < 255)  # MuPDF premultiplies
        edge = bgra[soft].astype(np.uint16)
        alpha = edge[:, 3:]
        bgra[soft, :3] = np.minimum((edge[:, :3] * 255 + alpha // 2) // alpha, 255)
        return bgra
