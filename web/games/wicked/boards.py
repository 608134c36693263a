"""The events about reading all personal boards: request a reading, then enter it or keep the journal."""

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
from web.channel.router import CommandRouter
from web.running_table import RunningTable

Choice = Annotated[int, Field(ge=0, le=20)] | None
"""Index of one of the offered interpretations of a board; None keeps what the journal has."""


class ReadBoards(Command):
    """Request a reading once the scene is still, or cancel it; idempotent, so it needs no state number."""

    on: bool


class ReadingCommand(GameCommand):
    """A command about one reading of the boards."""

    reading: Identifier


class TakeBoards(ReadingCommand):
    """Enter a reading: one choice per player, by seat."""

    choices: Annotated[tuple[Choice, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]


class CorrectImpurity(ReadingCommand):
    """Make one of the offered corrections, by its index."""

    correction: Annotated[int, Field(ge=0, lt=MOST_OFFERED)]


def add_board_events(
    router: CommandRouter, table: RunningTable, check_state: Callable[[GameCommand], None]
) -> None:
    """Register the board events, for hosts. check_state: refuses a command made for another state."""

    def service() -> BoardService:
        if table.boards is None:
            raise Refused("not_now", say("This table cannot read boards. Enter the moves by hand."))
        return table.boards

    @router.on("read_boards", ReadBoards)
    def _read(command: ReadBoards) -> None:
        service().ask(command.on)

    @router.on("take_boards", TakeBoards)
    def _take(command: TakeBoards) -> None:
        check_state(command)
        service().take(command.reading, command.choices, command.at)

    @router.on("put_impurity_right", CorrectImpurity)
    def _correct(command: CorrectImpurity) -> None:
        check_state(command)
        service().put_right(command.reading, command.correction, command.at)

    @router.on("keep_journal", ReadingCommand)
    def _keep(command: ReadingCommand) -> None:
        check_state(command)
        service().keep(command.reading, command.at)

    @router.on("hold_boards", ReadingCommand)
    def _hold(command: ReadingCommand) -> None:
        check_state(command)
        service().hold(command.reading, command.at)
