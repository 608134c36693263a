"""What happens to later moves when an earlier one is corrected."""

from __future__ import annotations

from companion.games.game import Rebased
from companion.games.master.moves import Move, NoteFormula
from companion.games.master.state import MasterState


def rebase(state: MasterState, move: Move) -> Rebased[Move]:
    """Return what happens to a later move that became illegal when an earlier one was corrected.

    state: the corrected state in which it would be made. If play has ended there, the move is dropped; otherwise a
    person has to correct it, too.
    """
    ended = state.phase == "over" or (state.phase == "formulas" and not isinstance(move, NoteFormula))
    return Rebased("dropped" if ended else "blocked")
