"""Proposals: legal moves that the readings allow, as questions with their possible answers. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

M_co = TypeVar("M_co", covariant=True)
"""Type of a game's moves."""


class Doubt(NamedTuple):
    """A plain question about one seat, or about the middle of the table where `seat` is None."""

    seat: int | None
    """The player; None for the middle of the table."""
    question: str
    """The question as a line."""
    where: tuple[int, ...] = ()
    """Places on the game's board that it concerns, by their numbers there, for screens to mark."""


@dataclass(frozen=True, slots=True)
class Choice(Generic[M_co]):
    """One answer to a question: moves that are legal one after the other."""

    moves: tuple[M_co, ...]
    """In order of play; empty where the journal has everything already."""
    probability: float = 1.0
    """Probability that it is the true answer."""
    misread: tuple[str, ...] = ()
    """What the camera must have misread if these moves are true, a description each."""


@dataclass(frozen=True, slots=True)
class Question(Generic[M_co]):
    """What one seat did, or what all did together where `seat` is None, with its possible answers."""

    seat: int | None
    """The player; None for all together."""
    choices: tuple[Choice[M_co], ...]
    """Likeliest first; empty where no legal moves fit what was read."""
    doubts: tuple[Doubt, ...] = ()
    """Reasons why a person has to confirm the answer."""


@dataclass(frozen=True, slots=True)
class Proposal(Generic[M_co]):
    """Everything that readings propose for one state of the game.

    What all players do together is one question with one move per choice; a phase in which all players act at the
    same time is one question per seat with any number of moves per choice.
    """

    questions: tuple[Question[M_co], ...]
    """One, or one per seat where all act at the same time."""
    problems: tuple[str, ...] = ()
    """Problems of the picture as a whole."""

    @property
    def certain(self) -> bool:
        """Whether every first choice may be entered without confirmation."""
        return not self.problems and all(one.choices and not one.doubts for one in self.questions)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """The doubts of all questions."""
        return tuple(doubt for one in self.questions for doubt in one.doubts)

    @property
    def answerable(self) -> bool:
        """Whether any question has a choice."""
        return any(one.choices for one in self.questions)

    @property
    def likeliest(self) -> tuple[M_co, ...]:
        """The moves of every question's first choice."""
        return self.moves([0 if one.choices else None for one in self.questions])

    def moves(self, choices: Sequence[int | None]) -> tuple[M_co, ...]:
        """Return the moves of the chosen answers, in the order of the questions.

        choices: index of the answer to each question; None enters no move. Raises IndexError for a choice that does
        not exist, ValueError where their number differs from that of the questions.
        """
        chosen = list(zip(self.questions, choices, strict=True))
        if any(choice is not None and not 0 <= choice < len(one.choices) for one, choice in chosen):
            raise IndexError("no such choice")
        return tuple(move for one, choice in chosen if choice is not None for move in one.choices[choice].moves)
