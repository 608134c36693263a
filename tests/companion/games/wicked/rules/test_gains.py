"""What ranked players take: whites, a full low row, spells (W5 to W8)."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.games.game import IllegalMove
from companion.games.wicked import legal, waiting_for
from companion.games.wicked.moves import ChooseColours, KeepTokens
from companion.games.wicked.rules.gains import keep_choices
from companion.games.wicked.state import Tokens
from companion.games.wicked.text.notation import write_move
from tests.companion.games.wicked.scenarios import deck_with, play, rows, search_phase, tokens, with_board


def test_w5_white_of_signs_and_card_are_coloured_together() -> None:
    state = play(search_phase("C19"), "reveal 3s 0 0")  # green over white

    pending = state.players[0].pending
    assert pending is not None
    assert (pending.whites, pending.gained) == (2, tokens("g"))
    assert len(legal(state).moves) == 10  # two of four colours with repetition
    assert waiting_for(state) == (0,)
    assert rows(play(state, "0 colours yr").players[0]) == "rgy//"


def test_w7_a_full_low_row_asks_which_six_of_old_and_new_to_keep() -> None:
    state = with_board(search_phase("C01"), 0, "rrbbyy")

    state = play(state, "reveal 2 0 0")  # yellow over green: eight for six spots

    assert state.phase == "gain"
    assert rows(state.players[0]) == "rrbbyy//"  # nothing moves before the choice
    assert KeepTokens(0, ("red", "red", "blue", "blue", "yellow", "yellow")) in legal(state).moves  # declined
    assert rows(play(state, "0 keep gyyybr").players[0]) == "rgbyyy//"


def test_w7_leaves_middle_and_high_tokens_alone() -> None:
    state = with_board(search_phase("C01"), 0, "rrbbyy/rrrrr/gggg")

    state = play(state, "reveal 2 0 0", "0 keep gyyybr")

    assert rows(state.players[0]) == "rgbyyy/rrrrr/gggg"


def test_w7_exactly_six_need_no_choice() -> None:
    state = play(with_board(search_phase("C01"), 0, "rrbb"), "reveal 2 0 0")

    assert (state.phase, rows(state.players[0])) == ("search", "rrgbby//")


def test_w7_seven_of_one_colour_leave_nothing_to_choose() -> None:
    state = play(with_board(search_phase("C02"), 0, "gggggg"), "reveal 2 0 0")

    assert (state.phase, rows(state.players[0])) == ("search", "gggggg//")


def test_w7_whites_are_coloured_before_six_are_kept() -> None:
    state = play(with_board(search_phase("C03"), 0, "rrrrrr"), "reveal 2 0 0")  # white over blue

    with pytest.raises(IllegalMove, match="has to choose colours for one white fragment first"):
        play(state, "0 keep rrrrrb")
    state = play(state, "0 colours g")
    assert {write_move(move) for move in legal(state).moves} == {
        "0 keep rrrrrr",
        "0 keep rrrrrg",
        "0 keep rrrrrb",
        "0 keep rrrrgb",
    }
    assert rows(play(state, "0 keep rrrrgb").players[0]) == "rrrrgb//"


def test_w7_players_choose_in_any_order_and_the_search_goes_on_after_the_last() -> None:
    state = with_board(with_board(search_phase("C01"), 0, "rrbbyy"), 1, "rrbbyy")
    state = play(state, "reveal 3 2 1")

    for order in (("0 keep rrbbyy", "1 keep rrbbyy"), ("1 keep rrbbyy", "0 keep rrbbyy")):
        halfway = play(state, order[0])
        assert (halfway.phase, halfway.corridor) == ("gain", 0)
        done = play(halfway, order[1])
        assert (done.phase, done.corridor) == ("search", 1)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("0 keep rrbby", "The wolf (purple) has to keep exactly six low tokens, not 5."),
        ("0 keep rrbbyyy", "The wolf (purple) has to keep exactly six low tokens, not 7."),
        (
            "0 keep rrrbby",
            "The wolf (purple) cannot keep three red, two blue and one yellow: "
            "there are only two red, one green, two blue and three yellow.",
        ),
        ("0 colours r", "The wolf (purple) has no white fragment to choose a colour for."),
        ("1 keep rrrrrr", "The rabbit (green) has room for every token gained: none has to go back."),
        ("1 colours r", "The rabbit (green) has no white fragment to choose a colour for."),
        ("reveal 1 1 1", "Not now: everybody has to choose first what they take from this corridor."),
    ],
)
def test_w7_wrong_choices_are_refused(line: str, reason: str) -> None:
    state = play(with_board(search_phase("C01"), 0, "rrbbyy"), "reveal 2 0 0")

    with pytest.raises(IllegalMove) as refused:
        play(state, line)

    assert str(refused.value) == reason


@pytest.mark.parametrize("colours", [(), ("red", "blue", "green"), ("white", "red")])
def test_w5_wrong_colours_are_refused(colours: tuple[str, ...]) -> None:
    state = play(search_phase("C19"), "reveal 3s 0 0")

    with pytest.raises(IllegalMove, match=r"to choose two colours|becomes red, green, blue or yellow, not white"):
        play(state, ChooseColours(0, colours))  # type: ignore[arg-type]


@pytest.mark.parametrize("row", ["rrrrrrr", "rgbyrgby", "rrrrrrrrgb", "yyyyyyb", "rrggbbyyrrggbb"])
def test_w7_the_choices_are_all_ways_to_take_six(row: str) -> None:
    offered = tokens(row)

    brute_force = {Tokens.of(six) for six in combinations(offered.colours, 6)}

    assert len(keep_choices(offered)) == len(brute_force)
    assert {Tokens.of(keep) for keep in keep_choices(offered)} == brute_force


def test_w8_spells_are_marked_on_the_board_of_whoever_gained_them() -> None:
    state = play(search_phase("C02", "C09", "C05", players=3), "reveal 2 1 0", "reveal 2 1 0", "reveal 0 2 1")

    assert [(p.promotion, p.colour_change) for p in state.players] == [(1, 1), (1, 0), (0, 0)]


def test_w8_there_is_no_limit_to_spells_held() -> None:
    deck = deck_with(corridors={"C01": (("promotion", "promotion", "colour_change"), ("promotion",))})

    state = play(search_phase("C01", deck=deck), "reveal 1 0 0")

    assert (state.players[0].promotion, state.players[0].colour_change) == (3, 1)
