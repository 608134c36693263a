"""What one game adds to the web server: the record, and the registry that finds it by the game's id."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from flask import Blueprint

if TYPE_CHECKING:
    from web.channel.channels import Channels  # which publishes what is found here
    from web.channel.router import CommandRouter
    from web.table_interface import RunningTable


@dataclass(frozen=True)
class GamePages:
    """What one game adds to the web server."""

    blueprints: Callable[[RunningTable], tuple[Blueprint, ...]]
    """(table) -> blueprints of its routes."""
    add_events: Callable[[CommandRouter, RunningTable, Channels], Callable[[], None]]
    """Registers its events; returns the function that stops publishing."""
    figure_pictures: Mapping[str, str] = field(default_factory=dict)
    """Addresses of the pictures of its figures, by id."""


def pages_of(game: str) -> GamePages | None:
    """Return what a game adds, None where it adds nothing."""
    if find_spec(f"web.games.{game}") is None:
        return None
    pages: GamePages = import_module(f"web.games.{game}.pages").PAGES
    return pages
