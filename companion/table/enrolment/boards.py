"""Enrolment of personal boards, which are detected in a picture or marked in it by a person. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from calibration.boards.enrolled_board import BOARD_PX_PER_MM, BoardLayout, BoardSpace, EnrolledBoard, Point
from calibration.boards.enrolment import detected_board, marked_board
from calibration.errors import EnrolError
from calibration.game_kit import BoardPlan
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.translatable import say

_POINTED = "pointed"
"""Id of a board before its player is chosen."""
_SPOT_MM, _MAX_SHARE_OF_DISTANCE = 18.0, 0.9
"""Maximum diameter of a spot, mm, and as a share of the distance between the nearest two spots."""
_INK, _GOLD = (26, 18, 20), (142, 212, 241)
"""Colours of the drawing, BGR."""


@dataclass(frozen=True, slots=True)
class FoundBoardView:
    """A board that was found, for screens."""

    proposed: str | None
    """Name of the printed board that was detected; None for a board marked by hand."""


@dataclass(frozen=True, slots=True)
class BoardShape:
    """A board as a person marked it in a picture; points in px of the picture."""

    corners: tuple[Point, ...]
    """Its corners, clockwise from the board's own upper left one."""
    size_mm: Point
    """Width and height of the board."""
    spots: tuple[Point, ...]
    """Centres of the spots: row by row in the order of `BoardPlan.spots`, each row from left to right."""
    spaces: dict[str, tuple[Point, Point]]
    """Upper left and lower right corner of each space, by name."""


@dataclass(frozen=True, eq=False)
class BoardStep:
    """One empty board that was found in a picture, to be saved."""

    board: EnrolledBoard
    """The board, with its rectified picture."""

    @property
    def view(self) -> FoundBoardView:
        """What screens show of the board: the name of the printed board that was detected, if any."""
        return FoundBoardView(None if self.board.id == _POINTED else self.board.id)

    def added_to(self, profile: TableProfile, board_id: str) -> TableProfile:
        """Return a copy of the profile with this board added. Raises ProfileError where there are too many.

        board_id: the player's colour.
        """
        return profile.with_personal_board(replace(self.board, id=board_id))


def board_step(image: Image, printed: Sequence[EnrolledBoard]) -> BoardStep:
    """Detect the one empty board in a BGR picture; return it to be saved. Raises EnrolError where none is detected.

    printed: the project's printable boards, one of which it has to be.
    """
    return BoardStep(detected_board(image, printed))


def marked_board_step(image: Image, shape: BoardShape, plan: BoardPlan) -> BoardStep:
    """Cut the board that a person marked out of a BGR picture; return it, with its layout, to be saved.

    plan: rows of spots and names of spaces on the game's boards. Raises EnrolError for an impossible shape.
    """
    if len(shape.spots) != plan.spot_count:
        raise EnrolError(say("A board has {number} spots: tap each of them once.", number=plan.spot_count))
    if set(shape.spaces) != set(plan.spaces):
        raise EnrolError(say("Mark each space of the board once."))
    left = iter(shape.spots)
    spots = {row: tuple(islice(left, number)) for row, number in plan.spots.items()}
    spaces = {name: _box_of(shape.spaces[name]) for name in plan.spaces}
    return BoardStep(
        marked_board(image, _POINTED, shape.corners, shape.size_mm, spots, spaces, _spot_diameter_mm(shape))
    )


def similar_board_step(image: Image, corners: Sequence[Point], layout: BoardLayout) -> BoardStep:
    """Cut the board with these corners out of a picture; return it, with another board's layout, to be saved.

    image: BGR. corners: four, px, clockwise from the board's own upper left one. layout: of an enrolled board whose
    spots are arranged alike. Raises EnrolError for impossible corners.
    """
    own = layout.corners.astype(np.float32)
    four = np.array(corners, np.float32).reshape(-1, 2)
    if four.shape != (4, 2) or not np.isfinite(four).all():
        raise EnrolError(say("A board has four corners: mark each, clockwise from the board's upper left one."))
    to_picture = cv2.getPerspectiveTransform(own, four)

    def mapped_points(points: Sequence[Point]) -> tuple[Point, ...]:
        mapped = cv2.perspectiveTransform(np.array([points], np.float64), to_picture)[0]
        return tuple((float(x), float(y)) for x, y in mapped)

    def mapped_corners(space: BoardSpace) -> tuple[Point, Point]:
        left, right = space.x - space.width / 2, space.x + space.width / 2
        first, last = mapped_points([(left, space.y + space.height / 2), (right, space.y - space.height / 2)])
        return first, last

    spots = mapped_points([spot for _, spot in layout.spots()])
    spaces = {name: mapped_corners(space) for name, space in layout.spaces.items()}
    plan = BoardPlan({row: len(of) for row, of in layout.rows.items()}, tuple(layout.spaces))
    return marked_board_step(image, BoardShape(tuple(corners), layout.size_mm, spots, spaces), plan)


def draw_spots(board: EnrolledBoard) -> Image:
    """Return a copy of a board's picture, BGR, with its spaces outlined and rings drawn round its spots.

    Spots of the first row have one ring, of the second row two, and so on.
    """
    picture = board.picture.copy()
    to_pixels = board.layout.to_pixels(BOARD_PX_PER_MM)
    rings = {row: number for number, row in enumerate(board.layout.rows, start=1)}

    def at(x: float, y: float) -> tuple[int, int]:
        u, v = (to_pixels @ (x, y, 1.0))[:2]
        return round(float(u)), round(float(v))

    for colour, thick in ((_INK, 7), (_GOLD, 3)):
        for row, (x, y) in board.layout.spots():
            radius = board.layout.spot_mm / 2 * BOARD_PX_PER_MM
            for ring in range(rings[row]):
                cv2.circle(picture, at(x, y), max(2, round(radius - 9 * ring)), colour, thick, cv2.LINE_AA)
        for space in board.layout.spaces.values():
            half = space.width / 2, space.height / 2
            upper, lower = at(space.x - half[0], space.y + half[1]), at(space.x + half[0], space.y - half[1])
            cv2.rectangle(picture, upper, lower, colour, thick, cv2.LINE_AA)
    return np.asarray(picture, np.uint8)


def without_board(profile: TableProfile, board_id: str) -> TableProfile:
    """Return a copy of the profile without the board of this id. Raises EnrolError where it is not enrolled."""
    if board_id not in profile.personal_boards:
        raise EnrolError(say("That board is no longer enrolled. Choose one from the current list."))
    return replace(
        profile, personal_boards={id: board for id, board in profile.personal_boards.items() if id != board_id}
    )


def _box_of(corners: tuple[Point, Point]) -> tuple[float, float, float, float]:
    """Return (x, y, width, height) of the box between an upper left and a lower right corner, px."""
    (x, y), (right, lower) = corners
    return x, y, right - x, lower - y


def _spot_diameter_mm(shape: BoardShape) -> float:
    """Return a diameter for all spots, mm: 90 % of the smallest distance between two of them, 6 to 18 mm."""
    spots, corners = np.array(shape.spots), np.array(shape.corners, np.float64).reshape(-1, 2)
    apart = np.linalg.norm(spots[:, None] - spots[None], axis=2)
    nearest = float(apart[apart > 0].min(initial=np.inf))
    wide = float(np.linalg.norm(corners[1] - corners[0])) if len(corners) > 1 else 0.0
    if wide <= 0 or not np.isfinite(nearest):
        return _SPOT_MM
    return float(np.clip(_MAX_SHARE_OF_DISTANCE * nearest * shape.size_mm[0] / wide, 6.0, _SPOT_MM))
