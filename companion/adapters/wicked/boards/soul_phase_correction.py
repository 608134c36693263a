"""Proposes other moves for the soul phase that has just ended, where boards differ from the journal. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from companion.adapters.wicked.soul_phase_proposals import propose_souls
from companion.games.game import OVER
from companion.games.wicked import apply
from companion.games.wicked.moves import Move, NameOracle
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.referee.finding import Replacement
from companion.referee.proposal import Proposal
from companion.session import Entry, Played, Step, Undone
from vision.games.wicked.readings import BoardsReading


def phase_correction(
    state: WickedState,
    entries: Sequence[Entry[Move]],
    steps: Sequence[Step[WickedState, Move]],
    names: Sequence[str],
    reading: BoardsReading,
) -> Replacement[Move] | None:
    """Return other moves for the soul phase that has just ended, which lead to the boards as read.

    Oracle cards that were named in the phase or since (`NameOracle`) stay named. None unless the boards differ from
    the journal, each board has exactly one legal interpretation, and no entry of the phase was corrected. state,
    entries, steps: of the session. names: by seat.
    """
    if state.phase not in ("lay", OVER):
        return None
    latest = tuple(
        takewhile(lambda step: step.before.phase == "soul" or isinstance(step.move, NameOracle), reversed(steps))
    )
    replaced = tuple(step.number for step in latest if not isinstance(step.move, NameOracle))
    if not replaced or not all(isinstance(entry, (Played, Undone)) for entry in entries[latest[-1].number - 1 :]):
        return None
    before = latest[-1].before
    for step in reversed(latest):
        if isinstance(step.move, NameOracle):
            before = apply(before, step.move)
    proposal = propose_souls(before, names, reading)
    if proposal is None or not _is_unambiguous(proposal):
        return None
    moves = proposal.likeliest
    after = before
    for move in moves:
        after = apply(after, move)
    if all(map(WickedPlayer.has_same_board_as, after.players, state.players)):
        return None
    return Replacement(replaced, moves)


def _is_unambiguous(proposal: Proposal[Move]) -> bool:
    """Return whether a proposal has exactly one choice per seat, none of which assumes reading errors."""
    return not proposal.problems and all(
        len(seat.choices) == 1 and not seat.choices[0].misread for seat in proposal.questions
    )
