"""The reasons of advice are true by the rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.adapters.master.turn_tips import turn_aids
from companion.games.master.adviser.advice_texts import blocked_token, tip_line
from companion.games.master.adviser.turn_outlook import best_outlook
from companion.games.master.adviser.turn_search import Advice, MazeTurn, best_pair, best_turn, turn_moves
from companion.games.master.components import FORMULAS, TOKENS
from companion.games.master.moves import Deal, Shift, Stay, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import TAKEN, MasterState
from tests.companion.games.master.mazes import placed, random_position
from tests.companion.games.master.reply_search import best_against_reply

NAMES = ("Ada", "Bruno", "Chie", "Davi")


def can_take(state: MasterState, seat: int) -> bool:
    """Return whether a player's turn can take the next token, by trying every turn by the rules."""
    state = replace(state, mover=seat, wand_of=None)
    for shift in player_moves(state, seat):
        if isinstance(shift, Shift):
            after = apply(state, shift)
            if any(isinstance(move, Walk) and move.take for move in player_moves(after, seat)):
                return True
    return False


def after_turn(state: MasterState, advice: Advice) -> MasterState:
    for move in turn_moves(state, state.mover, advice.turns[0]):
        state = apply(state, move)
    return state


def test_a_closed_way_was_open_before_and_is_closed_afterwards() -> None:
    closed = 0
    for seed in range(60):
        state = random_position(800 + seed)
        seat = state.mover
        rival = (seat + 1) % len(state.players)
        advice = best_against_reply(state, seat)
        number = blocked_token(state, seat, advice)
        after = after_turn(state, advice)
        if number is None:
            continue
        closed += 1
        assert number == after.next_token
        gone = tuple(TAKEN if n in advice.taken else at for n, at in zip(TOKENS, state.tokens, strict=True))
        assert can_take(replace(state, tokens=gone), rival)
        assert not can_take(after, rival)
    assert closed >= 10


def test_a_tip_says_what_to_push_where_to_go_and_why() -> None:
    state, advice = next(
        (state, advice)
        for state in map(random_position, range(900, 1100))
        for advice in [best_against_reply(state, state.mover)]
        if advice.taken and blocked_token(state, state.mover, advice)
    )
    line = tip_line(state, state.mover, advice, NAMES)
    assert line.startswith("Push the spare tile in at the ")
    assert f"You take {advice.taken[0]} (" in line
    assert "That closes the way to " in line


def test_a_tip_that_leaves_a_token_says_what_taking_it_would_let_the_next_player_take() -> None:
    found = 0
    for state in map(random_position, range(31)):
        seat, number = state.mover, state.next_token
        rival = (seat + 1) % len(state.players)
        advice = best_outlook(state, seat).advice
        line = tip_line(state, seat, advice, NAMES)
        if not best_turn(state, seat).gain:
            assert "Taking " not in line
            continue
        assert "No turn takes a token now." not in line
        if "Taking " not in line:
            continue
        found += 1
        after = after_turn(state, best_turn(state, seat))
        assert f"Taking {number} would let {NAMES[rival]} take {after.next_token}." in line
        assert can_take(after, rival)
    assert found


def test_a_tip_of_two_turns_names_the_wand_between_them() -> None:
    state = next(
        state for state in map(random_position, range(1000, 1100)) if len(best_pair(state, state.mover).turns) == 2
    )
    line = tip_line(state, state.mover, best_pair(state, state.mover), NAMES)
    assert line.count("Push the spare tile in") == 2
    assert "Then use a wand." in line


