"""Cards of one's own: described by what they show when they come to lie there, or skipped."""

from __future__ import annotations

import pytest

from companion.games.game import IllegalMove
from companion.games.wicked import apply, new_game
from companion.games.wicked.components import CorridorCard
from companion.games.wicked.moves import Lay
from companion.games.wicked.rules.player_described_cards import OWN_CARDS
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.notation import read_move


def after(*lines: str, deck: str = "own") -> WickedState:
    state = new_game(3, OWN_CARDS if deck == "own" else STANDIN)
    for line in lines:
        state = apply(state, read_move(line))
    return state


LAID = ("deal later 3", "lay D1=rr/b D2=/ D3=p/y D4=g/g")


def test_a_described_corridor_gives_what_it_shows_and_a_skipped_one_only_ranks() -> None:
    state = after(*LAID, "reveal 3 2 0", "reveal 1 0 0")
    assert state.outcome is not None
    assert [gain and gain.place for gain in state.outcome.gains] == ["first", None, None]
    assert state.players[0].low.colours == ("red", "red", "blue")
    assert state.players[1].low.colours == ("blue",)


def test_oracles_are_named_later_from_a_known_deck_too() -> None:
    state = after("deal later 3", "lay C01 C02 C03 C04", "1 oracle G05", "1 oracle S03", deck="standin")
    assert (state.players[1].great, state.players[1].small) == (("G05",), ("S03",))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("0 oracle G1", "no oracle card"),
        ("0 oracle D1 great red red", "already exists"),
        ("0 oracle O9 small rl gives pp", "at most one of them is a promotion"),
        ("1 oracle O1", "cannot lie in two places"),
    ],
)
def test_an_oracle_that_there_cannot_be_is_refused(line: str, why: str) -> None:
    state = after(*LAID, "0 oracle O1 great red blue")
    with pytest.raises(IllegalMove, match=why):
        apply(state, read_move(line))


def test_nobody_has_three_oracles_of_a_kind() -> None:
    state = after(*LAID, "0 oracle O1 great red blue", "0 oracle O2 great red red")
    with pytest.raises(IllegalMove, match="has two"):
        apply(state, read_move("0 oracle O3 great blue blue"))


@pytest.mark.parametrize(
    "card",
    [
        CorridorCard("D1", ("red", "red", "red"), ()),
        CorridorCard("D1", (), ("red", "blue")),
        CorridorCard("x" * 41, (), ()),
        CorridorCard("D/1", (), ()),
        CorridorCard("elsewhere", (), ()),
    ],
)
def test_a_corridor_that_there_cannot_be_is_refused_and_the_game_stays(card: CorridorCard) -> None:
    state = after("deal later 3")
    cards = ("D2", "D3", "D4", "D1" if card.id == "elsewhere" else card.id)
    others = tuple(CorridorCard(id, (), ()) for id in cards[:3])
    with pytest.raises(IllegalMove):
        apply(state, Lay(cards, (*others, card)))
