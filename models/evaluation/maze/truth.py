"""Ground truth of a picture of the maze."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from vision.games.master.readings import MazeState
from vision.readings import Box, Point


@dataclass(frozen=True, slots=True)
class MazeTruth:
    """Ground truth of one picture, in the board's own frame.

    Hidden tiles, tokens and wizards are included. In the middle of a push, all are stated as they were before it.
    """

    state: MazeState
    """What the picture shows."""
    tiles: tuple[str, ...] = ()
    """Openings of the 49 tiles by place; empty where the picture shows no board."""
    spare: str = ""
    """Openings of the spare tile in the board's frame; "" where it is not in the picture."""
    tokens: Mapping[int, int | None] = field(default_factory=dict)
    """Place of each token that lies on the board or (None) on the spare, by number."""
    wizards: Mapping[str, int | None] = field(default_factory=dict)
    """Place of each wizard that stands on the board or (None) on the spare, by colour."""
    corners: tuple[Point, ...] = ()
    """Corners of the 7 × 7 field, px, clockwise from the outer corner of place 0; empty where there is no board."""
    spare_box: Box | None = None
    """Bounding box of the spare, px."""
    covered: frozenset[int] = frozenset()
    """Places that something covers or the picture's edge cuts off."""
