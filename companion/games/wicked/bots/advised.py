"""A strong bot: the adviser chooses what it takes and its soul actions.

It uses what lies open on the table, and its own cards. All chance, between equals, comes from the `random.Random`
passed in.
"""

from __future__ import annotations

import random
from dataclasses import replace

from companion.games.wicked.adviser import advise, valuation_for, value_bound
from companion.games.wicked.moves import FinishSoul, Move
from companion.games.wicked.rules.engine import apply
from companion.games.wicked.rules.legal_moves import player_moves
from companion.games.wicked.state import WickedState


def advised_choice(state: WickedState, seat: int, rng: random.Random) -> Move:
    """Return the move that the adviser recommends to a player, in phases "gain" and "soul".

    In the soul phase it is the next action, or FinishSoul when none is left. At a corridor it is the choice after
    which the upper bound on the value of reachable boards is highest; ties are broken at random.
    """
    if state.phase == "soul":
        moves = advise(state, seat).moves
        return moves[0] if moves else FinishSoul(seat)
    options = player_moves(state, seat)
    valued = [_bound_after_choices(apply(state, move), seat) for move in options]
    best = max(valued)
    return rng.choice([move for move, value in zip(options, valued, strict=True) if value == best])


def _bound_after_choices(state: WickedState, seat: int) -> int:
    """Return the highest bound on the value of reachable boards, over all choices still open at this corridor."""
    player = state.players[seat]
    if player.pending is not None and state.phase == "gain":
        return max(_bound_after_choices(apply(state, move), seat) for move in player_moves(state, seat))
    return value_bound(replace(player, pending=None), state.deck, valuation_for(state.round))
