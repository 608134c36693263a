"""Commands about boards that are scored without a game: bounded, and each names the board that it was made for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from companion.adapters.wicked.boards.score_outcomes import MOST_IMPURITY
from companion.adapters.wicked.scoring.boards import Countable
from companion.games.wicked.components import CORRIDORS, ORACLES_DEALT, SPOTS, Colour, PlayerColour, Rank
from web.channel.commands import Command, Name

BoardId = Annotated[str, Field(pattern=r"^b[0-9]{1,9}$")]
"""A board as it was read or begun once; another one each time."""


class WatchScoring(Command):
    """Ask how the boards stand, and whether pictures can be read."""


class PlayersScored(Command):
    """Say how many play."""

    players: Annotated[int, Field(ge=min(CORRIDORS), le=max(CORRIDORS))]


class BoardByHand(Command):
    """Put an empty board of a player's colour in."""

    colour: PlayerColour


class SheetRow(Command):
    """One player's numbers on a score sheet; colours never score."""

    name: Name
    low: Annotated[int, Field(ge=0, le=SPOTS["low"])]
    middle: Annotated[int, Field(ge=0, le=SPOTS["middle"])]
    high: Annotated[int, Field(ge=0, le=SPOTS["high"])]
    great: Annotated[int, Field(ge=0, le=ORACLES_DEALT)]
    small: Annotated[int, Field(ge=0, le=ORACLES_DEALT)]
    impurity: Annotated[int, Field(ge=0, le=MOST_IMPURITY)]


class ScoreSheet(Command):
    """Add a score sheet up; nothing of it is kept."""

    rows: Annotated[tuple[SheetRow, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]


class BoardCommand(Command):
    """A command about one board."""

    board: BoardId


class PutToken(BoardCommand):
    """Say what lies on a spot, counted from 0 at the left; None: nothing."""

    rank: Rank
    spot: Annotated[int, Field(ge=0, le=11)]
    token: Colour | None


class CountOnBoard(BoardCommand):
    """Say how many there are of what is counted on or beside a board."""

    what: Countable
    number: Annotated[int, Field(ge=0, le=MOST_IMPURITY)]


class AchieveGreat(BoardCommand):
    """Say whether one of the great oracles beside a board is achieved."""

    card: Annotated[int, Field(ge=0, lt=ORACLES_DEALT)]
    achieved: bool


class SettleDoubt(BoardCommand):
    """Say that something doubtful is right as it stands."""

    about: Annotated[str, Field(min_length=1, max_length=60)]


class RemoveBoard(BoardCommand):
    """Take a board away."""


class ClearBoards(Command):
    """Begin anew, with no boards."""


class LookAtBoards(Command):
    """Take what the table's camera sees now; again: the board that it shall replace."""

    again: BoardId | None = None
