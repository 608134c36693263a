"""The maze as bit masks: openings, shifts and what can be reached. Pure and fast.

A mask has one bit per place (bit 7 · row + column). The openings of one tile are four bits: top 1, right 2,
bottom 4, left 8; as text they are letters in the order T R B L.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from companion.games.master.components import FIXED, LOOSE, LOOSE_TILES, PLACES, SIZE

Arrow = Literal["T1", "T3", "T5", "R1", "R3", "R5", "B1", "B3", "B5", "L1", "L3", "L5"]
"""Where the spare is pushed in: the side of the board, and the row or column."""

ARROWS: Final[tuple[Arrow, ...]] = get_args(Arrow)
OPPOSITE: Final[dict[Arrow, Arrow]] = {
    arrow: other
    for arrow in ARROWS
    for other in ARROWS
    if arrow[1] == other[1] and {arrow[0], other[0]} in ({"T", "B"}, {"L", "R"})
}
"""The arrow at the other end of the same row or column."""

_SIDES = "TRBL"
"""Sides of a tile, in the order of the bits of its openings."""
_ROW = (1 << SIZE) - 1
"""Mask of the places of row 0, a bit for each place."""
_COLUMN = sum(1 << SIZE * row for row in range(SIZE))
"""Mask of the places of column 0."""
_NOT_LAST_COLUMN = ~(_COLUMN << SIZE - 1) & (1 << PLACES) - 1
"""Mask of the places that have one on their right."""
_NOT_LAST_ROW = (1 << SIZE * (SIZE - 1)) - 1
"""Mask of the places that have one below them."""


def bits(openings: str) -> int:
    """Return openings, given as letters in the order T R B L, as four bits: 1, 2, 4, 8. Raises ValueError."""
    value = sum(1 << _SIDES.index(side) for side in openings)
    if letters(value) != openings:
        raise ValueError(f"{openings!r} are not openings in the order T R B L.")
    return value


def letters(value: int) -> str:
    """Return openings, given as four bits, as letters in the order T R B L."""
    return "".join(side for place, side in enumerate(_SIDES) if value >> place & 1)


def rotated(value: int, quarters: int = 1) -> int:
    """Return openings, given as four bits, of a tile turned clockwise. quarters: number of quarter turns."""
    for _ in range(quarters % 4):
        value = (value << 1 | value >> 3) & 15
    return value


ROTATIONS: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(dict.fromkeys(rotated(value, quarters) for quarters in range(4))) for value in range(16)
)
"""The different rotations of a tile, by its four bits: two of a straight one, else four."""


def shape(value: int) -> str:
    """Return the kind of tile, "TB", "TR" or "TRL", that has these openings in some rotation; "" without one.

    value: openings, four bits.
    """
    return next((tile for tile in LOOSE_TILES if value in ROTATIONS[bits(tile)]), "")


def line_of(arrow: Arrow) -> tuple[int, ...]:
    """Return the places of the row or column into which a tile is pushed at an arrow, starting at the arrow."""
    number = int(arrow[1])
    match arrow[0]:
        case "T":
            return tuple(SIZE * row + number for row in range(SIZE))
        case "B":
            return tuple(SIZE * row + number for row in reversed(range(SIZE)))
        case "L":
            return tuple(SIZE * number + column for column in range(SIZE))
        case _:
            return tuple(SIZE * number + column for column in reversed(range(SIZE)))


def _carried_places(arrow: Arrow) -> tuple[int, ...]:
    """Return, for each place, where a wizard or token there is after a shift at this arrow (M3)."""
    places = list(range(PLACES))
    line = line_of(arrow)
    for place, following in zip(line, (*line[1:], line[0]), strict=True):
        places[place] = following
    return tuple(places)


CARRIED: Final[dict[Arrow, tuple[int, ...]]] = {arrow: _carried_places(arrow) for arrow in ARROWS}
"""By arrow: for each place, where a wizard or token there is after the shift.