def test_a_wand_is_advised_only_where_the_rules_will_allow_one(subtests: pytest.Subtests) -> None:
    state = next(
        state for state in map(random_position, range(1000, 1100)) if len(best_pair(state, state.mover).turns) == 2
    )
    state = replace(state, tips=True, wand_of=None)
    seat = state.mover
    last = tuple(
        replace(player, wands=player.wands if one != seat else 1) for one, player in enumerate(state.players)
    )
    first = best_pair(state, seat).turns[0]
    wand = Deal(seat, (seat + 1) % len(last), None, first.arrow, first.openings, first.place)
    table: list[tuple[str, MasterState, int]] = [
        ("own turn", state, 2),
        ("extra turn", replace(state, extra=True), 1),
        ("extra turn, chained wands", replace(state, extra=True, chained_wands=True), 2),
        ("a wand promised", apply(state, wand), 2),
        ("last wand", replace(state, players=last), 2),
        ("last wand promised", apply(replace(state, players=last), wand), 1),
    ]
    for name, before, count in table:
        with subtests.test(name):
            aids = turn_aids(before, seat)
            assert aids is not None
            assert len(aids.turns) == count


def test_a_second_turn_that_gains_one_point_more_than_the_wand_is_worth_is_advised() -> None:
    games = (new_game(("red", "brown"), MasterSetup(seed, tips=True)) for seed in range(60))
    state, pair = next(
        (state, pair)
        for game in games
        for state in [replace(game, tokens=(TAKEN, TAKEN, TAKEN, *game.tokens[3:]))]
        for pair in [best_pair(state, 0)]
        if len(pair.turns) == 2 and pair.gain == best_outlook(state, 0).advice.gain + 1
    )
    aids = turn_aids(state, 0)
    assert aids is not None
    assert aids.turns == pair.turns


def test_a_token_on_the_own_formula_card_is_named_and_on_a_rivals_is_not() -> None:
    state = next(s for s in map(random_position, range(1100, 1200)) if best_turn(s, s.mover).gain)
    number = state.next_token
    own = next(numbers for numbers in FORMULAS if number in numbers)
    for seat in range(len(state.players)):
        players = tuple(
            replace(player, formula=own if index == seat else None) for index, player in enumerate(state.players)
        )
        advice = best_turn(replace(state, players=players), state.mover)
        line = tip_line(replace(state, players=players), state.mover, advice, NAMES)
        assert ("is on your formula card" in line) == (seat == state.mover)


def test_tips_are_for_the_mover_before_the_shift_and_only_where_the_table_allows_them() -> None:
    state = replace(placed(players=3), tips=True)
    assert turn_aids(state, state.mover) is not None
    assert turn_aids(state, 1) is None
    assert turn_aids(replace(state, tips=False), state.mover) is None
    shifted = apply(state, Shift(state.mover, "T1", "TB"))
    assert turn_aids(shifted, state.mover) is None


@pytest.mark.slow
def test_a_tip_does_not_depend_on_a_rivals_formula_card() -> None:
    for seed in range(5):
        state = replace(random_position(1300 + seed), tips=True)
        tips = []
        for numbers in (None, FORMULAS[0], FORMULAS[7]):
            players = tuple(
                player if seat == state.mover else replace(player, formula=numbers)
                for seat, player in enumerate(state.players)
            )
            tips.append(turn_aids(replace(state, players=players), state.mover))
        assert tips[0] == tips[1] == tips[2]


def test_the_advised_turn_can_be_played() -> None:
    for seed in range(10):
        state = replace(random_position(1400 + seed), tips=True)
        aids = turn_aids(state, state.mover)
        assert aids is not None
        for move in turn_moves(state, state.mover, aids.turns[0]):
            assert isinstance(move, (Shift, Walk, Stay))
            state = apply(state, move)


def test_a_tip_names_sides_and_places_as_the_readers_board_is_drawn() -> None:
    advice = Advice((MazeTurn("T1", "TR", 1, take=False),), gain=0)
    sides = tip_line(placed(players=2), 0, advice, NAMES).sides()
    assert len(sides) == 4
    assert sides[0].startswith(
        "Push the spare tile in at the top of column 2, open at the top and right, and move to row 1, column 2."
    )
    assert sides[1].startswith(
        "Push the spare tile in at the right of row 2, open at the right and bottom, and move to row 2, column 7."
    )
