"""What vision says about one picture: frozen values that can be printed, saved and replayed.

Boxes are (x, y, width, height) and corners (x, y), in pixels of the given picture. Probabilities are 0..1.
Kinds are named `search:purple|green|red|black|yellow`, `sign:witch|soul`, `token:red|green|blue|yellow`,
`impurity:1|3`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from calibration.seats import Seating

Box = tuple[float, float, float, float]
Point = tuple[float, float]
CardState = Literal["known", "face_down", "unknown"]
"""What is read of a card: its face, its back, or only that a card of no enrolled face or back lies there."""
Counts = Mapping[str, int]
"""Pieces by kind; a kind with none is left out."""


@dataclass(frozen=True, slots=True)
class PieceReading:
    """One piece seen in the picture."""

    kind: str
    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another answer that the picture allows, and how likely it is."""

    counts: Counts
    confidence: float


@dataclass(frozen=True, slots=True)
class HandReading:
    """The hand of one seat, open or closed, and what lies in it; of somebody who shows both, what lies in both.

    `confidence` is the probability that the whole entry is right; a `doubtful` one is asked about, never
    taken silently. `alternatives` are the next likely counts, likeliest first; of a
    closed hand that may be open, what would lie in it.
    """

    seat: int
    state: Literal["open", "closed"]
    counts: Counts
    confidence: float
    doubtful: bool
    box: Box
    alternatives: tuple[Alternative, ...] = ()
    pieces: tuple[PieceReading, ...] = ()


@dataclass(frozen=True, slots=True)
class RevealReading:
    """All hands of one picture, at most one a seat."""

    hands: tuple[HandReading, ...]
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class KindGuess:
    """A kind that a thing may be, and how likely that is."""

    kind: str
    confidence: float


@dataclass(frozen=True, slots=True)
class DoubtfulThing:
    """Something on the table that somebody should look at: why, and what else it may be.

    How many it may be stands in the reason; `alternatives` are other kinds, likeliest first.
    """

    box: Box
    reason: str
    alternatives: tuple[KindGuess, ...] = ()


@dataclass(frozen=True, slots=True)
class UnknownThing:
    """Something that looks like a piece, but fits none of the enrolled kinds, and how sure that is."""

    box: Box
    confidence: float


@dataclass(frozen=True, slots=True)
class CountReading:
    """Every piece that lies on the table, by kind. `doubtful` is to be asked about, never taken silently.

    The counts hold the likeliest answer for doubtful things, too. `unknown` things are in no count; each is listed
    as doubtful as well.
    """

    counts: Counts
    pieces: tuple[PieceReading, ...]
    doubtful: tuple[DoubtfulThing, ...] = ()
    milliseconds: float = 0.0
    unknown: tuple[UnknownThing, ...] = ()


@dataclass(frozen=True, slots=True)
class CardGuess:
    """A card that another reading may be, and how likely that is."""

    card: str
    confidence: float


@dataclass(frozen=True, slots=True)
class CardReading:
    """One card: which one, how sure, its corners clockwise from the card's own top left.

    card: None for a card that lies face down, and for one that the deck does not know: `state` is which of the two.
    slot: index clockwise from the witch's head for a card of the corridor ring, None for any other card.
    alternatives: enrolled cards that cannot be told apart from it.
    """

    card: str | None
    confidence: float
    corners: tuple[Point, Point, Point, Point]
    slot: int | None = None
    state: CardState = "known"
    alternatives: tuple[CardGuess, ...] = ()


@dataclass(frozen=True, slots=True)
class CardsReading:
    """All cards found in one picture."""

    cards: tuple[CardReading, ...]
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Expectation:
    """What may lie on the table now: a hint from above that vision can use without knowing a rule.

    limits: by seat, the most that a hand can hold of each kind; a kind left out cannot be there.
    exact: every hand holds exactly its limits (nothing may be left behind). seating: where these people sit, as the
    table's profile has it when None.
    """

    seats: int
    limits: tuple[Counts, ...] = field(default=())
    exact: bool = False
    seating: Seating | None = None
