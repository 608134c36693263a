"""What The Wicked Labyrinth adds to the web server."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint

from calibration.games.wicked.art.animal_heads import ANIMALS
from web.channel.channels import Channels
from web.channel.router import CommandRouter
from web.game_pages import GamePages
from web.games.wicked.advice import add_advice_events
from web.games.wicked.cards import cards
from web.games.wicked.drawings import drawings
from web.games.wicked.standalone_scoring import add_scoring_events, board_pictures
from web.table_interface import RunningTable


def blueprints(table: RunningTable) -> tuple[Blueprint, ...]:
    """Return the blueprints of its drawings, cards, and pictures of scored boards."""
    return drawings(table), cards(table), board_pictures(table)


def add_events(router: CommandRouter, table: RunningTable, channels: Channels) -> Callable[[], None]:
    """Register the events about hints and scoring; return the function that stops publishing."""
    add_advice_events(router, table)
    return add_scoring_events(router, table, channels.send_to_hosts)


PAGES = GamePages(blueprints, add_events, {colour: f"/art/icon/{animal}.svg" for colour, animal in ANIMALS.items()})
"""The record."""
