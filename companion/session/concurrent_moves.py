"""Decides whether a move made for an earlier state is still valid, where players act concurrently. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Game
from companion.session.entries import Entry, M, Played, Undone


def owner_of_entry(game: Game[Any, M, Any], entries: Sequence[Entry[M]], number: int) -> int | None:
    """Return the seat of the only player that an entry affects; None where it affects others or does not exist.

    number: of the entry.
    """
    entry = entries[number - 1] if 1 <= number <= len(entries) else None
    while isinstance(entry, Undone):
        entry = entries[entry.entry - 1]
    return game.concurrent_owner(entry.move) if isinstance(entry, Played) else None


def only_others_since(game: Game[Any, M, Any], entries: Sequence[Entry[M]], at: int, player: int) -> bool:
    """Return whether all entries since an earlier state are other players' moves that do not affect this player.

    at: number of that state; player: seat. If so, a move that the player made for it is still valid. An own entry
    since then makes the result False, so a move that is sent twice is entered once.
    """
    if not 1 <= at <= len(entries):
        return False
    owners = [owner_of_entry(game, entries, entry.number) for entry in entries[at:]]
    return all(one is not None and one != player for one in owners)
