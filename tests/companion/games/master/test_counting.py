"""Tokens and wands counted on the table after play: what the count may be, and what becomes of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from companion.games.game import IllegalMove, Step
from companion.games.master.components import FORMULAS, TOKENS
from companion.games.master.game import MASTER
from companion.games.master.maze import CARRIED, bits, places
from companion.games.master.moves import CountHoldings, EndGame, Move, NoteFormula, Shift, Stay, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup
from companion.games.master.scoring import final_scores
from companion.games.master.state import TAKEN, MasterState
from companion.games.master.text.notation import read_move, write_move
from companion.session import Change, Played, Seat, Started, Timeline
from companion.session.correction_preview import what_if
from tests.companion.games.master.mazes import FIRST, placed

NAMES = ("Ada", "Bruno")
NOW = datetime(2026, 11, 26, tzinfo=UTC)
RECORDED = CountHoldings(((1, 3), (2,)), (3, 1))


def ended() -> MasterState:
    """A game of two that ended with three tokens taken and two wands used."""
    state = placed()
    first, second = state.players
    players = (replace(first, tokens=(1, 3)), replace(second, tokens=(2,), wands=1))
    tokens = (TAKEN, TAKEN, TAKEN, *state.tokens[3:])
    return apply(replace(state, players=players, tokens=tokens), EndGame())


def line(state: MasterState, move: CountHoldings) -> str:
    after = apply(state, move)
    return str(MASTER.describe(Step(1, move, state, after), after, NAMES, None))


def test_a_count_that_cannot_be_right_is_refused_in_one_line(subtests: pytest.Subtests) -> None:
    state = ended()
    table = {
        "Count the tokens": (
            CountHoldings(((1, 2, 3),), (3,)),
            CountHoldings(((1, 3), (2,)), (3,)),
        ),
        "Each token that was taken": (
            CountHoldings(((1, 3), ()), (3, 1)),
            CountHoldings(((1, 3), (2, 3)), (3, 1)),
            CountHoldings(((1, 3), (2, 4)), (3, 1)),
            CountHoldings(((1, 3), (2, 21)), (3, 1)),
        ),
        "There are 6 wands in the game, three a player: 7 is wrong.": (
            CountHoldings(((1, 3), (2,)), (4, 3)),
            CountHoldings(((1, 3), (2,)), (0, 7)),
        ),
        "There are 6 wands in the game": (CountHoldings(((1, 3), (2,)), (-1, 3)),),
    }
    for why, moves in table.items():
        for move in moves:
            with subtests.test(move=move), pytest.raises(IllegalMove, match=why):
                apply(state, move)
    with pytest.raises(IllegalMove, match="once play has ended"):
        apply(placed(), RECORDED)


def test_a_count_replaces_what_was_recorded_and_is_scored() -> None:
    state = ended()
    count = CountHoldings(((1,), (2, 3)), (2, 1))
    assert line(state, count) == "Tokens and wands are counted: Ada has 2 wands and Bruno has token 3"
    assert line(state, RECORDED) == "Tokens and wands are counted: all is as recorded"
    counted = apply(state, count)
    assert counted.counted
    assert [score.total for score in final_scores(counted)] == [1 + 6, 5 + 3]
    for seat, numbers in enumerate(FORMULAS[:2]):
        counted = apply(counted, NoteFormula(seat, numbers))
    assert counted.phase == "over"
    assert apply(counted, RECORDED).players[0].tokens == (1, 3)


def test_a_correction_that_reopens_a_counted_game_drops_the_count_which_is_made_again() -> None:
    """The last token was not taken after all: play goes on, ends, and is counted a second time."""
    shifted = FIRST.shifted("T1", bits("TB"))
    place = max(places(shifted.reached(CARRIED["T1"][placed().wizards[0]])))
    before = CARRIED["T1"].index(place)
    start = placed(tokens=(TAKEN,) * 20 + (before,))
    held = replace(start.players[0], tokens=TOKENS[:20])
    start = replace(start, players=(held, start.players[1]))
    seats = (Seat("Ada", "red"), Seat("Bruno", "brown"))
    started = Started(1, NOW, MASTER.stage(start), MASTER.id, seats, MasterSetup(), "")
    timeline = Timeline(MASTER, started, (started,), start)
    count = CountHoldings((TOKENS, ()), (3, 3))
    notes = tuple(NoteFormula(seat, numbers) for seat, numbers in enumerate(FORMULAS[:2]))
    played: tuple[Move, ...] = (Shift(0, "T1", "TB"), Walk(0, place, True), notes[0], count, notes[1])
    for number, move in enumerate(played, 2):
        timeline = timeline.after(Played(number, NOW, MASTER.stage(timeline.state), move, "hand"))
    assert MASTER.stage(timeline.state).phase == "over"

    change: Change[Move] = Change(3, Walk(0, place, False))
    found = what_if(timeline, [change])
    assert found.complete
    assert [one.step.move for one in found.dropped] == [count]
    assert (found.state.phase, found.state.mover, found.state.counted) == ("shift", 1, False)
    state = found.state
    shift = MASTER.legal_moves(state, 1)[0]
    for move in (shift, Stay(1), EndGame(), CountHoldings((TOKENS[:20], ()), (2, 3))):
        state = apply(state, move)
    assert (state.phase, state.counted) == ("over", True)


def test_a_count_is_written_and_read_as_text() -> None:
    for count in (RECORDED, CountHoldings(((), TOKENS), (0, 3))):
        assert read_move(write_move(count)) == count
    assert write_move(RECORDED) == "count 1,3:3 2:1"


def test_it_concerns_the_whole_table() -> None:
    assert MASTER.actor(RECORDED) is None
