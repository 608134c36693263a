"""Scores of boards that were only counted (W16)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.wicked import apply, final_scores, new_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import COLOURS, RANKS
from companion.games.wicked.scoring.scores_of_counted_boards import (
    CountedBoard,
    provisional_verdict,
    score_boards,
    verdict,
)
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.scenarios import tokens


def counted(player: WickedPlayer) -> CountedBoard:
    """Count one player's board as anybody could who sees nothing but what lies there."""
    rows = {rank: tokens("".join(colour[0] * player.row(rank)[colour] for colour in COLOURS)) for rank in RANKS}
    return CountedBoard(
        player.colour,
        rows["low"],
        rows["middle"],
        rows["high"],
        player.promotion,
        player.colour_change,
        tuple(oracle.card for oracle in player.achieved_great),
        len(player.achieved_small),
        player.impurity,
    )


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(4))
def test_counted_boards_score_as_the_game_that_led_to_them(players: int, seed: int) -> None:
    rng, state = random.Random(seed), new_game(players, STANDIN, seed)
    while state.phase != "over":
        state = apply(state, random_move(state, rng))

    assert score_boards([counted(player) for player in state.players], STANDIN) == final_scores(state)


def test_w16_two_great_oracles_take_four_impurity_off() -> None:
    board = CountedBoard("red", tokens("r"), great=("G01", "G02"), small=1, impurity=3)

    (score,) = score_boards([board], STANDIN)

    assert (score.high, score.great, score.given_back) == (4, 2, 3)
    assert score.total == 1 + 4 * 5 + 2 * 5 + 2


TEN = CountedBoard("red", high=tokens("rr"))
FIVES = CountedBoard("green", middle=tokens("rrrrr"))


def test_the_winner_is_named_with_the_reason() -> None:
    boards = [FIVES, TEN, CountedBoard("black", tokens("r"))]
    scores, names = score_boards(boards, STANDIN), [board.name for board in boards]

    assert verdict(scores, names) == "red wins with 10 points. As many points as green; ahead by more high tokens."
    assert provisional_verdict(scores, names).startswith(
        "The winner is not certain: as read, red leads with 10 points."
    )


def test_a_lead_in_points_is_stated_in_points() -> None:
    scores = score_boards([CountedBoard("red", tokens("rr")), CountedBoard("green", tokens("r"))], STANDIN)

    assert verdict(scores, ["red", "green"]) == "red wins with 2 points. Ahead of green by 1 point."


def test_a_victory_may_be_shared() -> None:
    boards = [TEN, replace(TEN, name="mine"), FIVES]
    scores, names = score_boards(boards, STANDIN), [board.name for board in boards]

    assert verdict(scores, names).startswith("red and mine share the victory with 10 points")
    assert "red and mine lead together" in provisional_verdict(scores, names)


def test_boards_of_any_name_are_scored() -> None:
    boards = [replace(TEN, name=name) for name in ("mine", "purple", "yours")]

    assert [score.total for score in score_boards(boards, STANDIN)] == [10, 10, 10]


@pytest.mark.parametrize(
    ("boards", "why"),
    [
        ([TEN, TEN], "counts once"),
        ([replace(TEN, name=str(number)) for number in range(6)], "at most 5"),
        ([CountedBoard("red", high=tokens("rrrrr"))], "5 high tokens"),
        ([CountedBoard("red", impurity=-1)], "can be negative"),
        ([CountedBoard("red", great=("C01",))], "no great oracle card C01"),
    ],
)
def test_what_cannot_lie_on_a_table_is_refused(boards: list[CountedBoard], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        score_boards(boards, STANDIN)
