"""The result of interpreting readings: a proposal, differences from the journal, or why there is neither."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.referee.proposal import Proposal
from companion.session import Revision

M_co = TypeVar("M_co", covariant=True)
"""Type of a game's moves."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between the camera's reading and the journal, as a sentence."""

    seat: int | None
    """Seat of the player concerned; None where it concerns no player."""
    text: str
    """The difference."""
    doubtful: bool = False
    """Whether the reading is doubtful there."""
    entry: int | None = None
    """Number of the journal entry that would have to be corrected; None where there is none."""


@dataclass(frozen=True, slots=True)
class OfferedCorrection:
    """A correction of earlier moves after which the journal agrees with the reading."""

    text: str
    """What the correction states, as a sentence."""
    revision: Revision
    """The journal entry that makes the correction."""


@dataclass(frozen=True, slots=True)
class Replacement(Generic[M_co]):
    """The moves of the latest phase as read, to replace those in the journal."""

    entries: tuple[int, ...]
    """Numbers of the entries to undo, newest first."""
    moves: tuple[M_co, ...]
    """In order of play."""


@dataclass(frozen=True, slots=True)
class PointsCheck:
    """A player's final points by the camera and by the journal."""

    seat: int
    """The player."""
    seen: int | None
    """By the camera; None where the player's things were not found."""
    kept: int
    """By the journal."""
    possible: tuple[int, int] | None = None
    """Lowest and highest points with all that is doubtful; None where they are unknown."""


@dataclass(frozen=True, slots=True)
class Comparison(Generic[M_co]):
    """A reading of the whole table compared with the journal."""

    differences: tuple[Difference, ...] = ()
    """Where the reading and the journal differ."""
    problems: tuple[str, ...] = ()
    """Problems of the picture, and reasons why the points are not certain."""
    corrections: tuple[OfferedCorrection, ...] = ()
    """Possible corrections, each of which explains a difference by itself."""
    replacement: Replacement[M_co] | None = None
    """The latest phase as read, where it is unambiguous and differs from the journal."""
    points: tuple[PointsCheck, ...] = ()
    """Final points, once the game is over."""
    verdict: str = ""
    """Final score by the camera, once the game is over."""


@dataclass(frozen=True, slots=True)
class Finding(Generic[M_co]):
    """The result of interpreting readings in one state of the game."""

    proposal: Proposal[M_co] | None = None
    """The moves that were read; None where the readings show none."""
    comparison: Comparison[M_co] | None = None
    """For readings of the whole table only."""
    unread: str = ""
    """Why nothing could be proposed, as one line; empty where something is."""
    where: tuple[int, ...] = ()
    """Places on the game's board that `unread` concerns, as in `Doubt`."""
    supersedes: bool = False
    """Whether earlier proposals are void, because the table has changed since; then nothing is proposed."""
