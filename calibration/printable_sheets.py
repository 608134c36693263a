"""Printable PDF sheets at true scale: the calibration sheet, and cards of one size.

All of it is vector art. Measures are mm; every sheet carries a ruler of 100 mm, because printers like to shrink
pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from calibration.camera.sheet import COLUMNS, MARKER_MM, PAPER_MM, ROWS, SQUARE_MM, board
from calibration.drawing import pdf
from calibration.drawing.pdf import A4, Paper

_MARGIN_MM = 10.0
"""Minimum space between cards and the edge of a page, for cut marks, mm."""
_MARKER_MODULES = 7
"""Modules along a side of a marker of DICT_5X5_100: five, and a border of one on each side."""


def calibration_pdf() -> bytes:
    """Return the calibration sheet as PDF: the ChArUco board centred on A4 landscape, its top edge up."""
    document = pdf.new_document()
    page = pdf.new_page(document, *PAPER_MM)
    pdf.place(page, pdf.vector(sheet_svg()), 0.0, 0.0, *PAPER_MM)
    pdf.ruler(page, 10.0, PAPER_MM[1] / 2 - 50.0, upright=True)
    x, middle = PAPER_MM[0] - 9.0, PAPER_MM[1] / 2
    pdf.text(
        page, x, middle, "Print at 100 % (actual size): the ruler at the other edge must measure 100 mm.", turn=90
    )
    pdf.text(
        page,
        PAPER_MM[0] / 2,
        PAPER_MM[1] - 6.5,
        "Seat 0 sits at this edge. Lay the sheet flat in the middle of the table.",
    )
    return pdf.finished(document)


def cards_pdf(cards: Sequence[tuple[str, str]], size_mm: tuple[float, float], bleed: str) -> bytes:
    """Return a PDF of A4 pages with cards of one size.

    cards: face and back of each, SVG. bleed: colour beyond the cut.
    """
    document = pdf.new_document()
    add_cards(document, cards, size_mm, bleed)
    return pdf.finished(document)


def add_cards(
    document: Any, cards: Sequence[tuple[str, str]], size_mm: tuple[float, float], bleed: str, paper: Paper = A4
) -> None:
    """Append pages of cards of one size with cut marks to a PDF document, each page of faces followed by its backs.

    cards: face and back of each, as SVG texts. size_mm: width and height. bleed: colour under round corners and
    just beyond the cut. Backs are arranged for printing on both sides, turned over the long edge.
    """
    grid = _CardGrid.on(paper, size_mm)
    sources: dict[str, Any] = {}
    for start in range(0, len(cards), grid.columns * grid.rows):
        batch = cards[start : start + grid.columns * grid.rows]
        page = _card_page(document, len(batch), grid, bleed, mirror=False)
        for k, (face, _) in enumerate(batch):
            pdf.place(page, pdf.vector(face), *grid.cell(k, mirror=False), *size_mm)
        pdf.ruler(page, paper[0] / 2 - 50.0, paper[1] - 4.5)
        pdf.text(page, paper[0] / 2, 7.0, "Print at 100 %, on both sides, turned over the long edge.")
        page = _card_page(document, len(batch), grid, bleed, mirror=True)
        for k, (_, back) in enumerate(batch):
            if back not in sources:
                sources[back] = pdf.vector(back)
            pdf.place(page, sources[back], *grid.cell(k, mirror=True), *size_mm)


@dataclass(frozen=True, slots=True)
class _CardGrid:
    """Grid of cards of one size on a page."""

    paper: Paper
    """Width and height of the page, mm."""
    size_mm: tuple[float, float]
    """Width and height of a card, mm."""
    columns: int
    """Cards in each row."""
    rows: int
    """Rows of cards."""

    @classmethod
    def on(cls, paper: Paper, size_mm: tuple[float, float]) -> _CardGrid:
        """Return the grid of as many cards as fit on a page."""
        columns, rows = (int((side - 2 * _MARGIN_MM) / card) for side, card in zip(paper, size_mm, strict=True))
        return cls(paper, size_mm, columns, rows)

    def cell(self, index: int, *, mirror: bool) -> tuple[float, float]:
        """Return the upper left corner (x, y) of a card on its page, mm.

        index: of the card on the page. mirror: for a page of backs, from right to left.
        """
        row, column = divmod(index, self.columns)
        if mirror:
            column = self.columns - 1 - column
        width, height = self.size_mm
        left = (self.paper[0] - self.columns * width) / 2
        top = (self.paper[1] - self.rows * height) / 2
        return left + column * width, top + row * height


def _card_page(document: Any, cards: int, grid: _CardGrid, bleed: str, *, mirror: bool) -> Any:
    """Append a page for cards to a PDF document and return it, with cut marks and the bleed of each card.

    cards: their number. bleed: colour, which extends 1.5 mm beyond the cut. mirror: as for `_CardGrid.cell`.
    """
    page = pdf.new_page(document, *grid.paper)
    width, height = grid.size_mm
    for k in range(cards):
        x, y = grid.cell(k, mirror=mirror)
        pdf.fill(page, x - 1.5, y - 1.5, width + 3.0, height + 3.0, bleed)
    left, top = grid.cell(0, mirror=False)
    columns = [left + width * k for k in range(grid.columns + 1)]
    pdf.cut_marks(page, columns, [top + height * k for k in range(-(-cards // grid.columns) + 1)])
    return page


def sheet_svg() -> str:
    """Return the calibration sheet's ChArUco board as SVG: one path of all black modules, without seams."""
    width, height = PAPER_MM
    left, top = (width - COLUMNS * SQUARE_MM) / 2, (height - ROWS * SQUARE_MM) / 2
    module = MARKER_MM / _MARKER_MODULES
    charuco = board()
    dictionary = charuco.getDictionary()
    runs: list[tuple[float, float, float, float]] = []
    white: set[tuple[int, int]] = set()
    for corners, marker in zip(charuco.getObjPoints(), charuco.getIds().ravel(), strict=True):
        x, y = (float(value) * 1000.0 for value in np.asarray(corners)[0][:2])
        white.add((int(x // SQUARE_MM), int(y // SQUARE_MM)))
        bits = cv2.aruco.generateImageMarker(dictionary, int(marker), _MARKER_MODULES)
        for row in range(_MARKER_MODULES):
            column = 0
            while column < _MARKER_MODULES:
                start = column
                while column < _MARKER_MODULES and bits[row, column] == 0:
                    column += 1
                if column > start:
                    runs.append((x + start * module, y + row * module, (column - start) * module, module))
                column += 1
    for column in range(COLUMNS):
        for row in range(ROWS):
            if (column, row) not in white:
                runs.append((column * SQUARE_MM, row * SQUARE_MM, SQUARE_MM, SQUARE_MM))
    data = "".join(
        f"M{left + x:.4f} {top + y:.4f}L{left + x + w:.4f} {top + y:.4f}L{left + x + w:.4f} {top + y + h:.4f}"
        f"L{left + x:.4f} {top + y + h:.4f}Z"
        for x, y, w, h in runs
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="0 0 {width:g} {height:g}"><path d="{data}" fill="#000000"/></svg>'
    )
