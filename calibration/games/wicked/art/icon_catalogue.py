"""Draws every icon of the game by name as an SVG of its own, for the tablet page and for documents."""

from __future__ import annotations

from collections.abc import Callable

from calibration.drawing.svg_pen import Pen
from calibration.games.wicked.art.animal_heads import ANIMALS, draw_animal_head, draw_witch
from calibration.games.wicked.art.icons import (
    BAR_PITCH,
    RANKS,
    draw_bars,
    draw_colour_change,
    draw_gem,
    draw_give_back,
    draw_impurity,
    draw_points,
    draw_promotion,
)
from calibration.games.wicked.art.palette import JEWELS
from calibration.games.wicked.art.pieces import draw_sign

_HALF_SIDE = 14.0
"""Half the side of an icon's picture, mm."""


def _animal(colour: str) -> Callable[[Pen], None]:
    return lambda pen: draw_animal_head(pen, colour)


def _gem(colour: str) -> Callable[[Pen], None]:
    return lambda pen: draw_gem(pen.placed(0, 0, 1.05), colour)


def _bars(rank: str) -> Callable[[Pen], None]:
    return lambda pen: draw_bars(pen.placed(0, -BAR_PITCH * RANKS.index(rank), 2.0), rank)


def _points(digit: str) -> Callable[[Pen], None]:
    return lambda pen: draw_points(pen.placed(0, 0, 1.25), digit)


def _sign(name: str) -> Callable[[Pen], None]:
    return lambda pen: draw_sign(pen.placed(0, 0, 1.45), name)


_DRAWINGS: dict[str, Callable[[Pen], None]] = {
    **{colour: _gem(colour) for colour in JEWELS},
    "promotion": lambda pen: draw_promotion(pen.placed(0, 0, 1.05)),
    "colour_change": lambda pen: draw_colour_change(pen.placed(0, 0, 1.05)),
    "impurity": lambda pen: draw_impurity(pen.placed(0, 0, 1.05)),
    "give_back": lambda pen: draw_give_back(pen.placed(0, 0, 1.1)),
    **{rank: _bars(rank) for rank in RANKS},
    **{f"sign:{name}": _sign(name) for name in ("witch", "soul")},
    **{animal: _animal(colour) for colour, animal in ANIMALS.items()},
    "points2": _points("2"),
    "points5": _points("5"),
    "witch": lambda pen: draw_witch(pen.placed(0, 1.5, 0.95)),
}

ICONS: tuple[str, ...] = tuple(_DRAWINGS)
"""Every name that `icon` accepts: elements, impurity, ranks, signs (`sign:witch`), animals, points, the witch."""


def icon(name: str) -> str:
    """Return one icon as SVG on a transparent background, 28 × 28 mm with (0, 0) in the middle. Raises KeyError."""
    pen = Pen.new()
    _DRAWINGS[name](pen)
    return pen.svg(-_HALF_SIDE, -_HALF_SIDE, 2 * _HALF_SIDE, 2 * _HALF_SIDE)
