"""The soul processing phase, action by action (W9 to W15)."""

from __future__ import annotations

import pytest

from companion.games.game import IllegalMove
from companion.games.wicked import WickedState, legal
from companion.games.wicked.moves import Hand
from companion.games.wicked.text.notation import write_move
from tests.companion.games.wicked.scenarios import (
    achieved,
    board,
    deck_with,
    pieces,
    play,
    rows,
    search_phase,
    soul_phase,
)


def choices(state: WickedState, seat: int = 0) -> list[str]:
    """The legal moves of one seat, without "done", in the notation and without the seat."""
    moves = [write_move(move)[2:] for move in legal(state).for_player(seat)]
    assert moves.pop() == "done"
    return moves


def refusal(state: WickedState, line: str) -> str:
    with pytest.raises(IllegalMove) as refused:
        play(state, line)
    return str(refused.value)


# W9: normal promotion


@pytest.mark.parametrize(
    ("before", "line", "after"),
    [
        ("rr", "0 promote red low", "/r/"),
        ("rrrg", "0 promote red low", "rg/r/"),
        ("/bbb/", "0 promote blue middle", "/b/b"),
        ("/yy/yyy", "0 promote yellow middle", "//yyyy"),
    ],
)
def test_w9_of_two_alike_tokens_one_moves_up_and_the_other_goes_back(before: str, line: str, after: str) -> None:
    assert rows(play(soul_phase(board(before)), line).players[0]) == after


def test_w9_may_be_done_as_often_as_possible() -> None:
    state = play(soul_phase(board("gggg")), "0 promote green low", "0 promote green low", "0 promote green middle")

    assert rows(state.players[0]) == "//g"
    assert choices(state) == []


def test_w9_needs_two_of_one_colour_in_one_rank() -> None:
    state = soul_phase(board("rgb/r/"))

    assert choices(state) == []
    assert refusal(state, "0 promote red low") == "The wolf (purple) has no two red tokens of low rank to promote."


def test_w9_high_tokens_rise_no_higher() -> None:
    state = soul_phase(board("//rr", promotion=1))

    reason = "High is the highest rank: a token there cannot be promoted."
    assert refusal(state, "0 promote red high") == reason
    assert refusal(state, "0 promotion red high") == reason


# W10: promotion spell


def test_w10_a_promotion_spell_lifts_any_one_token() -> None:
    state = soul_phase(board("r/g/b", promotion=2))

    assert choices(state) == ["promotion red low", "promotion green middle"]
    after = play(state, "0 promotion red low", "0 promotion red middle")
    assert (rows(after.players[0]), after.players[0].promotion) == ("/g/rb", 0)


def test_w10_a_promotion_spell_is_spent_without_effect_only_where_nothing_can_rise() -> None:
    nothing = soul_phase(board("//rgby", promotion=1))

    assert choices(nothing) == ["promotion nothing"]
    assert play(nothing, "0 promotion nothing").players[0].promotion == 0
    assert refusal(soul_phase(board("r", promotion=1)), "0 promotion nothing") == (
        "The wolf (purple) can promote a token: the promotion may not go unused."
    )


def test_w10_a_spell_that_is_not_there_cannot_be_spent() -> None:
    state = soul_phase(board("r"))

    assert refusal(state, "0 promotion red low") == "The wolf (purple) has no promotion spell."
    assert refusal(state, "0 change low red blue") == "The wolf (purple) has no colour-change spell."


def test_w10_a_token_that_is_not_there_cannot_rise() -> None:
    state = soul_phase(board("r", promotion=1))

    assert refusal(state, "0 promotion red middle") == (
        "The wolf (purple) has no red token of middle rank on the board."
    )


# W11: full higher rank


def test_w11_a_promoted_token_displaces_any_token_of_a_full_rank() -> None:
    state = soul_phase(board("rr/ggbby/"))

    assert [move for move in choices(state) if "red low" in move] == [
        "promote red low for green",
        "promote red low for blue",
        "promote red low for yellow",
    ]
    assert rows(play(state, "0 promote red low for green").players[0]) == "/rgbby/"


def test_w11_a_spell_displaces_as_a_normal_promotion_does() -> None:
    state = soul_phase(board("/r/ggbb", promotion=1))

    assert choices(state) == ["promotion red middle for green", "promotion red middle for blue"]
    assert rows(play(state, "0 promotion red middle for blue").players[0]) == "//rggb"


@pytest.mark.parametrize(
    ("rows_before", "line", "reason"),
    [
        (
            "rr/ggbby/",
            "0 promote red low",
            "The wolf (purple) has no free middle spot: choose which middle token goes back to the supply.",
        ),
        (
            "rr/ggbby/",
            "0 promote red low for red",
            "The wolf (purple) has no red token of middle rank to send back.",
        ),
        (
            "rr/ggbb/",
            "0 promote red low for green",
            "The wolf (purple) has a free middle spot: no token has to go back to the supply.",
        ),
    ],
)
def test_w11_a_token_is_displaced_where_the_rank_is_full_and_only_there(
    rows_before: str, line: str, reason: str
) -> None:
    assert refusal(soul_phase(board(rows_before)), line) == reason


