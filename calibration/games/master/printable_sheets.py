"""Printable sheets of the stand-in set as PDF at true scale: board, tiles, tokens, wands, wizards, cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from calibration.drawing import pdf
from calibration.drawing.palette import INK
from calibration.drawing.pdf import A3, A4, Paper
from calibration.games.master.art.board import SIZE, board_face
from calibration.games.master.art.formula_cards import CARD, formula_back, formula_face
from calibration.games.master.art.tiles import TILE, tile_face
from calibration.games.master.art.tokens import TOKEN, token_face
from calibration.games.master.art.wands import WAND, wand_face
from calibration.games.master.art.wizards import CONE, WIZARDS, wizard_face
from calibration.printable_sheets import add_cards

TILE_MM: Final = {A4: 26.0, A3: 40.0}
"""Width of a tile by paper, mm."""
_MIN_MARGIN_MM: Final = 4.0
"""Smallest distance of a drawing from the edge of a page."""
_GAP_MM: Final = 2.5
"""Space between pieces that are cut out one by one."""


@dataclass(frozen=True, slots=True)
class SetContents:
    """What the printed set contains."""

    loose: Mapping[str, int]
    """Number of loose tiles of each shape; a shape is named by its openings in any one rotation."""
    tokens: Sequence[int]
    """Numbers of the tokens."""
    wands: int
    """Wands of all players."""
    formulas: Sequence[Sequence[int]]
    """Numbers on each formula card."""


def set_pdf(paper: Paper, contents: SetContents) -> bytes:
    """Return the PDF of the whole set for A4 or A3. Raises KeyError for other paper."""
    tile = TILE_MM[paper]
    document = pdf.new_document()
    _board_page(pdf.new_page(document, *paper), paper, tile)
    _pieces_page(pdf.new_page(document, *paper), paper, tile, contents)
    back = formula_back()
    add_cards(document, [(formula_face(numbers), back) for numbers in contents.formulas], CARD, INK, paper)
    return pdf.finished(document)


def board_rim(paper: Paper) -> float:
    """Return the width of the board's rim, mm: as wide as the paper allows, at most a third of a tile."""
    tile = TILE_MM[paper]
    return min(tile / 3, (paper[0] - SIZE * tile) / 2 - _MIN_MARGIN_MM)


def _board_page(page: Any, paper: Paper, tile: float) -> None:
    """Draw the board, and below it the robes of the wizards."""
    rim = board_rim(paper)
    side = SIZE * tile + 2 * rim
    left, top = (paper[0] - side) / 2, 14.0
    pdf.text(page, paper[0] / 2, 9.0, "Print at 100 %. Glue the board on card. Roll each robe into a cone.")
    pdf.place(page, pdf.vector(board_face(tile, rim)), left, top, side, side)
    scale = tile / TILE
    robes = [pdf.vector(wizard_face(colour)) for colour in WIZARDS]
    _row(page, robes, (CONE[0] * scale, CONE[1] * scale), paper[0] / 2, top + side + 8.0)
    pdf.ruler(page, paper[0] / 2 - 50.0, paper[1] - 8.0)


def _pieces_page(page: Any, paper: Paper, tile: float, contents: SetContents) -> None:
    """Draw the loose tiles edge to edge with cut marks, and below them tokens and wands."""
    left, top = (paper[0] - SIZE * tile) / 2, 20.0
    pdf.text(page, paper[0] / 2, 9.0, "Print at 100 %. Glue the page on card of 1.5 to 2 mm, then cut.")
    shapes = [(openings, variant) for openings, number in contents.loose.items() for variant in range(number)]
    for k, (openings, variant) in enumerate(shapes):
        row, column = divmod(k, SIZE)
        pdf.place(
            page, pdf.vector(tile_face(openings, variant)), left + column * tile, top + row * tile, tile, tile
        )
    rows = -(-len(shapes) // SIZE)
    pdf.cut_marks(page, [left + tile * k for k in range(SIZE + 1)], [top + tile * k for k in range(rows + 1)])
    scale = tile / TILE
    y, token = top + rows * tile + 12.0, TOKEN * scale
    for start in range(0, len(contents.tokens), SIZE):
        discs = [pdf.vector(token_face(number)) for number in contents.tokens[start : start + SIZE]]
        _row(page, discs, (token, token), paper[0] / 2, y)
        y += token + _GAP_MM
    wand = pdf.vector(wand_face())
    _row(page, [wand] * contents.wands, (WAND[0] * scale, WAND[1] * scale), paper[0] / 2, y + _GAP_MM)
    pdf.ruler(page, paper[0] / 2 - 50.0, paper[1] - 8.0)


def _row(page: Any, drawings: Sequence[Any], size_mm: tuple[float, float], middle: float, top: float) -> None:
    """Draw pieces of one size beside each other, centred on x = middle; top: their upper edge, mm."""
    pitch = size_mm[0] + _GAP_MM
    for k, drawing in enumerate(drawings):
        x = middle + (k - (len(drawings) - 1) / 2) * pitch - size_mm[0] / 2
        pdf.place(page, drawing, x, top, *size_mm)
