"""Before the first corridor, between rounds and at the end (W1, W15)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.game import IllegalMove
from companion.games.wicked import apply, legal, new_game, waiting_for
from companion.games.wicked.components import CorridorCard, Deck
from companion.games.wicked.moves import DealOracles, Hand, Lay
from companion.games.wicked.standin_deck import STANDIN
from tests.companion.games.wicked.scenarios import deck_with, play, search_phase

DEAL = "deal G01,G02/S01,S02 G03,G04/S03,S04 G05,G06/S05,S06"


@pytest.mark.parametrize(("players", "corridors", "pieces"), [(3, 4, 6), (4, 5, 7), (5, 6, 8)])
def test_a_game_with_a_seed_deals_and_lays_by_itself(players: int, corridors: int, pieces: int) -> None:
    state = new_game(players, STANDIN, seed=1)

    assert (state.phase, state.round, len(state.corridors), state.corridor) == ("search", 1, corridors, 0)
    assert state.pile is not None
    assert len(state.pile) == 3 * corridors
    assert len({*state.pile, *state.corridors}) == 4 * corridors
    assert [player.held for player in state.players] == [Hand(pieces, 1, 1)] * players
    for kind in ("great", "small"):
        dealt = [card for player in state.players for card in getattr(player, kind)]
        assert len(dealt) == len(set(dealt)) == 2 * players


def test_the_same_seed_deals_the_same_and_another_one_does_not() -> None:
    assert new_game(4, STANDIN, seed=5) == new_game(4, STANDIN, seed=5)
    assert new_game(4, STANDIN, seed=5) != new_game(4, STANDIN, seed=6)


def test_colours_are_given_in_seat_order() -> None:
    state = new_game(("yellow", "black", "purple"), STANDIN)

    assert [player.colour for player in state.players] == ["yellow", "black", "purple"]


def test_without_a_seed_the_cards_come_from_a_real_table() -> None:
    state = new_game(3, STANDIN)
    assert state.phase == "deal"
    deal = legal(state).deal
    assert deal is not None
    assert (deal.players, deal.each, len(deal.great), len(deal.small)) == (3, 2, 12, 12)
    assert waiting_for(state) == ()

    state = play(state, DEAL)
    assert (state.phase, state.players[1].great, state.players[1].small) == ("lay", ("G03", "G04"), ("S03", "S04"))
    lay = legal(state).lay
    assert lay is not None
    assert (lay.count, len(lay.cards)) == (4, 24)

    state = play(state, "lay C07 C01 C09 C20")
    assert (state.phase, state.corridors, waiting_for(state)) == ("search", ("C07", "C01", "C09", "C20"), (0, 1, 2))


def test_cards_searched_in_an_earlier_round_are_not_laid_again() -> None:
    state = play(search_phase("C01", "C02", "C04", "C05"), *["reveal 0 0 0"] * 3, "reveal 6ws 6ws 6ws")
    state = play(state, "0 done", "1 done", "2 done")

    lay = legal(state).lay
    assert lay is not None
    assert not {"C01", "C02", "C04", "C05"} & set(lay.cards)
    with pytest.raises(IllegalMove, match="Corridor card C04 was searched in an earlier round"):
        play(state, "lay C03 C04 C06 C07")


def test_the_game_is_over_after_the_fourth_soul_phase() -> None:
    state = search_phase()
    for number in range(1, 5):
        assert state.round == number
        state = play(state, *["reveal 0 0 0"] * 3, "reveal 6ws 6ws 6ws")
        if state.phase == "gain":
            state = play(state, *(legal(state).for_player(seat)[0] for seat in waiting_for(state)))
        state = play(state, "0 done", "1 done", "2 done")
        if number < 4:
            lay = legal(state).lay
            assert lay is not None
            state = apply(state, Lay(lay.cards[: lay.count]))

    assert (state.phase, waiting_for(state)) == ("over", ())
    assert legal(state) == type(legal(state))()
    with pytest.raises(IllegalMove, match="Not now: the game is over"):
        play(state, "0 done")


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        (2, "The game is for 3 to 5 players, not for 2."),
        (6, "The game is for 3 to 5 players, not for 6."),
        (("red", "green"), "The game is for 3 to 5 players, not for 2."),
        (("red", "green", "red"), "Two players cannot both be red."),
        (("red", "green", "white"), "No player can be white: choose one of purple, green, red, black, yellow."),
    ],
)
def test_a_game_needs_3_to_5_players_of_different_colours(players: int | tuple[str, ...], reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        new_game(players, STANDIN)  # type: ignore[arg-type]

    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("deck", "reason"),
    [
        (
            replace(STANDIN, corridors=STANDIN.corridors[:23]),
            "5 players need 24 corridor cards; the deck stand-in has 23.",
        ),
        (
            replace(STANDIN, great=STANDIN.great[:9]),
            "5 players need 10 great oracle cards; the deck stand-in has 9.",
        ),
        (replace(STANDIN, small=()), "5 players need 10 small oracle cards; the deck stand-in has 0."),
        (
            replace(STANDIN, corridors=(*STANDIN.corridors[:23], CorridorCard("G01", ("red",), ("red",)))),
            "The deck stand-in has two cards G01: give every card its own id.",
        ),
        (
            deck_with(corridors={"C01": (("red",), ("red", "blue"))}),
            "Corridor card C01 shows two colours in its lower half: a soul's sign would have no single colour.",
        ),
        (
            deck_with(small={"S01": ((), ("promotion",))}),
            "Small oracle card S01 needs no token: it would be achieved by nothing.",
        ),
        (
            deck_with(small={"S01": ((("low", "red"),), ("promotion", "promotion"))}),
            "Small oracle card S01 gives two promotions: a card can give one.",
        ),
    ],
)
def test_a_deck_that_makes_no_game_is_refused(deck: Deck, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        new_game(5, deck)

    assert str(refused.value) == reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("deal G01,G02/S01,S02 G03,G04/S03,S04", "Each of the 3 players gets two great oracle cards."),
        ("deal G01/S01,S02 G03,G04/S03,S04 G05,G06/S05,S06", "Each of the 3 players gets two great oracle cards."),
        ("deal G01,G02/S01 G03,G04/S03,S04 G05,G06/S05,S06", "Each of the 3 players gets two small oracle cards."),
        ("deal G01,G02/S01,S02 G01,G04/S03,S04 G05,G06/S05,S06", "There is only one great oracle card G01"),
        ("deal G01,G99/S01,S02 G03,G04/S03,S04 G05,G06/S05,S06", "There is no great oracle card G99 in this deck."),
        ("deal G01,G02/G07,S02 G03,G04/S03,S04 G05,G06/S05,S06", "There is no small oracle card G07 in this deck."),
        ("lay C01 C02 C03 C04", "Not now: the oracle cards have to be dealt first."),
    ],
)
def test_a_wrong_deal_is_refused(line: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        play(new_game(3, STANDIN), line)

    assert str(refused.value).startswith(reason)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("lay C01 C02 C03", "With 3 players 4 corridors are laid, not 3."),
        ("lay C01 C02 C03 C03", "There is only one corridor card C03; it cannot lie in two places."),
        ("lay C01 C02 C03 S01", "There is no corridor card S01 in this deck."),
        (DEAL, "Not now: this round's corridors have to be laid first."),
        ("reveal 0 0 0", "Not now: this round's corridors have to be laid first."),
    ],
)
def test_a_wrong_layout_is_refused(line: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        play(new_game(3, STANDIN), DEAL, line)

    assert str(refused.value) == reason


@pytest.mark.parametrize("seat", [-1, 3])
def test_nobody_sits_at_a_seat_outside_the_game(seat: int) -> None:
    state = play(search_phase("C01", "C02", "C04", "C05"), *["reveal 0 0 0"] * 3, "reveal 6ws 6ws 6ws")

    with pytest.raises(IllegalMove, match=f"There are 3 players: nobody sits at seat {seat}"):
        play(state, f"{seat} done")


def test_a_deal_keeps_the_state_it_was_made_for_as_it_was() -> None:
    state = new_game(3, STANDIN)
    before = repr(state)

    play(
        state,
        DealOracles(
            (("G01", "G02"), ("G03", "G04"), ("G05", "G06")), (("S01", "S02"), ("S03", "S04"), ("S05", "S06"))
        ),
    )

    assert repr(state) == before
