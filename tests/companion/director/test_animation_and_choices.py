"""What the director puts before the camera: pure values over time."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from calibration.seats import Seating
from companion.adapters.wicked.bots.choices import bot_move, hidden_deal, hidden_hand, hidden_lay, plausible_move
from companion.adapters.wicked.bots.scenes import offset_pose, scene
from companion.adapters.wicked.bots.simulated_players import pieces_in
from companion.director.hand_animation import (
    COMING,
    FISTS,
    OPENING,
    SLOWEST,
    animate_hands,
    from_seats,
    laid_at,
)
from companion.games.wicked import Move, WickedState, apply, final_scores, legal, new_game, waiting_for
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import COLOURS, RANKS
from companion.games.wicked.game import WICKED
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from vision.cameras.simulated.scene import Pose

CONTENTS = (pieces_in(Hand(3, 1), "purple"), pieces_in(Hand(), "green"), pieces_in(Hand(2, 0, 1), "red"))


def test_hands_come_as_fists_open_together_and_hold_still_until_they_may_leave() -> None:
    showing = animate_hands(CONTENTS, random.Random(3))
    assert showing.at(0.0) == ()
    fists = showing.at(SLOWEST + COMING + FISTS - 0.01)
    assert [hand.reach for hand in fists] == [1.0] * 3
    assert [hand.openness for hand in fists] == [0.0] * 3
    opening = showing.at(showing.open_at - OPENING / 2)
    assert len({hand.openness for hand in opening}) == 1
    assert showing.at(showing.open_at) == showing.at(showing.open_at + 100.0)
    shown = showing.at(showing.open_at)
    assert [Counter(hand.pieces) for hand in shown] == [
        Counter({"search:purple": 3, "sign:witch": 1}),
        Counter(),
        Counter({"search:red": 2, "sign:soul": 1}),
    ]
    leaving = showing.leave(10.0)
    assert all(hand.pieces == () for hand in leaving.at(10.1))
    assert leaving.gone(12.0)
    assert not showing.gone(1000.0)


def test_hands_come_from_where_people_were_dragged_to() -> None:
    showing = animate_hands(CONTENTS, random.Random(3))
    hands = showing.at(showing.open_at)
    assert from_seats(hands, Seating.even(3)) == hands
    seating = Seating((310.0, 50.0, 180.0))
    moved = from_seats(hands, seating)
    places = [hand.at for hand in moved if hand.at is not None]
    assert [seating.seat_of((place.x, place.y)) for place in places] == [0, 1, 2]
    assert places[0].x > 150
    assert [hand.pieces for hand in moved] == [hand.pieces for hand in hands]


def test_movements_are_smooth() -> None:
    showing = animate_hands(CONTENTS, random.Random(3)).leave(4.0)
    times = [step / 60 for step in range(60 * 6)]
    reaches = [{hand.seat: hand.reach for hand in showing.at(time)} for time in times]
    for before, after in itertools.pairwise(reaches):
        assert all(abs(after.get(seat, 0.0) - before.get(seat, 0.0)) < 0.06 for seat in range(3))


def test_the_same_seed_hides_the_same_cards_and_no_corridor_comes_twice() -> None:
    state = new_game(5, STANDIN)
    assert hidden_deal(state, "a") == hidden_deal(state, "a") != hidden_deal(state, "b")
    seen: list[str] = []
    for round in range(1, 5):
        cards = hidden_lay(replace(state, round=round, used=tuple(seen)), "a").cards
        seen += cards
    assert sorted(seen) == sorted(card.id for card in STANDIN.corridors)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_bots_reveal_only_what_the_rules_allow_and_all_of_it_at_the_last_corridor(players: int) -> None:
    rng = random.Random(players)
    state = new_game(players, STANDIN, seed=4)
    sizes: Counter[int] = Counter()
    while state.phase != "over":
        if state.phase == "search":
            hands = tuple(hidden_hand(state, seat, rng) for seat in range(players))
            sizes.update(hand.search for hand in hands)
            state = apply(state, Reveal(hands))
        else:
            state = apply(state, random_move(state, rng))
    assert len(sizes) >= 4


def test_cards_laid_otherwise_by_a_visitor_are_passed_over() -> None:
    state = new_game(3, STANDIN)
    planned = hidden_lay(replace(state, round=2), "a").cards
    cards = hidden_lay(replace(state, round=2, used=planned[:2]), "a").cards
    assert len(set(cards)) == 4
    assert not set(cards) & set(planned[:2])


def test_cards_are_laid_one_by_one() -> None:
    counts = [laid_at(5, step / 20) for step in range(40)]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 5)
    assert set(counts) == set(range(6))


def random_states(seed: int, players: int) -> list[WickedState]:
    rng = random.Random(seed)
    state = new_game(players, STANDIN)
    states = [state]
    while state.phase != "over":
        state = apply(state, random_move(state, rng))
        states.append(state)
    return states


def test_everything_on_the_boards_lies_on_the_table_and_nothing_twice() -> None:
    for state in random_states(4, 4)[::5]:
        staged = scene(state)
        kinds = Counter(piece.kind for piece in staged.pieces)
        for colour in COLOURS:
            owned = sum(getattr(getattr(player, rank), colour) for player in state.players for rank in RANKS) + sum(
                great.colours.count(colour) for player in state.players for great in player.achieved_great
            )
            assert kinds[f"token:{colour}"] == owned
        for player in state.players:
            # Who is done with the souls has taken all pieces back behind the screen (W15).
            assert kinds[f"search:{player.colour}"] == (0 if player.finished else 7 - player.held.search)
        faces = [card.face for card in staged.cards if card.face is not None]
        assert len(faces) == len(set(faces))
        if state.phase in ("search", "gain"):
            face_down = sum(card.face is None for card in staged.cards)
            assert face_down == state.corridor


def test_points_of_a_thing_turn_with_it() -> None:
    turned = offset_pose(Pose(10.0, 20.0, 90.0), 5.0, 0.0)
    assert (round(turned.x, 6), round(turned.y, 6)) == (10.0, 15.0)


def whim(state: WickedState, seat: int, moves: tuple[Move, ...], rng: random.Random) -> Move:
    return plausible_move(moves, rng)


def points_when_all_choose(
    choose: Callable[[WickedState, int, tuple[Move, ...], random.Random], Move],
) -> list[int]:
    rng = random.Random(8)
    state = new_game(3, STANDIN, seed=2)
    while state.phase != "over":
        if state.phase == "search":
            state = apply(state, Reveal(tuple(rng.choice(hands) for hands in legal(state).hands)))
            continue
        seat = rng.choice(waiting_for(state))
        state = apply(state, choose(state, seat, WICKED.legal_moves(state, seat), rng))
    return [score.total for score in final_scores(state)]


def test_bots_finish_their_games_and_score_more_by_thinking_than_by_whim() -> None:
    thoughtful, whimsical = points_when_all_choose(bot_move), points_when_all_choose(whim)

    assert len(thoughtful) == len(whimsical) == 3
    assert sum(thoughtful) > sum(whimsical) + 15


def test_a_hand_is_named_by_kinds() -> None:
    assert pieces_in(Hand(2, 1, 1), "black") == ["search:black", "search:black", "sign:witch", "sign:soul"]
