"""The latest soul phase once more as the camera sees its boards, where the journal has it otherwise. Pure."""

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
class Redo:
    """What leads from the journal to the boards as seen: entries to take back, newest first, and moves instead."""

    entries: tuple[int, ...]
    moves: tuple[Move, ...]


def redone(
    state: State, entries: Sequence[Entry], steps: Sequence[Step], names: Sequence[str], reading: BoardsReading
) -> Redo | None:
    """Tell how the soul phase that has just ended can be entered anew, so that boards lie as seen.

    Only where all of it can be told surely: every board can be taken in just one way that the rules allow, nothing
    of the phase has been corrected, and the boards lie otherwise than in the journal. names: by seat.
    """
    if state.phase not in ("lay", "over"):
        return None
    souls = tuple(takewhile(lambda step: owner_of_move(step.move) is not None, reversed(steps)))
    if not souls or not all(isinstance(entry, (Played, Undone)) for entry in entries[souls[-1].number - 1 :]):
        return None
    before = souls[-1].before
    proposal = propose_souls(before, names, reading)
    if proposal is None or not _is_one_way(proposal):
        return None
    moves = proposal.moves(proposal.likeliest)
    after = before
    for move in moves:
        after = apply(after, move)
    if all(map(Player.lies_like, after.players, state.players)):
        return None
    return Redo(tuple(step.number for step in souls), moves)


def _is_one_way(proposal: SoulProposal) -> bool:
    return not proposal.problems and all(
        len(seat.choices) == 1 and not seat.choices[0].misread for seat in proposal.seats
    )
