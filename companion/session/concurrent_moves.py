"""Which moves of an earlier state are still valid: in the soul phase all players act at the same time. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    FinishSoul,
    Move,
    NameOracle,
    Promote,
)
from companion.session.entries import Entry, Played, Undone

_SOUL_MOVES = (Promote, CastPromotion, CastColourChange, AchieveSmall, AchieveGreat, NameOracle, FinishSoul)


def owner_of_move(move: Move) -> int | None:
    """Return the seat whose board alone a move changes; None where other players are affected."""
    return move.player if isinstance(move, _SOUL_MOVES) else None


def owner_of_entry(entries: Sequence[Entry], number: int) -> int | None:
    """Return the seat whose board alone an entry changes; None where others are affected, or it is missing."""
    entry = entries[number - 1] if 1 <= number <= len(entries) else None
    while isinstance(entry, Undone):
        entry = entries[entry.entry - 1]
    return owner_of_move(entry.move) if isinstance(entry, Played) else None


def only_others_since(entries: Sequence[Entry], at: int, player: int) -> bool:
    """Return whether all entries since state `at` are other players' moves on their own boards.

    Then a move of this player on the own board means the same now. The player's own entries do count, so a move
    that is sent twice is entered once.
    """
    if not 1 <= at <= len(entries):
        return False
    owners = [owner_of_entry(entries, entry.number) for entry in entries[at:]]
    return all(one is not None and one != player for one in owners)
