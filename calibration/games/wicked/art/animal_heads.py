"""Heads drawn with straight cuts, as from folded paper: the five players' animals and the witch.

Every head is drawn round (0, 0) inside a circle of radius 12, looking at the reader, its crown up.
"""

from __future__ import annotations

from collections.abc import Sequence

from calibration.drawing.palette import BRIGHT_GOLD, GOLD, INK, VELLUM
from calibration.drawing.svg_pen import Pen, Point, arc, curve, ellipse, mirrored, mix
from calibration.games.wicked.art.palette import PLAYERS

ANIMALS = {"purple": "wolf", "green": "rabbit", "red": "eagle", "black": "cat", "yellow": "sheep"}

Facets = Sequence[tuple[Sequence[Point], float]]
"""Right-half facets and their light: 0 dark, 0.5 middle, 1 light."""

_WOLF: Facets = (
    (
        [
            (0, -5),
            (3.2, -6.2),
            (7.6, -11.6),
            (9.4, -3.2),
            (11.2, 1.6),
            (8.4, 3.2),
            (8.6, 5.6),
            (5.6, 6),
            (3.4, 11),
            (0, 11.8),
        ],
        0.5,
    ),
    ([(7.4, -10.2), (8.4, -3.6), (5.2, -4.2)], 0.08),
    ([(0, -5), (3.2, -6.2), (5.2, -3.6), (1.6, 0.4), (0, 0)], 0.85),
    ([(9.4, -2.2), (11.2, 1.6), (8.4, 3.2), (8.6, 5.6), (5.6, 6), (4.6, 2.2)], 0.95),
    ([(1.6, 0.4), (3.2, 6), (2.8, 11), (0, 11.8), (0, 0)], 0.7),
    ([(0, 8), (2.2, 8), (1.6, 10), (0, 10.8)], 0.0),
)
"""Facets of the wolf's head: outline and shade (0..1) of each."""
_RABBIT: Facets = (
    (curve("M 0 -1.6 C 1 -2 1.6 -2.2 2 -2.4 C 1.4 -6 2.6 -11.6 5 -12 C 7.6 -11.4 7 -5.4 5 -1.6"
           " C 7.6 0.4 8.8 3.6 8 6.2 C 7 9.6 3.6 11.6 0 11.8", 5), 0.5),
    (curve("M 3.4 -3 C 3 -6.4 3.8 -10 5 -10.4 C 6.2 -9.8 5.8 -5.8 4.4 -2.6", 5), 0.98),
    ([(0, -1.6), (2, -2.2), (3.2, 1), (1.4, 6), (0, 6)], 0.75),
    ([(0, 7.4), (2.6, 6.4), (5.4, 8.4), (3.2, 10.8), (0, 11.8)], 0.98),
    ([(0, 6.2), (1.7, 6.2), (0, 8)], 0.0),
)  # fmt: skip # a table of outlines
"""The same of the rabbit's."""
_CAT: Facets = (
    (
        curve(
            "M 0 -5.4 L 3.8 -6 L 8.6 -11.6 C 9.8 -8 10 -5 9.6 -2 C 11 2 10 6.4 6.8 9 C 4.8 10.6 2.4 11.2 0 11.2", 5
        ),
        0.5,
    ),
    ([(7.9, -9.4), (8.6, -4), (5.2, -5.4)], 0.98),
    ([(0, -5.4), (2, -5.6), (1.2, -1), (0, 0.4)], 0.95),
    ([(3.4, -5.8), (4.4, -6.4), (4.6, -1.8)], 0.95),
    ([(0, 4.6), (3.4, 5.2), (4, 7.8), (2.4, 9.8), (0, 9.6)], 0.9),
    ([(0, 4.4), (1.7, 4.4), (0, 6.4)], 0.0),
)
"""The same of the cat's."""
_SHEEP: Facets = (
    (curve("M 0 -10.6 C 2.4 -12.2 5 -11 5.6 -8.8 C 8.6 -9.4 10.6 -6.6 9.4 -4 C 11.6 -2.6 11 0.6 8.6 1.2"
           " C 7.6 2.4 6.4 2.4 5.4 2 L 4.6 8.6 C 3.8 10.8 2 11.6 0 11.6", 5), 0.95),
    (curve("M 0 -5 C 2 -6 4 -5 4.8 -3 L 10.8 -1.4 C 10.4 1.6 7.8 2.4 5.4 1 L 4.6 8.4"
           " C 3.8 10.6 2 11.4 0 11.4", 5), 0.5),
    ([(0, -5), (2.2, -5.4), (2.8, 2), (2.2, 8.6), (0, 9)], 0.72),
    ([(6, -1.6), (9.6, -0.8), (7.6, 0.8)], 0.1),
    ([(0, 7.4), (1.9, 7), (1.4, 9), (0, 9.8)], 0.0),
)  # fmt: skip # a table of outlines
"""The same of the sheep's."""


