"""How things move at the table: hands that come, open and leave, cards that are laid one by one. Pure.

Times are seconds of the play's own clock, counted from the beginning of an act.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from calibration.seats import Seating
from companion.games.wicked.components import PlayerColour
from companion.games.wicked.moves import Hand
from vision.cameras.simulated.scene import HandOnTable
from vision.games.wicked.layout import hand_towards

COMING = 0.9
FISTS = 0.7
OPENING = 0.45
LEAVING = 0.8
SLOWEST = 0.4
"""The last hand comes in so much later than the first."""
FISTS_AT = SLOWEST + COMING
"""When all hands have come in and are still closed."""
CARD = 0.15
"""Time to lay one card."""


@dataclass(frozen=True, slots=True)
class HandSpec:
    """One bot's hand at a reveal: what is in it, how late it comes in, and how it looks."""

    seat: int
    pieces: tuple[str, ...]
    late: float
    look: int


@dataclass(frozen=True, slots=True)
class HandAnimation:
    """A reveal being shown; `leaving` is the time at which the hands began to go, None while they are held open."""

    hands: tuple[HandSpec, ...]
    leaving: float | None = None

    @property
    def open_at(self) -> float:
        """When all hands are open and at rest."""
        return SLOWEST + COMING + FISTS + OPENING

    def gone(self, time: float) -> bool:
        """Tell whether all hands have left."""
        return self.leaving is not None and time >= self.leaving + LEAVING

    def at(self, time: float) -> tuple[HandOnTable, ...]:
        """Give the hands at one moment."""
        shown = []
        for hand in self.hands:
            reach = _eased((time - hand.late) / COMING)
            openness = _eased((time - SLOWEST - COMING - FISTS) / OPENING)
            pieces = hand.pieces
            if self.leaving is not None:
                away = _eased((time - self.leaving) / LEAVING)
                reach, openness = min(reach, 1.0 - away), min(openness, max(0.0, 1.0 - 2.0 * away))
                pieces = ()
            if reach > 0.0:
                shown.append(HandOnTable(hand.seat, reach, openness, pieces, hand.look))
        return tuple(shown)

    def leave(self, time: float) -> HandAnimation:
        """Let the hands go from this moment on."""
        return self if self.leaving is not None else replace(self, leaving=time)

    def shaken(self, rng: random.Random) -> HandAnimation:
        """Let everybody spread their pieces anew."""
        return replace(self, hands=tuple(replace(hand, look=rng.randrange(1 << 30)) for hand in self.hands))


def show(hands: tuple[Hand, ...], colours: tuple[PlayerColour, ...], rng: random.Random) -> HandAnimation:
    """Prepare a reveal: every bot has a hand in, also one with nothing in it."""
    lates = [rng.uniform(0.0, SLOWEST) for _ in hands]
    return HandAnimation(
        tuple(
            HandSpec(seat, kinds_in(hand, colour, rng), lates[seat], rng.randrange(1 << 30))
            for seat, (hand, colour) in enumerate(zip(hands, colours, strict=True))
        )
    )


def kinds_in(hand: Hand, colour: PlayerColour, rng: random.Random) -> tuple[str, ...]:
    """Name the pieces of a hand by kind, in the order in which they happen to lie."""
    kinds = [f"search:{colour}"] * hand.search + ["sign:witch"] * hand.witch + ["sign:soul"] * hand.soul
    rng.shuffle(kinds)
    return tuple(kinds)


def from_seats(hands: tuple[HandOnTable, ...], seating: Seating) -> tuple[HandOnTable, ...]:
    """Return hands that come from where people sit; from even seats they have places of their own."""
    if seating.is_even:
        return hands
    return tuple(replace(hand, at=hand_towards(seating.angles[hand.seat])) for hand in hands)


def laid(count: int, time: float) -> int:
    """Tell how many of so many cards lie on the table by now."""
    return max(0, min(count, int(time / CARD)))


def _eased(share: float) -> float:
    """Ease a movement: 0 to 1, slow at both ends."""
    x = min(1.0, max(0.0, share))
    return x * x * (3.0 - 2.0 * x)
