"""Routes and events that Master Labyrinth adds to the web server."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint

from companion.games.master.game import MASTER
from web.channel.channels import Channels
from web.channel.router import CommandRouter
from web.game_extensions import GameExtension
from web.games.master.drawings import drawings
from web.games.master.missed_turns import missed_turns
from web.table_interface import RunningTable


def blueprints(table: RunningTable) -> tuple[Blueprint, ...]:
    """Return the blueprints of this game's drawings and of the turns that players missed."""
    return drawings(), missed_turns(table)


def add_events(router: CommandRouter, table: RunningTable, channels: Channels) -> Callable[[], None]:
    """Register no events, because every choice in this game is a move; return a function that does nothing."""
    return lambda: None


EXTENSION = GameExtension(
    blueprints, add_events, {figure.id: "/art/master/wizard.svg" for figure in MASTER.figures}
)
"""Routes, events and figure pictures of Master Labyrinth."""
