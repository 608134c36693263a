"""Tiles, tokens and wizards that a person states to be on the table where the camera misreads them. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from companion.adapters.master.evidence.board_likelihoods import BITS, NONE, SHAPES, Evidence, Floats
from companion.games.master.components import COLOURS, LOOSE, PLACES, TOKENS
from companion.table.game_adapter import Statement
from vision.games.master.readings import MazeReading

_EXCLUDED: Final = -20.0
"""Log-likelihood of everything that contradicts a statement."""


@dataclass(frozen=True, slots=True)
class StatedTile:
    """Statement how a loose tile lies. Raises ValueError for a place or openings that do not exist."""

    place: int | None
    """Place of the tile; None for the spare, of which only the shape counts."""
    openings: str
    """Letters of its open sides, such as `TRL`."""
    type: Literal["tile"] = "tile"
    """Discriminator in JSON."""

    def __post_init__(self) -> None:
        if self.openings not in BITS or self.place not in (None, *LOOSE):
            raise ValueError("there is no such tile")


@dataclass(frozen=True, slots=True)
class StatedToken:
    """Statement which token lies on a place. Raises ValueError for a place or number that does not exist."""

    place: int
    """Place on the board, 0..48."""
    number: int | None
    """Number of the token; None if no token lies there."""
    type: Literal["token"] = "token"
    """Discriminator in JSON."""

    def __post_init__(self) -> None:
        if self.number not in (None, *TOKENS) or self.place not in range(PLACES):
            raise ValueError("there is no such token")


@dataclass(frozen=True, slots=True)
class StatedWizard:
    """Statement where a player's wizard stands. Raises ValueError for a seat or place that does not exist."""

    seat: int
    """Seat of the player."""
    place: int
    """Place on the board, 0..48."""
    type: Literal["wizard"] = "wizard"
    """Discriminator in JSON."""

    def __post_init__(self) -> None:
        if self.seat not in range(len(COLOURS)) or self.place not in range(PLACES):
            raise ValueError("there is no such wizard")


Stated = StatedTile | StatedToken | StatedWizard


def with_statements(
    seen: Evidence,
    statements: Sequence[Statement],
    evidence_of: Callable[[Sequence[MazeReading]], Evidence | None],
) -> Evidence:
    """Return the evidence with the tiles, tokens and wizards that people stated made certain.

    A later statement overrules an earlier one. A statement no longer counts once the camera reads something new
    there that contradicts it. seen: evidence of the present readings. statements: oldest first. evidence_of:
    computes evidence from readings; called with those that a statement was made about.
    """
    read = seen
    for number, one in enumerate(statements):
        if any(_overrules(later.thing, one.thing) for later in statements[number + 1 :]):
            continue
        then = evidence_of(one.readings.at_rest)
        if then is not None and _still_applies(read, then, one.thing):
            seen = _with_statement(seen, one.thing)
    return seen


def _overrules(later: Stated, earlier: Stated) -> bool:
    """Return whether a later statement is about the same place, token or wizard as an earlier one."""
    match later, earlier:
        case StatedTile(place), StatedTile(same):
            return place == same
        case StatedToken(place, number), StatedToken(same, moved):
            return place == same or (number is not None and number == moved)
        case StatedWizard(seat), StatedWizard(same):
            return seat == same
    return False


def _still_applies(read: Evidence, then: Evidence, thing: Stated) -> bool:
    """Return whether the likeliest value of a stated thing is as when it was stated, or the stated value.

    read, then: evidence of the readings alone, now and when the statement was made.
    """
    row, row_then = _likelihoods_of(read, thing), _likelihoods_of(then, thing)
    if row is None or row_then is None:
        return False
    return int(row.argmax()) == int(row_then.argmax()) or bool(row[_stated_value(thing)] == row.max())


def _stated_value(thing: Stated) -> int:
    """Return the index of the stated value among the likelihoods of its thing."""
    match thing:
        case StatedTile(_, openings):
            return BITS[openings]
        case StatedToken(_, number):
            return NONE if number is None else TOKENS.index(number)
        case StatedWizard(_, place):
            return place


def _likelihoods_of(seen: Evidence, thing: Stated) -> Floats | None:
    """Return the log-likelihoods of everything that the thing could be; None for a seat that is not in play.

    thing: a stated tile, token or wizard.
    """
    row: Floats
    match thing:
        case StatedTile(None):
            row = seen.spare
        case StatedTile(place):
            row = seen.tiles[place]
        case StatedToken(place):
            row = seen.clear_picture_tokens[place]
        case StatedWizard(seat):
            if seat >= len(seen.wizards):
                return None
            row = seen.wizards[seat]
    return row


def _with_statement(seen: Evidence, thing: Stated) -> Evidence:
    """Return the evidence with a stated tile, token or wizard made certain."""
    match thing:
        case StatedTile(place, openings):
            if place is None:
                same = [shape == SHAPES[BITS[openings]] for shape in SHAPES]
                return replace(seen, spare=np.where(same, 0.0, _EXCLUDED))
            return replace(seen, tiles=_with_row(seen.tiles, place, BITS[openings]))
        case StatedToken(place, number):
            column = _stated_value(thing)
            tokens, below = seen.tokens.copy(), seen.tokens_below.copy()
            for scores in (tokens, below):
                if number is not None:
                    scores[..., column] = _EXCLUDED  # it lies once
                scores[:, place] = _EXCLUDED
                scores[:, place, column] = 0.0
            return replace(seen, tokens=tokens, tokens_below=below)
        case StatedWizard(seat, place):
            return replace(seen, wizards=_with_row(seen.wizards, seat, place))


def _with_row(scores: Floats, row: int, column: int) -> Floats:
    """Return a copy of log-likelihoods in which, in one row, one column is certain and all others are excluded."""
    changed = scores.copy()
    changed[row] = _EXCLUDED
    changed[row, column] = 0.0
    return changed
