"""Turns with what is likely to follow: the next player's reply, and the own turn after that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.master.adviser.turn_search import Advice, MazeTurn, Position, rival_gain, token_worth, turn_ends
from companion.games.master.maze import CARRIED, places
from companion.games.master.state import MasterState


@dataclass(frozen=True, slots=True)
class Outlook:
    """A turn and what is likely to follow."""

    advice: Advice
    """The turn, its gain and the next player's best reply; reply 0 where that was not asked."""
    ways: int
    """Turns that would take the following token from there if nothing changed."""
    share: float
    """The same, as a share of all turns, 0..1."""
    value: float
    """Gain less reply, and the following token in proportion to `share`, points."""


def outlooks(state: MasterState, seat: int, *, weigh_reply: bool = True) -> Iterator[Outlook]:
    """Yield candidate turns: for each shift, with and without a token, the end place with the best outlook.

    Raises ValueError where no shift comes next.
    """
    position, wizard = Position.of(state), state.wizards[seat]
    rival = state.wizards[(seat + 1) % len(state.players)]
    for arrow, openings, after in position.shifts():
        here, there = CARRIED[arrow][wizard], CARRIED[arrow][rival]
        for takes, ends, left in turn_ends(after, here):
            taken = (after.tokens[0][0],) if takes else ()
            gain = sum(token_worth(state, seat, number) for number in taken)
            reply = rival_gain(left, there) if weigh_reply else 0
            ways, share, place = easiest_place(left, ends)
            following = token_worth(state, seat, left.tokens[0][0]) if left.tokens else 0
            turn = MazeTurn(arrow, openings, place, takes)
            yield Outlook(Advice((turn,), gain, reply, taken), ways, share, gain - reply + share * following)


def best_outlook(state: MasterState, seat: int) -> Outlook:
    """Return the turn with the greatest gain minus reply; among equal ones, the one with the best outlook.

    Raises ValueError where no shift comes next.
    """
    return max(outlooks(state, seat), key=lambda one: (one.advice.gain - one.advice.reply, one.share))


def easiest_place(position: Position, ends: int) -> tuple[int, float, int]:
    """Return how many next turns can take the next token, their share of all turns, and the place they start from.

    The place is the one of the mask `ends` with the most such turns; of several, one without a token.
    """
    candidates = places(ends)
    if not position.tokens:
        return 0, 0.0, candidates[0]
    counts = dict.fromkeys(candidates, 0)
    turns = 0
    for arrow, _, after in Position(position.maze, position.closed, position.tokens[:1]).shifts():
        turns += 1
        place = after.tokens[0][1]
        reached = after.maze.reached(place) & ~(1 << place)
        carried = CARRIED[arrow]
        for start in candidates:
            counts[start] += reached >> carried[start] & 1
    lying = {place for _, place in position.tokens}
    best = max(candidates, key=lambda place: (counts[place], place not in lying))
    return counts[best], counts[best] / turns, best
