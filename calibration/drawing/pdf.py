"""Pages of PDF documents at true scale, in mm: vector drawings, cut marks, rulers and small lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pymupdf

Paper = tuple[float, float]
"""Width and height of a page, mm."""
A4: Paper = (210.0, 297.0)
"""A portrait page of A4."""
A3: Paper = (297.0, 420.0)
"""A portrait page of A3."""
_POINTS_A_MM = 72.0 / 25.4
"""PDF points per mm."""
_mupdf: Any = pymupdf


def new_document() -> Any:
    """Return an empty PDF document."""
    return _mupdf.open()


def new_page(document: Any, width: float, height: float) -> Any:
    """Append a page of this size, mm, and return it."""
    return document.new_page(width=width * _POINTS_A_MM, height=height * _POINTS_A_MM)


def vector(svg: str) -> Any:
    """Return a PDF document of one page that shows an SVG in its own size."""
    with _mupdf.open(stream=svg.encode(), filetype="svg") as drawing:
        return _mupdf.open("pdf", drawing.convert_to_pdf())


def _rect(x: float, y: float, width: float, height: float) -> Any:
    k = _POINTS_A_MM
    return _mupdf.Rect(x * k, y * k, (x + width) * k, (y + height) * k)


def place(page: Any, source: Any, x: float, y: float, width: float, height: float) -> None:
    """Draw the document returned by `vector` into a rectangle of a page; x, y: its upper left corner, mm."""
    page.show_pdf_page(_rect(x, y, width, height), source, 0)


def fill(page: Any, x: float, y: float, width: float, height: float, colour: str) -> None:
    """Fill a rectangle with a colour such as "#14121a"; x, y: its upper left corner, mm."""
    paint = tuple(value / 255.0 for value in bytes.fromhex(colour[1:]))
    page.draw_rect(_rect(x, y, width, height), color=None, fill=paint, width=0)


def _line(page: Any, x0: float, y0: float, x1: float, y1: float, width: float) -> None:
    k = _POINTS_A_MM
    page.draw_line((x0 * k, y0 * k), (x1 * k, y1 * k), color=(0, 0, 0), width=width * k)


def cut_marks(page: Any, columns: Sequence[float], rows: Sequence[float]) -> None:
    """Draw cut marks round a block of cards or tiles, 2.5 to 7 mm outside of it.

    columns, rows: x and y of the cuts in ascending order, mm; the outermost ones bound the block.
    """
    for x in columns:
        _line(page, x, rows[0] - 7.0, x, rows[0] - 2.5, 0.15)
        _line(page, x, rows[-1] + 2.5, x, rows[-1] + 7.0, 0.15)
    for y in rows:
        _line(page, columns[0] - 7.0, y, columns[0] - 2.5, y, 0.15)
        _line(page, columns[-1] + 2.5, y, columns[-1] + 7.0, y, 0.15)


def ruler(page: Any, x: float, y: float, *, upright: bool = False) -> None:
    """Draw a ruler of exactly 100 mm from (x, y), mm: to the right, or downwards if upright."""
    for k in range(0, 101, 5):
        size = 3.0 if k % 50 == 0 else 2.0 if k % 10 == 0 else 1.2
        if upright:
            _line(page, x, y + k, x + size, y + k, 0.15)
        else:
            _line(page, x + k, y, x + k, y - size, 0.15)
    if upright:
        _line(page, x, y, x, y + 100.0, 0.2)
        text(page, x - 1.5, y + 50.0, "100 mm", turn=90)
    else:
        _line(page, x, y, x + 100.0, y, 0.2)
        text(page, x + 108.0, y, "100 mm")


def text(page: Any, x: float, y: float, words: str, *, turn: int = 0) -> None:
    """Write one line in 8 pt with the middle of its baseline at (x, y), mm. turn: 0, or 90 for upwards."""
    size, k = 8.0, _POINTS_A_MM
    half = _mupdf.get_text_length(words, fontname="tiro", fontsize=size) / 2
    at = (x * k - half, y * k) if turn == 0 else (x * k, y * k + half)
    page.insert_text(at, words, fontname="tiro", fontsize=size, rotate=turn, color=(0.25, 0.22, 0.2))


def finished(document: Any) -> bytes:
    """Close the document and return the bytes of the PDF file."""
    data: bytes = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    document.close()
    return data
