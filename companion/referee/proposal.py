"""Proposals: legal moves that the readings allow, with probabilities and doubts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.games.wicked.moves import Move


class Candidate(NamedTuple):
    """A legal move and the probability that it is the true one."""

    move: Move
    probability: float


class Doubt(NamedTuple):
    """A plain question about one seat, or about the middle of the table where `seat` is None."""

    seat: int | None
    question: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Moves that the readings allow, likeliest first, each legal in the state that they were read for.

    A proposal of cards (Deal, Lay) has no candidate while one of them was not found; the doubts name it then.
    """

    candidates: tuple[Candidate, ...]
    certain: bool
    """The first may be entered without confirmation; then there are no doubts."""
    doubts: tuple[Doubt, ...] = ()
