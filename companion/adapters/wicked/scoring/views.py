"""Views of a scoring for screens. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.adapters.wicked.scoring.boards import GreatCard, Row, ScoredBoard, ScoreStanding, Scoring, colours_of
from companion.games.wicked.components import PlayerColour
from companion.games.wicked.scoring.final_scores import Score


@dataclass(frozen=True, slots=True)
class DoubtView:
    """An unchecked doubt; see `OpenDoubt`."""

    about: str
    text: str
    counts: bool
    """It can change the board's score."""
    decides: bool
    """The winner depends on it."""


@dataclass(frozen=True, slots=True)
class ScoredBoardView:
    """One board for screens; see `ScoredBoard`."""

    id: str
    name: str
    colour: PlayerColour
    """In which it is drawn."""
    low: Row
    middle: Row
    high: Row
    promotion: int
    colour_change: int
    great: tuple[GreatCard, ...]
    small: int
    impurity: int
    doubts: tuple[DoubtView, ...]
    picture: str
    totals: tuple[int, int] | None
    """Lowest and highest points; None where unknown."""


@dataclass(frozen=True, slots=True)
class ScoringView:
    """The boards that are scored, for screens."""

    version: int
    """Increases with every publication of a run."""
    players: int | None
    boards: tuple[ScoredBoardView, ...]
    scores: tuple[Score, ...]
    missing: int
    """Number of boards not added yet."""
    open: int
    """Number of unchecked doubts that can change a score."""
    line: str
    """Who wins, who leads, or what to do next."""
    sure: bool
    """The winner does not depend on a doubt."""
    doing: str = ""
    """What is done with pictures now, or ""."""
    said: str = ""
    """Result of the latest picture."""
    refused: bool = False
    """That result is a refusal."""
    unread: str = ""
    """Why pictures cannot be read, or ""."""


def scoring_view(
    scoring: Scoring, now: ScoreStanding, version: int, doing: str, outcome: tuple[str, bool], unread: str
) -> ScoringView:
    """Return what the scoring page shows.

    outcome: message about the latest picture, and whether that picture was rejected. doing: progress line.
    unread: why pictures cannot be read, or "".
    """
    colours = colours_of(scoring.boards)
    boards = tuple(_board_view(board, colours[place], place, now) for place, board in enumerate(scoring.boards))
    return ScoringView(
        version,
        scoring.players,
        boards,
        now.scores,
        now.missing,
        now.open,
        now.line,
        now.sure,
        doing,
        *outcome,
        unread,
    )


def _board_view(board: ScoredBoard, colour: PlayerColour, place: int, now: ScoreStanding) -> ScoredBoardView:
    weighed = now.weighed
    doubts = tuple(
        DoubtView(doubt.about, doubt.text, number in weighed.counting[place], number in weighed.deciding[place])
        for number, doubt in enumerate(board.doubts)
    )
    return ScoredBoardView(
        board.id, board.name, colour, board.low, board.middle, board.high, board.promotion, board.colour_change,
        board.great, board.small, board.impurity, doubts, board.picture, weighed.totals[place],
    )  # fmt: skip
