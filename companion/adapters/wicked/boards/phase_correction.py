"""Corrects the soul phase that has just ended, where the boards as read differ from the journal. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from companion.adapters.wicked.soul_proposals import SoulProposal, propose_souls
from companion.games.wicked import apply
from companion.games.wicked.moves import Move
from companion.games.wicked.state import Player, State
from companion.session import Entry, Played, Step, Undone
from companion.session.concurrent_moves import owner_of_move
from vision.games.wicked.readings import BoardsReading


@dataclass(frozen=True, slots=True)
class PhaseCorrection:
    """Entries to undo, newest first, and moves to enter instead."""

    entries: tuple[int, ...]
    moves: tuple[Move, ...]


def phase_correction(
    state: State, entries: Sequence[Entry], steps: Sequence[Step], names: Sequence[str], reading: BoardsReading
) -> PhaseCorrection | None:
    """Return the correction of the soul phase that has just ended.

    Only where it is unambiguous: each board has one legal interpretation, no entry of the phase was corrected, and
    the boards differ from the journal. names: by seat.
    """
    if state.phase not in ("lay", "over"):
        return None
    phase = tuple(takewhile(lambda step: owner_of_move(step.move) is not None, reversed(steps)))
    if not phase or not all(isinstance(entry, (Played, Undone)) for entry in entries[phase[-1].number - 1 :]):
        return None
    before = phase[-1].before
    proposal = propose_souls(before, names, reading)
    if proposal is None or not _is_one_way(proposal):
        return None
    moves = proposal.moves(proposal.likeliest)
    after = before
    for move in moves:
        after = apply(after, move)
    if all(map(Player.has_same_board_as, after.players, state.players)):
        return None
    return PhaseCorrection(tuple(step.number for step in phase), moves)


def _is_one_way(proposal: SoulProposal) -> bool:
    return not proposal.problems and all(
        len(seat.choices) == 1 and not seat.choices[0].misread for seat in proposal.seats
    )
