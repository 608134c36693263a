"""Everybody's boards as read, held against the game where it stands: what is proposed, or what differs. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.adapters.wicked.boards.audit import Difference, FinalAudit, audit, final_audit
from companion.adapters.wicked.boards.phase_correction import Redo, redone
from companion.adapters.wicked.boards.sign_corrections import SignMoved, signs_moved
from companion.adapters.wicked.boards.views import (
    BoardChoice,
    BoardCorrection,
    BoardDifference,
    BoardPoints,
    BoardSouls,
)
from companion.adapters.wicked.soul_proposals import SoulProposal, propose_souls
from companion.games.wicked.components import COLOURS, RANKS
from companion.games.wicked.state import Player
from companion.session import Step, Timeline
from vision.games.wicked.readings import BoardsReading


@dataclass(frozen=True, slots=True)
class BoardsComparison:
    """What a reading amounts to at a state: souls to take in the soul phase, else what differs; the end's score.

    places: the entry that changed what differs last, None where none did. redo: the soul phase that has just ended,
    entered anew as it is seen, where it can be; signs: corrections by which impurity becomes as seen.
    """

    souls: SoulProposal | None = None
    differences: tuple[Difference, ...] = ()
    final: FinalAudit | None = None
    places: tuple[int | None, ...] = ()
    redo: Redo | None = None
    signs: tuple[SignMoved, ...] = ()


def compared_boards(timeline: Timeline, names: Sequence[str], reading: BoardsReading) -> BoardsComparison:
    """Hold a reading against a game as it stands; names: by seat."""
    state = timeline.state
    signs = signs_moved(timeline, names, reading)
    if state.phase == "soul":
        return BoardsComparison(propose_souls(state, names, reading), signs=signs)
    differences = audit(state, names, reading) if reading.boards else ()
    return BoardsComparison(
        None,
        differences,
        final_audit(state, reading) if state.phase == "over" else None,
        tuple(_changed_last(timeline.steps, one) for one in differences),
        redone(state, timeline.entries, timeline.steps, names, reading) if differences else None,
        signs,
    )


def _changed_last(steps: Sequence[Step], difference: Difference) -> int | None:
    """Find the entry of the move that changed last what differs now."""
    seat, about = difference.seat, difference.about
    if seat is None or not about:
        return None
    for step in reversed(steps):
        before, after = (_of(state.players[seat], about) for state in (step.before, step.after))
        if before != after:
            return step.number
    return None


def _of(player: Player, about: str) -> object:
    """Give the part of a player's board that a difference is about."""
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


def difference_views(told: BoardsComparison) -> tuple[BoardDifference, ...]:
    """Tell differences to screens."""
    return tuple(
        BoardDifference(one.seat, one.text, one.doubtful, place)
        for one, place in zip(told.differences, told.places, strict=True)
    )


def correction_views(told: BoardsComparison) -> tuple[BoardCorrection, ...]:
    """Tell corrections of impurity to screens."""
    return tuple(
        BoardCorrection(sign.told, tuple(change.entry for change in sign.revision.changes)) for sign in told.signs
    )


def points_views(final: FinalAudit | None) -> tuple[BoardPoints, ...]:
    """Tell the final points to screens."""
    return (
        ()
        if final is None
        else tuple(BoardPoints(one.seat, one.seen, one.kept, one.possible) for one in final.points)
    )
