"""Who may still choose though the game has gone on: in the soul phase all see to their own boards at once. Pure."""

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
    """Tell whose board alone a move is about, by seat; None for one that others have a part in."""
    return move.player if isinstance(move, _SOUL_MOVES) else None


def owner_of_entry(entries: Sequence[Entry], number: int) -> int | None:
    """Tell whose board alone an entry is about; None for one that others have a part in, or that there is not."""
    entry = entries[number - 1] if 1 <= number <= len(entries) else None
    while isinstance(entry, Undone):
        entry = entries[entry.entry - 1]
    return owner_of_move(entry.move) if isinstance(entry, Played) else None


def only_others_since(entries: Sequence[Entry], at: int, player: int) -> bool:
    """Tell whether since state `at` nothing was entered but what other players chose, each for the own board.

    Then what this player chose for the own board at that state means the same now. What they chose themselves since
    does count, so a choice that is sent twice is entered once.
    """
    if not 1 <= at <= len(entries):
        return False
    owners = [owner_of_entry(entries, entry.number) for entry in entries[at:]]
    return all(one is not None and one != player for one in owners)
