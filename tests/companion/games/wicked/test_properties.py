"""What holds in every game: random complete games for 3 to 5 players, checked move by move."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.game import IllegalMove
from companion.games.wicked import Move, WickedState, apply, final_scores, legal, new_game, waiting_for
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import CORRIDORS, RANKS, SEARCH_PIECES, SPOTS
from companion.games.wicked.moves import AchieveGreat, AchieveSmall, CastColourChange, FinishSoul, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer
from companion.games.wicked.text.move_descriptions import describe
from companion.games.wicked.text.notation import read_move, write_move
from tests.companion.games.wicked.conceivable import any_move, in_order
from tests.companion.games.wicked.scenarios import NAMES, pieces

games = given(players=st.integers(3, 5), seed=st.integers(0, 2**32))
# Derandomised, so that a failure on one machine is a failure on all; it prints players and seed.
some = settings(max_examples=40, derandomize=True, database=None)


def play_out(players: int, seed: int, dealt: bool = True) -> tuple[list[WickedState], list[Move]]:
    """Play a random game to its end; states are one more than moves. Undealt: cards come from a real table."""
    rng = random.Random(seed)
    states, moves = [new_game(players, STANDIN, seed if dealt else None)], []
    while states[-1].phase != "over":
        moves.append(random_move(states[-1], rng))
        states.append(apply(states[-1], moves[-1]))
    return states, moves


def owned(player: WickedPlayer) -> int:
    """Tokens on the board and on great oracles."""
    return sum(player.row(rank).total for rank in RANKS) + 2 * len(player.achieved_great)


@some
@games
def test_rows_spells_and_pieces_stay_within_what_the_board_and_the_box_have(players: int, seed: int) -> None:
    states, _ = play_out(players, seed)

    for state in states:
        for player in state.players:
            assert all(player.row(rank).total <= SPOTS[rank] for rank in RANKS)
            assert all(
                player.row(rank)[colour] >= 0 for rank in RANKS for colour in ("red", "green", "blue", "yellow")
            )
            assert 0 <= player.held.search <= SEARCH_PIECES[players]
            assert 0 <= player.held.witch <= 1
            assert 0 <= player.held.soul <= 1
            # W8: every spell of the stand-in deck has an own revealed search piece to mark it
            revealed = SEARCH_PIECES[players] - player.held.search
            assert player.promotion + player.colour_change <= revealed
            assert player.impurity >= 0


@some
@games
def test_every_round_uses_every_piece_and_gives_it_back(players: int, seed: int) -> None:
    states, moves = play_out(players, seed)

    shown: dict[int, list[Counter[str]]] = {number: [Counter() for _ in range(players)] for number in range(1, 5)}
    for state, move in zip(states, moves, strict=False):
        if isinstance(move, Reveal):
            for seat, hand in enumerate(move.hands):
                shown[state.round][seat].update(search=hand.search, witch=hand.witch, soul=hand.soul)
    whole = Counter(search=SEARCH_PIECES[players], witch=1, soul=1)
    assert all(seat == whole for seats in shown.values() for seat in seats)
    for before, after in pairwise(states):
        if after.round > before.round:
            assert [player.held for player in after.players] == [pieces(players)] * players
            assert not any(player.promotion + player.colour_change for player in after.players)


@some
@games
def test_every_corridor_is_searched_once_and_no_card_twice(players: int, seed: int) -> None:
    states, moves = play_out(players, seed)

    searched = [
        state.corridors[state.corridor]
        for state, move in zip(states, moves, strict=False)
        if isinstance(move, Reveal)
    ]
    assert len(searched) == len(set(searched)) == 4 * CORRIDORS[players]
    assert [state.round for state in states] == sorted(state.round for state in states)
    assert (*states[-1].used, *states[-1].corridors) == tuple(searched)


@some
@games
def test_tokens_come_only_by_gains_and_go_only_by_promotion_or_a_full_row(players: int, seed: int) -> None:
    states, moves = play_out(players, seed)

    for before, move, after in zip(states, moves, states[1:], strict=False):
        for seat, (was, now) in enumerate(zip(before.players, after.players, strict=True)):
            change = owned(now) - owned(was)
            mover = getattr(move, "player", None) == seat
            match move:
                case Reveal():
                    assert after.outcome is not None
                    gain = after.outcome.gains[seat]
                    most = 0 if gain is None else len(gain.sign_elements) + len(gain.card_elements)
                    assert 0 <= change <= most
                    assert now.impurity - was.impurity == (gain.impurity if gain else 0)
                case AchieveSmall() if mover:
                    tokens = [e for e in before.deck.small_oracle(move.card).reward if e != "promotion"]
                    lost = int(move.lift is not None and move.lift.displaced is not None)
                    assert change == min(len(tokens), 6 - was.low.total) - lost
                case CastColourChange() | AchieveGreat() | FinishSoul():
                    assert change == 0
                case _ if mover and before.phase == "gain":
                    assert change >= 0
                    assert now.pending is not None or now.low.total <= 6
                case _ if mover:  # a promotion: the other of a pair and what is displaced go back
                    lift = getattr(move, "lift", None)
                    pair = move.type == "promote"
                    assert change == -int(pair) - int(lift is not None and lift.displaced is not None)
                case _:
                    assert now == was


@some
@games
def test_replaying_the_moves_gives_the_same_game(players: int, seed: int) -> None:
    states, moves = play_out(players, seed)

    state = new_game(players, STANDIN, seed)
    for move, expected in zip(moves, states[1:], strict=True):
        state = apply(state, read_move(write_move(move)))
        assert state == expected
    assert final_scores(state) == final_scores(states[-1])


@some
@games
def test_a_game_on_a_real_table_goes_as_the_same_game_with_a_pile(players: int, seed: int) -> None:
    states, moves = play_out(players, seed, dealt=False)

    assert states[-1].phase == "over"
    assert [move.type for move in moves].count("lay") == 4
    assert [move.type for move in moves].count("deal") == 1


@settings(some, max_examples=12)
@games
def test_every_listed_move_is_accepted_and_every_other_refused_with_a_reason(players: int, seed: int) -> None:
    states, _ = play_out(players, seed)
    rng = random.Random(seed)

    for state in rng.sample(states, 12):
        before = repr(state)
        choices = legal(state)
        assert len(set(choices.moves)) == len(choices.moves)
        for move in choices.moves:
            assert apply(state, move) != state
            assert describe(state, move, NAMES[:players])
        for _ in range(30):
            move = any_move(state, rng)
            if isinstance(move, Reveal):
                is_legal = bool(choices.hands) and all(
                    hand in hands for hand, hands in zip(move.hands, choices.hands, strict=True)
                )
            else:
                is_legal = in_order(move) in choices.moves
            if is_legal:
                apply(state, move)
            else:
                with pytest.raises(IllegalMove) as refused:
                    apply(state, move)
                reason = str(refused.value)
                assert reason.endswith(".")
                assert "\n" not in reason
                assert "_" not in reason
        assert repr(state) == before


@some
@games
def test_scores_add_up_and_places_follow_them(players: int, seed: int) -> None:
    states, _ = play_out(players, seed)

    scores = final_scores(states[-1])
    for score in scores:
        tokens = score.low + 2 * score.middle + 5 * score.high
        assert score.total == tokens + 5 * score.great + 2 * score.small - score.impurity_left
        assert 0 <= score.given_back <= min(score.impurity, 2 * score.great)
    for one in scores:
        for other in scores:
            if one.total > other.total:
                assert one.place < other.place
    assert sorted(score.place for score in scores)[0] == 1
    assert [score.player for score in scores] == list(range(players))


@some
@games
def test_somebody_is_always_waited_for_until_the_game_is_over(players: int, seed: int) -> None:
    states, _ = play_out(players, seed)

    assert all(waiting_for(state) for state in states[:-1])
    assert waiting_for(states[-1]) == ()
    assert all(len(state.corridors) == CORRIDORS[players] for state in states)
