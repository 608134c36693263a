"""Everybody's boards as read, held against the game where it stands: what is proposed, or what differs. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.wicked.state import State
from companion.referee.board_audit import Difference, FinalAudit, audit, final_audit
from companion.referee.souls import SoulProposal, propose_souls
from companion.session import Entry, Step
from companion.table.board_redo import Redo, redone
from companion.table.board_views import BoardChoice, BoardDifference, BoardPoints, BoardSouls
from vision.board_readings import BoardsReading


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reading amounts to at a state: souls to take in the soul phase, else what differs; the end's score.

    redo: the soul phase that has just ended, entered anew as it is seen, where it can be.
    """

    souls: SoulProposal | None = None
    differences: tuple[Difference, ...] = ()
    final: FinalAudit | None = None
    redo: Redo | None = None


def judged(
    state: State, entries: Sequence[Entry], steps: Sequence[Step], names: Sequence[str], reading: BoardsReading
) -> Judged:
    """Hold a reading against a state; entries, steps: of the journal that leads there; names: by seat."""
    if state.phase == "soul":
        return Judged(propose_souls(state, names, reading))
    differences = audit(state, names, reading) if reading.boards else ()
    final = final_audit(state, reading) if state.phase == "over" else None
    redo = redone(state, entries, steps, names, reading) if differences else None
    return Judged(None, differences, final, redo)


def souls_told(proposal: SoulProposal | None) -> tuple[BoardSouls, ...]:
    """Tell a proposal to screens."""
    if proposal is None:
        return ()
    return tuple(
        BoardSouls(
            seat.seat,
            tuple(BoardChoice(choice.moves, choice.told, choice.misread) for choice in seat.choices),
            seat.doubts,
        )
        for seat in proposal.seats
    )


def differences_told(differences: Sequence[Difference]) -> tuple[BoardDifference, ...]:
    """Tell differences to screens."""
    return tuple(BoardDifference(one.seat, one.text, one.doubtful) for one in differences)


def points_told(final: FinalAudit | None) -> tuple[BoardPoints, ...]:
    """Tell the final points to screens."""
    return (
        ()
        if final is None
        else tuple(BoardPoints(one.seat, one.seen, one.kept, one.possible) for one in final.points)
    )
