"""Routes and events that The Wicked Labyrinth adds to the web server."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint

from calibration.games.wicked.art.animal_heads import ANIMALS
from calibration.translatable import say
from web.channel.channels import Channels
from web.channel.router import CommandRouter
from web.game_extensions import GameExtension, OwnScreen
from web.games.wicked.card_choices import card_choices
from web.games.wicked.drawing_routes import drawings
from web.games.wicked.hint_events import add_hint_events
from web.games.wicked.standalone_scoring import add_scoring_events, board_pictures
from web.table_interface import RunningTable


def blueprints(table: RunningTable) -> tuple[Blueprint, ...]:
    """Return the blueprints of this game's drawings, of card choices, and of pictures of boards to score."""
    return drawings(table), card_choices(table), board_pictures(table)


def add_events(router: CommandRouter, table: RunningTable, channels: Channels) -> Callable[[], None]:
    """Register the events about hints and scoring; return the function that stops sending scores to hosts."""
    add_hint_events(router, table)
    return add_scoring_events(router, table, channels.send_to_hosts)


EXTENSION = GameExtension(
    blueprints,
    add_events,
    {colour: f"/art/icon/{animal}.svg" for colour, animal in ANIMALS.items()},
    (
        OwnScreen(
            "scoring",
            say("Just score us"),
            say("Points and winner of a game that was played without the companion."),
            say("Played without the companion? Photograph each board, or fill it in by hand."),
        ),
    ),
)
"""Routes, events, figure pictures and screens of The Wicked Labyrinth."""
