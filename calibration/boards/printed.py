"""Enrolled personal boards: picture of the empty board, and positions of its spots and spell spaces."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

from calibration.errors import ProfileError
from calibration.games.wicked import art
from calibration.wording import say

BOARD_PX_PER_MM = 4.0
"""Scale of an enrolled board's picture."""
BOARD_ID = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}"
"""Regular expression of a board's name."""
MOST_BOARDS = 16
"""Largest number of personal boards in a profile."""
_MIN_SIDE_MM = 60.0
"""Shortest side of a board, mm."""
_MAX_SIDE_MM = 500.0
"""Longest side of a board, mm."""
_MAX_SPOTS = 12
"""Largest number of spots per rank."""

Rank = Literal["low", "middle", "high"]
RANKS: tuple[Rank, ...] = ("low", "middle", "high")
SpellName = Literal["promotion", "colour_change"]
SPELLS: tuple[SpellName, ...] = ("promotion", "colour_change")
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class SpellSpace:
    """A rectangle on a board for the pieces that mark spells: its centre and size in board mm."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class BoardLayout:
    """Positions on a board in board mm: origin at its centre, +x right, +y towards its upper edge.

    Raises ValueError for spots or spaces that lie off the board or on one another.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    size_mm: Point
    """Width and height, mm."""
    spot_mm: float
    """Diameter of a spot, mm."""
    low: tuple[Point, ...]
    """Centres of the low rank's spots, from left to right."""
    middle: tuple[Point, ...]
    """Centres of the middle rank's spots, from left to right."""
    high: tuple[Point, ...]
    """Centres of the high rank's spots, from left to right."""
    promotion: SpellSpace
    colour_change: SpellSpace

    def __post_init__(self) -> None:
        """Refuse what no board can be."""
        if not all(_MIN_SIDE_MM <= side <= _MAX_SIDE_MM for side in self.size_mm):
            raise ValueError("a board is 60 to 500 mm wide and high")
        if not 6 <= self.spot_mm <= 60:
            raise ValueError("a spot is 6 to 60 mm wide")
        if any(not 1 <= len(self.of(rank)) <= _MAX_SPOTS for rank in RANKS):
            raise ValueError(f"each rank has 1 to {_MAX_SPOTS} spots")
        half_width, half_height = self.size_mm[0] / 2, self.size_mm[1] / 2
        spots = [spot for _, spot in self.spots()]
        if any(abs(x) > half_width or abs(y) > half_height for x, y in spots):
            raise ValueError("a spot lies off the board")
        if any(math.dist(a, b) < 0.6 * self.spot_mm for k, a in enumerate(spots) for b in spots[:k]):
            raise ValueError("two spots lie on one another")
        for space in (self.promotion, self.colour_change):
            if min(space.width, space.height) < 8:
                raise ValueError("a spell space is 8 mm wide and high at least")
            if abs(space.x) + space.width / 2 > half_width + 1 or abs(space.y) + space.height / 2 > half_height + 1:
                raise ValueError("a spell space lies off the board")
            if any(abs(x - space.x) < space.width / 2 and abs(y - space.y) < space.height / 2 for x, y in spots):
                raise ValueError("a spot lies in a spell space")

    def of(self, rank: Rank) -> tuple[Point, ...]:
        """Return the centres of a rank's spots."""
        return {"low": self.low, "middle": self.middle, "high": self.high}[rank]

    def space(self, spell: SpellName) -> SpellSpace:
        """Return a spell's space."""
        return self.promotion if spell == "promotion" else self.colour_change

    def spots(self) -> Iterator[tuple[Rank, Point]]:
        """Return each spot with its rank, from low to high and from left to right."""
        for rank in RANKS:
            for spot in self.of(rank):
                yield rank, spot

    @property
    def corners(self) -> NDArray[np.float64]:
        """Its corners in mm, (4, 2): clockwise from the upper left one."""
        signs = np.array([(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])
        return np.asarray(signs * np.asarray(self.size_mm) / 2, np.float64)

    def to_pixels(self, px_per_mm: float) -> NDArray[np.float64]:
        """Return the 3×3 matrix from board mm to pixels of the upright picture of exactly the board."""
        width, height = self.size_mm
        shift_x, shift_y = width / 2 * px_per_mm - 0.5, height / 2 * px_per_mm - 0.5
        return np.array([[px_per_mm, 0, shift_x], [0, -px_per_mm, shift_y], [0, 0, 1.0]])

    def pixels(self, px_per_mm: float) -> tuple[int, int]:
        """Return the width and height of that picture."""
        return round(self.size_mm[0] * px_per_mm), round(self.size_mm[1] * px_per_mm)


@dataclass(frozen=True, eq=False)
class EnrolledBoard:
    """One personal board: its name, e.g. a player's colour; its BGR picture when empty, at BOARD_PX_PER_MM.

    seen_px_per_mm: scale of the picture that it was learned from: finer print than that shows is not in it.
    """

    id: str
    picture: NDArray[np.uint8]
    layout: BoardLayout
    seen_px_per_mm: float = BOARD_PX_PER_MM

    def to_png(self) -> bytes:
        """Return the picture as PNG."""
        return cv2.imencode(".png", self.picture, [cv2.IMWRITE_PNG_COMPRESSION, 4])[1].tobytes()

    @classmethod
    def from_png(cls, board_id: str, data: bytes, layout: BoardLayout, seen_px_per_mm: float) -> EnrolledBoard:
        """Unpack. Raises ProfileError for a picture that is damaged or not of the layout's size."""
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if picture is None or (picture.shape[1], picture.shape[0]) != layout.pixels(BOARD_PX_PER_MM):
            raise ProfileError(say("The picture of the board {board} is damaged: enrol it again.", board=board_id))
        return cls(board_id, np.asarray(picture, np.uint8), layout, seen_px_per_mm)

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """The picture in grey."""
        return np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY), np.uint8)


def standin_layout() -> BoardLayout:
    """Return the layout of the boards that the project prints."""
    spots = art.BOARD_SPOTS
    promotion, change = (
        SpellSpace(space.x, space.y, space.width, space.height) for space in (spots.promotion, spots.colour_change)
    )
    return BoardLayout(art.BOARD, art.SPOT, spots.low, spots.middle, spots.high, promotion, change)


def standin_board(colour: str) -> EnrolledBoard:
    """Return the printed board of a player's colour, as drawn."""
    drawn = art.rasterise(art.board_face(colour), BOARD_PX_PER_MM)
    layout = standin_layout()
    picture = cv2.resize(drawn[..., :3], layout.pixels(BOARD_PX_PER_MM), interpolation=cv2.INTER_AREA)
    return EnrolledBoard(colour, np.asarray(picture, np.uint8), layout)
