"""The supported games, one package each, and the registry that finds them by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from calibration.translatable import say
from companion.games.game import Game

GAMES = ("wicked", "master")
"""Ids of the games that come with the companion: `companion.games.ID.game` holds the record, a constant `ID`."""
UNNAMED = "wicked"
"""Game of journals whose opening entry names none: they are older than the other games."""

_added: dict[str, Game[Any, Any, Any]] = {}
"""Games that `added` makes available, by id."""


class UnknownGame(LookupError):
    """There is no game of this id; the text is one plain line."""


def available() -> tuple[str, ...]:
    """Return the ids of all games that can be played."""
    return tuple(dict.fromkeys((*GAMES, *_added)))


def game(id: str) -> Game[Any, Any, Any]:
    """Return the `Game` record with this id, importing the rules on first use. Raises UnknownGame."""
    if id in _added:
        return _added[id]
    if id not in GAMES:
        raise UnknownGame(
            say(
                "This version of the companion does not include the game “{game}”. Update the companion.",
                game=id[:40],
            )
        )
    record: Game[Any, Any, Any] = getattr(import_module(f"{__name__}.{id}.game"), id.upper())
    return record


@contextmanager
def added(record: Game[Any, Any, Any]) -> Iterator[None]:
    """Make another game available by its id within a `with` block, such as one that a test defines."""
    _added[record.id] = record
    try:
        yield
    finally:
        del _added[record.id]


def upgraded_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decoded journal entry in the present format; only entries of the game `UNNAMED` can be older."""
    from companion.games.wicked.legacy_journal_entries import upgraded

    return upgraded(entry)