def draw_animal_head(pen: Pen, colour: str) -> None:
    """Draw the head of the animal that belongs to a player's colour."""
    animal = ANIMALS[colour]
    dark, middle, light = PLAYERS[colour]
    ramp = (mix(dark, INK, 0.35), middle, mix(light, VELLUM, 0.35))
    if animal == "eagle":
        _draw_eagle(pen, ramp)
        return
    facets = {"wolf": _WOLF, "rabbit": _RABBIT, "cat": _CAT, "sheep": _SHEEP}[animal]
    outline = mirrored(facets[0][0])
    pen.line(outline, INK, 2.4, closed=True)
    pen.line(outline, VELLUM, 1.5, closed=True)
    for points, light_share in facets:
        for side in (1, -1):  # light falls from the left
            pen.fill(
                [(side * x, y) for x, y in points], _tone_of_ramp(ramp, light_share - (0.12 if side > 0 else 0.0))
            )
    pen.line(outline, INK, 0.45, closed=True)
    eye = {"wolf": (3.4, 1.2), "rabbit": (4.4, 2.6), "cat": (4.6, 1.4), "sheep": (3.5, 0.2)}[animal]
    for side in (-1, 1):
        if animal in ("wolf", "cat"):
            size = 1.7 if animal == "wolf" else 2.1
            lens = [(-size, 0.5), (0, -size * 0.6), (size, -size * 0.5), (0.2, size * 0.6)]
            pen.fill([(side * (eye[0] + x), eye[1] + y) for x, y in lens], BRIGHT_GOLD)
            pen.fill(ellipse(side * eye[0], eye[1], 0.4, 0.9, 10), INK)
        else:
            pen.fill(ellipse(side * eye[0], eye[1], 1.1, 1.35, 14), INK)
            pen.fill(ellipse(side * eye[0] - 0.35, eye[1] - 0.45, 0.35, steps=8), VELLUM)
        if animal in ("cat", "rabbit"):
            for lift in (-0.9, 0.5):
                pen.line([(side * 3.6, 6.8 + lift * 0.3), (side * 10.4, 6.6 + lift * 2.2)], VELLUM, 0.35, 0.9)


def _draw_eagle(pen: Pen, ramp: tuple[str, str, str]) -> None:
    """Draw the eagle in profile, so that its beak is recognisable. ramp: dark, middle and light tone."""
    outline = curve(
        "M -9 11.4 C -8.6 5 -8.8 -1 -6.4 -5.6 C -4 -10 1.6 -11.6 5 -8.6 C 9.2 -9 11.8 -5.2 10.8 -0.2"
        " C 10.4 1.6 9.6 2.6 8.8 3.2 C 8.8 0.8 7.6 -0.8 5.4 -0.6 C 5 2.2 6.6 4 5.8 7 L 3.4 5.6 L 3.8 9 L 0.8 7"
        " L 0.6 10.4 L -2.4 8 L -3.6 11.6 L -6 9.2 L -9 11.4",
        6,
    )
    pen.line(outline, INK, 2.4, closed=True)
    pen.line(outline, VELLUM, 1.5, closed=True)
    pen.fill(outline, ramp[1])
    pen.fill(curve("M -9 11.4 C -8.6 5 -8.8 -1 -6.4 -5.6 L -4 -3 L -5.6 3 L -6 9.2 L -9 11.4", 6), ramp[0])
    crown = curve("M -6.4 -5.6 C -4 -10 1.6 -11.6 5 -8.6 L 4 -4.4 L -0.6 -2.6 L -4 -3 L -6.4 -5.6", 6)
    pen.fill(crown, ramp[2])
    pen.fill([(-4, -3), (-0.6, -2.6), (1, 2), (-2.4, 8), (-6, 9.2), (-5.6, 3)], _tone_of_ramp(ramp, 0.7))
    beak = curve(
        "M 5 -8.6 C 9.2 -9 11.8 -5.2 10.8 -0.2 C 10.4 1.6 9.6 2.6 8.8 3.2 C 8.8 0.8 7.6 -0.8 5.4 -0.6"
        " L 3.6 -2.6 L 5 -8.6",
        6,
    )
    pen.fill(beak, GOLD)
    pen.fill(curve("M 5 -8.6 C 9.2 -9 11.8 -5.2 10.8 -0.2 C 9.6 -4 7.6 -5.6 4.4 -5.8 L 5 -8.6", 6), BRIGHT_GOLD)
    pen.line(outline, INK, 0.45, closed=True)
    pen.line([(-0.4, -5.2), (3.8, -4.6)], INK, 0.9)
    pen.fill(ellipse(1.8, -3.6, 1.15, steps=14), BRIGHT_GOLD)
    pen.fill(ellipse(2.0, -3.6, 0.55, steps=10), INK)


