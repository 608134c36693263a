"""Animation of hands that come, open and leave, and of cards that are laid one by one. Pure.

Times are play seconds from the start of a move.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.seats import Seating
from vision.cameras.simulated.hands.hand_placement import hand_towards
from vision.cameras.simulated.scene import HandOnTable

COMING = 0.9
"""Seconds for a hand to come in."""
FISTS = 0.7
"""Seconds for which all hands stay closed."""
OPENING = 0.45
"""Seconds for a hand to open."""
LEAVING = 0.8
"""Seconds for a hand to leave."""
SLOWEST = 0.4
"""Delay of the last hand after the first, s."""
FISTS_AT = SLOWEST + COMING
"""Time at which all hands have come in and are still closed, s."""
CARD = 0.15
"""Seconds to lay one card."""


@dataclass(frozen=True, slots=True)
class HandSpec:
    """One bot's hand."""

    seat: int
    """Index of the bot's seat."""
    pieces: tuple[str, ...]
    """Kinds of its pieces."""
    late: float
    """Delay of its coming, s."""
    look: int
    """Seed of the hand's appearance and of the places of its pieces."""


@dataclass(frozen=True, slots=True)
class HandAnimation:
    """Hands over time that come, open together and leave."""

    hands: tuple[HandSpec, ...]
    """One for each player who shows a hand."""
    leaving: float | None = None
    """Time at which the hands begin to leave, None while they are held open."""

    @property
    def open_at(self) -> float:
        """Time at which all hands are open and still, s."""
        return SLOWEST + COMING + FISTS + OPENING

    def gone(self, time: float) -> bool:
        """Return whether all hands have left at a time, in seconds from the start of the move."""
        return self.leaving is not None and time >= self.leaving + LEAVING

    def at(self, time: float) -> tuple[HandOnTable, ...]:
        """Return the hands on the table at a time, in seconds from the start of the move."""
        shown = []
        for hand in self.hands:
            reach = eased((time - hand.late) / COMING)
            openness = eased((time - SLOWEST - COMING - FISTS) / OPENING)
            pieces = hand.pieces
            if self.leaving is not None:
                away = eased((time - self.leaving) / LEAVING)
                reach, openness = min(reach, 1.0 - away), min(openness, max(0.0, 1.0 - 2.0 * away))
                pieces = ()
            if reach > 0.0:
                shown.append(HandOnTable(hand.seat, reach, openness, pieces, hand.look))
        return tuple(shown)

    def leave(self, time: float) -> HandAnimation:
        """Return a copy in which the hands leave from this time on, or itself if they are leaving already."""
        return self if self.leaving is not None else replace(self, leaving=time)

    def shaken(self, rng: random.Random) -> HandAnimation:
        """Return a copy with another random appearance: the pieces lie at other places in the hands."""
        return replace(self, hands=tuple(replace(hand, look=rng.randrange(1 << 30)) for hand in self.hands))


def animate_hands(contents: Sequence[Sequence[str]], rng: random.Random) -> HandAnimation:
    """Return the animation of all players' hands, with random delays and appearance.

    contents: by seat, the kinds of the pieces in the hand, which may be empty.
    """
    lates = [rng.uniform(0.0, SLOWEST) for _ in contents]
    return HandAnimation(
        tuple(
            HandSpec(seat, _shuffled(kinds, rng), lates[seat], rng.randrange(1 << 30))
            for seat, kinds in enumerate(contents)
        )
    )


def _shuffled(kinds: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    shuffled = list(kinds)
    rng.shuffle(shuffled)
    return tuple(shuffled)


def from_seats(hands: tuple[HandOnTable, ...], seating: Seating) -> tuple[HandOnTable, ...]:
    """Return the hands as they reach in from their players' seats.

    seating: where the players sit. Evenly spaced seats need no change.
    """
    if seating.is_even:
        return hands
    return tuple(replace(hand, at=hand_towards(seating.angles[hand.seat])) for hand in hands)


def laid_at(count: int, time: float) -> int:
    """Return how many of `count` cards, laid one by one, lie there `time` seconds after the start of the move."""
    return max(0, min(count, int(time / CARD)))


def eased(share: float) -> float:
    """Return the fraction of a movement done after a fraction of its time: slow at both ends (smoothstep)."""
    x = min(1.0, max(0.0, share))
    return x * x * (3.0 - 2.0 * x)
