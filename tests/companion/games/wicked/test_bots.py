"""Players that need no thought finish every game, and chance comes only from the generator passed in."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from companion.games.wicked import Move, WickedState, apply, final_scores, legal, new_game
from companion.games.wicked.bots.random_moves import random_cards, random_hand, random_move
from companion.games.wicked.standin_deck import STANDIN
from tests.companion.games.wicked.greedy_bot import greedy_choice, greedy_hand, greedy_move
from tests.companion.games.wicked.scenarios import board, play, rows, search_phase, soul_phase

Bot = Callable[[WickedState, random.Random], Move]
BOTS = pytest.mark.parametrize("bot", [random_move, greedy_move])


def finish(bot: Bot, players: int, seed: int, dealt: bool = True) -> WickedState:
    rng = random.Random(seed)
    state = new_game(players, STANDIN, seed if dealt else None)
    while state.phase != "over":
        state = apply(state, bot(state, rng))
    return state


@BOTS
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("dealt", [True, False])
def test_a_bot_finishes_any_game(bot: Bot, players: int, dealt: bool) -> None:
    assert finish(bot, players, seed=11, dealt=dealt).phase == "over"


@BOTS
def test_the_same_seed_plays_the_same_game(bot: Bot) -> None:
    assert finish(bot, 4, seed=3) == finish(bot, 4, seed=3)


@BOTS
def test_a_bot_does_not_move_once_the_game_is_over(bot: Bot) -> None:
    over = finish(bot, 3, seed=1)

    with pytest.raises(ValueError, match="The game is over"):
        bot(over, random.Random(0))
    with pytest.raises(ValueError, match="No cards are being dealt or laid now"):
        random_cards(over, random.Random(0))


@pytest.mark.parametrize("choose", [random_hand, greedy_hand])
def test_a_bot_reveals_only_legal_hands(choose: Callable[[WickedState, int, random.Random], object]) -> None:
    rng = random.Random(5)
    for state in (search_phase("C01", held=("2w", "0s", "0")), search_phase(players=5)):
        for seat, hands in enumerate(legal(state).hands):
            assert {choose(state, seat, rng) for _ in range(30)} <= set(hands)
    last = play(search_phase("C01", "C02", "C04", "C05"), "reveal 1 1 0", "reveal 2 0 0", "reveal 0 3w 1")
    assert choose(last, 0, rng) == last.players[0].held


def test_the_greedy_player_achieves_oracles_and_leaves_no_promotion_unused() -> None:
    state = soul_phase(board("rg/rg/", promotion=2, small=("S01",), great=("G01",)))
    rng = random.Random(1)
    while not state.players[0].finished:
        state = apply(state, greedy_choice(state, 0, rng))

    assert [oracle.card for oracle in state.players[0].achieved_great] == ["G01"]
    assert rows(state.players[0]) == "rg//"


def test_the_greedy_player_does_far_better_than_the_random_one() -> None:
    def mean(bot: Bot) -> float:
        totals = [score.total for seed in range(6) for score in final_scores(finish(bot, 4, seed))]
        return sum(totals) / len(totals)

    assert mean(greedy_move) > mean(random_move) + 10
