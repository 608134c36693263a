"""Pydantic models of the commands about boards that are scored without a game."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from companion.adapters.wicked.boards.possible_scores import MOST_IMPURITY
from companion.adapters.wicked.scoring.scoring_state import Countable
from companion.games.wicked.components import CORRIDORS, ORACLES_DEALT, SPOTS, Colour, PlayerColour, Rank
from web.channel.commands import Command, Name

BoardId = Annotated[str, Field(pattern=r"^b[0-9]{1,9}$")]
"""Id of a board; a board that is read again gets a new one."""


class WatchScoring(Command):
    """Request the boards that are being scored, after a check whether pictures can be read."""


class PlayersScored(Command):
    """Set the number of players whose boards are scored."""

    players: Annotated[int, Field(ge=min(CORRIDORS), le=max(CORRIDORS))]


class BoardByHand(Command):
    """Add an empty board of a player colour, to fill in by hand."""

    colour: PlayerColour


class ScoreSheetRow(Command):
    """One player's counts on a score sheet."""

    name: Name
    low: Annotated[int, Field(ge=0, le=SPOTS["low"])]
    middle: Annotated[int, Field(ge=0, le=SPOTS["middle"])]
    high: Annotated[int, Field(ge=0, le=SPOTS["high"])]
    great: Annotated[int, Field(ge=0, le=ORACLES_DEALT)]
    small: Annotated[int, Field(ge=0, le=ORACLES_DEALT)]
    impurity: Annotated[int, Field(ge=0, le=MOST_IMPURITY)]


class AddUpScoreSheet(Command):
    """Request the scores by a score sheet filled in by hand; nothing is stored."""

    rows: Annotated[tuple[ScoreSheetRow, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]


class BoardCommand(Command):
    """A command about one board."""

    board: BoardId


class PutToken(BoardCommand):
    """Put a token on a spot; None removes it. spot: its index in the row of this rank, from the left."""

    rank: Rank
    spot: Annotated[int, Field(ge=0, le=11)]
    token: Colour | None


class CountOnBoard(BoardCommand):
    """Set how many of something lie on or beside a board. what: such as impurity; see `Countable`."""

    what: Countable
    number: Annotated[int, Field(ge=0, le=MOST_IMPURITY)]


class MarkGreatOracle(BoardCommand):
    """Mark one of the great oracles beside a board as achieved or not. card: its index."""

    card: Annotated[int, Field(ge=0, lt=ORACLES_DEALT)]
    achieved: bool


class ConfirmDoubt(BoardCommand):
    """Confirm a doubtful detection as it is. about: key of the doubt in the board's view."""

    about: Annotated[str, Field(min_length=1, max_length=60)]


class RemoveBoard(BoardCommand):
    """Remove a board."""


class ClearBoards(Command):
    """Remove all boards."""


class ReadScoredBoards(Command):
    """Read boards in the camera's newest picture. again: id of the board that the result replaces."""

    again: BoardId | None = None
