"""Advice in words, and the reminder of what lies open: nothing that takes a plan is given away."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from companion.games.wicked import apply
from companion.games.wicked.adviser import advise, hint_line, obvious_actions, obvious_actions_line
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import ROUNDS, Deck
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    FinishSoul,
    Lift,
    Promote,
    Swap,
)
from companion.games.wicked.rules.legal_moves import player_moves
from companion.games.wicked.rules.setup import new_game
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedPlayer
from tests.companion.games.wicked.scenarios import board, deck_with, soul_phase

RED_GREEN = deck_with(
    great={"G01": ("red", "green")},
    small={"S01": ((("low", "red"),), ("white", "promotion"))},
)


def left(player: WickedPlayer, deck: Deck = RED_GREEN, round_: int = ROUNDS) -> str:
    state = replace(soul_phase(player, deck), round=round_)
    moves = obvious_actions(state.players[0], deck, 0, advise(state, 0))
    return obvious_actions_line(moves, deck) if moves else ""


@pytest.mark.parametrize(
    ("move", "line"),
    [
        (Promote(0, Lift("blue", "low")), "Promote the two blue low tokens"),
        (
            Promote(0, Lift("blue", "low", "red")),
            "Promote the two blue low tokens; a red middle token goes back for it",
        ),
        (CastPromotion(0, Lift("red", "middle")), "Raise a red middle token with a promotion spell"),
        (CastPromotion(0, None), "Spend a promotion spell without effect"),
        (
            CastColourChange(0, Swap("high", "blue", "red")),
            "Turn a blue high token red with a colour-change spell",
        ),
        (CastColourChange(0, None), "Spend a colour-change spell without effect"),
        (AchieveGreat(0, "G01"), "Achieve the great oracle of red and green"),
        (
            AchieveSmall(0, "S01", ("green",), None, Lift("red", "low")),
            "Achieve the small oracle (low red); take one green; raise a red low token",
        ),
    ],
)
def test_every_action_is_asked_for_in_one_line(move: Promote, line: str) -> None:
    assert hint_line(move, RED_GREEN) == line


def test_a_pair_that_was_overlooked_is_named() -> None:
    assert left(board("ggb//"), round_=1) == "One more promotion was possible: two green low tokens."
    assert left(board("/gg/"), round_=ROUNDS) == "One more promotion was possible: two green middle tokens."


def test_an_oracle_that_could_be_achieved_is_named() -> None:
    assert left(board("//rg", great=("G01",))) == (
        "One more oracle can be achieved: the great oracle of red and green."
    )
    assert left(board("r//", small=("S01",))) == ("One more oracle can be achieved: the small oracle (low red).")
    assert left(board("/gg/rg", great=("G01",))).startswith("Still possible: ")


def test_what_takes_a_plan_is_not_given_away() -> None:
    by_spell = board("//rb", colour_change=1, great=("G01",))
    assert advise(replace(soul_phase(by_spell, RED_GREEN), round=ROUNDS), 0).moves
    assert left(by_spell) == ""


def test_a_pair_that_is_kept_well_is_not_asked_about() -> None:
    # The high row is full: the middle pair would cost two tokens and bring none.
    assert left(board("/rr/rgby"), round_=ROUNDS) == ""


def test_what_is_named_can_be_done_at_once_in_whole_games() -> None:
    named = 0
    for seed in range(6):
        rng = random.Random(seed)
        state = new_game(3, STANDIN, seed)
        while state.phase != "over":
            if state.phase == "soul":
                for seat in range(3):
                    advice = advise(state, seat)
                    moves = obvious_actions(state.players[seat], state.deck, seat, advice)
                    offered = {(move.type, getattr(move, "card", "")) for move in player_moves(state, seat)}
                    assert all((move.type, getattr(move, "card", "")) in offered for move in moves)
                    assert all(move in advice.moves for move in moves)
                    assert not any(hint_line(move, state.deck).endswith(".") for move in advice.moves)
                    named += len(moves)
                for seat in range(3):
                    state = apply(state, FinishSoul(seat))
            else:
                state = apply(state, random_move(state, rng))
    assert named
