"""Readers whose readings a test places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.table import FrameReader, Readers, ReadingSchedule
from vision.cameras.frame import Image
from vision.hands.hand_contents_reader import QuickHand
from vision.readings import CardReading, CardsReading, Expectation, HandReading, HandsReading


@dataclass
class Placed:
    """Reader that returns placed hands; `meanwhile` is called while cards are read."""

    hands: tuple[HandReading, ...] = ()
    cards: tuple[CardReading, ...] = ()
    meanwhile: Callable[[], None] = field(default=lambda: None)
    numbers: list[int] = field(default_factory=list)

    def read_hands(self, *_: object) -> tuple[QuickHand, ...]:
        return tuple(QuickHand(hand.state, hand.confidence, hand.box) for hand in self.hands)

    def read(
        self, image: Image, expectation: Expectation, background: Image | None = None, number: int = 0
    ) -> HandsReading:
        self.numbers.append(number)
        return HandsReading(self.hands)


@dataclass
class PlacedCards:
    """Reader that returns placed cards."""

    placed: Placed

    def read(self, *_: object) -> CardsReading:
        self.placed.meanwhile()
        return CardsReading(self.placed.cards)


def reader_for(placed: Placed) -> FrameReader:
    readers = Readers(placed, PlacedCards(placed), lambda point, _: int(point[0] // 100))
    return FrameReader(readers, ReadingSchedule(rest_pictures=1))
