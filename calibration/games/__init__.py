"""Kits of the supported games, one package per game."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from calibration.errors import ProfileError
from calibration.game_kit import Kit
from calibration.translatable import say

GAMES: tuple[str, ...] = ("wicked", "master")
"""Ids of all games with a kit; the first one is the default."""


@cache
def kit(game: str) -> Kit:
    """Return the kit (components) of a game. Raises ProfileError for a game that is not in GAMES."""
    if game not in GAMES:
        raise ProfileError(
            say(
                "This version of the companion does not include the game “{game}”. Update the companion.",
                game=game[:40],
            )
        )
    found: Kit = import_module(f"{__name__}.{game}.kit").KIT
    return found


def kits() -> tuple[Kit, ...]:
    """Return the kits of all games."""
    return tuple(kit(game) for game in GAMES)