# W12: colour-change spell


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("0 change low red blue", "b/g/y"),
        ("0 change middle green yellow", "r/y/y"),
        ("0 change high yellow red", "r/g/r"),
        ("0 change nothing", "r/g/y"),
    ],
)
def test_w12_a_token_of_any_rank_changes_its_colour_and_keeps_its_rank(line: str, after: str) -> None:
    state = play(soul_phase(board("r/g/y", colour_change=1)), line)

    assert (rows(state.players[0]), state.players[0].colour_change) == (after, 0)


def test_w12_every_token_may_turn_into_the_three_other_colours_or_nothing_happens() -> None:
    assert choices(soul_phase(board("r//y", colour_change=1))) == [
        "change low red green",
        "change low red blue",
        "change low red yellow",
        "change high yellow red",
        "change high yellow green",
        "change high yellow blue",
        "change nothing",
    ]


def test_w12_tokens_on_a_great_oracle_are_not_on_the_board() -> None:
    state = soul_phase(board("r", colour_change=1, achieved_great=(achieved("G01", "red", "green"),)))

    assert refusal(state, "0 change high green blue") == (
        "The wolf (purple) has no green token of high rank on the board."
    )


def test_w12_turning_a_token_into_its_own_colour_is_no_change() -> None:
    assert refusal(soul_phase(board("r", colour_change=1)), "0 change low red red") == (
        "That token is already red: choose another colour, or spend the spell without effect."
    )


# W13: small oracles

PROMOTION = deck_with(small={"S01": ((("middle", "red"), ("low", "red"), ("low", "blue")), ("promotion",))})


@pytest.mark.parametrize(
    ("rows_before", "lacking"),
    [
        ("rb/r/", None),
        ("b/rr/", None),  # a middle token serves for a low one
        ("/rb/r", None),
        ("b//rr", None),
        ("b/r/", "it requires two red tokens of low rank or higher"),  # one token does not serve twice
        ("rrb", "it requires one red token of middle rank or higher"),
        ("r/r/", "it requires one blue token of low rank or higher"),
    ],
)
def test_w13_needs_distinct_tokens_of_at_least_the_shown_rank(rows_before: str, lacking: str | None) -> None:
    state = soul_phase(board(rows_before, small=("S01",)), PROMOTION)

    assert any("small" in choice for choice in choices(state)) == (lacking is None)
    if lacking is not None:
        assert refusal(state, "0 small S01 lift blue low") == (
            f"The wolf (purple) cannot achieve the small oracle (middle red + low red + low blue) yet: {lacking}."
        )


def test_w13_tokens_on_great_oracles_are_owned() -> None:
    on_card = (achieved("G01", "red", "red"),)

    state = soul_phase(board("b", small=("S01",), achieved_great=on_card), PROMOTION)

    assert choices(state) == ["small S01 lift blue low"]
    assert rows(play(state, "0 small S01 lift blue low").players[0]) == "/b/"


def test_w13_nothing_is_spent_and_the_card_can_be_achieved_once() -> None:
    state = play(soul_phase(board("rb/r/", small=("S01", "S02")), PROMOTION), "0 small S01 lift red low")

    assert rows(state.players[0]) == "b/rr/"
    assert (state.players[0].small, state.players[0].achieved_small) == (("S02",), ("S01",))
    assert (
        refusal(state, "0 small S01 lift red middle")
        == "The wolf (purple) has already achieved the small oracle (middle red + low red + low blue)."
    )
    assert refusal(state, "0 small S05") == "The wolf (purple) has no small oracle (low red + low red + low green)."


def test_w13_a_token_reward_comes_at_once_to_the_low_row() -> None:
    deck = deck_with(small={"S01": ((("low", "red"),), ("green", "green", "blue"))})

    state = play(soul_phase(board("r", small=("S01",)), deck), "0 small S01")

    assert rows(state.players[0]) == "rggb//"


def test_w13_a_white_reward_is_a_token_of_any_colour() -> None:
    state = soul_phase(board("rrg", small=("S05",)))

    assert [move for move in choices(state) if "small" in move] == [
        "small S05 colours r",
        "small S05 colours g",
        "small S05 colours b",
        "small S05 colours y",
    ]
    assert rows(play(state, "0 small S05 colours b").players[0]) == "rrgb//"
    assert "has to choose one colour for white fragments, not 0" in refusal(state, "0 small S05")
    assert "has to choose one colour for white fragments, not 2" in refusal(state, "0 small S05 colours rb")


def test_w13_a_token_reward_over_a_full_row_follows_w7() -> None:
    state = soul_phase(board("rrgggg", small=("S05",)))

    assert refusal(state, "0 small S05 colours b") == (
        "The wolf (purple) has no room for the new tokens: choose which six low tokens to keep."
    )
    assert rows(play(state, "0 small S05 colours b keep rrgggb").players[0]) == "rrgggb//"
    assert "none has to go back" in refusal(
        soul_phase(board("rrg", small=("S05",))), "0 small S05 colours b keep rrgb"
    )
    assert "cannot keep" in refusal(state, "0 small S05 colours b keep rrggbb")


