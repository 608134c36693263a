"""Formula cards that are shown once play has ended, and tokens that lie before the wrong player."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from calibration.wording import Line, either, say, sentences
from companion.adapters.master.readers import EndHint, EndReading
from companion.games.master.components import FORMULAS, SIZE, TOKENS
from companion.games.master.moves import Move, NoteFormula
from companion.games.master.rules.legal_moves import waiting_for
from companion.games.master.state import TAKEN, State
from companion.referee.finding import Finding
from companion.referee.proposal import Choice, Doubt, Proposal, Question

_CENTRE: Final = SIZE / 2
"""Centre of the field, in tiles."""
_DIRECTIONS: Final = 24
"""Directions that are tried for the first player's place: people sit where they like."""
_AGREEING: Final = 2 / 3
"""Least share of tokens before the right players for where everybody sits to be known."""
_NAMED: Final = 3
"""Tokens that are named at once."""


def end_hint(state: State) -> EndHint:
    """Return what is read once play has ended."""
    shown = {player.formula for player in state.players}
    lying = (number for number, place in zip(TOKENS, state.tokens, strict=True) if place != TAKEN)
    return EndHint(tuple(card for card in FORMULAS if card not in shown), tuple(lying))


def propose_end(state: State, names: Sequence[str], readings: Sequence[EndReading]) -> Finding[Move]:
    """Return the question whose formula card is shown, or which tokens lie before the wrong player.

    names: by seat.
    """
    cards = [one.formula for one in readings if one.formula is not None]
    if 2 * len(cards) > len(readings) and len({card.numbers for card in cards}) == 1:
        return _whose_card(state, names, cards[0].numbers, min(card.confidence for card in cards))
    tables = [one for one in readings if one.maze.state == "board"]
    return Finding(unread=_misplaced(state, names, tables[-1])) if tables else Finding()


def _whose_card(
    state: State, names: Sequence[str], numbers: tuple[int, int, int], confidence: float
) -> Finding[Move]:
    seats = waiting_for(state)
    if numbers not in end_hint(state).cards:
        return Finding(unread=say("The formula card {numbers} was noted already.", numbers=_card(numbers)))
    choices = tuple(Choice((NoteFormula(seat, numbers),), confidence / len(seats)) for seat in seats)
    question = say(
        "Whose formula card is {numbers}: {names}?",
        numbers=_card(numbers),
        names=either([names[seat] for seat in seats]),
    )
    return Finding(Proposal((Question(None, choices, (Doubt(None, question),)),)))


def _card(numbers: Sequence[int]) -> str:
    return " · ".join(map(str, numbers))


def _misplaced(state: State, names: Sequence[str], reading: EndReading) -> Line:
    """Return which tokens lie before another player than in the journal; "" where none does, or it is unknown."""
    holders = {number: seat for seat, player in enumerate(state.players) for number in player.tokens}
    seen = {
        token.number: math.atan2(_CENTRE - token.x, token.y - _CENTRE)
        for token in reading.tokens
        if not token.doubtful and token.number in holders
    }
    nearest = max(
        (_nearest(seen, len(names), 2 * math.pi * step / _DIRECTIONS) for step in range(_DIRECTIONS)),
        key=lambda seats: sum(holders[number] == seat for number, seat in seats.items()),
    )
    wrong = sorted(number for number, seat in nearest.items() if seat != holders[number])
    if not wrong or len(wrong) > (1 - _AGREEING) * len(nearest):
        return Line("")
    return sentences(
        *(
            say(
                "Token {number} lies before {name}, but {holder} has it on the screen. Correct one of the two.",
                number=number,
                name=names[nearest[number]],
                holder=names[holders[number]],
            )
            for number in wrong[:_NAMED]
        )
    )


def _nearest(angles: Mapping[int, float], players: int, first: float) -> dict[int, int]:
    """Return the seat that each token lies nearest to. angles: clockwise from row 6, of the token by its number;
    first: of the first player, rad."""
    step = 2 * math.pi / players
    return {number: round((angle - first) / step) % players for number, angle in angles.items()}
