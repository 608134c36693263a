"""Proposals after the end of play: whose formula card is shown, and which tokens lie in front of each player."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from calibration.translatable import Line, either, listed, say
from companion.adapters.master.still_picture_reader import EndHint, EndReading
from companion.games.master.components import FORMULAS, SIZE, TOKENS
from companion.games.master.moves import CountHoldings, Move, NoteFormula
from companion.games.master.rules.legal_moves import waiting_for
from companion.games.master.state import TAKEN, MasterState
from companion.referee.finding import Finding
from companion.referee.proposal import Choice, Doubt, Proposal, Question
from vision.games.master.loose_tokens import LooseToken

_CENTRE: Final = SIZE / 2
"""Centre of the field along both axes, in tiles."""
_DIRECTIONS: Final = 24
"""Number of evenly spaced directions that are tried for where the first player sits: people sit where they like."""
_MIN_AGREEING: Final = 2 / 3
"""Minimum fraction of the tokens that lie where the journal expects them; below it, the seats are not known."""
_MAX_GAP: Final = 0.5
"""Largest gap between neighbouring tokens before one player, as a fraction of the angle between two players."""
_MOST_ASKED: Final = 3
"""Maximum number of tokens that one question asks about."""
_MOST_LISTED: Final = 5
"""Maximum number of unread tokens that a message lists by number."""


def end_hint(state: MasterState) -> EndHint:
    """Return what the reader has to look for after the end of play.

    That is the formula cards that may be shown, if one is still missing, and the tokens left on the board.
    """
    lying = (number for number, place in zip(TOKENS, state.tokens, strict=True) if place != TAKEN)
    return EndHint(FORMULAS if waiting_for(state) else (), tuple(lying))


def propose_end(state: MasterState, names: Sequence[str], readings: Sequence[EndReading]) -> Finding[Move]:
    """Return a proposal after the end of play; empty once the tokens are counted.

    If most readings show the same formula card, it asks whose card that is; otherwise it proposes which tokens each
    player holds. Wands are not read by the camera: their number is taken from the journal. names: by seat.
    """
    cards = [one.formula for one in readings if one.formula is not None]
    if 2 * len(cards) > len(readings) and len({card.numbers for card in cards}) == 1:
        return _card_owner_question(state, names, cards[0].numbers, min(card.confidence for card in cards))
    tables = [one for one in readings if one.maze.state == "board"]
    return _holdings_proposal(state, names, tables) if tables and not state.counted else Finding()


def _card_owner_question(
    state: MasterState, names: Sequence[str], numbers: tuple[int, int, int], confidence: float
) -> Finding[Move]:
    """Return a proposal that asks whose formula card is shown, or a message if it is already noted.

    numbers: as printed on the card. confidence: probability that they were read correctly.
    """
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


def _holdings_proposal(state: MasterState, names: Sequence[str], readings: Sequence[EndReading]) -> Finding[Move]:
    """Return a proposal of which tokens each player holds, with questions where the journal differs.

    It is only a message if some tokens were not read and all others agree with the journal. It is empty if too few
    tokens lie in front of the players who hold them in the journal: then it is not known where the players sit.
    """
    holders = {number: seat for seat, player in enumerate(state.players) for number in player.tokens}
    each = [_seats_of_tokens(holders, len(names), one.tokens) for one in readings]
    seats = {number: seat for number, seat in each[0].items() if all(one.get(number) == seat for one in each)}
    wrong = sorted(number for number, seat in seats.items() if seat != holders[number])
    if not seats or len(wrong) > (1 - _MIN_AGREEING) * len(seats):
        return Finding()
    missing = sorted(holders.keys() - seats.keys())
    if missing and not wrong:
        return Finding(unread=_unread_tokens_message(len(holders), missing))
    now = holders | seats
    tokens = tuple(
        tuple(
            [number for number in player.tokens if now[number] == seat]
            + [number for number in wrong if now[number] == seat]
        )
        for seat, player in enumerate(state.players)
    )
    move = CountHoldings(tokens, tuple(player.wands for player in state.players))
    doubts = tuple(
        Doubt(seats[n], _token_owner_question(n, names[seats[n]], names[holders[n]])) for n in wrong[:_MOST_ASKED]
    )
    # Tokens of a player who has none on the screen could lie near those of another one.
    doubts = doubts or tuple(
        Doubt(seat, say("{name} has no token. Is that right?", name=name))
        for seat, name in enumerate(names)
        if not tokens[seat]
    )
    confidences = [token.confidence for token in readings[-1].tokens if token.number in seats]
    choice = Choice((move,), float(np.prod(confidences)))
    return Finding(Proposal((Question(None, (choice,), doubts),)))


def _unread_tokens_message(taken: int, missing: Sequence[int]) -> Line:
    """Return instructions for laying out the tokens that were not read.

    taken: how many tokens the players hold in the journal. missing: numbers of those that were not read.
    """
    if len(missing) > _MOST_LISTED:
        return say("Lay the tokens before their players, flat and apart from one another: the camera counts them.")
    return say(
        "The camera counts {number} of {all} tokens, as on the screen. Lay the others flat and apart from one "
        "another: {missing}.",
        number=taken - len(missing),
        all=taken,
        missing=listed(missing),
    )


def _token_owner_question(number: int, name: str, holder: str) -> Line:
    """Return the question whose token it is.

    number: of the token. name: player before whom it lies. holder: player who has it in the journal.
    """
    return say(
        "Token {number} lies before {name}, but is {holder}'s on the screen. Whose is it?",
        number=number,
        name=name,
        holder=holder,
    )


def _seats_of_tokens(holders: Mapping[int, int], players: int, tokens: Sequence[LooseToken]) -> dict[int, int]:
    """Return the seat in front of which each token lies, by the token's number; doubtful tokens are left out.

    The players are assumed to sit evenly round the board, rotated so that each player's tokens lie together and
    most tokens agree with the journal. Empty where there is no such rotation. holders: seat that holds each token
    in the journal, by the token's number. players: number of players.
    """
    by_number = {
        token.number: math.atan2(_CENTRE - token.x, token.y - _CENTRE)
        for token in tokens
        if not token.doubtful and token.number in holders
    }
    angles = dict(sorted(by_number.items(), key=lambda item: item[1]))
    rotations = (_nearest_seats(angles, players, 2 * math.pi * step / _DIRECTIONS) for step in range(_DIRECTIONS))
    return max(
        (seats for seats in rotations if _lie_together(angles, seats, players)),
        key=lambda seats: sum(holders[number] == seat for number, seat in seats.items()),
        default={},
    )


def _lie_together(angles: Mapping[int, float], seats: Mapping[int, int], players: int) -> bool:
    """Return whether each player's tokens lie closer together than tokens of neighbours.

    angles: as for `_nearest_seats`, ascending. seats: seat of each token, by its number. players: number of seats.
    """
    numbers = list(angles)
    within, between = [0.0], [_MAX_GAP * 2 * math.pi / players]
    for one, other in zip(numbers, (*numbers[1:], *numbers[:1]), strict=True):
        gap = (angles[other] - angles[one]) % (2 * math.pi)
        (within if seats[one] == seats[other] else between).append(gap)
    if len({*seats.values()}) == 1:
        within.remove(max(within))  # the empty part of the table
    return max(within, default=0.0) <= min(between)


def _nearest_seats(angles: Mapping[int, float], players: int, first: float) -> dict[int, int]:
    """Return the seat whose direction is nearest to each token's, by the token's number.

    The seats are evenly spaced. angles: direction of each token from the board's centre, by its number. players:
    number of players. first: direction of seat 0. All in radians, clockwise from the side of row 6.
    """
    step = 2 * math.pi / players
    return {number: round((angle - first) / step) % players for number, angle in angles.items()}
