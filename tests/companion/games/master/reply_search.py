"""The best turn against the next player's reply by trying every turn: what quicker searches are compared with."""

from __future__ import annotations

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


def best_against_reply(state: MasterState, player: int) -> Advice:
    """Return the turn of the player with the greatest gain less the best gain of the next player's turn.

    What formula card the rival has is unknown: the number of the token counts alone.
    """
    position, wizard = Position.of(state), state.wizards[player]
    rival = state.wizards[(player + 1) % len(state.players)]
    best: Advice | None = None
    for arrow, openings, after in position.shifts():
        here, there = CARRIED[arrow][wizard], CARRIED[arrow][rival]
        for take, ends, left in turn_ends(after, here):
            taken = (after.tokens[0][0],) if take else ()
            gain = sum(token_worth(state, player, number) for number in taken)
            if best is not None and gain <= best.gain - best.reply:
                continue
            reply = rival_gain(left, there)
            if best is None or gain - reply > best.gain - best.reply:
                place = after.tokens[0][1] if take else here if ends >> here & 1 else places(ends)[0]
                best = Advice((MazeTurn(arrow, openings, place, take),), gain, reply, taken)
    if best is None:
        raise ValueError("No shift is possible in this state.")
    return best
