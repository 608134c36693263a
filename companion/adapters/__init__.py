"""The registry of adapters: what connects each game's rules to camera, screens and bots."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table.adapter import Adapter


def adapter(game: str) -> Adapter:
    """Return the adapter of a game by its id; it is imported now. Raises ImportError for an unknown game."""
    found: Adapter = import_module(f"companion.adapters.{game}.adapter").ADAPTER
    return found
