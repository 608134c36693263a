"""Computes final scores from counts of tokens and cards alone, one row per player. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.translatable import Line
from companion.adapters.wicked.boards.possible_scores import ANY_TWO
from companion.games.wicked.scoring.final_scores import FinalScore
from companion.games.wicked.scoring.scores_of_counted_boards import CountedBoard, score_boards, verdict
from companion.games.wicked.state import Tokens


@dataclass(frozen=True, slots=True)
class ScoresheetRow:
    """One player's counts."""

    name: str
    """The player's name."""
    low: int = 0
    """Low tokens on the board."""
    middle: int = 0
    """Middle tokens on the board."""
    high: int = 0
    """High tokens on the board, without those on great oracles."""
    great: int = 0
    """Achieved great oracles."""
    small: int = 0
    """Achieved small oracles."""
    impurity: int = 0
    """Impurity taken, points."""


@dataclass(frozen=True, slots=True)
class Scoresheet:
    """The final scores of a scoresheet."""

    scores: tuple[FinalScore, ...]
    """Final scores, in the order of the rows."""
    line: Line
    """Sentences about who wins."""


def scoresheet(rows: Sequence[ScoresheetRow]) -> Scoresheet:
    """Return the final scores and the winner (W16). rows: one per player. Raises ValueError for impossible ones."""
    boards = [
        CountedBoard(
            str(index),  # names need not differ
            Tokens(row.low),
            Tokens(row.middle),
            Tokens(row.high),
            great=tuple(oracle.id for oracle in ANY_TWO.great[: row.great]),
            small=row.small,
            impurity=row.impurity,
        )
        for index, row in enumerate(rows)
    ]
    scores = score_boards(boards, ANY_TWO)
    return Scoresheet(scores, verdict(scores, [row.name for row in rows]))
