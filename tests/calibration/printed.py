"""Pages of printed PDF files as pictures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf
from numpy.typing import NDArray

from calibration.drawing.raster import rasterise

MM = 72.0 / 25.4
"""Points per mm."""


def page_picture(pdf: bytes, page: int, px_per_mm: float) -> NDArray[np.uint8]:
    """Return one page as BGR."""
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        zoom = px_per_mm / MM
        pixmap: Any = document[page].get_pixmap(matrix=pymupdf.Matrix(zoom, zoom))
        rgb = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
        return np.ascontiguousarray(rgb[..., ::-1])


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return width and height of each page, mm."""
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        return [(round(page.rect.width / MM, 2), round(page.rect.height / MM, 2)) for page in document]


def difference(page: NDArray[np.uint8], svg: str, left: float, top: float, px_per_mm: float) -> float:
    """Return the mean difference of a drawing from what lies at (left, top) mm of a page, without its rim."""
    drawn = rasterise(svg, px_per_mm)
    x, y, border = round(left * px_per_mm), round(top * px_per_mm), round(4 * px_per_mm)
    there = page[y : y + drawn.shape[0], x : x + drawn.shape[1]]
    gap = np.abs(there.astype(int) - drawn[..., :3])[border:-border, border:-border]
    return float(gap.mean())
