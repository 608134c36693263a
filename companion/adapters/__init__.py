"""The registry of adapters: what connects each game's rules to its table."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.table.adapter import Adapter


def adapter(game: str) -> Adapter[Any, Any]:
    """Return the adapter of a game by its id, importing it when it is first asked for.

    Raises ModuleNotFoundError where the game has none.
    """
    found: Adapter[Any, Any] = import_module(f"{__name__}.{game}.adapter").ADAPTER
    return found
