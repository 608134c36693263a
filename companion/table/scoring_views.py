"""What screens are told of the boards that are being scored. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.wicked.components import PlayerColour
from companion.games.wicked.scoring import Score
from companion.table.scoring import GreatCard, OpenDoubt, Row, ScoredBoard, Scoring, Standing, colours_of


@dataclass(frozen=True, slots=True)
class BoardView:
    """One board as a screen draws it; see `ScoredBoard`. colour: in which it is drawn."""

    id: str
    name: str
    colour: PlayerColour
    low: Row
    middle: Row
    high: Row
    promotion: int
    colour_change: int
    great: tuple[GreatCard, ...]
    small: int
    impurity: int
    doubts: tuple[OpenDoubt, ...]
    picture: str


@dataclass(frozen=True, slots=True)
class ScoringView:
    """The boards that are being scored, for screens. version: counted up with every publication of a run.

    line: who wins, leads, or what is still to be done; sure: whether there is a winner. doing: what is being done
    with pictures now, or ""; said: what came of the latest one, refused: whether that was nothing. unread: why
    pictures cannot be read, or "".
    """

    version: int
    players: int | None
    boards: tuple[BoardView, ...]
    scores: tuple[Score, ...]
    missing: int
    open: int
    line: str
    sure: bool
    doing: str = ""
    said: str = ""
    refused: bool = False
    unread: str = ""


def scoring_view(
    scoring: Scoring, now: Standing, version: int, doing: str, said: tuple[str, bool], unread: str
) -> ScoringView:
    """Tell a scoring to screens. said: what came of the latest picture, and whether that was a refusal."""
    boards = tuple(
        _board_view(board, colour) for board, colour in zip(scoring.boards, colours_of(scoring.boards), strict=True)
    )
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
        *said,
        unread,
    )


def _board_view(board: ScoredBoard, colour: PlayerColour) -> BoardView:
    return BoardView(
        board.id, board.name, colour, board.low, board.middle, board.high, board.promotion, board.colour_change,
        board.great, board.small, board.impurity, board.doubts, board.picture,
    )  # fmt: skip
