"""The stand-in deck has the box's numbers, and everything in it is even."""

from __future__ import annotations

from collections import Counter

from companion.games.wicked.components import COLOURS
from companion.games.wicked.standin_deck import STANDIN


def test_the_deck_has_24_corridor_12_great_and_12_small_oracle_cards() -> None:
    assert [card.id for card in STANDIN.corridors] == [f"C{n:02}" for n in range(1, 25)]
    assert [card.id for card in STANDIN.great] == [f"G{n:02}" for n in range(1, 13)]
    assert [card.id for card in STANDIN.small] == [f"S{n:02}" for n in range(1, 13)]


def test_the_four_corridors_of_the_rulebooks_picture_are_in_it() -> None:
    halves = {(card.upper, card.lower) for card in STANDIN.corridors}

    assert {
        (("yellow",), ("green",)),
        (("promotion",), ("green",)),
        (("white",), ("blue",)),
        (("colour_change",), ("red",)),
    } <= halves


def test_no_two_cards_look_alike() -> None:
    assert len({(card.upper, card.lower) for card in STANDIN.corridors}) == 24
    assert len({card.colours for card in STANDIN.great}) == 12
    assert len({(card.needs, card.reward) for card in STANDIN.small}) == 12


def test_every_lower_half_is_one_fragment_so_that_a_souls_sign_has_a_colour() -> None:
    assert all(len(card.lower) == 1 and card.lower[0] in (*COLOURS, "white") for card in STANDIN.corridors)


def test_the_four_colours_are_even() -> None:
    uppers = Counter(element for card in STANDIN.corridors for element in card.upper)
    lowers = Counter(element for card in STANDIN.corridors for element in card.lower)
    great = Counter(colour for card in STANDIN.great for colour in card.colours)
    needs = Counter((need.rank, need.colour) for card in STANDIN.small for need in card.needs)
    rewards = Counter(element for card in STANDIN.small for element in card.reward)

    for counted in (uppers, lowers, great, rewards):
        assert len({counted[colour] for colour in COLOURS}) == 1
    for rank in ("low", "middle", "high"):
        assert len({needs[rank, colour] for colour in COLOURS}) == 1
