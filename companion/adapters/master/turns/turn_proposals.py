"""Proposes the turn that was played, or describes the faults on the table, from readings of the board at rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Final

import numpy as np

from calibration.translatable import sentences
from companion.adapters.master.evidence.board_likelihoods import Evidence, evidence, most_are_whole, unread_reason
from companion.adapters.master.evidence.player_statements import with_statements
from companion.adapters.master.questions import (
    check_table,
    did_two_turns_pass,
    enter_two_turns,
    which_turn,
    whose_wand,
)
from companion.adapters.master.turns.table_faults import Fault, fault_line
from companion.adapters.master.turns.turn_posterior import PossibleTurn, TurnPosterior, turn_posterior
from companion.games.game import IllegalMove
from companion.games.master.components import LOOSE
from companion.games.master.maze import CARRIED
from companion.games.master.moves import Move, Shift, Stay, UseWand, Walk, acting_player
from companion.games.master.rules.engine import apply
from companion.games.master.state import TAKEN, MasterState
from companion.games.master.text.move_descriptions import place_name
from companion.referee.finding import Finding
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from companion.table.game_adapter import Statement
from vision.games.master.readings import MazeReading

CERTAIN: Final = 0.95
"""Minimum probability at which a turn is entered without a question."""
UNCHANGED: Final = 0.7
"""Minimum probability of an unchanged board at which nothing is proposed."""
ILLEGAL: Final = 0.5
"""Probability of a fault above which the table counts as illegal."""
WORTH_CHECKING: Final = 0.05
"""Minimum probability of a fault at which a question mentions it."""
WORTH_CHECKING_UNCHANGED: Final = 0.15
"""The same for an unchanged board, which is read much more often than a turn."""
_MOST_CHOICES: Final = 3
"""Maximum number of choices of a question."""
_MIN_CHOICE: Final = 0.01
"""Minimum probability of each choice but the first."""
_SEEN: Final = 3.0
"""Minimum log likelihood ratio of a wizard's likeliest place to most others at which the wizard was seen."""
_MOST_FAULTS: Final = 3
"""Maximum number of faults that are described; with more, the whole board counts as wrong."""
_MISREAD: Final = 5.0
"""Difference of log-likelihood to the best openings above which a tile counts as misread."""


def propose_turn(
    state: MasterState, names: Sequence[str], readings: Sequence[MazeReading], statements: Sequence[Statement] = ()
) -> Finding[Move]:
    """Return the turn that readings show, with a question if it is uncertain, or the faults on the table.

    Nothing is proposed unless most readings show the whole board. state: position in the journal, in which a turn
    is due. readings: of several pictures of one still scene. names: by seat. statements: what people stated to lie
    on the table.
    """

    def evidence_of(read: Sequence[MazeReading]) -> Evidence | None:
        return evidence(read, [player.colour for player in state.players], state.maze)

    seen = evidence_of(readings)
    if seen is None or not most_are_whole(readings):
        return Finding(unread=unread_reason(readings))
    seen = with_statements(seen, statements, evidence_of)
    found = turn_posterior(state, seen)
    likely = [turn for turn in found.turns if turn.probability >= _MIN_CHOICE]
    instead = _shift_instead(state, likely[0].moves) if likely else ()
    if instead and (found.illegal <= ILLEGAL or found.nearest == instead):
        others = [turn for turn in likely[1:] if turn.moves not in ((), instead)]
        likely = [likely[0], PossibleTurn(instead, max(found.illegal, _MIN_CHOICE)), *others]
        doubt = which_turn(state, [turn.moves for turn in likely], names)
        return Finding(Proposal((_question(state, likely, seen, (doubt,)),)))
    if found.illegal > ILLEGAL:
        return _fault_finding(state, names, found, seen)
    turns = [turn for turn in found.turns if turn.moves]
    unchanged = sum(turn.probability for turn in found.turns if not turn.moves)
    if unchanged >= UNCHANGED and found.illegal < WORTH_CHECKING_UNCHANGED:
        return Finding(supersedes=True)
    if not turns or unchanged >= UNCHANGED:
        return _fault_finding(state, names, found, seen, ask=True)
    doubts = _doubts(state, names, turns, found, seen)
    return Finding(Proposal((_question(state, turns, seen, doubts),)))


def _shift_instead(state: MasterState, moves: Sequence[Move]) -> tuple[Move, ...]:
    """Return the next player's shift that leads to the same board as an extra turn by a wand; empty if none does.

    It does if the wizard could reach its place before the shift: then it may have gone on after its turn was
    entered, and have been carried along.
    """
    match moves:
        case (UseWand(player=seat), Shift() as shift, Walk(place=place)) if state.maze is not None:
            before = CARRIED[shift.arrow].index(place)
            if state.maze.reached(state.wizards[seat]) >> before & 1:
                return (replace(shift, player=state.mover),)
    return ()


