"""Whether a board can come from another, against what the engine's own moves reach."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.wicked import WickedState, apply
from companion.games.wicked.adviser import misread_line, reachable
from companion.games.wicked.adviser.reachability import OracleMisread, SpellsMisread, TokenMisread
from companion.games.wicked.bots.random_moves import random_choice
from companion.games.wicked.components import RANKS
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.adviser.exhaustive import (
    corrupted,
    corruptions,
    made_up,
    reachable_boards,
    small_positions,
    unordered,
)
from tests.companion.games.wicked.scenarios import achieved, board, play, soul_phase

seeds = given(seed=st.integers(0, 2**32))
some = settings(max_examples=60, derandomize=True, database=None)


def wander(state: WickedState, rng: random.Random, actions: int) -> WickedState:
    """Take so many random legal soul actions; ending the phase is left out."""
    for _ in range(actions):
        move = random_choice(state, 0, rng)
        if not isinstance(move, FinishSoul):
            state = apply(state, move)
    return state


def alike(one: WickedPlayer, other: WickedPlayer) -> bool:
    """Return whether two boards look alike on the table."""
    return unordered(one) == unordered(other)


def apart(one: WickedPlayer, other: WickedPlayer) -> int:
    """Count the spots and cards in which two boards differ."""
    count = 0
    for rank in RANKS:
        a, b = Counter(one.row(rank).colours), Counter(other.row(rank).colours)
        count += max((a - b).total(), (b - a).total())
    return count + len({*one.great, *one.small} ^ {*other.great, *other.small})


@some
@seeds
def test_what_random_legal_actions_made_is_reachable_and_the_moves_make_it_again(seed: int) -> None:
    rng = random.Random(seed)
    before = made_up(rng, crowded=rng.random() < 0.3)
    after = wander(before, rng, rng.randint(0, 7))
    if rng.random() < 0.6:
        after = apply(after, FinishSoul(0))

    reached = reachable(before.players[0], after.players[0], before.deck, 0)

    assert reached.reachable
    assert alike(play(before, *reached.moves).players[0], after.players[0])


@pytest.mark.slow
def test_what_is_not_reachable_is_flagged_with_the_nearest_boards_and_what_is_is_reached_in_fewest_moves() -> None:
    rng = random.Random(8)
    flagged = 0
    for number, (state, boards) in enumerate(small_positions(30, seed=21, most=100)):
        ended: dict[WickedPlayer, int] = {}
        for player, depth in boards.items():
            done = replace(player, promotion=0, colour_change=0, finished=True)
            ended[done] = min(depth, ended.get(done, depth))
        for player in rng.sample(list(ended), min(4, len(ended))):
            times = rng.choice((1, 1, 2, 3))
            seen = player
            for _ in range(times):
                seen = unordered(corrupted(seen, rng))
            reached = reachable(state.players[0], seen, state.deck, 0)

            assert reached.reachable == (seen in ended), number
            if reached.reachable:
                assert reached.fewest
                assert len(reached.moves) == ended[seen] + 1
                assert alike(play(state, *reached.moves).players[0], seen)
                continue
            flagged += 1
            least = min(apart(seen, other) for other in ended)
            assert least <= times
            assert reached.not_nearer
            assert {unordered(nearby.player) for nearby in reached.nearest} <= set(ended)
            for nearby in reached.nearest:
                assert len(nearby.misread) == apart(seen, nearby.player) == least
                assert alike(play(state, *nearby.moves).players[0], nearby.player)
    assert flagged > 30


@settings(some, max_examples=6)
@seeds
def test_every_token_misread_is_flagged_unless_the_board_could_truly_be_so(seed: int) -> None:
    state, boards = next(small_positions(1, seed, most=60))
    ended = {replace(player, promotion=0, colour_change=0, finished=True) for player in boards}
    after = random.Random(seed).choice(sorted(ended, key=repr))
    for seen in corruptions(after):
        reached = reachable(state.players[0], seen, state.deck, 0)

        assert reached.reachable == (seen in ended)
        if not reached.reachable:
            assert len(reached.nearest[0].misread) == 1
            assert apart(seen, reached.nearest[0].player) == 1


@settings(some, max_examples=8)
@seeds
def test_a_full_board_with_many_spells_is_found_again_too(seed: int) -> None:
    rng = random.Random(seed)
    before = made_up(rng, crowded=True)
    before = replace(
        before, players=(replace(before.players[0], promotion=2, colour_change=3), *before.players[1:])
    )
    after = apply(wander(before, rng, 8), FinishSoul(0))

    reached = reachable(before.players[0], after.players[0], before.deck, 0)

    assert reached.reachable
    assert alike(play(before, *reached.moves).players[0], after.players[0])


@settings(some, max_examples=15)
@seeds
def test_spells_that_are_still_there_count_too(seed: int) -> None:
    state, boards = next(small_positions(1, seed, most=100))
    rng = random.Random(seed)
    player = rng.choice(list(boards))
    more = replace(player, promotion=player.promotion + 1)

    assert reachable(state.players[0], player, state.deck, 0).reachable
    reached = reachable(state.players[0], more, state.deck, 0)
    further = reachable_boards(state)
    assert further is not None
    assert reached.reachable == any(
        one.promotion == more.promotion
        and one.colour_change >= more.colour_change
        and replace(one, colour_change=more.colour_change) == more
        for one in further
    )


def test_a_recoloured_token_without_a_spell_is_flagged_as_the_one_thing_misread() -> None:
    before = board("rrg")
    seen = board("rrb", finished=True)
    reached = reachable(before, seen, STANDIN, 0)

    assert reached.reachable is False
    assert reached.nearest[0].misread == (TokenMisread("low", "blue", "green"),)
    assert misread_line(reached, STANDIN) == (
        "This board cannot follow from the previous one, unless this was misread: "
        "a low green token read as blue. Check the board."
    )


def test_oracles_and_spells_that_cannot_be_are_flagged() -> None:
    before = board("r", great=("G01",), promotion=1)
    seen = board("r", achieved_great=(achieved("G01", "red", "green"),), finished=True)
    once = reachable(before, seen, STANDIN, 0)
    assert once.nearest[0].misread == (OracleMisread("G01", seen_achieved=True),)
    assert "the oracle (high red + green) read as achieved" in misread_line(once, STANDIN)

    two = reachable(before, board("r", great=("G01",), promotion=2), STANDIN, 0)
    assert two.nearest[0].misread == (SpellsMisread("promotion", 2, 1),)
    assert "one promotion spell read as two" in misread_line(two, STANDIN)

    lost = reachable(board("rr"), board("r", finished=True), STANDIN, 0)
    assert "a low red token missed" in misread_line(lost, STANDIN)
    new = reachable(board("r"), board("rb", finished=True), STANDIN, 0)
    assert "a low blue token read where there is none" in misread_line(new, STANDIN)


def test_a_promotion_spell_is_spent_for_nothing_only_where_nothing_can_rise() -> None:
    empty = board("//r", promotion=1)
    assert reachable(empty, board("//r"), STANDIN, 0).reachable
    assert reachable(board("b//r", promotion=1), board("b//r"), STANDIN, 0).reachable is False
    assert reachable(board("b", colour_change=1), board("b"), STANDIN, 0).reachable


def test_where_there_are_too_many_boards_it_says_that_it_could_not_tell() -> None:
    before = board("rrgbby/rgby/rgb", promotion=3, colour_change=3, small=("S01", "S05"), great=("G01", "G07"))
    after = replace(before, low=board("rrrrrr").low, middle=board("/rrrrr").middle, finished=True)
    reached = reachable(before, after, STANDIN, 0, most=50)

    assert reached.reachable is None
    assert not reached.not_nearer
    assert misread_line(reached, STANDIN).startswith("It is not known")


def test_with_more_spells_than_can_be_searched_it_is_not_known_whether_a_board_can_be_reached() -> None:
    reached = reachable(board("r", promotion=9), board("r", finished=True), STANDIN, 0)
    assert reached.reachable is None
    assert misread_line(reached, STANDIN).startswith("It is not known")


def test_boards_of_different_games_are_refused() -> None:
    before = board("rr", great=("G01",))
    for after, reason in (
        (board("rr", great=("G02",)), "different oracle cards"),
        (board("rrrrrrr", great=("G01",)), "more tokens than spots"),
        (board("rr", great=("G01",), promotion=40), "more than eight spells"),
    ):
        with pytest.raises(ValueError, match=reason):
            reachable(before, after, STANDIN, 0)
    with pytest.raises(ValueError, match="had finished"):
        reachable(replace(before, finished=True), before, STANDIN, 0)
    was = board("", achieved_great=(achieved("G01", "red", "green"),))
    with pytest.raises(ValueError, match="is open now"):
        reachable(was, board("", great=("G01",)), STANDIN, 0)


def test_the_worked_example_is_found_from_its_last_board_alone() -> None:
    """E2: the moves that the example names, or as few."""
    state = soul_phase(board("yggbbb", promotion=1, colour_change=1, great=("G01",), small=("S01",)))
    done = play(
        state,
        "0 promote green low",
        "0 promote blue low",
        "0 change middle blue red",
        "0 small S01 lift green middle",
        "0 promotion red middle",
        "0 great G01",
        "0 done",
    ).players[0]
    reached = reachable(state.players[0], done, STANDIN, 0)

    assert reached.reachable
    assert len(reached.moves) <= 7
    assert alike(play(state, *reached.moves).players[0], done)