def test_w13_a_promotion_reward_is_carried_out_at_once_or_lost_where_none_can_be() -> None:
    deck = deck_with(small={"S01": ((("high", "red"),), ("promotion",))})

    lost = soul_phase(board("//r", small=("S01",)), deck)
    assert choices(lost) == ["small S01"]
    assert play(lost, "0 small S01").players[0].promotion == 0

    possible = soul_phase(board("g//r", small=("S01",)), deck)
    assert "may not go unused" in refusal(possible, "0 small S01")
    assert refusal(soul_phase(board("rrg", small=("S05",))), "0 small S05 colours b lift red low") == (
        "The small oracle (low red + low red + low green) gives no promotion."
    )


def test_w13_a_promotion_reward_displaces_in_a_full_rank() -> None:
    deck = deck_with(small={"S01": ((("high", "red"),), ("promotion",))})

    state = soul_phase(board("/g/rbyy", small=("S01",)), deck)

    assert choices(state) == [
        "small S01 lift green middle for red",
        "small S01 lift green middle for blue",
        "small S01 lift green middle for yellow",
    ]


def test_w13_tokens_of_a_reward_come_before_its_promotion() -> None:
    deck = deck_with(small={"S01": ((("low", "red"),), ("green", "promotion"))})

    state = play(soul_phase(board("r", small=("S01",)), deck), "0 small S01 lift green low")

    assert rows(state.players[0]) == "r/g/"


def test_w13_may_be_put_off_and_then_must_hold_anew() -> None:
    state = soul_phase(board("rrg", small=("S05",)))

    gone = play(state, "0 promote red low")

    assert choices(gone) == []  # one middle red is left of two: the need does not hold any more


# W14: great oracles


def test_w14_two_high_tokens_move_from_the_board_onto_the_card() -> None:
    state = play(soul_phase(board("//rggb", great=("G01", "G09"))), "0 great G01")

    assert rows(state.players[0]) == "//gb"
    assert (state.players[0].great, state.players[0].achieved_great) == (
        ("G09",),
        (achieved("G01", "red", "green"),),
    )
    assert (
        refusal(state, "0 great G01")
        == "The wolf (purple) has already achieved the great oracle (high red + green)."
    )


def test_w14_two_of_one_colour_are_needed_where_the_card_shows_it_twice() -> None:
    assert choices(soul_phase(board("//r", great=("G07",)))) == []
    assert choices(soul_phase(board("//rr", great=("G07",)))) == ["great G07"]


def test_w14_spots_become_free_for_further_promotions() -> None:
    state = soul_phase(board("/bb/rgyy", great=("G01",)))

    state = play(state, "0 great G01", "0 promote blue middle")

    assert rows(state.players[0]) == "//byy"


def test_w14_middle_tokens_and_tokens_on_another_card_do_not_serve() -> None:
    state = soul_phase(board("/r/g", great=("G01",), achieved_great=(achieved("G07", "red", "red"),)))

    assert refusal(state, "0 great G01") == (
        "The wolf (purple) cannot achieve the great oracle (high red + green) yet: "
        "it requires one red and one green of high rank on the board."
    )
    assert refusal(state, "0 great G02") == "The wolf (purple) has no great oracle (high red + blue)."


# W15: end of the phase


def test_w15_unspent_spells_go_without_effect() -> None:
    state = play(soul_phase(board("rg", promotion=2, colour_change=1)), "0 done")

    assert (state.players[0].promotion, state.players[0].colour_change, rows(state.players[0])) == (0, 0, "rg//")


def test_w15_who_has_finished_does_nothing_more_in_this_phase() -> None:
    state = play(soul_phase(board("rr")), "0 done")

    assert legal(state).for_player(0) == ()
    assert refusal(state, "0 promote red low") == "The wolf (purple) has finished this soul phase."
    assert refusal(state, "0 done") == "The wolf (purple) has finished this soul phase."


def test_w15_all_pieces_go_back_behind_the_screens_when_everybody_is_done() -> None:
    state = soul_phase(board("rr", promotion=1))
    corridors = state.corridors

    state = play(state, "2 done", "0 done", "1 done")

    assert (state.phase, state.round, state.used, state.corridors) == ("lay", 2, corridors, ())
    assert [player.held for player in state.players] == [pieces(3)] * 3
    assert not any(player.finished for player in state.players)


def test_w15_players_act_in_any_order() -> None:
    first = soul_phase(board("rr"))

    one = play(first, "1 done", "0 promote red low", "2 done")
    other = play(first, "0 promote red low", "2 done", "1 done")

    assert one == other


def test_the_last_corridor_leads_to_the_souls() -> None:
    state = play(search_phase("C01", "C02", "C04", "C05"), *["reveal 1 0 0"] * 3, "reveal 3ws 6ws 6ws")

    assert (state.phase, state.corridor) == ("soul", 4)
    assert [player.held for player in state.players] == [Hand()] * 3
