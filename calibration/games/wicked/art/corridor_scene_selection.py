"""Corridor scenes in eight styles, each randomised by the card's seed: large flat shapes, then ink lines.

A card covers only some 55 × 80 pixels of the camera's picture, so cards are distinguished by light and dark areas
several millimetres wide; the fine lines are decoration. Every scene fills the window from `left, top` to `right,
bottom` in mm (+y down) with the five tones of one palette.
"""

from __future__ import annotations

from collections.abc import Callable

from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Window
from calibration.games.wicked.art.corridor_vistas import draw_arcade, draw_garden, draw_hall, draw_stair
from calibration.games.wicked.art.palette import MOODS, Tones
from calibration.games.wicked.art.plan_view_scenes import draw_blocks, draw_maze, draw_rings, draw_spiral

Scene = Callable[[Pen, Dice, int, Tones, Window], None]
"""Function that draws a scene: pen, dice, variant, tones, window. The variant changes the largest shapes."""

_SCENES: tuple[Scene, ...] = (
    draw_hall,
    draw_maze,
    draw_stair,
    draw_arcade,
    draw_spiral,
    draw_garden,
    draw_blocks,
    draw_rings,
)


def draw_corridor(pen: Pen, number: int, dice: Dice, window: Window) -> None:
    """Draw the scene of a corridor card.

    number: of the card, selects scene and palette evenly; dice: seeded by the card's id, decide everything else.
    """
    kind, variant = number % len(_SCENES), number // len(_SCENES)
    mood = (3 * variant + 5 * kind + variant // len(MOODS)) % len(MOODS)
    _SCENES[kind](pen.within(window), dice, variant, MOODS[mood], window)
