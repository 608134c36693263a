"""Enrolled personal boards: the picture of the empty board, and the positions of its spots and spaces."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict

from calibration.errors import ProfileError
from calibration.game_kit import BoardPlan
from calibration.translatable import say

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
"""Largest number of spots in a row."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardSpace:
    """A rectangle on a board for several pieces."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", allow_inf_nan=False)

    x: float
    """Of its centre, board mm."""
    y: float
    """Of its centre, board mm."""
    width: float
    """Along x, mm."""
    height: float
    """Along y, mm."""


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
    rows: dict[str, tuple[Point, ...]]
    """Centres of the spots of each row, from left to right, by the row's name."""
    spaces: dict[str, BoardSpace]
    """Rectangles for several pieces, by name."""

    def __post_init__(self) -> None:
        """Raise ValueError for an impossible size, or spots and spaces off the board or overlapping."""
        if not all(_MIN_SIDE_MM <= side <= _MAX_SIDE_MM for side in self.size_mm):
            raise ValueError("a board is 60 to 500 mm wide and high")
        if not 6 <= self.spot_mm <= 60:
            raise ValueError("a spot is 6 to 60 mm wide")
        if any(not 1 <= len(row) <= _MAX_SPOTS for row in self.rows.values()):
            raise ValueError(f"each row has 1 to {_MAX_SPOTS} spots")
        half_width, half_height = self.size_mm[0] / 2, self.size_mm[1] / 2
        spots = [spot for _, spot in self.spots()]
        if any(abs(x) > half_width or abs(y) > half_height for x, y in spots):
            raise ValueError("a spot lies off the board")
        if any(math.dist(a, b) < 0.6 * self.spot_mm for k, a in enumerate(spots) for b in spots[:k]):
            raise ValueError("two spots overlap")
        for space in self.spaces.values():
            if min(space.width, space.height) < 8:
                raise ValueError("a space is 8 mm wide and high at least")
            if abs(space.x) + space.width / 2 > half_width + 1 or abs(space.y) + space.height / 2 > half_height + 1:
                raise ValueError("a space lies off the board")
            if any(abs(x - space.x) < space.width / 2 and abs(y - space.y) < space.height / 2 for x, y in spots):
                raise ValueError("a spot lies in a space")

    def fits(self, plan: BoardPlan | None) -> bool:
        """Return whether rows and spaces are exactly those of a game's board plan, in order; False without one."""
        return plan is not None and (tuple(self.rows), tuple(self.spaces)) == (tuple(plan.spots), plan.spaces)

    def spots(self) -> Iterator[tuple[str, Point]]:
        """Yield each spot as (name of its row, centre), row by row and from left to right."""
        for name, row in self.rows.items():
            for spot in row:
                yield name, spot

    @property
    def corners(self) -> NDArray[np.float64]:
        """The board's corners in board mm, (4, 2): clockwise from the upper left one."""
        signs = np.array([(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])
        return np.asarray(signs * np.asarray(self.size_mm) / 2, np.float64)

    def to_pixels(self, px_per_mm: float) -> NDArray[np.float64]:
        """Return the 3×3 matrix from board mm to pixels of the upright picture of exactly the board."""
        width, height = self.size_mm
        shift_x, shift_y = width / 2 * px_per_mm - 0.5, height / 2 * px_per_mm - 0.5
        return np.array([[px_per_mm, 0, shift_x], [0, -px_per_mm, shift_y], [0, 0, 1.0]])

    def pixels(self, px_per_mm: float) -> tuple[int, int]:
        """Return the width and height, px, of the board's picture at this scale."""
        return round(self.size_mm[0] * px_per_mm), round(self.size_mm[1] * px_per_mm)


@dataclass(frozen=True, eq=False)
class EnrolledBoard:
    """A personal board as enrolled."""

    id: str
    """Its name, e.g. a player's colour."""
    picture: NDArray[np.uint8]
    """The empty board, BGR, at BOARD_PX_PER_MM."""
    layout: BoardLayout
    """Its size and the places of its spots and spaces."""
    seen_px_per_mm: float = BOARD_PX_PER_MM
    """Scale of the photograph that it was enrolled from, which limits the detail of `picture`."""

    def to_png(self) -> bytes:
        """Return the picture as PNG."""
        return cv2.imencode(".png", self.picture, [cv2.IMWRITE_PNG_COMPRESSION, 4])[1].tobytes()

    @classmethod
    def from_png(cls, board_id: str, data: bytes, layout: BoardLayout, seen_px_per_mm: float) -> EnrolledBoard:
        """Return the board with a picture that `to_png` wrote.

        seen_px_per_mm: scale of the photograph that it was enrolled from. Raises ProfileError where the picture is
        damaged or not of the layout's size.
        """
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if picture is None or (picture.shape[1], picture.shape[0]) != layout.pixels(BOARD_PX_PER_MM):
            raise ProfileError(say("The picture of the board {board} is damaged: enrol it again.", board=board_id))
        return cls(board_id, np.asarray(picture, np.uint8), layout, seen_px_per_mm)

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """The picture in grey."""
        return np.asarray(cv2.cvtColor(self.picture, cv2.COLOR_BGR2GRAY), np.uint8)
