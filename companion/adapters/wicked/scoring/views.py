"""What screens are told of the boards that are being scored. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.adapters.wicked.scoring.boards import GreatCard, Row, ScoredBoard, ScoreStanding, Scoring, colours_of
from companion.games.wicked.components import PlayerColour
from companion.games.wicked.scoring.final_scores import Score


@dataclass(frozen=True, slots=True)
class DoubtView:
    """Something that nobody has looked at; see `OpenDoubt`.

    counts: it can change the board's score; decides: who wins depends on it.
    """

    about: str
    text: str
    counts: bool
    decides: bool


@dataclass(frozen=True, slots=True)
class ScoredBoardView:
    """One board as a screen draws it; see `ScoredBoard`. colour: in which it is drawn.

    totals: the least and the most points that it may have, None where that cannot be told.
    """

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
    doubts: tuple[DoubtView, ...]
    picture: str
    totals: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class ScoringView:
    """The boards that are being scored, for screens. version: counted up with every publication of a run.

    open: how many things nobody has looked at that can change a score; line: who wins, leads, or what is still to
    be done; sure: whether there is a winner, whatever is open. doing: what is being done with pictures now, or "";
    said: what came of the latest one, refused: whether that was nothing. unread: why pictures cannot be read, or ""
    where they can.
    """

    version: int
    players: int | None
    boards: tuple[ScoredBoardView, ...]
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
    scoring: Scoring, now: ScoreStanding, version: int, doing: str, said: tuple[str, bool], unread: str
) -> ScoringView:
    """Tell a scoring to screens. said: what came of the latest picture, and whether that was a refusal."""
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
        *said,
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