def _doubts(
    state: MasterState, names: Sequence[str], turns: Sequence[PossibleTurn], found: TurnPosterior, seen: Evidence
) -> tuple[Doubt, ...]:
    """Return the doubts for which a person has to confirm the likeliest turn; empty if it is certain."""
    first = turns[0]
    if first.two_lines:
        pushed = [move for move in first.moves if isinstance(move, Shift)]
        return (Doubt(acting_player(first.moves[-1]), did_two_turns_pass(pushed)),)
    likely = first.probability >= CERTAIN and found.illegal < WORTH_CHECKING
    others = [] if likely else [turn.moves for turn in turns[1:] if turn.probability >= _MIN_CHOICE]
    if whose := _whose_wand(state, [first.moves, *others], names):
        return (whose,)
    if likely and not _moves_unseen(state, first.moves, seen):
        return ()
    if found.illegal >= max(WORTH_CHECKING, *(turn.probability for turn in found.turns[1:]), 0.0):
        return tuple(_fault_doubt(fault, names, ask=True) for fault in found.faults[:1])
    return (which_turn(state, [first.moves, *others], names),)


def _whose_wand(state: MasterState, turns: Sequence[tuple[Move, ...]], names: Sequence[str]) -> Doubt | None:
    """Return the question whose wand was used where a player may have stayed and then used one; None if none did.

    turns: moves of each possible turn.
    """
    earlier = state.unused_wand_of
    for moves in turns:
        match moves:
            case (Stay(player=seat), UseWand(), *_) if earlier is not None and earlier != seat:
                return whose_wand(seat, earlier, names)
    return None


def _moves_unseen(state: MasterState, moves: Sequence[Move], seen: Evidence) -> bool:
    """Return whether a turn ends with the move of a wizard that was hardly seen, and that takes no token.

    It may be in a hand or beside the board: its place is what visible tokens leave, not what was read.
    """
    if not moves or not isinstance(moves[-1], Walk):
        return False
    row = seen.wizards[moves[-1].player]
    if row.max() - np.median(row) >= _SEEN:
        return False
    after = reduce(apply, moves, state)
    return after.tokens.count(TAKEN) == state.tokens.count(TAKEN)


def _fault_finding(
    state: MasterState, names: Sequence[str], found: TurnPosterior, seen: Evidence, *, ask: bool = False
) -> Finding[Move]:
    """Return the faults on the table, with the legal moves among what was done, if any, as a possible answer.

    Where two lines were pushed, a move between them may be missing: then no wizard is blamed for its place. ask:
    word faults as a request to check the table, since they are not certain.
    """
    pushed = [move for move in found.nearest if isinstance(move, Shift)]
    if len(pushed) > 1:
        return Finding(unread=enter_two_turns(pushed), supersedes=True)
    faults = found.faults
    if len(faults) > _MOST_FAULTS:
        faults = (Fault("board"),)
    doubts = tuple(_fault_doubt(fault, names, ask=ask) for fault in faults)
    line = sentences(*(doubt.question for doubt in doubts))
    where = tuple(dict.fromkeys(place for doubt in doubts for place in doubt.where))
    if not found.nearest or not _is_legal(state, found.nearest):
        return Finding(unread=line, where=where, supersedes=True)
    nearest = PossibleTurn(found.nearest, found.illegal)
    return Finding(Proposal((_question(state, [nearest], seen, doubts),)))


def _fault_doubt(fault: Fault, names: Sequence[str], *, ask: bool = False) -> Doubt:
    line = fault_line(fault, names)
    return Doubt(fault.seat, check_table(line) if ask else line, fault.places)


def _is_legal(state: MasterState, moves: Sequence[Move]) -> bool:
    try:
        for move in moves:
            state = apply(state, move)
    except IllegalMove:
        return False
    return True


def _question(
    state: MasterState, turns: Sequence[PossibleTurn], seen: Evidence, doubts: tuple[Doubt, ...]
) -> Question[Move]:
    """Return the question which of these turns was made. turns: likeliest first."""
    shown = [
        turn for number, turn in enumerate(turns[:_MOST_CHOICES]) if number == 0 or turn.probability >= _MIN_CHOICE
    ]
    choices = tuple(Choice(turn.moves, turn.probability, _misread_tiles(state, turn.moves, seen)) for turn in shown)
    return Question(acting_player(turns[0].moves[-1]), choices, doubts)


def _misread_tiles(state: MasterState, moves: Sequence[Move], seen: Evidence) -> tuple[str, ...]:
    """Return the names of the places whose tiles were misread if these moves were made."""
    for move in moves:
        state = apply(state, move)
    maze = state.maze
    if maze is None:
        return ()
    best = seen.tiles.max(axis=1)
    return tuple(
        place_name(place) for place in LOOSE if seen.tiles[place, maze.tile(place)] < best[place] - _MISREAD
    )
