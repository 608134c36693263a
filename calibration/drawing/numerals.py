"""Numerals drawn with an old-style pen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from calibration.drawing.svg_pen import Pen, curve

_STROKES: Final[Mapping[str, tuple[str, ...]]] = {
    "0": ("M 0 -8 C 6.4 -8 6.4 8 0 8 C -6.4 8 -6.4 -8 0 -8",),
    "1": ("M -2.6 -5.2 Q -0.4 -6 0.6 -8 L 0.6 8", "M -2.4 8 L 3.6 8"),
    "2": ("M -4.2 -4.6 C -4 -9 4.4 -9.6 4.3 -3.8 C 4.2 0.4 -1.6 3.6 -4.6 7.8 L 4.8 7.8 L 5 5.8",),
    "3": ("M -4.2 -5.6 C -3 -9.4 4.2 -9 4 -4.4 C 3.9 -1.4 1.4 -0.6 -0.8 -0.5 C 2.4 -0.6 4.9 0.8 4.8 3.6"
          " C 4.6 9 -3.6 9.4 -4.8 5.2",),
    "4": ("M 2.2 8 L 2.2 -8 L -5 3.4 L 5.2 3.4",),
    "5": ("M 4.2 -8 L -2.8 -8 L -3.6 -0.6 C -1 -2.6 4.8 -2 4.7 3 C 4.6 8.8 -3 9.4 -4.8 5.4",),
    "6": ("M 3.6 -7.6 C -1.6 -7 -4.8 -2.4 -4.7 2.8 C -4.6 9.6 4.8 9.6 4.7 3 C 4.6 -2.8 -3.6 -2.8 -4.6 2.6",),
    "7": ("M -4.6 -6 L -4.4 -7.8 L 4.8 -7.8 C 1.6 -3 -0.6 2 -1 8",),
    "8": ("M 0 -0.6 C -5 -2 -5 -8 0 -8 C 5 -8 5 -2 0 -0.6 C -6.2 1.2 -6.2 8 0 8 C 6.2 8 6.2 1.2 0 -0.6",),
    "9": ("M -3.6 7.6 C 1.6 7 4.8 2.4 4.7 -2.8 C 4.6 -9.6 -4.8 -9.6 -4.7 -3 C -4.6 2.8 3.6 2.8 4.6 -2.6",),
}  # fmt: skip # a table of outlines
_PITCH: Final = 12.6
"""Distance between the centres of two digits of a number, mm at a height of about 16."""


def draw_numeral(pen: Pen, digit: str, colour: str, width: float = 2.2) -> None:
    """Draw one digit centred on (0, 0), 16 mm high in the pen's frame. width: of the stroke, mm."""
    for stroke in _STROKES[digit]:
        pen.line(curve(stroke), colour, width)


def draw_number(pen: Pen, number: int, colour: str, width: float = 2.2) -> None:
    """Draw a number centred on (0, 0), 16 mm high in the pen's frame. width: of the strokes, mm."""
    digits = str(number)
    for k, digit in enumerate(digits):
        draw_numeral(pen.placed((k - (len(digits) - 1) / 2) * _PITCH, 0), digit, colour, width)
