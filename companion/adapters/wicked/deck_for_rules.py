"""Converts a table's enrolled deck into the rules' deck."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from calibration.cards.deck import EnrolledCard, EnrolledDeck
from calibration.profile import TableProfile
from companion.games.wicked.components import CORRIDORS, Deck
from companion.games.wicked.rules.setup import new_game
from companion.games.wicked.standin_deck import STANDIN

_DECK: TypeAdapter[Deck] = TypeAdapter(Deck)


def deck_of(enrolled: EnrolledDeck) -> Deck:
    """Return a table's enrolled cards as a deck for the rules.

    Raises ValueError with a plain sentence if there are too few cards even for the fewest players.
    """
    cards = tuple(enrolled.cards.values())
    content: dict[str, Any] = {
        "name": enrolled.name,
        "corridors": [_corridor(card) for card in cards if card.kind == "corridor"],
        "great": [{"id": card.id, "colours": card.shows("colours")} for card in cards if card.kind == "great"],
        "small": [_small(card) for card in cards if card.kind == "small"],
    }
    try:
        deck = _DECK.validate_python(content)
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise ValueError(f"The enrolled deck does not fit the game at “{where}”: enrol that card again.") from None
    new_game(min(CORRIDORS), deck)
    return deck


def rules_deck(profile: TableProfile) -> Deck:
    """Return the deck enrolled in a profile if it is complete, else the printed stand-in deck."""
    try:
        return STANDIN if profile.deck is None else deck_of(profile.deck)
    except ValueError:
        return STANDIN


def _corridor(card: EnrolledCard) -> dict[str, Any]:
    return {"id": card.id, "upper": card.shows("upper"), "lower": card.shows("lower")}


def _small(card: EnrolledCard) -> dict[str, Any]:
    needs = [dict(zip(("colour", "rank"), need, strict=True)) for need in card.shows("needs")]
    return {"id": card.id, "needs": needs, "reward": card.shows("reward")}