One on the tile that is pushed out comes onto the tile that is pushed in (M3).
"""
_LINES: Final = {arrow: line_of(arrow) for arrow in ARROWS}


@dataclass(frozen=True, slots=True)
class Maze:
    """The 49 tiles and the spare tile."""

    top: int
    """Mask of the places whose tile is open at the top."""
    right: int
    """Mask of the places whose tile is open at the right."""
    bottom: int
    """Mask of the places whose tile is open at the bottom."""
    left: int
    """Mask of the places whose tile is open at the left."""
    spare: int
    """Openings of the spare tile, four bits."""

    @classmethod
    def of(cls, tiles: Sequence[int], spare: int) -> Maze:
        """Return a maze from the openings of its 49 tiles in reading order, four bits each."""
        top, right, bottom, left = (
            sum((tile >> side & 1) << place for place, tile in enumerate(tiles)) for side in range(4)
        )
        return cls(top, right, bottom, left, spare)

    @classmethod
    def of_loose(cls, loose: Sequence[int], spare: int) -> Maze:
        """Return the maze of the game's board with these loose tiles, in the order of `LOOSE`."""
        tiles = {place: bits(openings) for place, openings in FIXED.items()} | dict(zip(LOOSE, loose, strict=True))
        return cls.of([tiles[place] for place in range(PLACES)], spare)

    @classmethod
    def of_text(cls, text: str) -> Maze:
        """Parse a maze from seven lines of seven tiles, "." for a fixed one, and a line "spare: …".

        A tile is written as its openings, in any order; the spare also as "straight", "corner" or "T". Raises
        ValueError.
        """
        *rows, last = [line.split() for line in text.strip().splitlines()]
        if len(rows) != SIZE or any(len(row) != SIZE for row in rows) or len(last) != 2 or last[0] != "spare:":
            raise ValueError("A maze is seven lines of seven tiles and a line with the spare.")
        names = {"straight": "TB", "corner": "TR", "T": "TRL"}
        tiles = [
            bits(FIXED[place] if tile == "." else "".join(sorted(tile, key=_SIDES.index)))
            for place, tile in enumerate(tile for row in rows for tile in row)
        ]
        return cls.of(tiles, bits("".join(sorted(names.get(last[1], last[1]), key=_SIDES.index))))

    def tile(self, place: int) -> int:
        """Return the openings of the tile at a place, four bits."""
        return (
            (self.top >> place & 1)
            | (self.right >> place & 1) << 1
            | (self.bottom >> place & 1) << 2
            | (self.left >> place & 1) << 3
        )

    def tiles(self) -> tuple[int, ...]:
        """Return the openings of all tiles in reading order."""
        return tuple(map(self.tile, range(PLACES)))

    def to_text(self) -> str:
        """Return seven lines of seven tiles, "." for fixed ones, and a line for the spare; see `of_text`."""
        cells = ["." if place in FIXED else letters(self.tile(place)) for place in range(PLACES)]
        rows = [" ".join(f"{cell:3}" for cell in cells[start : start + SIZE]) for start in range(0, PLACES, SIZE)]
        return "\n".join([*(row.rstrip() for row in rows), f"spare: {letters(self.spare)}"])

    def shifted(self, arrow: Arrow, openings: int) -> Maze:
        """Return the maze after a shift (M2). openings: of the spare as it is pushed in, four bits."""
        line = _LINES[arrow]
        first, last = line[0], line[-1]
        step = line[1] - first
        cells = (_ROW << first - first % SIZE) if step in (1, -1) else _COLUMN << first % SIZE
        entering = 1 << first
        top = _mask_after_push(self.top, cells, step, entering if openings & 1 else 0)
        right = _mask_after_push(self.right, cells, step, entering if openings & 2 else 0)
        bottom = _mask_after_push(self.bottom, cells, step, entering if openings & 4 else 0)
        left = _mask_after_push(self.left, cells, step, entering if openings & 8 else 0)
        return Maze(top, right, bottom, left, self.tile(last))

    def reached(self, place: int) -> int:
        """Return the mask of the places that can be reached from a place along open sides, itself included."""
        across = self.right & self.left >> 1 & _NOT_LAST_COLUMN
        down = self.bottom & self.top >> SIZE & _NOT_LAST_ROW
        seen, grown = 0, 1 << place
        while grown != seen:
            seen = grown
            grown |= (seen & across) << 1 | seen >> 1 & across | (seen & down) << SIZE | seen >> SIZE & down
        return seen

    def problem(self) -> str:
        """Return the first fault that makes this impossible as the game's board; "" if it is possible.

        "fixed": a fixed tile has wrong openings. "shape": a tile has openings that no tile in the box has.
        "numbers": the numbers of straight tiles, corners and T pieces are wrong.
        """
        if any(self.tile(place) != bits(openings) for place, openings in FIXED.items()):
            return "fixed"
        shapes = [shape(tile) for tile in (*(self.tile(place) for place in LOOSE), self.spare)]
        if "" in shapes:
            return "shape"
        return "" if Counter(shapes) == LOOSE_TILES else "numbers"


def _mask_after_push(mask: int, cells: int, step: int, entering: int) -> int:
    """Return a mask in which the bits of one row or column are shifted by one tile.

    cells: mask of the row or column. step: difference of place numbers, 1 or 7, negative towards the start.
    entering: the bit of the tile pushed in, 0 if it is not set.
    """
    inside = mask & cells
    moved = inside << step if step > 0 else inside >> -step
    return mask & ~cells | moved & cells | entering


def places(mask: int) -> tuple[int, ...]:
    """Return the places whose bits are set in a mask, ascending."""
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(found)
