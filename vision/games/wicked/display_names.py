"""Spoken names of colours, ranks and spells."""

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
    """Return the spoken name of a colour, rank or spell; other names unchanged."""
    return _NAMES.get(name, name)
