"""Turn an SVG drawing in mm into pixels, by MuPDF."""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf
from numpy.typing import NDArray

MM_PER_POINT = 25.4 / 72.0


def rasterise(svg: str, px_per_mm: float) -> NDArray[np.uint8]:
    """Draw an SVG whose size is given in mm: height × width × 4 of uint8, BGRA, alpha not premultiplied."""
    mupdf: Any = pymupdf
    with mupdf.open(stream=svg.encode(), filetype="svg") as document:
        zoom = px_per_mm * MM_PER_POINT
        pixmap = document[0].get_pixmap(matrix=mupdf.Matrix(zoom, zoom), alpha=True)
        rgba = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 4)
        alpha = rgba[..., 3:]
        colour = rgba[..., 2::-1].astype(np.uint16)
        straight = np.where(alpha > 0, (colour * 255 + alpha // 2) // np.maximum(alpha, 1), 0)
        return np.concatenate([np.minimum(straight, 255).astype(np.uint8), alpha], axis=2)
