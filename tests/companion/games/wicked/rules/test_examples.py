"""The worked examples E1 to E4 of the rulings, as they are written there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.wicked import final_scores
from companion.games.wicked.rules.search_phase import Ranking, rank
from tests.companion.games.wicked.scenarios import (
    achieved,
    board,
    deck_with,
    over,
    play,
    rows,
    search_phase,
    soul_phase,
)


def test_e1_two_souls_signs_and_one_witchs_sign_go_to_1st_and_2nd_before_the_card() -> None:
    a, b, c, d, e = range(5)
    before = search_phase("C02", players=5)  # promotion over green

    after = play(before, "reveal 4s 1 2w 0s 3")

    assert after.outcome is not None
    assert [gain and gain.place for gain in after.outcome.gains] == ["first", None, None, None, "second"]
    for ranked in (a, e):
        assert after.players[ranked].impurity == 1
        assert rows(after.players[ranked]) == "ggg//"  # two for the signs, one from the lower half
    assert (after.players[a].promotion, after.players[e].promotion) == (1, 0)
    for unranked in (b, c, d):
        assert after.players[unranked] == replace(before.players[unranked], held=after.players[unranked].held)


def test_e2_a_soul_phase_ends_worth_19() -> None:
    deck = deck_with(
        great={"G01": ("red", "green")},
        small={"S01": ((("middle", "red"), ("middle", "green"), ("low", "blue")), ("promotion",))},
    )
    state = soul_phase(board("yggbbb", promotion=1, colour_change=1, great=("G01",), small=("S01",)), deck)

    state = play(state, "0 promote green low", "0 promote blue low")
    assert rows(state.players[0]) == "by/gb/"
    state = play(state, "0 change middle blue red")
    assert rows(state.players[0]) == "by/rg/"
    state = play(state, "0 small S01 lift green middle")
    assert rows(state.players[0]) == "by/r/g"
    state = play(state, "0 promotion red middle")
    assert rows(state.players[0]) == "by//rg"
    state = play(state, "0 great G01", "0 done")

    assert rows(state.players[0]) == "by//"
    assert state.players[0].achieved_great == (achieved("G01", "red", "green"),)
    assert final_scores(state)[0].total == 1 + 1 + 5 + 5 + 5 + 2 == 19


@pytest.mark.parametrize(
    ("counts", "first", "seconds"),
    [
        ((5, 3, 3, 1, 0), "purple", ("green", "red")),
        ((4, 4, 3, 0, 0), None, ("purple", "green")),
        ((0, 0, 0), None, ()),
        ((2, 0, 0), "purple", ()),
        ((3, 3, 3), None, ("purple", "green", "red")),
    ],
)
def test_e3_the_ranking_tables(counts: tuple[int, ...], first: str | None, seconds: tuple[str, ...]) -> None:
    revealed = dict(zip(("purple", "green", "red", "black", "yellow"), counts, strict=False))

    assert rank(revealed) == Ranking(first, seconds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("oracles", "impurity", "given_back", "subtracted"),
    [
        (2, 3, 3, 0),  # two great oracles would give back four: never below none
        (1, 5, 2, 3),
    ],
)
def test_e4_great_oracles_give_impurity_back(oracles: int, impurity: int, given_back: int, subtracted: int) -> None:
    on_cards = tuple(achieved(f"G0{n}", "red", "green") for n in range(1, oracles + 1))
    player = board("r", achieved_great=on_cards, impurity=impurity)

    score = final_scores(over(player, board(), board()))[0]

    assert (score.impurity, score.given_back, score.impurity_left) == (impurity, given_back, subtracted)
    assert score.total == 1 + oracles * (5 + 5 + 5) - subtracted
