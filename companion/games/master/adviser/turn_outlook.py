"""Rates turns by what is likely to follow: the next player's reply, and the same player's next turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.master.adviser.turn_search import (
    Advice,
    MazeTurn,
    Position,
    rival_gain,
    token_worth,
    turn_ends,
)
from companion.games.master.maze import CARRIED, places
from companion.games.master.state import MasterState


@dataclass(frozen=True, slots=True)
class Outlook:
    """A turn with a rating of what is likely to follow."""

    advice: Advice
    """The turn, its gain and the gain of the next player's best reply, 0 where that was not computed."""
    ways: int
    """Number of shifts after which the player could take the next token, if nobody else moved in between."""
    share: float
    """The same, as a share of all shifts, 0..1."""
    value: float
    """Gain minus reply, plus `share` times the points of the next token."""


def outlooks(state: MasterState, seat: int, *, weigh_reply: bool = True) -> Iterator[Outlook]:
    """Yield rated turns: for each legal shift, one that ends at the best place and one that takes the next token.

    The second one only where that token can be reached. The best place is the one from which the most shifts make
    the next token reachable. weigh_reply: also compute what the next player can gain afterwards. Raises ValueError
    unless a shift is due.
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
    """Return the rated turn with the greatest gain minus what the next player can gain afterwards.

    Among equal ones, that after which the most shifts make the next token reachable. Raises ValueError unless a
    shift is due.
    """
    return max(outlooks(state, seat), key=lambda one: (one.advice.gain - one.advice.reply, one.share))


def easiest_place(position: Position, ends: int) -> tuple[int, float, int]:
    """Return the end place from which the most shifts make the next token reachable.

    The result is a tuple: number of these shifts, their share of all shifts (0..1), place. ends: mask of the places
    to choose from. Among equal places, one without a token is preferred.
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
