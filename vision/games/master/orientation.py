"""Orientation of the board in the picture: quarter turns of places and openings.

The pattern of the fixed tiles is the same after a quarter turn; only the start rings differ.
"""

from __future__ import annotations

from typing import Final

from vision.games.master.readings import SIZE

_LETTERS: Final = "TRBL"


def turned_place(place: int, quarter_turns: int) -> int:
    """Return where a place lies after the board is turned clockwise by a number of quarter turns."""
    row, column = divmod(place, SIZE)
    for _ in range(quarter_turns % 4):
        row, column = column, SIZE - 1 - row
    return SIZE * row + column


def turned_openings(openings: str, quarter_turns: int) -> str:
    """Return the openings of a tile that is turned clockwise by a number of quarter turns."""
    turned = {_LETTERS[(_LETTERS.index(letter) + quarter_turns) % 4] for letter in openings}
    return "".join(letter for letter in _LETTERS if letter in turned)
