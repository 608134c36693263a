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


_temporary: dict[str, Adapter[Any, Any]] = {}
"""Adapters that `temporary_adapter` makes available, by id of the game."""


def adapter(game: str) -> Adapter[Any, Any]:
    """Return the adapter that connects a game's rules to the table, importing it on first use.

    A game without one gets an adapter for entry by hand. game: id of the game. Raises UnknownGame.
    """
    if game in _temporary:
        return _temporary[game]
    module = game_module(game, "adapter")
    if module is None:
        from companion.table.game_adapter import by_hand  # imports the table, which imports this package

        return by_hand(record_of(game))
    found: Adapter[Any, Any] = module.ADAPTER
    return found


@contextmanager
def temporary_adapter(adapter: Adapter[Any, Any]) -> Iterator[None]:
    """Use an adapter instead of its game's own within a `with` block: one under development, or a test's."""
    _temporary[adapter.game.id] = adapter
    try:
        yield
    finally:
        del _temporary[adapter.game.id]


def game_module(game: str, name: str) -> ModuleType | None:
    """Import and return a module of a game's package in `companion.adapters`; None if it does not exist.

    game: id of the game. name: dotted name of the module in the package, such as "bots.simulated_players".
    """
    path = __name__
    for step in (game, *name.split(".")):
        path = f"{path}.{step}"
        if not step.isidentifier() or find_spec(path) is None:
            return None
    return import_module(path)
