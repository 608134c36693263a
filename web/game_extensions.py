"""Routes, events, pictures and screens that one game adds to the web server; their lookup by the game's id."""

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
class OwnScreen:
    """A screen that only one game's page has, which hosts can open whether a game is running or not."""

    name: str
    """First part of its URL hash; the page's entry names its component by it."""
    title: str
    """Its title."""
    about: str
    """What it is for, on the screen *More*."""
    invitation: str
    """What it is for, on the start page."""


@dataclass(frozen=True)
class GameExtension:
    """Routes, events, pictures and screens that one game adds to the web server."""

    blueprints: Callable[[RunningTable], tuple[Blueprint, ...]]
    """(table) -> blueprints of its routes."""
    add_events: Callable[[CommandRouter, RunningTable, Channels], Callable[[], None]]
    """(router, table, channels) -> registers the events of the game; returns the function that stops publishing."""
    figure_pictures: Mapping[str, str] = field(default_factory=dict)
    """URL path of each figure's picture, by figure id."""
    screens: tuple[OwnScreen, ...] = ()
    """Screens that only the page of this game has."""


def extension_of(game: str) -> GameExtension | None:
    """Return a game's `GameExtension` by the game's id; None for a game without one."""
    if find_spec(f"web.games.{game}") is None:
        return None
    extension: GameExtension = import_module(f"web.games.{game}.extension").EXTENSION
    return extension
