"""Tips for the next turn on a player's own screen, if the players chose that house option (M7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from calibration.translatable import Line, counted, say, sentences
from companion.games.master.adviser.advice_texts import tip_line
from companion.games.master.adviser.turn_outlook import Outlook, best_outlook
from companion.games.master.adviser.turn_search import MazeTurn, Position, best_pair
from companion.games.master.state import MasterState

_WIZARDS: Final = {
    "red": say("the red wizard"),
    "brown": say("the brown wizard"),
    "blue": say("the blue wizard"),
    "white": say("the white wizard"),
}


@dataclass(frozen=True, slots=True)
class TurnAids:
    """A tip for the next turn."""

    tip: Line
    """What to do and why, as sentences."""
    turns: tuple[MazeTurn, ...]
    """The advised turn, or two turns where a wand allows a second one."""


def turn_aids(state: MasterState, seat: int) -> TurnAids | None:
    """Return the tip for the player at a seat; None unless it is that player's shift and tips are switched on.

    A second turn by a wand is advised if it gains more than the wand is worth. Takes about 0.1 s.
    """
    if not state.tips or state.phase != "shift" or state.mover != seat:
        return None
    rivals = [_WIZARDS[player.colour] for player in state.players]
    single = best_outlook(state, seat)
    pair = best_pair(state, seat)
    if len(pair.turns) > 1 and pair.gain > single.advice.gain:
        return TurnAids(tip_line(state, seat, pair, rivals), pair.turns)
    tip = tip_line(state, seat, single.advice, rivals)
    return TurnAids(sentences(tip, _outlook_line(state, single)), single.advice.turns)


def _outlook_line(state: MasterState, found: Outlook) -> Line:
    """Return a sentence that counts the turns that could take the next token after the advised turn.

    Empty if no turn could.
    """
    left = [number for number, _ in Position.tokens_of(state) if number not in found.advice.taken]
    if not left or not found.ways:
        return Line("")
    return counted(
        found.ways,
        "From there, {n} turn would take {number} if nothing changed.",
        "From there, {n} turns would take {number} if nothing changed.",
        number=left[0],
    )
