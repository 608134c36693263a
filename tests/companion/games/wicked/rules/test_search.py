"""The search phase: order, reveal, last corridor, ranking and signs (W1 to W6)."""

from __future__ import annotations

from itertools import permutations

import pytest

from companion.games.game import IllegalMove
from companion.games.wicked import legal, outcome, rank
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.state import Gain
from companion.games.wicked.text.notation import read_move
from tests.companion.games.wicked.scenarios import (
    board,
    deck_with,
    hand,
    pieces,
    play,
    rows,
    search_phase,
    soul_phase,
)


def test_w1_corridors_are_searched_in_the_order_they_were_laid() -> None:
    state = search_phase("C05", "C01", "C03", "C02")
    searched = []
    for _ in range(3):
        state = play(state, "reveal 1 0 0")
        assert state.outcome is not None
        searched.append(state.outcome.card)
        if state.phase == "gain":
            state = play(state, "0 colours r")

    assert (searched, state.corridors[state.corridor]) == (["C05", "C01", "C03"], "C02")


def test_w2_any_number_of_the_pieces_left_may_be_revealed_none_included() -> None:
    state = search_phase("C01", held=("2w", "0s", "0"))

    hands = legal(state).hands

    assert hands[0] == tuple(hand(text) for text in ("0", "0w", "1", "1w", "2", "2w"))
    assert hands[1] == (hand("0"), hand("0s"))
    assert hands[2] == (hand("0"),)


def test_w2_revealed_pieces_are_spent_for_the_round() -> None:
    state = play(search_phase("C01"), "reveal 4ws 1 0s")

    assert [player.held for player in state.players] == [Hand(2, 0, 0), Hand(5, 1, 1), Hand(6, 1, 0)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("reveal 3 0 0", "The wolf (purple) cannot reveal three search pieces: only two left this round."),
        ("reveal 0 0w 0", "The rabbit (green) cannot reveal one witch's sign: none are left this round."),
        ("reveal 0 0 0s", "The eagle (red) cannot reveal one soul's sign: none are left this round."),
        ("reveal 0ww 0 0", "The wolf (purple) cannot reveal two witch's signs: only one left this round."),
        ("reveal -1 0 0", "The wolf (purple) cannot reveal fewer than no search pieces."),
        ("reveal 1 0", "Everybody reveals at the same time: 3 hands are needed, not 2."),
    ],
)
def test_w2_nobody_reveals_what_they_do_not_hold(line: str, reason: str) -> None:
    state = search_phase("C01", held=("2w", "2s", "2"))

    with pytest.raises(IllegalMove) as refused:
        play(state, line)

    assert str(refused.value) == reason


def test_w3_everything_left_must_be_revealed_at_the_last_corridor() -> None:
    state = play(search_phase("C01", "C02", "C04", "C05"), "reveal 1 1 0", "reveal 2 0 0", "reveal 0 3w 1")

    assert legal(state).hands == ((hand("3ws"),), (hand("2s"),), (hand("5ws"),))
    with pytest.raises(IllegalMove) as refused:
        play(state, "reveal 3ws 2 5ws")
    assert str(refused.value) == (
        "The rabbit (green) must reveal everything at the last corridor: one soul's sign would stay behind."
    )
    assert play(state, "reveal 3ws 2s 5ws").players[2].held == Hand()


def test_w3_who_holds_nothing_more_shows_an_empty_hand_at_the_last_corridor() -> None:
    state = play(search_phase("C01", "C02", "C04", "C05"), "reveal 6ws 0 0", "reveal 0 0 0", "reveal 0 0 0")

    assert legal(state).hands[0] == (Hand(),)


@pytest.mark.parametrize(
    ("counts", "first", "seconds"),
    [
        ((8, 7, 6, 5, 4), "purple", ("green",)),
        ((1, 0, 0, 0, 0), "purple", ()),
        ((0, 0, 3, 3, 1), None, ("red", "black")),  # behind a tie nobody gets anything
        ((2, 2, 2, 2, 5), "yellow", ("purple", "green", "red", "black")),
        ((0, 1, 1), None, ("green", "red")),
        ((1, 2, 3), "red", ("green",)),
        ((4, 4, 4, 4), None, ("purple", "green", "red", "black")),
    ],
)
def test_w4_ranking(counts: tuple[int, ...], first: str | None, seconds: tuple[str, ...]) -> None:
    revealed = dict(zip(("purple", "green", "red", "black", "yellow"), counts, strict=False))

    ranking = rank(revealed)  # type: ignore[arg-type]

    assert (ranking.first, ranking.seconds) == (first, seconds)


