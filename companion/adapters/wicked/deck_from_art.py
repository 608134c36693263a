"""Enrol a whole deck from the stand-in set's drawings, without a camera."""

from __future__ import annotations

from calibration.cards.deck import CARD_MM, REFERENCE_PX_PER_MM, EnrolledCard, EnrolledDeck, as_reference
from calibration.game_kit import Picture
from calibration.games.wicked import art
from calibration.games.wicked.kit import BACKS, TILE_ID
from companion.games.wicked.components import Deck


def deck_from_art(deck: Deck) -> EnrolledDeck:
    """Return a deck with all cards, their backs and the labyrinth tile, enrolled from the project's drawings."""
    cards = [
        EnrolledCard(
            card.id,
            "corridor",
            _reference_picture(art.corridor_face(card.id, card.upper, card.lower)),
            {"upper": tuple(card.upper), "lower": tuple(card.lower)},
        )
        for card in deck.corridors
    ]
    cards += [
        EnrolledCard(
            card.id,
            "great",
            _reference_picture(art.great_face(card.id, card.colours)),
            {"colours": tuple(card.colours)},
        )
        for card in deck.great
    ]
    for card in deck.small:
        needs = tuple((need.colour, need.rank) for need in card.needs)
        face = _reference_picture(art.small_face(card.id, needs, card.reward))
        cards.append(EnrolledCard(card.id, "small", face, {"needs": needs, "reward": tuple(card.reward)}))
    cards += [EnrolledCard(f"back:{back}", "back", _reference_picture(art.card_back(back))) for back in BACKS]
    tile = art.rasterise(art.tile_face(), REFERENCE_PX_PER_MM)
    cards.append(EnrolledCard(TILE_ID, "tile", tile))
    return EnrolledDeck(deck.name, {card.id: card for card in cards})


def _reference_picture(svg: str) -> Picture:
    """Render a card's SVG as a reference picture, BGRA."""
    return as_reference(art.rasterise(svg, REFERENCE_PX_PER_MM), CARD_MM)
