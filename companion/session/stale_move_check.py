"""Decides whether a move made for an earlier state is still valid, where players act concurrently. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Game
from companion.session.entries import Entry, M, Played, Undone


def owner_of_entry(game: Game[Any, M, Any], entries: Sequence[Entry[M]], number: int) -> int | None:
    """Return the seat of the only player that a journal entry affects; None if it affects others or is missing.

    number: of the entry. An undo affects the same players as the entry that it undoes.
    """
    entry = entries[number - 1] if 1 <= number <= len(entries) else None
    while isinstance(entry, Undone):
        entry = entries[entry.entry - 1]
    return game.concurrent_owner(entry.move) if isinstance(entry, Played) else None


def only_others_since(game: Game[Any, M, Any], entries: Sequence[Entry[M]], at: int, player: int) -> bool:
    """Return whether each entry since an earlier state affects a single player, and never this one.

    at: number of that state; player: seat of this player. If so, a move that the player made for that state is
    still valid. An own entry since then makes the result False, so a move that is sent twice is entered once.
    """
    if not 1 <= at <= len(entries):
        return False
    owners = [owner_of_entry(game, entries, entry.number) for entry in entries[at:]]
    return all(one is not None and one != player for one in owners)
