"""Positions before the latest entries, rebuilt from the position after them as far as the table shows them. Pure.

Players take back on the table what is in the journal already; then the table shows one of these positions.
"""

from __future__ import annotations

from dataclasses import replace

from companion.games.master.components import TOKENS
from companion.games.master.maze import CARRIED, OPPOSITE
from companion.games.master.state import TAKEN, MasterState


def before_walk(state: MasterState) -> MasterState | None:
    """Return the position before the wizard's move of the latest turn; None where that turn is not known."""
    latest = state.latest
    if state.phase != "shift" or latest is None:
        return None
    seat, number = latest.shift.player, latest.taken
    wizards = tuple(latest.start if each == seat else place for each, place in enumerate(state.wizards))
    tokens, players = state.tokens, state.players
    if number is not None:
        index = TOKENS.index(number)
        tokens = (*tokens[:index], latest.end, *tokens[index + 1 :])
        players = tuple(
            replace(player, tokens=tuple(each for each in player.tokens if each != number)) for player in players
        )
    return replace(
        state,
        phase="walk",
        players=players,
        mover=seat,
        wizards=wizards,
        tokens=tokens,
        pushed=latest.shift,
        latest=None,
        wand_of=None,
    )


def before_shift(state: MasterState) -> MasterState | None:
    """Return the position before the latest shift, with that shift still in `pushed`; None where it is not known.

    No arrow is closed in it: which one was, the position after the shift does not tell.
    """
    after = state if state.phase == "walk" else before_walk(state)
    if after is None or after.pushed is None or after.maze is None:
        return None
    arrow = OPPOSITE[after.pushed.arrow]
    carried = CARRIED[arrow]
    return replace(
        after,
        phase="shift",
        maze=after.maze.shifted(arrow, after.maze.spare),
        wizards=tuple(carried[place] for place in after.wizards),
        tokens=tuple(TAKEN if place == TAKEN else carried[place] for place in after.tokens),
        closed=None,
        unused_wand_of=None,
    )
