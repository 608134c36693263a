"""What an open oracle still waits for (W13, W14)."""

from __future__ import annotations

import random

import pytest

from companion.games.wicked import apply, new_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import GreatOracle, Need, SmallOracle
from companion.games.wicked.rules.missing_oracle_tokens import lacking
from companion.games.wicked.rules.soul_phase import unmet_need
from companion.games.wicked.standin_deck import STANDIN
from tests.companion.games.wicked.scenarios import achieved, board


@pytest.mark.parametrize(
    ("rows", "card", "missing"),
    [
        ("", "G01", (Need("red", "high"), Need("green", "high"))),
        ("//r", "G01", (Need("green", "high"),)),
        ("//rg", "G01", ()),
        ("//r", "G07", (Need("red", "high"),)),  # two reds, and one is there
        ("rr/g/b", "S01", (Need("red", "middle"),)),  # the high blue serves for a low one
        ("b/r/g", "S01", ()),
        ("r/r/g", "S05", ()),  # each token serves once: low and middle red, high green
        ("r//g", "S05", (Need("red", "low"),)),
    ],
)
def test_w13_w14_what_is_missing_is_named_token_by_token(rows: str, card: str, missing: tuple[Need, ...]) -> None:
    oracles: tuple[GreatOracle | SmallOracle, ...] = (*STANDIN.great, *STANDIN.small)
    cards = {one.id: one for one in oracles}
    assert lacking(board(rows), cards[card]) == missing


def test_w13_tokens_on_a_great_oracle_serve_a_small_one_but_no_other_great_one() -> None:
    player = board("", achieved_great=(achieved("G01", "red", "green"),))
    assert lacking(player, STANDIN.small_oracle("S09")) == ()
    assert lacking(player, STANDIN.great_oracle("G11")) == (Need("green", "high"), Need("red", "high"))


def test_nothing_is_missing_exactly_where_the_rules_let_a_small_oracle_be_achieved() -> None:
    rng = random.Random(3)
    state = new_game(5, STANDIN, seed=3)
    compared = 0
    while state.phase != "over":
        for player in state.players:
            for card in player.small:
                oracle = STANDIN.small_oracle(card)
                assert (lacking(player, oracle) == ()) is (unmet_need(player, oracle) is None)
                compared += 1
        state = apply(state, random_move(state, rng))
    assert compared > 100