def _tone_of_ramp(ramp: tuple[str, str, str], share: float) -> str:
    """Return a blend of dark, middle and light tone: share 0 is dark, 0.5 middle, 1 light."""
    share = min(1.0, max(0.0, share))
    return mix(ramp[0], ramp[1], share * 2) if share < 0.5 else mix(ramp[1], ramp[2], share * 2 - 1)


def draw_witch(pen: Pen) -> None:
    """Draw the cow-headed witch under her pointed hat, whose tip is the uppermost point."""
    horn = curve("M 4.6 -1.6 C 8 -1.2 10.2 -3.6 9.8 -8.4 C 13.2 -4.2 12.6 2 7.4 2.6 L 4.6 2", 7)
    ear = curve("M 5 2.2 C 7.6 2 10 3.2 11 5.6 C 8.4 6.6 5.8 5.8 4.8 4.2", 6)
    face = mirrored(curve("M 0 -2.4 L 4.8 -1.6 C 6.4 1.6 5.6 4.4 4.4 6.6 C 4.8 9.6 3.2 11.8 0 11.8", 6))
    for side in (-1, 1):
        pen.shape([(side * x, y) for x, y in ear], "#6b5a6e", INK, 0.6)
        pen.shape([(side * x, y) for x, y in horn], VELLUM, INK, 0.6)
        pen.line([(side * x, y) for x, y in curve("M 9.9 -5.6 L 11.2 -4.4", 4)], "#a59a92", 0.5)
        pen.line([(side * x, y) for x, y in curve("M 9.4 -2.6 L 11 -1", 4)], "#a59a92", 0.5)
        pen.line([(side * x, y) for x, y in curve("M 7.8 -0.6 L 9 1.6", 4)], "#a59a92", 0.5)
    pen.shape(face, "#4c3d55", INK, 0.7)
    pen.fill([(0, -2.4), (-4.8, -1.6), (-5.4, 1.4), (-3, 6), (0, 6.4)], "#65526f")
    pen.fill(mirrored(curve("M 0 -2 L 1.3 -1.8 L 1.7 4 L 0 6.4", 5)), VELLUM)
    pen.shape(mirrored(curve("M 0 6.6 C 2.6 6 4.6 7 4.2 9.2 C 3.6 11.4 1.8 11.9 0 11.8", 6)), "#b99a9c", INK, 0.5)
    for side in (-1, 1):
        pen.fill(ellipse(side * 1.9, 8.7, 0.75, 0.95, 12), INK)
        pen.fill([(side * 1.9, 2.9), (side * 3.4, 1.0), (side * 5.2, 1.3), (side * 3.8, 3.3)], BRIGHT_GOLD)
        pen.fill(ellipse(side * 3.6, 2.15, 0.45, 0.9, 10), INK)
    hat = curve("M -5.6 -2.6 C -3.2 -6.4 -1.6 -9 0 -15.2 C 1.6 -9 3.2 -6.4 5.6 -2.6", 8)
    pen.shape(hat, INK, GOLD, 0.5)
    pen.fill(curve("M 0 -15.2 C 1.6 -9 3.2 -6.4 5.6 -2.6 L 1 -2.6 L 0 -15.2", 8), "#2a2138")
    pen.shape(arc(0, -2.6, 8.4, 1.9, 0, 360, 36)[:-1], INK, GOLD, 0.5)
    pen.fill([(-4.7, -4.2), (-4, -5.4), (4, -5.4), (4.7, -4.2)], GOLD)
    pen.fill([(0, -6.4), (1.3, -4.8), (0, -3.2), (-1.3, -4.8)], "#cf2a3f")
