"""Bots play by the rules, and each strength beats the one below it."""

from __future__ import annotations

import random

import pytest

from companion.games.master.adviser.bot_turns import STRENGTHS, Strength, choose, choose_turn
from companion.games.master.adviser.turn_outlook import best_outlook
from companion.games.master.adviser.turn_search import best_turn
from companion.games.master.moves import Shift, Stay, UseWand, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.scoring import final_scores
from tests.companion.games.master.bot_games import bot_game
from tests.companion.games.master.mazes import random_position
from tests.companion.games.master.reply_search import best_against_reply


@pytest.mark.parametrize("strength", STRENGTHS)
def test_a_bot_chooses_legal_turns_in_every_position(strength: Strength) -> None:
    for seed in range(8):
        state = random_position(300 + seed)
        shift, end = choose(state, state.mover, strength, random.Random(seed))
        assert isinstance(shift, Shift)
        assert shift in player_moves(state, state.mover)
        after = apply(state, shift)
        assert isinstance(end, (Walk, Stay))
        assert end in player_moves(after, state.mover)
        (alone,) = choose(after, state.mover, strength, random.Random(seed))
        assert alone in player_moves(after, state.mover)


def test_all_but_the_novice_take_what_a_turn_can_take() -> None:
    for seed in range(30):
        state = random_position(400 + seed)
        if not best_turn(state, state.mover).gain:
            continue
        assert choose_turn(state, state.mover, "player", random.Random(seed)).take


def test_the_outlook_is_as_good_as_the_best_turn_against_the_reply() -> None:
    for seed in range(6):
        state = random_position(500 + seed)
        found, best = best_outlook(state, state.mover).advice, best_against_reply(state, state.mover)
        assert found.gain - found.reply == best.gain - best.reply


def test_nobody_moves_out_of_turn_and_the_novice_uses_no_wand() -> None:
    for seed in range(10):
        state = random_position(600 + seed)
        other = (state.mover + 1) % len(state.players)
        assert choose(state, other, "expert", random.Random(0)) == () or state.wand_of == other
        if state.wand_of is not None:
            assert choose(state, state.wand_of, "novice", random.Random(0)) == ()


def test_an_expert_uses_a_wand_where_it_gains_more_than_the_wand_is_worth() -> None:
    used = 0
    for seed in range(40):
        state = random_position(700 + seed)
        if state.wand_of is None:
            continue
        moves = choose(state, state.wand_of, "expert", random.Random(seed))
        used += bool(moves)
        assert not moves or isinstance(moves[0], UseWand)
        assert not moves or best_turn(state, state.wand_of).gain >= 9
    assert used


@pytest.mark.slow
@pytest.mark.parametrize(("weaker", "stronger"), [("novice", "player"), ("player", "expert")])
def test_each_strength_gains_more_points_than_the_one_below_it(weaker: Strength, stronger: Strength) -> None:
    totals = [0, 0]
    for seed in range(10):
        order = (weaker, stronger) if seed % 2 else (stronger, weaker)
        for seat, score in enumerate(final_scores(bot_game(seed, order)[-1].after)):
            totals[order[seat] == stronger] += score.total
    assert totals[1] > 1.1 * totals[0]


def test_a_game_of_three_bots_comes_to_its_end() -> None:
    state = bot_game(5, ("player", "player", "player"))[-1].after
    assert state.phase == "over"
    assert sum(len(player.tokens) for player in state.players) == 21
