"""Card faces and backs, 63 × 88 mm: two halves under a thin arch, large icons, small ones in the corner.

The picture behind the icons follows from the card's id alone, so a printed card stays the same for ever.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK
from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Point, box, rounded
from calibration.games.wicked.art.card_back_labyrinths import draw_hexagonal, draw_round, draw_square
from calibration.games.wicked.art.corridor_scene_selection import draw_corridor
from calibration.games.wicked.art.icons import draw_element, draw_give_back, draw_points, draw_ranked
from calibration.games.wicked.art.stained_glass import draw_mosaic, draw_rose

CARD: tuple[float, float] = (63.0, 88.0)
"""Width and height of every card in mm."""

Back = Literal["corridor", "great", "small"]

_WINDOW = (3.0, 3.0, 60.0, 85.0)
"""Illustration of a card: left, top, right and bottom edge, mm."""
_ARCH_TOP = 41.5
"""Height of the arch's crown, mm from the card's upper edge."""
_ARCH_FOOT = 47.5
"""Height of the arch's feet, mm from the card's upper edge."""
_MAX_CACHED = 128
"""Largest number of cached faces of each kind: the simulated table and the enrolled deck draw the same ones."""


def corridor_face(card_id: str, upper: Sequence[str], lower: Sequence[str]) -> str:
    """Return a corridor card as SVG. Elements: a gem's colour, "promotion" or "colour_change".

    The player with the first rank gains both halves, the second one the lower half.
    """
    return _corridor_face(card_id, tuple(upper), tuple(lower))


@lru_cache(maxsize=_MAX_CACHED)
def _corridor_face(card_id: str, upper: tuple[str, ...], lower: tuple[str, ...]) -> str:
    pen = _blank_card()
    draw_corridor(pen, _number(card_id), Dice(f"corridor {card_id}"), _WINDOW)
    _draw_arch(pen)
    _draw_elements(pen, upper, 23.5)
    _draw_elements(pen, lower, 66.0)
    _draw_corner(pen, upper, top=True)
    _draw_corner(pen, lower, top=False)
    return _framed_svg(pen)


def great_face(card_id: str, colours: Sequence[str]) -> str:
    """Return a great oracle card as SVG: two gems of high rank in these colours, and its gain at scoring.

    It gives 5 points, and 2 impurity are given back.
    """
    return _great_face(card_id, tuple(colours))


@lru_cache(maxsize=_MAX_CACHED)
def _great_face(card_id: str, colours: tuple[str, ...]) -> str:
    pen = _blank_card()
    draw_rose(pen, _number(card_id), Dice(f"great {card_id}"), _WINDOW)
    for k, colour in enumerate(colours):
        draw_ranked(pen.placed(18.0 + 27.0 * k, 30.0, 1.02), colour, "high")
    left, _, right, bottom = _WINDOW
    steps = [k / 10 - 1.0 for k in range(21)]
    crest: list[Point] = [(31.5 + 28.5 * t, 60.0 + 4.5 * t * t) for t in steps]
    foot = pen.within(_WINDOW)
    foot.fill([*crest, (right, bottom), (left, bottom)], INK)
    foot.line(crest, GOLD, 0.7)
    draw_points(pen.placed(18.5, 73.6, 0.9), "5")
    draw_give_back(pen.placed(43.5, 72.8, 1.0))
    _draw_corner(pen, colours, top=True)
    return _framed_svg(pen)


def small_face(card_id: str, needs: Sequence[tuple[str, str]], reward: Sequence[str]) -> str:
    """Return a small oracle card as SVG, worth 2 points: its reward above, the tokens that it needs below.

    needs: (colour, lowest rank) of each token; reward: elements, as on corridor cards.
    """
    return _small_face(card_id, tuple((colour, rank) for colour, rank in needs), tuple(reward))


@lru_cache(maxsize=_MAX_CACHED)
def _small_face(card_id: str, needs: tuple[tuple[str, str], ...], reward: tuple[str, ...]) -> str:
    pen = _blank_card()
    draw_mosaic(pen, _number(card_id), Dice(f"small {card_id}"), _WINDOW)
    _draw_arch(pen)
    _draw_elements(pen, reward, 23.0)
    pitch, scale = {1: (0.0, 1.0), 2: (25.0, 0.98), 3: (18.4, 0.78)}.get(len(needs), (14.0, 0.6))
    for k, (colour, rank) in enumerate(needs):
        draw_ranked(pen.placed(31.5 + (k - (len(needs) - 1) / 2) * pitch, 63.0, scale), colour, rank)
    draw_points(pen.placed(54.0, 9.0, 0.56), "2")
    _draw_corner(pen, reward, top=True)
    return _framed_svg(pen)


def card_back(kind: Back) -> str:
    """Return the back of a kind of card as SVG: its labyrinth in gold on ink, no icons."""
    pen = _blank_card()
    window = pen.within(_WINDOW)
    if kind == "corridor":
        draw_square(window, _WINDOW)
    elif kind == "great":
        draw_round(window, _WINDOW)
    else:
        draw_hexagonal(window, _WINDOW)
    return _framed_svg(pen)


def _number(card_id: str) -> int:
    """Return the number at the end of a card's id, else one computed from the whole id."""
    digits = re.search(r"(\d+)$", card_id)
    return int(digits[1]) if digits else Dice(card_id).whole(0, 999)


