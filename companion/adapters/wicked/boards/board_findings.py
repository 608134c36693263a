"""Interprets a reading of all boards: as a proposed soul phase, or as differences from the journal. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from companion.adapters.wicked.boards.journal_differences import BoardDifference, audit, final_audit
from companion.adapters.wicked.boards.soul_phase_correction import phase_correction
from companion.adapters.wicked.boards.witch_sign_corrections import sign_corrections
from companion.adapters.wicked.soul_phase_proposals import propose_souls
from companion.games.game import OVER
from companion.games.wicked.components import COLOURS, RANKS
from companion.games.wicked.moves import Move
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.referee.finding import Comparison, Difference, Finding
from companion.session import Step, Timeline
from vision.games.wicked.readings import BoardsReading


def interpret_boards(timeline: Timeline, names: Sequence[str], reading: BoardsReading) -> Finding[Move]:
    """Return what a reading of all boards means in the present state of a game. names: by seat.

    In the soul phase it is a proposal of that phase's moves, in other phases the differences from the journal, and
    at the end of the game also the points of the boards as read.
    """
    state = timeline.state
    corrections = sign_corrections(timeline, names, reading)
    if state.phase == "soul":
        return Finding(
            propose_souls(state, names, reading), Comparison(problems=reading.problems, corrections=corrections)
        )
    differences = audit(state, names, reading) if reading.boards else ()
    final = final_audit(state, reading) if state.phase == OVER else None
    comparison = Comparison(
        tuple(_located(timeline.steps, one) for one in differences),
        (*reading.problems, *(() if final is None else final.doubts)),
        corrections,
        phase_correction(state, timeline.entries, timeline.steps, names, reading) if differences else None,
        () if final is None else final.points,
        "" if final is None else final.verdict,
    )
    return Finding(None, comparison)


def _located(steps: Sequence[Step[WickedState, Move]], one: BoardDifference) -> Difference:
    """Return a difference with the number of the journal entry that last changed the part that differs."""
    return Difference(one.seat, one.text, one.doubtful, _changed_last(steps, one))


def _changed_last(steps: Sequence[Step[WickedState, Move]], difference: BoardDifference) -> int | None:
    """Return the number of the latest journal entry that changed the part that differs; None without one."""
    seat, about = difference.seat, difference.about
    if seat is None or not about:
        return None
    for step in reversed(steps):
        before, after = (_part_value(state.players[seat], about) for state in (step.before, step.after))
        if before != after:
            return step.number
    return None


def _part_value(player: WickedPlayer, about: str) -> object:
    """Return the value, by the journal, of the part of a board that a difference is about.

    about: as in `BoardDifference`.
    """
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
