"""What connects one game's rules to the camera: a record of functions that each game fills in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from companion.games.wicked.moves import Move
from companion.referee.finding import Finding
from companion.session import Session
from companion.table.reading.background_reader import WholeTable
from companion.table.reading.frame_reader import FrameResult
from vision.readings import Point


@dataclass(frozen=True)
class Adapter:
    """The adapter of one game."""

    interpret: Callable[[Session, FrameResult, Callable[[Point], int]], Finding[Move]]
    """Returns what the readings of one still scene mean; the last argument returns the seat of a point, px."""
    whole_table: WholeTable
    """The readings that take so long that they are made in the background."""
