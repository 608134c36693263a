"""What a player may be called. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from calibration.translatable import say
from companion.session.entries import Seat
from companion.session.errors import SessionError

_LONGEST_NAME: Final = 40
"""Characters of a player's name in a journal."""
_JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible characters that scripts and emoji need between others."""
_TAGS: Final = range(0xE0020, 0xE0080)
"""Invisible characters that flags of regions consist of."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols, but look like a space."""


def is_printable(name: str) -> bool:
    """Return whether a name has no control characters and none that change the direction of the text."""
    return all(letter.isprintable() or letter in _JOINERS or ord(letter) in _TAGS for letter in name)


def is_visible(name: str) -> bool:
    """Return whether a name has a character that can be seen."""
    return any(letter.isprintable() and not letter.isspace() and letter not in _BLANK for letter in name)


def check_seats(seats: Sequence[Seat]) -> None:
    """Raise SessionError for players' names that are empty, too long or not printable."""
    for seat in seats:
        if len(seat.name) > _LONGEST_NAME or not (is_visible(seat.name) and is_printable(seat.name)):
            raise SessionError(say("A name must have 1 to {most} printable characters.", most=_LONGEST_NAME))
