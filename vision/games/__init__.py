"""Readers and layouts of single games, one package per game."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from vision.cards.arrangement import Arrangement, no_arrangement

if TYPE_CHECKING:
    from vision.cameras.simulated.components_to_draw import DrawnComponents

_ARRANGEMENTS: Mapping[str, str] = {"wicked": "vision.games.wicked.corridor_ring_slots"}
"""Modules with an `ARRANGEMENT` of cards, by game; the cards of other games may lie anywhere."""


def arrangement(game: str) -> Arrangement:
    """Return a game's function that assigns the cards of a picture to slots; for most games, it assigns none."""
    if game not in _ARRANGEMENTS:
        return no_arrangement
    found: Arrangement = import_module(_ARRANGEMENTS[game]).ARRANGEMENT
    return found


def drawn_components(game: str) -> DrawnComponents:
    """Return what the simulated table draws of a game's box: printed faces, shapes of pieces and sizes.

    Raises ModuleNotFoundError for a game that has no simulated table.
    """
    found: DrawnComponents = import_module(f"{__name__}.{game}.simulated_components").drawn_components()
    return found
