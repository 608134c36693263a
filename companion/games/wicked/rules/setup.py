"""The start of a game and of each round: players, oracle cards, the ring of corridors (W1, W15)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from calibration.translatable import say
from companion.games.game import IllegalMove
from companion.games.wicked.components import (
    CORRIDORS,
    ORACLES_DEALT,
    PLAYER_COLOURS,
    ROUNDS,
    SEARCH_PIECES,
    Deck,
    PlayerColour,
)
from companion.games.wicked.moves import DealOracles, Hand, Lay
from companion.games.wicked.rules.player_described_cards import grows, with_corridors
from companion.games.wicked.state import WickedPlayer, WickedState


def new_game(players: int | Sequence[PlayerColour], deck: Deck, seed: int | None = None) -> WickedState:
    """Return the first state of a game. players: their number, 3 to 5, or their colours by seat.

    With a seed the engine shuffles, deals and lays; without one, Deal and Lay moves enter the cards of a real
    table. Raises ValueError where the players or the deck cannot make a game.
    """
    colours = PLAYER_COLOURS[:players] if isinstance(players, int) else tuple(players)
    count = players if isinstance(players, int) else len(colours)
    if count not in CORRIDORS:
        raise ValueError(f"The game is for 3 to 5 players, not for {count}.")
    for colour in colours:
        if colour not in PLAYER_COLOURS:
            raise ValueError(f"No player can be {colour}: choose one of {', '.join(PLAYER_COLOURS)}.")
        if colours.count(colour) > 1:
            raise ValueError(f"Two players cannot both be {colour}.")
    _check_deck(deck, count)
    hand = Hand(SEARCH_PIECES[count], 1, 1)
    state = WickedState(deck=deck, players=tuple(WickedPlayer(colour, hand) for colour in colours), phase="deal")
    return state if seed is None else _shuffle_and_deal(state, random.Random(seed))


def deal(state: WickedState, move: DealOracles) -> WickedState:
    """Return the state after oracle cards are dealt: per player two great and two small ones, or none at all."""
    players = len(state.players)
    if not any((*move.great, *move.small)) and len(move.great) == len(move.small) == players:
        return _begin_round(state)
    for dealt, known, name, kind in (
        (move.great, [card.id for card in state.deck.great], say("great"), say("great oracle")),
        (move.small, [card.id for card in state.deck.small], say("small"), say("small oracle")),
    ):
        if len(dealt) != players or any(len(cards) != ORACLES_DEALT for cards in dealt):
            raise IllegalMove(
                say("Each of the {players} players gets two {kind} oracle cards.", players=players, kind=name)
            )
        _check_cards([card for cards in dealt for card in cards], known, kind)
    dealt_players = tuple(
        replace(player, great=tuple(great), small=tuple(small))
        for player, great, small in zip(state.players, move.great, move.small, strict=True)
    )
    return _begin_round(replace(state, players=dealt_players))


def lay(state: WickedState, move: Lay) -> WickedState:
    """Return the state with this round's corridor cards laid, in which the first corridor is searched (W1)."""
    count = CORRIDORS[len(state.players)]
    if len(move.cards) != count:
        raise IllegalMove(
            say(
                "With {number} players {count} corridors are laid, not {laid}.",
                number=len(state.players),
                count=count,
                laid=len(move.cards),
            )
        )
    deck = with_corridors(state.deck, move.described, move.cards)
    _check_cards(move.cards, [card.id for card in deck.corridors], say("corridor"))
    for card in move.cards:
        if card in state.used:
            raise IllegalMove(say("Corridor card {card} was searched in an earlier round.", card=card))
    return replace(state, deck=deck, corridors=tuple(move.cards), corridor=0, phase="search")


def next_round(state: WickedState) -> WickedState:
    """Return the state at the start of the next round, all pieces back in hand (W15), or the end of the game."""
    if state.round == ROUNDS:
        return replace(state, phase="over")
    hand = Hand(SEARCH_PIECES[len(state.players)], 1, 1)
    return _begin_round(
        replace(
            state,
            players=tuple(replace(player, held=hand, finished=False) for player in state.players),
            round=state.round + 1,
            used=state.used + state.corridors,
            corridors=(),
            corridor=0,
        )
    )


def corridors_left(state: WickedState) -> tuple[str, ...]:
    """Return the ids of the corridor cards that no earlier round has used, in the deck's order."""
    return tuple(card.id for card in state.deck.corridors if card.id not in state.used)


def _begin_round(state: WickedState) -> WickedState:
    """Return the state with the round's corridors laid from the pile; in phase "lay" if people lay them."""
    if state.pile is None:
        return replace(state, phase="lay")
    count = CORRIDORS[len(state.players)]
    return lay(replace(state, pile=state.pile[count:]), Lay(state.pile[:count]))


def _shuffle_and_deal(state: WickedState, rng: random.Random) -> WickedState:
    """Return the state with all cards shuffled, the oracle cards dealt and the first corridors laid."""
    players = len(state.players)
    corridors = [card.id for card in state.deck.corridors]
    great = [card.id for card in state.deck.great]
    small = [card.id for card in state.deck.small]
    for cards in (corridors, great, small):
        rng.shuffle(cards)
    pile = tuple(corridors[: ROUNDS * CORRIDORS[players]])  # the others go back into the box, hidden

    def hands(cards: list[str]) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(cards[ORACLES_DEALT * seat : ORACLES_DEALT * (seat + 1)]) for seat in range(players))

    return deal(replace(state, pile=pile), DealOracles(hands(great), hands(small)))


def _check_cards(cards: Sequence[str], known: Sequence[str], kind: str) -> None:
    for card in cards:
        if card not in known:
            raise IllegalMove(say("There is no {kind} card {card} in this deck.", kind=kind, card=card))
        if cards.count(card) > 1:
            raise IllegalMove(
                say("There is only one {kind} card {card}; it cannot lie in two places.", kind=kind, card=card)
            )


def _check_deck(deck: Deck, players: int) -> None:
    for has, needs, kind in (
        (len(deck.corridors), ROUNDS * CORRIDORS[players], "corridor cards"),
        (len(deck.great), ORACLES_DEALT * players, "great oracle cards"),
        (len(deck.small), ORACLES_DEALT * players, "small oracle cards"),
    ):
        if has < needs and not grows(deck):
            raise ValueError(f"{players} players need {needs} {kind}; the deck {deck.name} has {has}.")
    ids = [card.id for card in deck.corridors]
    ids += [card.id for card in deck.great] + [card.id for card in deck.small]
    for card in ids:
        if ids.count(card) > 1:
            raise ValueError(f"The deck {deck.name} has two cards {card}: give every card its own id.")
    for corridor in deck.corridors:
        if len(set(corridor.lower) - {"promotion", "colour_change"}) > 1:
            raise ValueError(
                f"Corridor card {corridor.id} shows two colours in its lower half: "
                "a soul's sign would have no single colour."
            )
    for oracle in deck.small:
        if not oracle.needs:
            raise ValueError(f"Small oracle card {oracle.id} needs no token: it would be achieved by nothing.")
        if oracle.reward.count("promotion") > 1:
            raise ValueError(f"Small oracle card {oracle.id} gives two promotions: a card can give one.")
