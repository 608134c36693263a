"""The event by which a host chooses the settings of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from calibration.translatable import Line, say
from companion.session.game_settings import GameSettings
from companion.table.settings_service import SettingsService
from companion.table.views import Refused
from web.channel.commands import Decision, Identifier
from web.channel.router import CommandRouter
from web.table_interface import RunningTable

_ON = say("The host turned hints on: all players can ask for the best moves of their own.")
_OFF = say("The host turned hints off.")


class ChooseSettings(Decision):
    """Set whether a game has hints and reminders; idempotent, so it needs no state number."""

    game: Identifier
    hints: bool
    reminders: bool


def add_settings_events(router: CommandRouter, table: RunningTable, notify_all: Callable[[Line], None]) -> None:
    """Register the event that chooses a game's settings.

    notify_all: called with a line for every screen when hints are turned on or off.
    """

    def settings(game: str) -> SettingsService:
        now = table.view.game
        if now is None or now.id != game:
            raise Refused("stale", say("Another game has started. The page shows it now."))
        if table.settings is None:
            raise Refused("not_now", say("This table stores no settings."))
        return table.settings

    @router.on("choose_settings", ChooseSettings)
    def _choose(command: ChooseSettings) -> None:
        now = table.view.settings or GameSettings()
        before = settings(command.game).choose(replace(now, hints=command.hints, reminders=command.reminders))
        if before.hints != command.hints:
            notify_all(_ON if command.hints else _OFF)
