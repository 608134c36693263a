"""Printable PDF sheets at true scale: the calibration sheet, the deck, and boards with tile and discs.

All of it is vector art. Measures are mm on A4; every sheet carries a ruler of 100 mm, because printers like to
shrink pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import pymupdf

from calibration.camera.sheet import COLUMNS, MARKER_MM, PAPER_MM, ROWS, SQUARE_MM, board
from calibration.drawing.palette import INK, JEWELS, PLAYERS
from calibration.games.wicked.art import (
    BOARD,
    CARD,
    IMPURITY,
    SIGN,
    TILE,
    TOKEN,
    board_face,
    card_back,
    impurity_face,
    sign_face,
    tile_face,
    token_face,
)
from calibration.games.wicked.art.cards import Back

A4 = (210.0, 297.0)
"""Width and height of a portrait page, mm."""
COLUMNS_A_PAGE = 3
"""Cards beside each other on a page."""
ROWS_A_PAGE = 3
"""Cards below each other on a page."""
CARDS_A_PAGE = COLUMNS_A_PAGE * ROWS_A_PAGE

_POINTS_A_MM = 72.0 / 25.4
"""PDF points per mm."""
_MARKER_MODULES = 7
"""Modules along a marker of DICT_5X5_100: five, and a border of one on each side."""
_mupdf: Any = pymupdf

PrintedCard = tuple[str, Back]
"""A card to print: its face as SVG (63 × 88 mm) and the kind of its back."""


def calibration_pdf() -> bytes:
    """Return the calibration sheet: the ChArUco board of design.md centred on A4 landscape, its top edge up."""
    document = _mupdf.open()
    page = _new_page(document, *PAPER_MM)
    _place(page, _vector(sheet_svg()), 0.0, 0.0, *PAPER_MM)
    _ruler(page, 10.0, PAPER_MM[1] / 2 - 50.0, upright=True)
    x, middle = PAPER_MM[0] - 9.0, PAPER_MM[1] / 2
    _text(
        page, x, middle, "Print at 100 % (actual size): the ruler at the other edge must measure 100 mm.", turn=90
    )
    _text(
        page,
        PAPER_MM[0] / 2,
        PAPER_MM[1] - 6.5,
        "Seat 0 sits at this edge. Lay the sheet flat in the middle of the table.",
    )
    return _bytes(document)


def deck_pdf(cards: Sequence[PrintedCard]) -> bytes:
    """Return the deck: nine cards a page of A4 with cut marks, each page of faces followed by its backs.

    The backs are mirrored left to right, for printing on both sides with the long edge as hinge.
    """
    document = _mupdf.open()
    sources: dict[Back, Any] = {}
    for start in range(0, len(cards), CARDS_A_PAGE):
        batch = cards[start : start + CARDS_A_PAGE]
        page = _card_page(document, len(batch), mirror=False)
        for k, (face, _) in enumerate(batch):
            _place(page, _vector(face), *_cell(k, mirror=False), *CARD)
        _ruler(page, A4[0] / 2 - 50.0, A4[1] - 4.5)
        _text(page, A4[0] / 2, 7.0, "Print at 100 %, on both sides, turned over the long edge.")
        page = _card_page(document, len(batch), mirror=True)
        for k, (_, back) in enumerate(batch):
            if back not in sources:
                sources[back] = _vector(card_back(back))
            _place(page, sources[back], *_cell(k, mirror=True), *CARD)
    return _bytes(document)


def _card_page(document: Any, cards: int, *, mirror: bool) -> Any:
    """Begin a page of cards: cut marks, and ink under the round corners and 1.5 mm beyond the cut."""
    page = _new_page(document, *A4)
    for k in range(cards):
        x, y = _cell(k, mirror=mirror)
        _ink(page, x - 1.5, y - 1.5, CARD[0] + 3.0, CARD[1] + 3.0)
    left, top = _cell(0, mirror=False)
    columns = [left + CARD[0] * k for k in range(COLUMNS_A_PAGE + 1)]
    _cut_marks(page, columns, [top + CARD[1] * k for k in range(-(-cards // COLUMNS_A_PAGE) + 1)])
    return page


def boards_pdf() -> bytes:
    """Return the five boards (A5, one to a landscape A4), the labyrinth tile, and discs to stick on wood."""
    document = _mupdf.open()
    width, height = A4[1], A4[0]
    for colour in PLAYERS:
        page = _new_page(document, width, height)
        left, top = (width - BOARD[0]) / 2, (height - BOARD[1]) / 2
        _ink(page, left - 1.5, top - 1.5, BOARD[0] + 3.0, BOARD[1] + 3.0)
        _place(page, _vector(board_face(colour)), left, top, *BOARD)
        _cut_marks(page, [left, left + BOARD[0]], [top, top + BOARD[1]])
        _ruler(page, width / 2 - 50.0, height - 12.0)
    page = _new_page(document, *A4)
    _place(page, _vector(tile_face()), (A4[0] - TILE[0]) / 2, (A4[1] - TILE[1]) / 2, *TILE)
    _ruler(page, A4[0] / 2 - 50.0, A4[1] - 12.0)
    _discs(_new_page(document, *A4))
    return _bytes(document)


def disc_centres() -> tuple[tuple[str, float, float], ...]:
    """Return every disc of the disc page: its kind, as in design.md, and its centre in mm from the upper left."""
    rows: list[tuple[float, list[str]]] = []
    for colour in JEWELS:
        if colour != "white":  # white stands for any colour; there is no white token
            rows += [(TOKEN, [f"token:{colour}"] * 10)] * 2
    rows += [(IMPURITY[1], ["impurity:1"] * 10), (IMPURITY[1], ["impurity:1"] * 9)]
    rows += [(IMPURITY[3], ["impurity:3"] * 6), (SIGN, ["sign:witch"] * 5 + ["sign:soul"] * 5)]
    placed = []
    y = 14.0
    for size, kinds in rows:
        pitch = size + 1.5
        y += pitch / 2
        for k, kind in enumerate(kinds):
            placed.append((kind, A4[0] / 2 + (k - (len(kinds) - 1) / 2) * pitch, y))
        y += pitch / 2
    return tuple(placed)


def _discs(page: Any) -> None:
    sources: dict[str, Any] = {}
    for kind, x, y in disc_centres():
        group, name = kind.split(":")
        if kind not in sources:
            drawn = {"token": token_face, "sign": sign_face}
            sources[kind] = _vector(impurity_face(int(name)) if group == "impurity" else drawn[group](name))
        size = {"token": TOKEN, "sign": SIGN}[group] if group != "impurity" else IMPURITY[int(name)]
        _place(page, sources[kind], x - size / 2, y - size / 2, size, size)
    _ruler(page, A4[0] / 2 - 50.0, A4[1] - 12.0)
    _text(page, A4[0] / 2, 10.0, "Print at 100 %, cut out, and stick on wooden discs.")


def sheet_svg() -> str:
    """Draw the ChArUco board as one path of black modules, so that no seam shows between them."""
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


def _cell(index: int, *, mirror: bool) -> tuple[float, float]:
    """Return the upper left corner in mm of a card on its page."""
    column, row = index % COLUMNS_A_PAGE, index // COLUMNS_A_PAGE
    if mirror:
        column = COLUMNS_A_PAGE - 1 - column
    left, top = (A4[0] - COLUMNS_A_PAGE * CARD[0]) / 2, (A4[1] - ROWS_A_PAGE * CARD[1]) / 2
    return left + column * CARD[0], top + row * CARD[1]


def _new_page(document: Any, width: float, height: float) -> Any:
    return document.new_page(width=width * _POINTS_A_MM, height=height * _POINTS_A_MM)


def _vector(svg: str) -> Any:
    """Return an SVG as a PDF document of one page of its size."""
    with _mupdf.open(stream=svg.encode(), filetype="svg") as drawing:
        return _mupdf.open("pdf", drawing.convert_to_pdf())


def _rect(x: float, y: float, width: float, height: float) -> Any:
    k = _POINTS_A_MM
    return _mupdf.Rect(x * k, y * k, (x + width) * k, (y + height) * k)


def _place(page: Any, source: Any, x: float, y: float, width: float, height: float) -> None:
    page.show_pdf_page(_rect(x, y, width, height), source, 0)


def _ink(page: Any, x: float, y: float, width: float, height: float) -> None:
    colour = tuple(value / 255.0 for value in bytes.fromhex(INK[1:]))
    page.draw_rect(_rect(x, y, width, height), color=None, fill=colour, width=0)


def _line(page: Any, x0: float, y0: float, x1: float, y1: float, width: float) -> None:
    k = _POINTS_A_MM
    page.draw_line((x0 * k, y0 * k), (x1 * k, y1 * k), color=(0, 0, 0), width=width * k)


def _cut_marks(page: Any, columns: Sequence[float], rows: Sequence[float]) -> None:
    """Draw cut marks, 2.5 to 7 mm outside the block bounded by these lines."""
    for x in columns:
        _line(page, x, rows[0] - 7.0, x, rows[0] - 2.5, 0.15)
        _line(page, x, rows[-1] + 2.5, x, rows[-1] + 7.0, 0.15)
    for y in rows:
        _line(page, columns[0] - 7.0, y, columns[0] - 2.5, y, 0.15)
        _line(page, columns[-1] + 2.5, y, columns[-1] + 7.0, y, 0.15)


def _ruler(page: Any, x: float, y: float, *, upright: bool = False) -> None:
    """Draw a ruler of exactly 100 mm from (x, y), to the right or, upright, downwards."""
    for k in range(0, 101, 5):
        size = 3.0 if k % 50 == 0 else 2.0 if k % 10 == 0 else 1.2
        if upright:
            _line(page, x, y + k, x + size, y + k, 0.15)
        else:
            _line(page, x + k, y, x + k, y - size, 0.15)
    if upright:
        _line(page, x, y, x, y + 100.0, 0.2)
        _text(page, x - 1.5, y + 50.0, "100 mm", turn=90)
    else:
        _line(page, x, y, x + 100.0, y, 0.2)
        _text(page, x + 108.0, y, "100 mm")


def _text(page: Any, x: float, y: float, text: str, *, turn: int = 0) -> None:
    """Write one small line centred on (x, y) mm; turned by 90 it reads from the bottom up."""
    size, k = 8.0, _POINTS_A_MM
    half = _mupdf.get_text_length(text, fontname="tiro", fontsize=size) / 2
    at = (x * k - half, y * k) if turn == 0 else (x * k, y * k + half)
    page.insert_text(at, text, fontname="tiro", fontsize=size, rotate=turn, color=(0.25, 0.22, 0.2))


def _bytes(document: Any) -> bytes:
    data: bytes = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    document.close()
    return data
