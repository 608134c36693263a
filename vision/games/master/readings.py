"""Readings of the maze board: what one picture shows, as frozen values like those of `vision.readings`.

A place is 7 · row + column, 0..48, in the board's own frame: row 0 farthest from seat 0, column 0 on its left, once
the start rings show how the board lies (`MazeReading.oriented`); otherwise row 0 is uppermost in the picture.
Openings are letters in the order T R B L. Boxes are (x, y, width, height) and corners (x, y), in px of the given
picture. Probabilities are 0..1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from vision.readings import Box, Point

SIZE: Final = 7
"""Places along each side of the board."""
FIXED: Final[Mapping[int, str]] = {
    SIZE * row + column: openings
    for row, line in ((0, "RB RBL RBL BL"), (2, "TRB TRB RBL TBL"), (4, "TRB TRL TBL TBL"), (6, "TR TRL TRL TL"))
    for column, openings in zip((0, 2, 4, 6), line.split(), strict=True)
}
"""Openings of the 16 fixed tiles by place; the pattern is the same after a quarter turn."""
LOOSE_TILES: Final[Mapping[str, int]] = {"TB": 13, "TR": 15, "TRL": 6}
"""Loose tiles in the box, the spare included, by their shape in one rotation."""
STARTS: Final[Mapping[str, int]] = {"red": 16, "brown": 18, "blue": 32, "white": 30}
"""Fixed tiles with a ring in the colour of the wizard that begins there."""
NUMBERS: Final = (*range(1, 21), 25)
"""Numbers of the tokens."""
MIN_NUMBERED: Final = 0.5
"""Minimum probability that a disc shows any of the known faces, below which its number is unknown."""

MazeState = Literal["board", "covered", "half_pushed", "no_board"]
"""The whole board is visible, part of it is covered, a row or column is half pushed in, or there is no board."""


@dataclass(frozen=True, slots=True)
class TileReading:
    """Reading of one tile."""

    openings: str
    """Most probable openings."""
    confidence: float
    """Probability of `openings`, 0..1."""
    doubtful: bool
    """Whether the tile needs confirmation."""
    probabilities: Mapping[str, float]
    """Probability of each of the ten possible openings; they add up to 1."""
    box: Box
    """Bounding box, px."""


@dataclass(frozen=True, slots=True)
class TokenReading:
    """Reading of one disc."""

    number: int
    """Most probable number."""
    place: int | None
    """Place on which it lies; None on the spare."""
    confidence: float
    """Probability that number and place are right, 0..1."""
    doubtful: bool
    """Whether the disc needs confirmation."""
    probabilities: Mapping[int, float]
    """Probability of each number; what is missing to 1 is the probability that it is no token of the game."""
    box: Box
    """Bounding box, px."""

    @property
    def unknown(self) -> bool:
        """Whether the disc shows none of the known faces, so that `number` is no more than a guess."""
        return sum(self.probabilities.values()) < MIN_NUMBERED


@dataclass(frozen=True, slots=True)
class WizardReading:
    """Reading of one wizard."""

    colour: str
    """Most probable colour: red, brown, blue or white."""
    place: int | None
    """Most probable place; None on the spare."""
    confidence: float
    """Probability that colour and place are right, 0..1."""
    doubtful: bool
    """Whether the wizard needs confirmation."""
    colours: Mapping[str, float]
    """Probability of each colour."""
    places: Mapping[int | None, float]
    """Probability of each place that comes into question."""
    box: Box
    """Bounding box, px."""


@dataclass(frozen=True, slots=True)
class MazeReading:
    """Reading of one picture of the board."""

    state: MazeState
    """Whether the board was read, or why not."""
    oriented: bool = False
    """Whether the start rings or wizards show how the board lies."""
    tiles: tuple[TileReading, ...] = ()
    """The 49 tiles by place; empty without a board."""
    spare: TileReading | None = None
    """The tile beside the board, in its rotation in the picture; None where none was found."""
    tokens: tuple[TokenReading, ...] = ()
    """The discs on the board and on the spare."""
    wizards: tuple[WizardReading, ...] = ()
    """The wizards on the board and on the spare."""
    possible_wizards: tuple[WizardReading, ...] = ()
    """Wizards that probably stand neither on the board nor on the spare, but may; each needs confirmation."""
    corners: tuple[Point, ...] = ()
    """Corners of the 7 × 7 field, px, clockwise from the outer corner of place 0; empty without a board."""
    confidence: float = 0.0
    """Probability that the whole reading is right, 0..1."""
    reason: str = ""
    """Message for users where the board cannot be read: what is wrong, what to do; else ""."""
    covered: frozenset[int] = frozenset()
    """Places that something covers."""
    under_wizards: frozenset[int | None] = frozenset()
    """Places (None: the spare) where no disc is read, but a wizard may hide one."""
    unseen_tokens: frozenset[int] = frozenset()
    """Numbers of tokens that, by the order in which tokens are taken, must lie on the board, but were not found: a
    wizard hides them, or they were missed."""
    milliseconds: float = 0.0
    """Processing time."""
