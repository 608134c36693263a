"""Views of a scoring for screens. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.adapters.wicked.scoring.scored_boards import (
    GreatCard,
    Row,
    ScoredBoard,
    ScoreStanding,
    Scoring,
    colours_of,
)
from companion.games.game import Score
from companion.games.wicked.components import PlayerColour
from companion.games.wicked.game import as_score


@dataclass(frozen=True, slots=True)
class DoubtView:
    """An unchecked doubt; see `OpenDoubt`."""

    about: str
    text: str
    counts: bool
    """Whether it can change the board's score."""
    decides: bool
    """Whether the winner depends on it."""


@dataclass(frozen=True, slots=True)
class ScoredBoardView:
    """One board for screens; see `ScoredBoard`."""

    id: str
    name: str
    colour: PlayerColour
    """Colour in which the board is drawn."""
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
    """Lowest and highest possible score, points; None if unknown."""


@dataclass(frozen=True, slots=True)
class ScoringView:
    """The boards that are scored, for screens."""

    version: int
    """Number of the publication, increasing within a run of the server."""
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
    """Whether the winner does not depend on a doubt."""
    doing: str = ""
    """Progress line while pictures are read, else ""."""
    said: str = ""
    """Message about the latest picture."""
    refused: bool = False
    """Whether that picture was refused."""
    unread: str = ""
    """Reason why pictures cannot be read now, else ""."""


def scoring_view(
    scoring: Scoring, now: ScoreStanding, version: int, doing: str, outcome: tuple[str, bool], unread: str
) -> ScoringView:
    """Return what the scoring page shows.

    outcome: message about the latest picture, and whether it was refused. doing: progress line.
    unread: reason why pictures cannot be read now, else "".
    """
    colours = colours_of(scoring.boards)
    boards = tuple(_board_view(board, colours[place], place, now) for place, board in enumerate(scoring.boards))
    return ScoringView(
        version,
        scoring.players,
        boards,
        tuple(map(as_score, now.scores)),
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
        board.id,
        board.name,
        colour,
        board.low,
        board.middle,
        board.high,
        board.promotion,
        board.colour_change,
        board.great,
        board.small,
        board.impurity,
        doubts,
        board.picture,
        weighed.totals[place],
    )