def test_w4_the_order_in_which_players_are_named_does_not_matter() -> None:
    counts = {"purple": 3, "green": 5, "red": 3, "black": 1}

    rankings = {rank(dict(order)) for order in permutations(counts.items())}  # type: ignore[arg-type]

    assert len(rankings) == 1
    assert rankings.pop().seconds == ("purple", "red")


@pytest.mark.parametrize("counts", [{"white": 3, "green": 1}, {"purple": -1, "green": 1}])
def test_w4_impossible_counts_are_refused(counts: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"No player is white|Nobody can reveal -1"):
        rank(counts)  # type: ignore[arg-type]


def test_w4_every_seat_has_the_reason_why_it_ranks_or_not() -> None:
    five = search_phase("C01", players=5)

    assert outcome(five, read_move("reveal 5 3 3 1 0")).reasons == (  # type: ignore[arg-type]
        "most",
        "second_most",
        "second_most",
        "too_few",
        "no_search_piece",
    )
    assert outcome(five, read_move("reveal 4 4 3 0s 0")).reasons == (  # type: ignore[arg-type]
        "tie_for_most",
        "tie_for_most",
        "behind_a_tie",
        "no_search_piece",
        "no_search_piece",
    )


def test_w4_a_corridor_without_search_pieces_is_skipped_and_its_signs_are_spent() -> None:
    before = search_phase("C01")

    after = play(before, "reveal 0ws 0s 0")

    assert (after.phase, after.corridor) == ("search", 1)
    assert [player.held for player in after.players] == [Hand(6, 0, 0), Hand(6, 1, 0), pieces(3)]
    assert all((p.impurity, rows(p), p.promotion) == (0, "//", 0) for p in after.players)


def test_w5_signs_of_all_players_count_those_without_a_rank_too() -> None:
    state = play(search_phase("C01", players=5), "reveal 3 2 1ws 0ws 0w")

    assert [player.impurity for player in state.players] == [3, 3, 0, 0, 0]
    assert rows(state.players[0]) == "gggy//"  # two soul's signs in green, then yellow over green
    assert rows(state.players[1]) == "ggg//"


def test_w5_a_souls_sign_over_white_lets_everybody_choose_each_token() -> None:
    state = play(search_phase("C08", players=4), "reveal 2s 1s 0s 0")  # promotion over white

    assert state.phase == "gain"
    state = play(state, "1 colours rgby", "0 colours bbbb")

    assert [rows(player) for player in state.players[:2]] == ["bbbb//", "rgby//"]
    assert (state.phase, state.corridor) == ("search", 1)


def test_w6_1st_takes_both_halves_and_2nd_only_the_lower() -> None:
    state = search_phase("C22", players=3)  # red and blue over green

    led_to = outcome(state, Reveal((hand("3"), hand("2w"), hand("1s"))))

    assert led_to.gains == (
        Gain("first", 1, ("green",), ("red", "blue", "green")),
        Gain("second", 1, ("green",), ("green",)),
        None,
    )


def test_w6_several_1st_are_2nd_and_take_the_lower_half() -> None:
    state = play(search_phase("C04"), "reveal 2 2 1")  # colour change over red

    assert [rows(player) for player in state.players] == ["r//", "r//", "//"]
    assert not any(player.colour_change for player in state.players)


def test_a_souls_sign_gives_nothing_where_the_lower_half_has_no_fragment() -> None:
    deck = deck_with(corridors={"C01": (("red",), ("promotion",))})

    state = play(search_phase("C01", deck=deck), "reveal 2s 1s 0")

    assert [rows(player) for player in state.players] == ["r//", "//", "//"]
    assert [player.promotion for player in state.players] == [1, 1, 0]


def test_no_corridor_is_searched_while_souls_are_processed() -> None:
    with pytest.raises(IllegalMove, match="No corridor is being searched now"):
        outcome(soul_phase(board()), Reveal((Hand(), Hand(), Hand())))
