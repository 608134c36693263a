"""What screens show of the boards that are scored without a journal. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.adapters.wicked.scoring.scoring_state import (
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
    """Which part of the board; as in `OpenDoubt`."""
    text: str
    """The doubt as text."""
    counts: bool
    """Whether it can change the board's score."""
    decides: bool
    """Whether the winner depends on it."""


@dataclass(frozen=True, slots=True)
class ScoredBoardView:
    """One board for screens; most fields are those of `ScoredBoard`."""

    id: str
    """Id of the board."""
    name: str
    """Name of the board."""
    colour: PlayerColour
    """Colour in which the board is drawn."""
    low: Row
    """Tokens by spot."""
    middle: Row
    """Tokens by spot."""
    high: Row
    """Tokens by spot."""
    promotion: int
    """Promotion spells left."""
    colour_change: int
    """Colour-change spells left."""
    great: tuple[GreatCard, ...]
    """The great oracles beside it."""
    small: int
    """Number of achieved small oracles."""
    impurity: int
    """Points."""
    doubts: tuple[DoubtView, ...]
    """Unchecked doubts."""
    picture: str
    """Name of the picture that it was read from, or ""."""
    totals: tuple[int, int] | None
    """Lowest and highest possible score, points; None if unknown."""


@dataclass(frozen=True, slots=True)
class ScoringView:
    """The boards that are scored, for screens."""

    version: int
    """Number of the view, which increases with each change while the server runs."""
    players: int | None
    """Number of players; None until it is set."""
    boards: tuple[ScoredBoardView, ...]
    """In the order in which they were added."""
    scores: tuple[Score, ...]
    """Final scores, in the order of `boards`."""
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
    """Return all that the scoring page shows.

    now: scores of the boards. version: number of the view. doing: progress message, or "". outcome: message about
    the latest picture, and whether it was refused. unread: reason why pictures cannot be read now, or "".
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
