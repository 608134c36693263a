"""Scene description: what lies and moves on a table, as plain values for the renderer.

Table coordinates are millimetres: origin at the centre, +x right and +y away for a person at seat 0. Angles are
degrees clockwise viewed from above; at 0 the top of a card, board or tile points towards +y, and so do a hand's
fingers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pose:
    """Pose of a flat thing."""

    x: float
    """Centre, mm."""
    y: float
    """Centre, mm."""
    angle: float = 0.0
    """Rotation, degrees clockwise."""


@dataclass(frozen=True, slots=True)
class CardOnTable:
    """A card of the deck."""

    pose: Pose
    """Pose."""
    face: str | None
    """Id in the deck; None for a face-down card."""
    back: str = ""
    """Sort of back that a face-down card shows; "": `DrawnComponents.usual_back`."""


@dataclass(frozen=True, slots=True)
class PieceOnTable:
    """One loose thing, lying flat."""

    kind: str
    """Kind, see `Kit.kinds`."""
    pose: Pose
    """Pose."""
    ground: float | None = None
    """Height of the surface that it lies on, mm; None: that of the board under it, or of the table."""


@dataclass(frozen=True, slots=True)
class BoardOnTable:
    """A player's personal board; what lies on it is listed as loose pieces."""

    colour: str
    """Name of the board, its player's colour."""
    pose: Pose
    """Pose."""


@dataclass(frozen=True, slots=True)
class HandOnTable:
    """A hand over the table; the same values give the same picture."""

    seat: int
    """Seat."""
    reach: float
    """0: out of the picture, 1: where it is shown."""
    openness: float
    """0: a fist, 1: open."""
    pieces: tuple[str, ...] = ()
    """Kinds of pieces in the palm, visible once it opens."""
    look: int = 0
    """Seed: `look` % 1000 is the person, `look` // 1000 the pose of the hand and the fall of the pieces."""
    drift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Momentary offset: mm to its right, mm ahead, degrees clockwise."""
    at: Pose | None = None
    """Pose at reach 1; None: the game's usual pose for this seat."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that is in front of the camera."""

    seats: int
    """Number of seats, which determines the positions of hands."""
    tile: bool = True
    """Whether the game's tile lies in the middle of the table."""
    sheet: bool = False
    """Whether the calibration sheet lies on the table."""
    cards: tuple[CardOnTable, ...] = ()
    """Cards."""
    boards: tuple[BoardOnTable, ...] = ()
    """Boards."""
    pieces: tuple[PieceOnTable, ...] = ()
    """Loose pieces."""
    hands: tuple[HandOnTable, ...] = ()
    """Hands."""
