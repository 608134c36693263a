"""A scene: what lies and moves on a table, told as plain values. The renderer draws whatever it is told.

Table coordinates are millimetres: origin at the centre, +x right and +y away for somebody at seat 0. Angles are
degrees clockwise seen from above; at 0 a card's, board's or tile's upper edge points towards +y, and a hand's
fingers point towards +y.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a flat thing lies: its centre in mm and its turn in degrees clockwise."""

    x: float
    y: float
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class CardOnTable:
    """A card of the deck by id, or face down: then only its back (corridor, great, small) is seen."""

    pose: Pose
    face: str | None
    back: str = "corridor"


@dataclass(frozen=True, slots=True)
class PieceOnTable:
    """One loose thing by kind (search:…, sign:…, token:…, impurity:…), lying flat."""

    kind: str
    pose: Pose


@dataclass(frozen=True, slots=True)
class BoardOnTable:
    """A player's personal board by colour; what lies on it is told as loose pieces."""

    colour: str
    pose: Pose


@dataclass(frozen=True, slots=True)
class HandOnTable:
    """A hand over the table.

    reach: 0 is out of the picture, 1 is where it is shown; openness: 0 a fist, 1 open; pieces: kinds in the
    palm, seen once it opens; look: picks build, tone, sleeve and how the pieces fell (same look, same picture):
    look % 1000 is the person, look // 1000 how the hand is held and the pieces fell this time. drift: how far it
    is from there at the moment, as a living hand is: mm to its right, mm ahead, degrees clockwise. at: where it is
    shown, in place of the place that the layout has for the seat's hand.
    """

    seat: int
    reach: float
    openness: float
    pieces: tuple[str, ...] = ()
    look: int = 0
    drift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    at: Pose | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the camera would see; `seats` places hands and whatever else belongs to somebody."""

    seats: int
    tile: bool = True
    sheet: bool = False
    cards: tuple[CardOnTable, ...] = ()
    boards: tuple[BoardOnTable, ...] = ()
    pieces: tuple[PieceOnTable, ...] = ()
    hands: tuple[HandOnTable, ...] = ()
