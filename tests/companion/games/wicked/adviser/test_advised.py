"""The advised player plays whole games, legally and well."""

from __future__ import annotations

import random

import pytest

from companion.games.wicked import apply, legal, new_game
from companion.games.wicked.bots.advised import advised_choice
from companion.games.wicked.bots.random_moves import random_cards
from companion.games.wicked.moves import ChooseColours, FinishSoul, Hand, Move, Reveal
from companion.games.wicked.rules.legal_moves import waiting_for
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from tests.companion.games.wicked.adviser.advised_hands import advised_hand
from tests.companion.games.wicked.adviser.matches import margin, match, wins
from tests.companion.games.wicked.scenarios import board, play, rows, search_phase, soul_phase, with_board


def advised_move(state: WickedState, rng: random.Random) -> Move:
    """Return the reveal of all players at a corridor, else a move of the first seat that has to move."""
    if state.phase == "search":
        return Reveal(tuple(advised_hand(state, seat, rng) for seat in range(len(state.players))))
    if state.phase in ("deal", "lay"):
        return random_cards(state, rng)
    return advised_choice(state, waiting_for(state)[0], rng)


@pytest.mark.slow
def test_one_advised_player_beats_three_random_ones() -> None:
    games = [(match(seed, seed % 4), seed % 4) for seed in range(20)]

    assert sum(wins(scores, seat) for scores, seat in games) >= 19
    assert sum(margin(scores, seat) for scores, seat in games) > 15 * len(games)


@pytest.mark.parametrize(("players", "dealt"), [(3, True), (5, False)])
def test_advised_players_finish_a_game_in_which_every_move_is_legal(players: int, dealt: bool) -> None:
    rng = random.Random(2)
    state = new_game(players, STANDIN, 2 if dealt else None)
    while state.phase != "over":
        state = apply(state, advised_move(state, rng))


def test_hands_are_legal_and_the_last_corridor_takes_all() -> None:
    rng = random.Random(5)
    for state in (search_phase("C01", held=("2w", "0s", "0")), search_phase(players=5)):
        for seat, hands in enumerate(legal(state).hands):
            assert advised_hand(state, seat, rng) in hands
    last = play(search_phase("C01", "C02", "C04", "C05"), "reveal 1 1 0", "reveal 2 0 0", "reveal 0 3w 1")
    assert advised_hand(last, 0, rng) == last.players[0].held


def test_one_piece_takes_a_corridor_at_which_nobody_else_has_any_left() -> None:
    state = search_phase("C02", "C03", "C04", "C05", held=("4", "0", "0"))

    assert advised_hand(state, 0, random.Random(0)) == Hand(1)


def test_the_witchs_sign_goes_where_the_player_does_not_rank_and_the_souls_sign_where_it_does() -> None:
    shown = advised_hand(search_phase("C02", "C03", "C04", "C05", held=("0ws", "6", "6")), 0, random.Random(0))
    assert shown.witch == 1

    alone = search_phase("C02", "C03", "C04", "C05", held=("4ws", "0", "0"))
    hands = []
    rng = random.Random(0)
    while alone.phase == "search" and alone.corridor < 4:
        hands.append(advised_hand(alone, 0, rng))
        alone = play(alone, f"reveal {hands[-1].search}{'w' * hands[-1].witch}{'s' * hands[-1].soul} 0 0")
        while alone.phase == "gain":
            alone = apply(alone, advised_choice(alone, 0, rng))
    assert all(hand.search for hand in hands if hand.soul)


def test_white_becomes_the_colour_that_makes_a_pair() -> None:
    state = search_phase("C03", held=("6", "0", "0"))
    state = play(with_board(state, 0, "ryyb", great=(), small=()), "reveal 1 0 0")
    move = advised_choice(state, 0, random.Random(0))

    assert isinstance(move, ChooseColours)
    assert rows(apply(state, move).players[0]).split("/")[0] == "rrbbyy"


def test_the_soul_phase_is_played_to_the_adviser_s_board_and_then_ended() -> None:
    state = soul_phase(board("rg/rg/", promotion=2, small=("S01",), great=("G01",)))
    rng = random.Random(1)
    while not state.players[0].finished:
        state = apply(state, advised_choice(state, 0, rng))

    assert [oracle.card for oracle in state.players[0].achieved_great] == ["G01"]
    assert advised_choice(soul_phase(board("r")), 0, rng) == FinishSoul(0)
