"""Advice equals an exhaustive search by the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.games.master.adviser.turn_search import Advice, best_pair, best_turn
from companion.games.master.components import FORMULA_POINTS, WAND_POINTS
from companion.games.master.moves import Shift, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.state import MasterState
from tests.companion.games.master.mazes import random_position
from tests.companion.games.master.reply_search import best_against_reply


def turns(state: MasterState, known: set[object] | None = None) -> Iterator[MasterState]:
    """Every state after a whole turn of the mover, once per shift and end that differ in what can follow.

    known: positions after a shift, each with the ends that it allows; they are left out, and new ones are added.
    """
    known = set() if known is None else known
    for shift in player_moves(state, state.mover):
        if isinstance(shift, Shift):
            after = apply(state, shift)
            ends = [end for end in player_moves(after, after.mover) if isinstance(end, (Walk, Stay))]
            reached = frozenset(
                (end.place, end.take) if isinstance(end, Walk) else (after.wizards[after.mover], False)
                for end in ends
            )
            position = (after.maze, after.closed, after.tokens, after.players, reached)
            if position not in known:
                known.add(position)
                yield from (apply(after, end) for end in ends)


def gain(before: MasterState, after: MasterState, seat: int) -> int:
    """Points that a player has won between two states, with their own formula card."""
    formula = before.players[seat].formula or ()
    new = set(after.players[seat].tokens) - set(before.players[seat].tokens)
    wands = before.players[seat].wands - after.players[seat].wands
    return sum(number + FORMULA_POINTS * (number in formula) for number in new) - WAND_POINTS * wands


def played(state: MasterState, advice: Advice) -> MasterState:
    """The state after the advised turns, by the rules."""
    seat = state.mover
    for number, turn in enumerate(advice.turns):
        if number:
            state = apply(state, UseWand(seat))
        state = apply(state, Shift(seat, turn.arrow, turn.openings))
        stays = state.wizards[seat] == turn.place
        state = apply(state, Stay(seat) if stays else Walk(seat, turn.place, turn.take))
    return state


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_the_best_turn_is_the_best_of_all(first: int) -> None:
    for seed in range(first, first + 10):
        state = random_position(seed)
        advice = best_turn(state, state.mover)
        assert advice.gain == gain(state, played(state, advice), state.mover)
        assert advice.gain == max(gain(state, after, state.mover) for after in turns(state))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_the_best_pair_is_the_best_of_all_pairs(seed: int) -> None:
    state = random_position(100 + seed)
    advice = best_pair(state, state.mover)
    assert advice.gain == gain(state, played(state, advice), state.mover)
    best = 0
    reached: set[object] = set()
    known: set[object] = set()
    for after in turns(state):
        best = max(best, gain(state, after, state.mover))
        key = (after.maze, after.closed, after.wizards, after.tokens)
        if after.phase == "shift" and key not in reached:
            reached.add(key)
            again = apply(after, UseWand(state.mover))
            best = max([best, *(gain(state, end, state.mover) for end in turns(again, known))])
    assert advice.gain == best


@pytest.mark.parametrize("seed", range(4))
def test_the_turn_against_the_next_reply_has_the_best_difference(seed: int) -> None:
    state = random_position(200 + seed)
    advice = best_against_reply(state, state.mover)
    after = played(state, advice)
    assert advice.gain == gain(state, after, state.mover)
    replies: dict[object, int] = {}

    def reply(end: MasterState) -> int:
        key = (end.maze, end.closed, end.tokens)
        if end.phase != "shift":
            return 0
        if key not in replies:
            replies[key] = max(gain(end, answer, end.mover) for answer in turns(end))
        return replies[key]

    assert advice.reply == reply(after)
    assert advice.gain - advice.reply == max(gain(state, end, state.mover) - reply(end) for end in turns(state))
