"""Makes the readers of hands, cards and personal boards from an enrolled profile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calibration.plane import Region
from calibration.profile import TableProfile
from vision.cameras.frame import Image
from vision.cards.reader import CardReader
from vision.games.wicked.board_reader import TOKENS, BoardReader
from vision.hands import HandReader
from vision.readings import CardsReading

RING = Region(-245.0, -245.0, 245.0, 245.0)
"""Region of the ring of corridors, mm; wide enough for a labyrinth tile that is somewhat off centre."""


@dataclass(frozen=True, slots=True)
class CardsHint:
    """Where cards are read, and how many corridors to expect."""

    corridors: int
    """Number of corridors round the labyrinth tile."""
    region: Region | None = None
    """Where they lie, mm; None for anywhere on the table."""


class CardsAtRest:
    """Reads the cards that lie on the table."""

    def __init__(self, reader: CardReader) -> None:
        self._reader = reader

    def read(self, image: Image, hint: CardsHint) -> CardsReading:
        """Return the reading of the cards in one picture. hint: where they lie."""
        return self._reader.read(image, hint.region, hint.corridors)


def hands_reader(profile: TableProfile) -> HandReader:
    """Return a reader of hands. Raises ProfileError if the profile lacks something that it needs."""
    return HandReader(profile)


def rest_reader(profile: TableProfile) -> CardsAtRest:
    """Return a reader of cards. Raises ProfileError if the profile lacks something that it needs."""
    return CardsAtRest(CardReader(profile))


def board_reader(profile: TableProfile) -> Callable[[], BoardReader] | None:
    """Return a function that makes the reader of personal boards; None if boards or tokens are not enrolled."""
    readable = profile.personal_boards and all(kind in profile.pieces for kind in TOKENS)
    return (lambda: BoardReader(profile)) if readable else None
