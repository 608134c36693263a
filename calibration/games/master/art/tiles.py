"""Art of the maze's tiles: a pebbled path of vellum between clipped hedges."""

from __future__ import annotations

import math
from typing import Final

from calibration.drawing.palette import DEEP_GOLD, INK, PARCHMENT, VELLUM
from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Point, arc, box, ellipse, mix

TILE: Final = 40.0
"""Width of a tile as drawn, mm; sheets scale it."""
PATH: Final = 14.0
"""Width of a path, mm."""

_HEDGE: Final = "#2c5a3c"
_SHADE: Final = "#173626"
_LEAF: Final = "#6b9a5c"
_DIRECTIONS: Final[dict[str, Point]] = {"T": (0.0, -1.0), "R": (1.0, 0.0), "B": (0.0, 1.0), "L": (-1.0, 0.0)}
"""Unit vector from a tile's centre to each side, y down."""
_LEAF_STEP: Final = 2.6
"""Distance between the tufts along a hedge's rim, mm."""


def tile_face(openings: str, variant: int = 0, width: float = TILE) -> str:
    """Return a tile as SVG, `width` mm wide. Raises KeyError for other openings.

    openings: sides that its paths reach, letters of T, R, B, L; variant: seed of its leaves and pebbles.
    """
    pen = Pen.new()
    draw_tile(pen.placed(0, 0, width / TILE), openings, f"{openings} {variant}")
    return pen.svg(0, 0, width, width)


def draw_tile(pen: Pen, openings: str, seed: str) -> None:
    """Draw a tile from (0, 0) to (`TILE`, `TILE`) of a pen that is not rotated. Raises KeyError for other openings.

    openings: sides that its paths reach, letters of T, R, B, L; seed: of its leaves and pebbles.
    """
    dice = Dice(f"tile {seed}")
    here = pen.within((pen.x, pen.y, pen.x + TILE * pen.scale, pen.y + TILE * pen.scale))
    here.fill(box(0, 0, TILE, TILE), _HEDGE)
    _draw_leaves(here, dice)
    _fill_path(here, openings, 1.5, _SHADE)
    _fill_path(here, openings, 0.7, INK)
    _fill_path(here, openings, 0.0, VELLUM)
    _draw_pebbles(here, openings, dice)
    for x, y in _path_rim(openings):
        radius = dice.between(1.0, 1.7)
        tuft = ellipse(x + dice.between(-0.4, 0.4), y + dice.between(-0.4, 0.4), radius, steps=10)
        here.shape(tuft, mix(_HEDGE, _LEAF, dice.between(0.2, 0.7)), INK, 0.35)


def _fill_path(pen: Pen, openings: str, wider: float, colour: str) -> None:
    """Fill the middle of a tile and the arms of its path. wider: mm to add to the path on each side."""
    half, middle = PATH / 2 + wider, TILE / 2
    pen.fill(ellipse(middle, middle, half, steps=48), colour)
    for side in openings:
        dx, dy = _DIRECTIONS[side]
        # (dy, dx) is at right angles to (dx, dy) for directions along the axes.
        near = [(middle + dy * half * k, middle + dx * half * k) for k in (-1, 1)]
        far = [(x + dx * middle, y + dy * middle) for x, y in reversed(near)]
        pen.fill([*near, *far], colour)


def _path_rim(openings: str) -> list[Point]:
    """Return points along the rim of the path, slightly inside the hedge."""
    half, middle = PATH / 2 + 0.9, TILE / 2
    arms = [_DIRECTIONS[side] for side in openings]
    points: list[Point] = []
    for dx, dy in arms:
        for k in range(round(middle / _LEAF_STEP) + 1):
            reach = k * _LEAF_STEP
            points += [(dx * reach + dy * half * side, dy * reach + dx * half * side) for side in (-1, 1)]
    points += [(half * math.cos(k * math.pi / 12), half * math.sin(k * math.pi / 12)) for k in range(24)]
    return [
        (middle + x, middle + y)
        for x, y in points
        if not any(x * dx + y * dy > -0.1 and abs(x * dy - y * dx) < half - 0.3 for dx, dy in arms)
    ]


def _draw_leaves(pen: Pen, dice: Dice) -> None:
    """Draw tufts of leaves all over a tile, on a jittered lattice."""
    step = 3.3
    light: list[list[Point]] = []
    dark: list[list[Point]] = []
    for row in range(13):
        for column in range(13):
            x = column * step + dice.between(-1.0, 1.0)
            y = row * step + dice.between(-1.0, 1.0)
            start = dice.between(170, 230)
            curl = arc(x, y, dice.between(0.8, 1.4), dice.between(0.7, 1.2), start, start + 150, 5)
            (light if dice.chance(0.4) else dark).append(curl)
    pen.lines(dark, _SHADE, 0.5)
    pen.lines(light, _LEAF, 0.4)


def _draw_pebbles(pen: Pen, openings: str, dice: Dice) -> None:
    """Draw pebbles and worn lines along a path's arms."""
    middle = TILE / 2
    for side in openings:
        dx, dy = _DIRECTIONS[side]
        for _ in range(7):
            along, across = dice.between(2, middle - 0.5), dice.between(-PATH / 2 + 1.6, PATH / 2 - 1.6)
            x, y = middle + dx * along + dy * across, middle + dy * along + dx * across
            stone = ellipse(x, y, dice.between(0.5, 1.3), dice.between(0.4, 0.8), steps=9)
            pen.fill(stone, mix(PARCHMENT, DEEP_GOLD, dice.between(0.0, 0.35)))
            pen.line(stone, mix(INK, VELLUM, 0.35), 0.22, closed=True)
    for _ in range(3):
        x, y = middle + dice.between(-4, 4), middle + dice.between(-4, 4)
        pen.fill(ellipse(x, y, dice.between(0.6, 1.2), 0.6, steps=9), mix(PARCHMENT, DEEP_GOLD, 0.2))
