"""Printable sheets of the stand-in set: its deck, and boards with tile and discs, as PDF at true scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calibration.drawing import pdf
from calibration.drawing.palette import INK
from calibration.drawing.pdf import A4
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
from calibration.games.wicked.art.palette import JEWELS, PLAYERS
from calibration.printable_sheets import cards_pdf

PrintedCard = tuple[str, Back]
"""A card to print: its face as SVG (63 × 88 mm) and the kind of card whose back it has."""


def deck_pdf(cards: Sequence[PrintedCard]) -> bytes:
    """Return the PDF of cards with their backs, for printing on both sides."""
    backs = {back: card_back(back) for _, back in cards}
    return cards_pdf([(face, backs[back]) for face, back in cards], CARD, INK)


def boards_pdf() -> bytes:
    """Return the PDF of the five boards, the labyrinth tile, and discs to stick on wood.

    Each board, A5, has a landscape A4 page of its own.
    """
    document = pdf.new_document()
    width, height = A4[1], A4[0]
    for colour in PLAYERS:
        page = pdf.new_page(document, width, height)
        left, top = (width - BOARD[0]) / 2, (height - BOARD[1]) / 2
        pdf.fill(page, left - 1.5, top - 1.5, BOARD[0] + 3.0, BOARD[1] + 3.0, INK)
        pdf.place(page, pdf.vector(board_face(colour)), left, top, *BOARD)
        pdf.cut_marks(page, [left, left + BOARD[0]], [top, top + BOARD[1]])
        pdf.ruler(page, width / 2 - 50.0, height - 12.0)
    page = pdf.new_page(document, *A4)
    pdf.place(page, pdf.vector(tile_face()), (A4[0] - TILE[0]) / 2, (A4[1] - TILE[1]) / 2, *TILE)
    pdf.ruler(page, A4[0] / 2 - 50.0, A4[1] - 12.0)
    _draw_discs(pdf.new_page(document, *A4))
    return pdf.finished(document)


def disc_centres() -> tuple[tuple[str, float, float], ...]:
    """Return (kind, x, y) of each disc on the last page of `boards_pdf`, such as ("token:red", 20.0, 30.0).

    x, y: the disc's centre, mm from the page's upper left corner.
    """
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


def _draw_discs(page: Any) -> None:
    sources: dict[str, Any] = {}
    for kind, x, y in disc_centres():
        group, name = kind.split(":")
        if kind not in sources:
            drawn = {"token": token_face, "sign": sign_face}
            sources[kind] = pdf.vector(impurity_face(int(name)) if group == "impurity" else drawn[group](name))
        size = {"token": TOKEN, "sign": SIGN}[group] if group != "impurity" else IMPURITY[int(name)]
        pdf.place(page, sources[kind], x - size / 2, y - size / 2, size, size)
    pdf.ruler(page, A4[0] / 2 - 50.0, A4[1] - 12.0)
    pdf.text(page, A4[0] / 2, 10.0, "Print at 100 %, cut out, and stick on wooden discs.")
