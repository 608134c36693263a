"""What the referee proposes: moves that the readings allow, how likely each is, and what is in doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.games.wicked.moves import Move


class Candidate(NamedTuple):
    """One legal move and the probability that it is what lies on the table."""

    move: Move
    probability: float


class Doubt(NamedTuple):
    """A plain question about one seat, or about the middle of the table where `seat` is None."""

    seat: int | None
    question: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Moves that the readings allow, likeliest first, each legal in the state that they were read for.

    certain: the first may be taken without asking; then there are no doubts. A proposal of cards (Deal, Lay)
    has no candidate while one that must lie there was not found; then the doubts say which.
    """

    candidates: tuple[Candidate, ...]
    certain: bool
    doubts: tuple[Doubt, ...] = ()
