"""The events by which players request hints and reminders for their own board."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from calibration.translatable import say
from companion.adapters.wicked.advice_service import AdviceService
from companion.adapters.wicked.table_services import WickedServices
from companion.games.wicked.game import WICKED
from companion.table.views import Refused
from web.channel.commands import Command, Identifier
from web.channel.router import CommandRouter
from web.people.roles import HOST, PLAYER, check_seat
from web.table_interface import RunningTable


class HintRequest(Command):
    """Request a hint or a reminder for one player's present board."""

    game: Identifier
    seat: Annotated[int, Field(ge=0, le=20)]


def add_hint_events(router: CommandRouter, table: RunningTable) -> None:
    """Register the events by which players request hints and reminders for their own board."""

    def adviser(game: str) -> AdviceService:
        now = table.view.game
        if now is None or now.id != game:
            raise Refused("stale", say("Another game has started. The page shows it now."))
        services = table.services(WICKED.id)
        if not isinstance(services, WickedServices):
            raise Refused("not_now", say("This table has no hints."))
        return services.advice

    @router.on("hint", HintRequest, HOST, PLAYER)
    def _hint(command: HintRequest) -> object:
        check_seat(router.principal(), command.seat)
        return adviser(command.game).hint(command.seat)

    @router.on("forgotten", HintRequest, HOST, PLAYER)
    def _forgotten(command: HintRequest) -> object:
        check_seat(router.principal(), command.seat)
        return adviser(command.game).forgotten(command.seat)
