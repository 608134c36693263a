"""Faces of the 21 tokens: a disc with an ingredient and its number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from calibration.drawing.numerals import draw_number
from calibration.drawing.palette import BRIGHT_GOLD, GOLD, INK
from calibration.drawing.svg_pen import Pen, ellipse, mix, rounded
from calibration.games.master.art.pictures import animals, plants, things

TOKEN: Final = 20.0
"""Diameter of a token as drawn, mm: half the width of a tile of 40 mm."""

_RIM: Final = 0.9
"""Width of the gold rim, mm."""
_PICTURES: Final[Mapping[int, tuple[Callable[[Pen], None], str]]] = {
    1: (plants.draw_crab_apples, "#e7dfb4"),
    2: (plants.draw_pine_cone, "#c4d3e2"),
    3: (plants.draw_oak_leaf, "#2f4a5c"),
    4: (things.draw_slug_oil, "#7a5a78"),
    5: (plants.draw_clover, "#f0e9d8"),
    6: (plants.draw_garlic, "#7d6aa0"),
    7: (things.draw_feather, "#b3c3d6"),
    8: (plants.draw_henbane, "#3f5a66"),
    9: (animals.draw_spider, "#56607f"),
    10: (things.draw_skull, "#5e2730"),
    11: (animals.draw_blindworm, "#dce6cf"),
    12: (things.draw_quartz, "#3b3a63"),
    13: (animals.draw_toad, "#a9cbd0"),
    14: (animals.draw_salamander, "#c98f7b"),
    15: (animals.draw_weasel, "#cfdcc0"),
    16: (plants.draw_silver_thistle, "#8a9a5b"),
    17: (animals.draw_snake, "#ead08f"),
    18: (things.draw_emerald, "#d9c6e0"),
    19: (plants.draw_mandrake, "#4a3a57"),
    20: (animals.draw_rooster, "#d8a24c"),
    25: (plants.draw_mistletoe, "#7b2f3a"),
}
"""What draws each number's ingredient, and the colour of its ground."""


def token_face(number: int) -> str:
    """Return the token of a number as SVG, `TOKEN` mm wide. Raises KeyError for a number without token."""
    pen = Pen.new()
    draw_token(pen, number)
    return pen.svg(-TOKEN / 2, -TOKEN / 2, TOKEN, TOKEN)


def draw_token(pen: Pen, number: int) -> None:
    """Draw the token of a number round (0, 0). Raises KeyError for a number without token."""
    draw_picture, ground = _PICTURES[number]
    radius = TOKEN / 2
    pen.fill(ellipse(0, 0, radius, steps=72), INK)
    pen.fill(ellipse(0, 0, radius - 0.35, steps=72), GOLD)
    pen.fill(ellipse(0, 0, radius - _RIM, steps=72), INK)
    pen.fill(ellipse(0, 0, radius - _RIM - 0.3, steps=72), ground)
    pen.glow(0, -2.2, 6.6, mix(ground, "#ffffff", 0.6), 0.5, 4)
    draw_picture(pen.placed(0, -2.0, 0.8))
    _draw_plaque(pen.placed(0, 6.0), number)


def _draw_plaque(pen: Pen, number: int) -> None:
    """Draw a token's number on a small plate round (0, 0)."""
    half = 2.5 if number < 10 else 3.8
    pen.fill(rounded(-half - 0.35, -2.75, half + 0.35, 2.75, 1.9), GOLD)
    pen.fill(rounded(-half, -2.4, half, 2.4, 1.6), INK)
    draw_number(pen.placed(0, 0, 0.24), number, BRIGHT_GOLD, 2.7)
