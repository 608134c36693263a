"""Compares a reading of all boards with the game: a proposed soul phase, or differences. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.adapters.wicked.boards.audit import Difference, FinalAudit, audit, final_audit
from companion.adapters.wicked.boards.phase_correction import PhaseCorrection, phase_correction
from companion.adapters.wicked.boards.sign_corrections import SignCorrection, sign_corrections
from companion.adapters.wicked.boards.views import (
    BoardChoice,
    BoardCorrection,
    BoardDifference,
    BoardPoints,
    BoardSouls,
)
from companion.adapters.wicked.soul_proposals import SoulProposal, propose_souls
from companion.games.wicked.components import COLOURS, RANKS
from companion.games.wicked.moves import Move
from companion.games.wicked.state import Player, State
from companion.session import Step, Timeline
from vision.games.wicked.readings import BoardsReading


@dataclass(frozen=True, slots=True)
class BoardsComparison:
    """What a reading means in one state of the game."""

    souls: SoulProposal | None = None
    """The proposal, in the soul phase only."""
    differences: tuple[Difference, ...] = ()
    """Between reading and journal, in the other phases."""
    final: FinalAudit | None = None
    """The final score, at the end of the game."""
    places: tuple[int | None, ...] = ()
    """For each difference, the entry that changed it last; None where none did."""
    redo: PhaseCorrection | None = None
    """Correction of the soul phase that has just ended, where there is one."""
    signs: tuple[SignCorrection, ...] = ()
    """Corrections of witch's signs by which the impurity becomes as read."""


def compared_boards(timeline: Timeline, names: Sequence[str], reading: BoardsReading) -> BoardsComparison:
    """Compare a reading with the present state of a game; names: by seat."""
    state = timeline.state
    signs = sign_corrections(timeline, names, reading)
    if state.phase == "soul":
        return BoardsComparison(propose_souls(state, names, reading), signs=signs)
    differences = audit(state, names, reading) if reading.boards else ()
    return BoardsComparison(
        None,
        differences,
        final_audit(state, reading) if state.phase == "over" else None,
        tuple(_changed_last(timeline.steps, one) for one in differences),
        phase_correction(state, timeline.entries, timeline.steps, names, reading) if differences else None,
        signs,
    )


def _changed_last(steps: Sequence[Step[State, Move]], difference: Difference) -> int | None:
    """Return the number of the journal entry that last changed the part with this difference."""
    seat, about = difference.seat, difference.about
    if seat is None or not about:
        return None
    for step in reversed(steps):
        before, after = (_of(state.players[seat], about) for state in (step.before, step.after))
        if before != after:
            return step.number
    return None


def _of(player: Player, about: str) -> object:
    """Return the part of a player's board that a difference is about."""
    what, _, which = about.partition(":")
    for rank in RANKS:
        if what == rank:
            return [player.row(rank)[colour] for colour in COLOURS if colour == which]
    if what == "great":
        return [one.card for one in player.achieved_great if one.card == which]
    parts: dict[str, object] = {
        "promotion": player.promotion,
        "colour_change": player.colour_change,
        "small": player.achieved_small,
        "impurity": player.impurity,
    }
    return parts.get(what)


def soul_views(proposal: SoulProposal | None) -> tuple[BoardSouls, ...]:
    """Return a proposal for screens."""
    if proposal is None:
        return ()
    return tuple(
        BoardSouls(
            seat.seat,
            tuple(BoardChoice(choice.moves, choice.lines, choice.misread) for choice in seat.choices),
            seat.doubts,
        )
        for seat in proposal.seats
    )


def difference_views(comparison: BoardsComparison) -> tuple[BoardDifference, ...]:
    """Return the differences for screens."""
    return tuple(
        BoardDifference(one.seat, one.text, one.doubtful, place)
        for one, place in zip(comparison.differences, comparison.places, strict=True)
    )


def correction_views(comparison: BoardsComparison) -> tuple[BoardCorrection, ...]:
    """Return the corrections of impurity for screens."""
    return tuple(
        BoardCorrection(sign.told, tuple(change.entry for change in sign.revision.changes))
        for sign in comparison.signs
    )


def points_views(final: FinalAudit | None) -> tuple[BoardPoints, ...]:
    """Return the final points for screens."""
    return (
        ()
        if final is None
        else tuple(BoardPoints(one.seat, one.seen, one.kept, one.possible) for one in final.points)
    )
