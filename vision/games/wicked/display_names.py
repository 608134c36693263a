"""Names of colours, ranks and spells as they are shown to users, translatable."""

from __future__ import annotations

from calibration.translatable import Line, say

_NAMES = {
    "red": say("red"),
    "green": say("green"),
    "blue": say("blue"),
    "yellow": say("yellow"),
    "low": say("low"),
    "middle": say("middle"),
    "high": say("high"),
    "promotion": say("promotion"),
    "colour_change": say("colour change"),
    "empty": say("nothing"),
    "great": say("great"),
    "small": say("small"),
}


def named(name: str) -> str | Line:
    """Return the display name of a colour, rank, spell or sort of card by its id; other ids unchanged."""
    return _NAMES.get(name, name)
