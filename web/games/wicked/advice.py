"""The events about hints and reminders: a host switches them, and players request them for their own board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from calibration.wording import Line, say
from companion.adapters.wicked.advice import AdviceService
from companion.session.settings import GameSettings
from companion.table.views import Refused
from web.channel.commands import Command, Decision, Identifier
from web.channel.router import CommandRouter
from web.people.roles import HOST, PLAYER, check_seat
from web.running_table import RunningTable

_ON = say("The host turned hints on: in the soul phase, all players can ask for the best moves on their own board.")
_OFF = say("The host turned hints off.")


class ChooseSettings(Decision):
    """Set whether a game has hints and reminders; idempotent, so it needs no state number."""

    game: Identifier
    hints: bool
    reminders: bool


class BoardQuestion(Command):
    """Request a hint or a reminder for one player's present board."""

    game: Identifier
    seat: Annotated[int, Field(ge=0, le=20)]


def add_advice_events(router: CommandRouter, table: RunningTable, notify_all: Callable[[Line], None]) -> None:
    """Register the advice events. notify_all: sends a line to every screen when hints are switched."""

    def adviser(game: str) -> AdviceService:
        now = table.view.game
        if now is None or now.id != game:
            raise Refused("stale", say("Another game has started. The page shows it now."))
        if table.advising is None:
            raise Refused("not_now", say("This table has no hints."))
        return table.advising

    @router.on("choose_settings", ChooseSettings)
    def _choose(command: ChooseSettings) -> None:
        advising = adviser(command.game)
        now = table.view.settings or GameSettings()
        before = advising.choose(replace(now, hints=command.hints, reminders=command.reminders))
        if before.hints != command.hints:
            notify_all(_ON if command.hints else _OFF)

    @router.on("hint", BoardQuestion, HOST, PLAYER)
    def _hint(command: BoardQuestion) -> object:
        check_seat(router.principal(), command.seat)
        return adviser(command.game).hint(command.seat)

    @router.on("forgotten", BoardQuestion, HOST, PLAYER)
    def _forgotten(command: BoardQuestion) -> object:
        check_seat(router.principal(), command.seat)
        return adviser(command.game).forgotten(command.seat)
