"""Results of reading one picture (hands, pieces, cards), as frozen dataclasses.

Boxes are (x, y, width, height) and corners (x, y), in px of the given picture. Probabilities are 0..1. Kinds are
those of a game's kit (`Kit.kinds`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from calibration.seats import Seating

Box = tuple[float, float, float, float]
"""(x, y, width, height), px."""
Point = tuple[float, float]
"""(x, y), px."""
CardState = Literal["known", "face_down", "unknown"]
"""State of a card: a known face, a known back, or a card of no enrolled face or back."""
Counts = Mapping[str, int]
"""Number of pieces by kind; absent kinds are left out."""


@dataclass(frozen=True, slots=True)
class PieceReading:
    """One piece found in the picture."""

    kind: str
    """Kind of the piece."""
    box: Box
    """Bounding box, px."""
    confidence: float
    """Probability, 0..1."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another possible content of a hand."""

    counts: Counts
    """Number of pieces by kind."""
    confidence: float
    """Probability, 0..1."""


@dataclass(frozen=True, slots=True)
class HandReading:
    """The hand of one seat and its contents; for a player who shows both hands, the joint contents."""

    seat: int
    """Seat."""
    state: Literal["open", "closed"]
    """Whether the hand is open or closed."""
    counts: Counts
    """Number of pieces by kind."""
    confidence: float
    """Probability that state and counts are right, 0..1."""
    doubtful: bool
    """Whether the reading needs confirmation by a person."""
    box: Box
    """Bounding box, px."""
    alternatives: tuple[Alternative, ...] = ()
    """Other possible contents, most probable first; for a closed hand, its contents if it is open after all."""
    pieces: tuple[PieceReading, ...] = ()
    """The counted pieces."""


@dataclass(frozen=True, slots=True)
class HandsReading:
    """All hands of one picture, at most one per seat."""

    hands: tuple[HandReading, ...]
    """Readings."""
    milliseconds: float = 0.0
    """Processing time."""


@dataclass(frozen=True, slots=True)
class KindGuess:
    """One possible kind of an object."""

    kind: str
    """Kind."""
    confidence: float
    """Probability, 0..1."""


@dataclass(frozen=True, slots=True)
class DoubtfulThing:
    """An object on the table that needs confirmation."""

    box: Box
    """Bounding box, px."""
    reason: str
    """Why it needs confirmation, as text for people; names other possible numbers of pieces."""
    alternatives: tuple[KindGuess, ...] = ()
    """Other possible kinds, most probable first."""


@dataclass(frozen=True, slots=True)
class UnknownThing:
    """An object that looks like a piece, but fits none of the enrolled kinds."""

    box: Box
    """Bounding box, px."""
    confidence: float
    """Probability that it is of no enrolled kind, 0..1."""


@dataclass(frozen=True, slots=True)
class CountReading:
    """All pieces on the table, by kind."""

    counts: Counts
    """Number of pieces by kind, with the most probable answer for uncertain objects."""
    pieces: tuple[PieceReading, ...]
    """The counted pieces."""
    doubtful: tuple[DoubtfulThing, ...] = ()
    """Objects that need confirmation."""
    milliseconds: float = 0.0
    """Processing time."""
    unknown: tuple[UnknownThing, ...] = ()
    """Objects of no enrolled kind; in no count, and in `doubtful` as well."""


@dataclass(frozen=True, slots=True)
class CardGuess:
    """One possible card."""

    card: str
    """Name of the card in the deck."""
    confidence: float
    """Probability, 0..1."""


@dataclass(frozen=True, slots=True)
class CardReading:
    """Reading of one card."""

    card: str | None
    """Name in the deck, None for a card that lies face down or is unknown."""
    confidence: float
    """Probability, 0..1."""
    corners: tuple[Point, Point, Point, Point]
    """Corners, px, clockwise from the card's own top left."""
    slot: int | None = None
    """Index in the game's arrangement of cards (`vision.games.arrangement`); None for a card outside of it."""
    state: CardState = "known"
    """Known face, known back, or unknown."""
    alternatives: tuple[CardGuess, ...] = ()
    """Other enrolled cards that look the same in this picture."""


@dataclass(frozen=True, slots=True)
class CardsReading:
    """All cards of one picture."""

    cards: tuple[CardReading, ...]
    """Readings."""
    milliseconds: float = 0.0
    """Processing time."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What may lie on the table now: a hint from the game that vision uses without knowing the rules."""

    seats: int
    """Number of players."""
    limits: tuple[Counts, ...] = field(default=())
    """By seat, the maximum of each kind in a hand; absent kinds are impossible."""
    exact: bool = False
    """Whether every hand holds exactly its limits."""
    seating: Seating | None = None
    """Seat positions; None takes the profile's."""
