"""What becomes of later moves when an earlier one is corrected."""

from __future__ import annotations

from companion.games.game import Rebased
from companion.games.master.moves import Move, NoteFormula
from companion.games.master.state import MasterState


def rebase(state: MasterState, move: Move) -> Rebased[Move]:
    """Return what becomes of a move that is illegal in a corrected state.

    Moves after the end of play are dropped; others have to be corrected by a person, who saw the table.
    """
    ended = state.phase == "over" or (state.phase == "formulas" and not isinstance(move, NoteFormula))
    return Rebased("dropped" if ended else "blocked")
