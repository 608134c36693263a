"""Short ways to say what a reader saw."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.wicked.components import PlayerColour
from companion.games.wicked.moves import Hand
from vision.readings import (
    Alternative,
    CardGuess,
    CardReading,
    CardsReading,
    CardState,
    HandReading,
    HandsReading,
    Point,
)

BOX = (0.0, 0.0, 10.0, 10.0)
COLOURS: tuple[PlayerColour, ...] = ("purple", "green", "red")
NAMES = ("Ada", "Bo", "Cy")


def counts(seat: int, hand: Hand) -> dict[str, int]:
    seen = {f"search:{COLOURS[seat]}": hand.search, "sign:witch": hand.witch, "sign:soul": hand.soul}
    return {kind: count for kind, count in seen.items() if count}


def seen(
    seat: int,
    hand: Hand | Mapping[str, int],
    confidence: float = 0.97,
    *others: tuple[Hand, float],
    doubtful: bool = False,
) -> HandReading:
    """An open hand; what else it may be, with the confidence of each."""
    said = counts(seat, hand) if isinstance(hand, Hand) else hand
    alternatives = tuple(Alternative(counts(seat, other), p) for other, p in others)
    return HandReading(seat, "open", said, confidence, doubtful, BOX, alternatives)


def closed(seat: int, confidence: float = 0.97, *opened: tuple[Hand, float]) -> HandReading:
    """A fist; what would lie in it if it were open, with the confidence of each."""
    alternatives = tuple(Alternative(counts(seat, hand), p) for hand, p in opened)
    return HandReading(seat, "closed", {}, confidence, confidence < 0.95, BOX, alternatives)


def frame(*hands: HandReading) -> HandsReading:
    return HandsReading(hands)


def card(
    name: str | None,
    confidence: float = 0.99,
    slot: int | None = None,
    at: Point = (0.0, 0.0),
    *others: CardGuess,
    state: CardState | None = None,
) -> CardReading:
    """A card, face down where it has no name and no other state is given; what else it may be."""
    x, y = at
    corners = ((x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5))
    return CardReading(name, confidence, corners, slot, state or ("face_down" if name is None else "known"), others)


def ring(*names: str | None, confidence: float = 0.99) -> CardsReading:
    """The ring of corridors from the witch's head on; None where a card lies face down."""
    return CardsReading(tuple(card(name, confidence, slot) for slot, name in enumerate(names)))
