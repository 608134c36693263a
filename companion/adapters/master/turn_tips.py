"""The companion's tip on a player's own screen, where the table allows it (M7, house option)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.translatable import Line, counted, say, sentences
from companion.games.master.adviser.outlook import Outlook, best_outlook
from companion.games.master.adviser.reasons import tip_line
from companion.games.master.adviser.turns import MazeTurn, Position, best_pair
from companion.games.master.components import WAND_POINTS
from companion.games.master.state import MasterState

_WIZARDS: Final = {
    "red": say("the red wizard"),
    "brown": say("the brown wizard"),
    "blue": say("the blue wizard"),
    "white": say("the white wizard"),
}


@dataclass(frozen=True, slots=True)
class TurnAids:
    """A tip for the turn that comes next."""

    tip: Line
    """What to do and why, as sentences."""
    turns: tuple[MazeTurn, ...]
    """The turn, or two with a wand between them."""


def turn_aids(state: MasterState, seat: int) -> TurnAids | None:
    """Return the tip for a player who is to push in the spare; None otherwise, and where tips are off.

    Two turns with a wand are advised where the second gains more than the wand is worth. Takes about 0.1 s.
    """
    if not state.tips or state.phase != "shift" or state.mover != seat:
        return None
    rivals = [_WIZARDS[player.colour] for player in state.players]
    single = best_outlook(state, seat)
    pair = best_pair(state, seat)
    if len(pair.turns) > 1 and pair.gain > single.advice.gain + WAND_POINTS:
        return TurnAids(tip_line(state, seat, pair, rivals), pair.turns)
    tip = tip_line(state, seat, single.advice, rivals)
    return TurnAids(sentences(tip, _outlook_line(state, single)), single.advice.turns)


def _outlook_line(state: MasterState, found: Outlook) -> Line:
    """Return how many turns would take the following token from there; empty where none would."""
    left = [number for number, _ in Position.tokens_of(state) if number not in found.advice.taken]
    if not left or not found.ways:
        return Line("")
    return counted(
        found.ways,
        "From there, {n} turn would take {number} if nothing changed.",
        "From there, {n} turns would take {number} if nothing changed.",
        number=left[0],
    )
