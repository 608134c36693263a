"""Hints and the reminder: the host's choice for a game, and what players ask about their own board."""

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
from web.channel.enrolment import On
from web.people.roles import HOST, PLAYER, Reader, check_seat
from web.running_table import RunningTable

_ON = say("The host has switched hints on: in the soul phase everybody may ask what is best for the own board.")
_OFF = say("The host has switched hints off.")


class ChooseSettings(Decision):
    """Choose what goes for a game beside its moves. Says what shall be, so it needs no state number."""

    game: Identifier
    hints: bool
    reminders: bool


class AboutBoard(Command):
    """Ask about one player's board as it is now."""

    game: Identifier
    seat: Annotated[int, Field(ge=0, le=20)]


def advising(on: On, table: RunningTable, who: Callable[[], Reader], tell_all: Callable[[Line], None]) -> None:
    """Put the host's choice and the players' questions on the channel.

    who: the screen that asks; tell_all: tells every screen one plain line, so that nobody plays without knowing.
    """

    def adviser(game: str) -> AdviceService:
        now = table.view.game
        if now is None or now.id != game:
            raise Refused("stale", say("Another game began meanwhile. The page shows it as it is now."))
        if table.advising is None:
            raise Refused("not_now", say("This table gives no advice."))
        return table.advising

    @on("choose_settings", ChooseSettings)
    def _choose(command: ChooseSettings) -> None:
        advises = adviser(command.game)
        now = table.view.settings or GameSettings()
        before = advises.choose(replace(now, hints=command.hints, reminders=command.reminders))
        if before.hints != command.hints:
            tell_all(_ON if command.hints else _OFF)

    @on("hint", AboutBoard, HOST, PLAYER)
    def _hint(command: AboutBoard) -> object:
        check_seat(who(), command.seat)
        return adviser(command.game).hint(command.seat)

    @on("forgotten", AboutBoard, HOST, PLAYER)
    def _forgotten(command: AboutBoard) -> object:
        check_seat(who(), command.seat)
        return adviser(command.game).forgotten(command.seat)
