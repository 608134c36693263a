"""The registry of adapters, which connect the rules of a game to its table; one package per game.

A package may lack any of its modules. A game without a module `adapter` is entered by hand; without `bots` or
`commands` it has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from companion.games import game as record_of

if TYPE_CHECKING:
    from companion.table.game_adapter import Adapter


_added: dict[str, Adapter[Any, Any]] = {}
"""Adapters that `added` makes available, by id of the game."""


def adapter(game: str) -> Adapter[Any, Any]:
    """Return the adapter of a game, importing it on first use; one for entry by hand if the game has none.

    game: id of the game. Raises UnknownGame.
    """
    if game in _added:
        return _added[game]
    module = game_module(game, "adapter")
    if module is None:
        from companion.table.game_adapter import by_hand  # imports the table, which imports this package

        return by_hand(record_of(game))
    found: Adapter[Any, Any] = module.ADAPTER
    return found


@contextmanager
def added(adapter: Adapter[Any, Any]) -> Iterator[None]:
    """Use another adapter of its game within a `with` block: one under development, or one defined by a test."""
    _added[adapter.game.id] = adapter
    try:
        yield
    finally:
        del _added[adapter.game.id]


def game_module(game: str, name: str) -> ModuleType | None:
    """Return a module of a game's package here, imported; None if it does not exist.

    game: id of the game. name: dotted name of the module in the package, such as "bots.simulated_players".
    """
    path = __name__
    for step in (game, *name.split(".")):
        path = f"{path}.{step}"
        if not step.isidentifier() or find_spec(path) is None:
            return None
    return import_module(path)
