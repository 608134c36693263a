"""Statistics of a game: what each player did. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.games.wicked.components import COLOURS
from companion.games.wicked.moves import AchieveSmall, CastPromotion, Hand, Move, Promote, Reveal
from companion.games.wicked.state import Gain, WickedState


@dataclass(frozen=True, slots=True)
class RevealGain:
    """What one player gained by one reveal."""

    round: int
    """Number of the round, from 1."""
    corridor: int
    """Number of the corridor in its round, from 1."""
    hand: Hand
    """What the player revealed."""
    fragments: int
    """Soul fragments, white ones included."""
    spells: int
    """Spells gained."""
    impurity: int
    """Points."""

    @property
    def worth(self) -> int:
        """Number of fragments and spells gained, minus the impurity points; gains are compared by it."""
        return self.fragments + self.spells - self.impurity


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What one player did in a game."""

    firsts: int = 0
    """Corridors at which the player ranked first."""
    seconds: int = 0
    """Corridors at which the player ranked second."""
    promotions: int = 0
    """Tokens that rose a rank, by whatever means."""
    best: RevealGain | None = None
    """The reveal with the greatest `worth`, the earliest of equal ones; None if the player never ranked."""


Transition = tuple[WickedState, Move, WickedState]
"""A move between the states before and after it."""


def player_statistics(steps: Iterable[Transition], players: int) -> tuple[PlayerStatistics, ...]:
    """Return each player's numbers of ranks and promotions and the best reveal, by seat.

    steps: the moves that count, in order. players: their number.
    """
    found = [PlayerStatistics() for _ in range(players)]
    for step in steps:
        found = [_with_step(seat, known, *step) for seat, known in enumerate(found)]
    return tuple(found)


def _with_step(
    seat: int, known: PlayerStatistics, before: WickedState, move: Move, after: WickedState
) -> PlayerStatistics:
    match move:
        case Reveal():
            outcome = after.outcome
            gain = outcome.gains[seat] if outcome is not None else None
            return known if gain is None else _with_gain(known, before, move.hands[seat], gain)
        case Promote(player=player) | CastPromotion(player=player) | AchieveSmall(player=player) as move:
            lifted = player == seat and move.lift is not None
            return replace(known, promotions=known.promotions + 1) if lifted else known
        case _:
            return known


def _with_gain(known: PlayerStatistics, before: WickedState, hand: Hand, gain: Gain) -> PlayerStatistics:
    elements = gain.sign_elements + gain.card_elements
    fragments = sum(element == "white" or element in COLOURS for element in elements)
    found = RevealGain(before.round, before.corridor + 1, hand, fragments, len(elements) - fragments, gain.impurity)
    better = known.best is None or found.worth > known.best.worth
    return replace(
        known,
        firsts=known.firsts + (gain.place == "first"),
        seconds=known.seconds + (gain.place == "second"),
        best=found if better else known.best,
    )
