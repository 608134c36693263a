"""Reasons why a board's reading needs confirmation, as sentences for users that name what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.boards.alignment import AlignedBoard, scale_of
from calibration.boards.enrolled_board import BoardLayout
from calibration.homography import map_points
from calibration.translatable import either, say
from vision.boards.board_search import DetectedBoard, quad_overlap
from vision.boards.rectified import RectifiedBoard
from vision.boards.token_spots import EMPTY, OTHER, SpotContents
from vision.boards.unexplained_objects import UnexplainedObject, covers_part, disturbs
from vision.games.wicked.display_names import named
from vision.games.wicked.readings import SpotReading, TokenGuess

MIN_CONFIDENCE = 0.97
"""Minimum confidence that needs no confirmation."""
MIN_PX_PER_MM = 0.6
"""Minimum scale of a board that needs no confirmation."""
_MIN_INSIDE = 0.985
"""Minimum visible share of a board."""
_MAX_SHARED = 0.02
"""Maximum overlap of two boards, as a share of the smaller one."""
_MIN_AGREEING = 0.5
"""Minimum share of a board's print that agrees with the enrolled picture."""
_MIN_ALIKE = 0.9
"""Minimum probability of the identified board that needs no confirmation."""
_MIN_ALTERNATIVE = 0.01
"""Minimum probability of an alternative token."""


def position_reasons(board: DetectedBoard, others: Sequence[DetectedBoard]) -> list[str]:
    """Return why a board's position, identity or print need confirmation, one sentence each; empty if they do not.

    others: other boards in the picture.
    """
    aligned, lines = board.aligned, list[str]()
    if aligned.inside < _MIN_INSIDE:
        lines.append(say("A part of this board is not in the picture: take it again with the whole board in it."))
    if any(quad_overlap(board.corners, other.corners) > _MAX_SHARED for other in others):
        lines.append(say("Two boards overlap: lay them apart and take the picture again."))
    if any(other.board.id == board.board.id for other in others):
        lines.append(say("Two boards look like {board}: only one of them can be it.", board=board.board.id))
    elif board.alike < _MIN_ALIKE:
        lines.append(say("This board may be another player's than {board}.", board=board.board.id))
    if scale_of(aligned.homography, board.board.layout) < MIN_PX_PER_MM:
        lines.append(
            say("This board is too small in the picture to be read reliably: take the picture from closer.")
        )
    if aligned.agreeing < _MIN_AGREEING:
        lines.append(say("Much of this board is hidden or unlike the enrolled one: clear it and take it again."))
    return lines


def object_reasons(things: Sequence[UnexplainedObject], laid: RectifiedBoard) -> list[str]:
    """Return why objects on a board need confirmation: glare, or objects outside of spots and spaces.

    One sentence for users each; empty without such objects. things: unexplained objects on the board, largest
    first. laid: the board, rectified.
    """
    lines = list[str]()
    if any(thing.glare for thing in things):
        lines.append(say("Light is reflected on this board: turn the lamp or the camera and take it again."))
    lying = [thing for thing in things if not thing.glare]
    if any(covers_part(thing, laid) for thing in lying):
        lines.append(say("Something covers a part of this board: remove it and take the picture again."))
    elif lying:
        rank = _nearest_rank(lying[0], laid.board.layout)
        lines.append(
            say("Something lies between the spots, near the {rank} row: put it on its spot.", rank=named(rank))
        )
    return lines


def _nearest_rank(thing: UnexplainedObject, layout: BoardLayout) -> str:
    """Return the rank (low, middle or high) of the token spot nearest to an object."""
    spots = [(np.hypot(x - thing.middle[0], y - thing.middle[1]), rank) for rank, (x, y) in layout.spots()]
    return min(spots)[1]


def spot_readings(
    spots: Sequence[SpotContents],
    laid: RectifiedBoard,
    aligned: AlignedBoard,
    things: Sequence[UnexplainedObject],
    grow: float,
) -> tuple[SpotReading, ...]:
    """Return the reading of each token spot, with its reason for confirmation.

    spots: contents of the spots. laid, aligned: the board, rectified, and its alignment in the examined picture.
    things: unexplained objects on the board, which may disturb a spot. grow: px of the given picture per px of the
    examined one.
    """
    layout, readings = laid.board.layout, []
    index: dict[str, int] = {}
    for spot, (rank, middle) in zip(spots, layout.spots(), strict=True):
        place = index.get(rank, 0)
        index[rank] = place + 1
        disturbed = any(disturbs(thing, middle) for thing in things)
        ranked = sorted(((p, name) for name, p in spot.chances.items() if name != OTHER), reverse=True)
        likeliest = ranked[0][1]
        chance = spot.chances[likeliest] * (0.5 if disturbed else 1.0)
        alternatives = tuple(
            TokenGuess(_token_colour(name), round(p, 4)) for p, name in ranked[1:] if p > _MIN_ALTERNATIVE
        )
        reason = _spot_reason(spot.chances, likeliest, disturbed)
        box = _box_around(aligned, middle, layout.spot_mm / 2, grow)
        readings.append(SpotReading(rank, place, _token_colour(likeliest), chance, box, reason, alternatives))
    return tuple(readings)


def _spot_reason(chances: Mapping[str, float], likeliest: str, disturbed: bool) -> str:
    """Return why a spot needs confirmation, "" if it does not.

    chances: see `SpotContents`. likeliest: content with the largest chance. disturbed: whether an object lies
    beside the spot.
    """
    if chances[OTHER] > 1 - MIN_CONFIDENCE:
        return say("it shows neither an empty spot nor a known token")
    if chances[likeliest] < MIN_CONFIDENCE:
        rivals = sorted(chances, key=lambda name: -chances[name])[:2]
        return either([named(name.removeprefix("token:")) for name in rivals])
    return say("something lies or shines beside it") if disturbed else ""


def _token_colour(name: str) -> str | None:
    """Return the colour of a kind of token, None for an empty spot."""
    return None if name == EMPTY else name.partition(":")[2]


def _box_around(
    aligned: AlignedBoard, middle: tuple[float, float], radius: float, grow: float
) -> tuple[float, float, float, float]:
    """Return the box around a circle, px of the given picture. middle, radius: of the circle, board mm."""
    x, y = middle
    ring = [(x + u * radius, y + v * radius) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return bounding_box(np.array(ring), aligned, grow)


def bounding_box(
    points_mm: np.ndarray[tuple[int, ...], np.dtype[np.float64]], aligned: AlignedBoard, grow: float
) -> tuple[float, float, float, float]:
    """Return the box (x, y, width, height) around points (n, 2) in board mm, in px of the given picture.

    grow: px of the given picture per px of the examined one, in which `aligned` holds.
    """
    pixels = map_points(points_mm, aligned.homography) * grow
    (left, top), (right, bottom) = pixels.min(axis=0), pixels.max(axis=0)
    return float(left), float(top), float(right - left), float(bottom - top)
