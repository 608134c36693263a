"""Everybody's boards as the camera sees them: having them read, and taking that or keeping the journal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from calibration.wording import say
from companion.adapters.wicked.boards.service import BoardService
from companion.adapters.wicked.boards.sign_corrections import MOST_OFFERED
from companion.games.wicked.components import CORRIDORS
from companion.table.views import Refused
from web.channel.commands import Command, GameCommand, Identifier
from web.channel.enrolment import On
from web.running_table import RunningTable

Choice = Annotated[int, Field(ge=0, le=20)] | None
"""Which of the ways to take a board that were offered; None leaves it to the journal."""


class ReadBoards(Command):
    """Have the boards read as soon as nothing moves, or no longer. Says what shall be: it needs no state number."""

    on: bool


class AboutReading(GameCommand):
    """Something about one reading of the boards."""

    reading: Identifier


class TakeBoards(AboutReading):
    """Enter what the camera sees: a choice for every player, by seat."""

    choices: Annotated[tuple[Choice, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]


class PutImpurityRight(AboutReading):
    """Make one of the offered corrections, by its place among them."""

    correction: Annotated[int, Field(ge=0, lt=MOST_OFFERED)]


def boards(on: On, table: RunningTable, check: Callable[[GameCommand], None]) -> None:
    """Put the commands about boards on the channel, for hosts. check: refuses what was made for another state."""

    def desk() -> BoardService:
        if table.boards is None:
            raise Refused("not_now", say("This table cannot read boards."))
        return table.boards

    @on("read_boards", ReadBoards)
    def _read(command: ReadBoards) -> None:
        desk().ask(command.on)

    @on("take_boards", TakeBoards)
    def _take(command: TakeBoards) -> None:
        check(command)
        desk().take(command.reading, command.choices, command.at)

    @on("put_impurity_right", PutImpurityRight)
    def _put_right(command: PutImpurityRight) -> None:
        check(command)
        desk().put_right(command.reading, command.correction, command.at)

    @on("keep_journal", AboutReading)
    def _keep(command: AboutReading) -> None:
        check(command)
        desk().keep(command.reading, command.at)

    @on("hold_boards", AboutReading)
    def _hold(command: AboutReading) -> None:
        check(command)
        desk().hold(command.reading, command.at)
