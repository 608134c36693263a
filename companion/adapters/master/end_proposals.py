"""Once play has ended: the tokens that are counted before the players, and formula cards that are shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from calibration.translatable import Line, either, listed, say
from companion.adapters.master.at_rest_reader import EndHint, EndReading
from companion.games.master.components import FORMULAS, SIZE, TOKENS
from companion.games.master.moves import CountHoldings, Move, NoteFormula
from companion.games.master.rules.legal_moves import waiting_for
from companion.games.master.state import TAKEN, MasterState
from companion.referee.finding import Finding
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from vision.games.master.loose_tokens import LooseToken

_CENTRE: Final = SIZE / 2
"""Centre of the field, in tiles."""
_DIRECTIONS: Final = 24
"""Directions that are tried for the first player's place: people sit where they like."""
_AGREEING: Final = 2 / 3
"""Least share of tokens before the right players for where everybody sits to be known."""
_NAMED: Final = 3
"""Tokens that are asked about at once."""
_LISTED: Final = 5
"""Tokens that are listed because they are not read."""


def end_hint(state: MasterState) -> EndHint:
    """Return what is read once play has ended: tokens, and formula cards while one is missing."""
    lying = (number for number, place in zip(TOKENS, state.tokens, strict=True) if place != TAKEN)
    return EndHint(FORMULAS if waiting_for(state) else (), tuple(lying))


def propose_end(state: MasterState, names: Sequence[str], readings: Sequence[EndReading]) -> Finding[Move]:
    """Return the question whose formula card is shown, or the tokens that are counted before the players.

    Wands are not counted by the camera: they stay as in the journal. names: by seat.
    """
    cards = [one.formula for one in readings if one.formula is not None]
    if 2 * len(cards) > len(readings) and len({card.numbers for card in cards}) == 1:
        return _whose_card(state, names, cards[0].numbers, min(card.confidence for card in cards))
    tables = [one for one in readings if one.maze.state == "board"]
    return _count(state, names, tables) if tables and not state.counted else Finding()


def _whose_card(
    state: MasterState, names: Sequence[str], numbers: tuple[int, int, int], confidence: float
) -> Finding[Move]:
    for name, player in zip(names, state.players, strict=True):
        if player.formula == numbers:
            line = say(
                "The formula card {numbers} is noted for {name} already. Show another one.",
                numbers=_card(numbers),
                name=name,
            )
            return Finding(unread=line)
    seats = waiting_for(state)
    choices = tuple(Choice((NoteFormula(seat, numbers),), confidence / len(seats)) for seat in seats)
    question = say(
        "Whose formula card is {numbers}: {names}?",
        numbers=_card(numbers),
        names=either([names[seat] for seat in seats]),
    )
    return Finding(Proposal((Question(None, choices, (Doubt(None, question),)),)))


def _card(numbers: Sequence[int]) -> str:
    return " · ".join(map(str, numbers))


def _count(state: MasterState, names: Sequence[str], readings: Sequence[EndReading]) -> Finding[Move]:
    """Return the count of the tokens, with a question where it differs from the journal.

    Nothing is proposed where hardly a token lies before its player: then it is unknown where everybody sits.
    """
    holders = {number: seat for seat, player in enumerate(state.players) for number in player.tokens}
    each = [_seats(holders, len(names), one.tokens) for one in readings]
    seats = {number: seat for number, seat in each[0].items() if all(one.get(number) == seat for one in each)}
    wrong = sorted(number for number, seat in seats.items() if seat != holders[number])
    if not seats or len(wrong) > (1 - _AGREEING) * len(seats):
        return Finding()
    missing = sorted(holders.keys() - seats.keys())
    if missing and not wrong:
        return Finding(unread=_not_counted(len(holders), missing))
    now = holders | seats
    tokens = tuple(
        tuple(
            [number for number in player.tokens if now[number] == seat]
            + [number for number in wrong if now[number] == seat]
        )
        for seat, player in enumerate(state.players)
    )
    move = CountHoldings(tokens, tuple(player.wands for player in state.players))
    doubts = tuple(Doubt(seats[n], _lies_before(n, names[seats[n]], names[holders[n]])) for n in wrong[:_NAMED])
    confidences = [token.confidence for token in readings[-1].tokens if token.number in seats]
    choice = Choice((move,), float(np.prod(confidences)))
    return Finding(Proposal((Question(None, (choice,), doubts),)))


def _not_counted(taken: int, missing: Sequence[int]) -> Line:
    """Return what to do so that the camera can count all tokens. taken: number of all that are held."""
    if len(missing) > _LISTED:
        return say("Lay the tokens before their players, flat and apart from one another: the camera counts them.")
    return say(
        "The camera counts {number} of {all} tokens, as on the screen. Lay the others flat and apart from one "
        "another: {missing}.",
        number=taken - len(missing),
        all=taken,
        missing=listed(missing),
    )


def _lies_before(number: int, name: str, holder: str) -> Line:
    return say(
        "Token {number} lies before {name}, but is {holder}'s on the screen. Whose is it?",
        number=number,
        name=name,
        holder=holder,
    )


def _seats(holders: Mapping[int, int], players: int, tokens: Sequence[LooseToken]) -> dict[int, int]:
    """Return the seat before which each token lies, by its number. holders: seats in the journal by number.

    Where the players sit is what fits the journal best.
    """
    angles = {
        token.number: math.atan2(_CENTRE - token.x, token.y - _CENTRE)
        for token in tokens
        if not token.doubtful and token.number in holders
    }
    return max(
        (_nearest(angles, players, 2 * math.pi * step / _DIRECTIONS) for step in range(_DIRECTIONS)),
        key=lambda seats: sum(holders[number] == seat for number, seat in seats.items()),
    )


def _nearest(angles: Mapping[int, float], players: int, first: float) -> dict[int, int]:
    """Return the seat that each token lies nearest to. angles: clockwise from row 6, of the token by its number;
    first: of the first player, rad."""
    step = 2 * math.pi / players
    return {number: round((angle - first) / step) % players for number, angle in angles.items()}
