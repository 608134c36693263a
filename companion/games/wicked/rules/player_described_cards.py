"""Adds cards that players describe to a deck that starts empty, as they are laid on the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from calibration.translatable import say
from companion.games.game import IllegalMove
from companion.games.wicked.components import ORACLES_DEALT, CorridorCard, Deck, GreatOracle, SmallOracle
from companion.games.wicked.moves import NameOracle
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.games.wicked.text.words import the

OWN_CARDS = Deck("own cards", (), (), ())
"""The empty deck of people who play with their own cards; it grows with the cards that they describe."""
MOST_IN_A_HALF, MOST_NEEDS = 2, 4
"""Largest number of elements of half a corridor card, and of needs of a small oracle."""
_SPELLS = ("promotion", "colour_change")
"""Elements that are spells."""
_ID = re.compile(r"[A-Za-z0-9._-]{1,40}")
"""Allowed ids of described cards; journals limit the length of their texts."""


def grows(deck: Deck) -> bool:
    """Return whether players may add cards to a deck, which they may if the game began with an empty one."""
    return deck.name == OWN_CARDS.name


def with_corridors(deck: Deck, described: Sequence[CorridorCard], laid: Sequence[str]) -> Deck:
    """Return the deck with corridor cards added that players have described. Raises IllegalMove for a wrong one.

    laid: ids of all cards that are laid, each described one among them.
    """
    for number, card in enumerate(described):
        _check_new(deck, card.id)
        if card.id in {other.id for other in described[:number]} or card.id not in laid:
            raise IllegalMove(say("Card {card} is described, but it is not laid exactly once.", card=card.id))
        if max(len(card.upper), len(card.lower)) > MOST_IN_A_HALF:
            raise IllegalMove(say("Each half of a corridor card shows at most two elements."))
        if len(set(card.lower) - set(_SPELLS)) > 1:
            raise IllegalMove(say("The lower half of a corridor card shows fragments of one colour only."))
    return replace(deck, corridors=deck.corridors + tuple(described))


def name_oracle(state: WickedState, move: NameOracle) -> WickedState:
    """Return the state with an oracle card added to a player who has fewer than two of its kind."""
    player, card = state.players[move.player], move.described
    deck = state.deck
    if card is not None:
        if card.id != move.card:
            raise IllegalMove(say("Card {card} was described under another name.", card=move.card))
        _check_new(deck, card.id)
        deck = _with_oracle(deck, card)
    if any(move.card in _oracles(other) for other in state.players):
        raise IllegalMove(say("There is only one oracle card {card}; it cannot lie in two places.", card=move.card))
    if any(great.id == move.card for great in deck.great):
        _check_room(player, len(player.great) + len(player.achieved_great), say("great oracles"))
        player = replace(player, great=(*player.great, move.card))
    elif any(small.id == move.card for small in deck.small):
        _check_room(player, len(player.small) + len(player.achieved_small), say("small oracles"))
        player = replace(player, small=(*player.small, move.card))
    else:
        raise IllegalMove(say("There is no oracle card {card} in this deck.", card=move.card))
    players = (*state.players[: move.player], player, *state.players[move.player + 1 :])
    return replace(state, deck=deck, players=players)


def _oracles(player: WickedPlayer) -> tuple[str, ...]:
    achieved = tuple(great.card for great in player.achieved_great)
    return (*player.great, *player.small, *achieved, *player.achieved_small)


def _with_oracle(deck: Deck, card: GreatOracle | SmallOracle) -> Deck:
    if isinstance(card, GreatOracle):
        return replace(deck, great=(*deck.great, card))
    if not 1 <= len(card.needs) <= MOST_NEEDS:
        raise IllegalMove(say("A small oracle requires one to four tokens."))
    if len(card.reward) > MOST_IN_A_HALF or card.reward.count("promotion") > 1:
        raise IllegalMove(say("A small oracle gives at most two rewards, and at most one of them is a promotion."))
    return replace(deck, small=(*deck.small, card))


def _check_room(player: WickedPlayer, has: int, kind: str) -> None:
    """Raise IllegalMove if a player has two oracle cards of a kind already. has: their number. kind: in words."""
    if has >= ORACLES_DEALT:
        raise IllegalMove(say("{player} already has two {kind}.", player=the(player), kind=kind))


def _check_new(deck: Deck, id: str) -> None:
    """Raise IllegalMove if this id is malformed or already in the deck."""
    if not _ID.fullmatch(id):
        raise IllegalMove(say("A described card needs a short name of letters and digits."))
    oracles = {card.id for card in deck.great} | {card.id for card in deck.small}
    if id in oracles or id in {card.id for card in deck.corridors}:
        raise IllegalMove(say("Card {card} already exists: use another name for the next one.", card=id))
