"""What happens to later moves when an earlier one is corrected."""

from __future__ import annotations

from companion.games.game import Rebased
from companion.games.master.moves import CountHoldings, Move, NoteFormula
from companion.games.master.state import MasterState


def rebase(state: MasterState, move: Move) -> Rebased[Move]:
    """Return what happens to a later move that became illegal when an earlier one was corrected.

    state: the corrected state in which it would be made. If play has ended there, the move is dropped, and so is a
    count of what lay before the players, which is made again at the end. A person has to correct other moves, too.
    """
    if isinstance(move, NoteFormula):
        return Rebased("dropped" if state.phase == "over" else "blocked")
    return Rebased("dropped" if state.formulas_shown or isinstance(move, CountHoldings) else "blocked")