def _blank_card() -> Pen:
    """Return a pen on a new drawing of a card in ink."""
    pen = Pen.new()
    pen.fill(rounded(0, 0, *CARD, 3.2), INK)
    return pen


def _framed_svg(pen: Pen) -> str:
    """Draw the frame and return the whole card as SVG."""
    left, top, right, bottom = _WINDOW
    pen.line(rounded(1.5, 1.5, CARD[0] - 1.5, CARD[1] - 1.5, 2.2), INK, 3.0, closed=True)
    pen.line(rounded(1.5, 1.5, CARD[0] - 1.5, CARD[1] - 1.5, 2.2), GOLD, 0.55, closed=True)
    pen.line(box(left, top, right, bottom), DEEP_GOLD, 0.3, closed=True)
    return pen.svg(0, 0, *CARD)


def _draw_arch(pen: Pen) -> None:
    """Draw a thin gold arch between the halves, with the lower one a tone darker."""
    left, _, right, bottom = _WINDOW
    half, middle = (right - left) / 2, (left + right) / 2
    steps = [k / 12 - 1.0 for k in range(25)]
    line: list[Point] = [(middle + half * t, _ARCH_TOP + (_ARCH_FOOT - _ARCH_TOP) * t * t) for t in steps]
    under = pen.within(_WINDOW)
    under.fill([*line, (right, bottom), (left, bottom)], INK, 0.3)
    under.line(line, INK, 2.0)
    under.line(line, BRIGHT_GOLD, 0.8)


def _draw_elements(pen: Pen, names: Sequence[str], y: float) -> None:
    """Draw elements beside each other, large, centred at height y."""
    pitch, scale = {1: (0.0, 1.05), 2: (25.0, 0.95), 3: (18.4, 0.78)}.get(len(names), (14.0, 0.6))
    for k, name in enumerate(names):
        draw_element(pen.placed(31.5 + (k - (len(names) - 1) / 2) * pitch, y, scale), name)


def _draw_corner(pen: Pen, names: Sequence[str], *, top: bool) -> None:
    """Draw small icons of elements on an ink tab in the card's upper left corner, or in the lower left one."""
    left, upper, _, lower = _WINDOW
    width = 7.6 * len(names) + 1.2
    y = upper + 4.2 if top else lower - 4.2
    if top:
        tab = [(left, upper), (left + width + 2.5, upper), (left + width, upper + 8.4), (left, upper + 8.4)]
    else:
        tab = [(left, lower - 8.4), (left + width, lower - 8.4), (left + width + 2.5, lower), (left, lower)]
    pen.fill(tab, INK)
    pen.line([tab[1], tab[2], tab[3]] if top else [tab[0], tab[1], tab[2]], GOLD, 0.4)
    for k, name in enumerate(names):
        draw_element(pen.placed(left + 4.4 + 7.6 * k, y, 0.3), name)
