"""Draw objects that belong to no game, from above: glasses, mugs, phones, pens, dice, crumbs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Heights, Image, as_heights
from vision.cameras.simulated.table_surfaces.colours import hsv, paint, unlike
from vision.cameras.simulated.table_surfaces.compositing import paste_rotated

_CLEAR_MM: Final = (340.0, 270.0)
"""Half axes of the ellipse around the table's centre in which no object is centred, mm."""
_PX_PER_MM: Final = 2.0
"""Scale at which objects are drawn, px/mm."""


def scatter(top: Image, count: int, rng: np.random.Generator) -> None:
    """Draw `count` random objects on a table top in place, outside the area of the game."""
    for _ in range(count):
        make = OBJECTS[int(rng.integers(len(OBJECTS)))]
        turn = float(rng.uniform(0, 2 * np.pi))
        out = float(rng.uniform(1.05, 2.2))
        at = (_CLEAR_MM[0] * out * float(np.cos(turn)), _CLEAR_MM[1] * out * float(np.sin(turn)))
        paste_rotated(top, make(rng), at, float(rng.uniform(0, 360)), 1 / _PX_PER_MM)


def _blank(width_mm: float, height_mm: float) -> Image:
    """Return a transparent BGRA picture of this size at `_PX_PER_MM`."""
    return np.zeros((round(height_mm * _PX_PER_MM), round(width_mm * _PX_PER_MM), 4), np.uint8)


def _disc(
    sheet: Image, radius_mm: float, colour: tuple[int, int, int], alpha: int = 255, thick_mm: float = 0
) -> None:
    """Draw a disc at the centre of a picture in place; with `thick_mm`, a ring of this thickness."""
    middle = (sheet.shape[1] * 8, sheet.shape[0] * 8)
    thick = round(thick_mm * _PX_PER_MM) if thick_mm else -1
    cv2.circle(sheet, middle, round(radius_mm * _PX_PER_MM * 16), (*colour, alpha), thick, cv2.LINE_AA, 4)


def _box(sheet: Image, inset_mm: float, corner_mm: float, colour: tuple[int, int, int]) -> None:
    """Fill a rectangle with round corners on a picture in place.

    inset_mm: distance from the picture's border. corner_mm: radius of the corners.
    """
    inset, corner = round(inset_mm * _PX_PER_MM), max(1, round(corner_mm * _PX_PER_MM))
    height, width = sheet.shape[:2]
    low, high = inset + corner, (width - 1 - inset - corner, height - 1 - inset - corner)
    cv2.rectangle(sheet, (low, inset), (high[0], height - 1 - inset), (*colour, 255), -1)
    cv2.rectangle(sheet, (inset, low), (width - 1 - inset, high[1]), (*colour, 255), -1)
    for x in (low, high[0]):
        for y in (low, high[1]):
            cv2.circle(sheet, (x, y), corner, (*colour, 255), -1, cv2.LINE_AA)


def _lit(sheet: Image, rng: np.random.Generator, strength: float) -> Image:
    """Darken a picture in place towards one random side, lighten it towards the opposite one, and return it."""
    height, width = sheet.shape[:2]
    turn = float(rng.uniform(0, 2 * np.pi))
    x, y = np.linspace(-1, 1, width, dtype=np.float32)[None], np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    field: Heights = as_heights(1 + strength * (x * np.cos(turn) + y * np.sin(turn)))
    sheet[..., :3] = np.clip(sheet[..., :3] * field[..., None], 0, 255).astype(np.uint8)
    return sheet


def _mug(rng: np.random.Generator) -> Image:
    radius = float(rng.uniform(38, 46))
    sheet, colour = _blank(2 * radius + 60, 2 * radius + 60), paint(rng)
    middle = sheet.shape[0] // 2
    cv2.line(
        sheet,
        (middle, middle),
        (middle + round((radius + 24) * _PX_PER_MM), middle),
        (*colour, 255),
        22,
        cv2.LINE_AA,
    )
    _disc(sheet, radius, colour)
    _disc(sheet, radius * 0.9, tuple(round(v * 0.55) for v in colour))  # type: ignore[arg-type]
    _disc(sheet, radius * 0.86, ((24, 40, 62), (60, 110, 160), (210, 225, 235))[int(rng.integers(3))])
    return _lit(sheet, rng, 0.25)


def _glass(rng: np.random.Generator) -> Image:
    radius = float(rng.uniform(30, 42))
    sheet = _blank(2 * radius + 6, 2 * radius + 6)
    drink = hsv(rng.uniform(0, 180), rng.uniform(10, 190), rng.uniform(60, 230))
    _disc(sheet, radius, drink, int(rng.uniform(70, 190)))
    _disc(sheet, radius * 0.96, (235, 235, 235), 190, 1.2)
    _disc(sheet, radius * 0.7, (225, 225, 225), 120, 0.8)
    side, start = sheet.shape[0] // 2, float(rng.uniform(0, 360))
    axes = (round(radius * 0.84 * _PX_PER_MM),) * 2
    cv2.ellipse(sheet, (side, side), axes, start, 0, 50, (252, 252, 252, 230), 5, cv2.LINE_AA)
    cv2.ellipse(sheet, (side, side), axes, start + 170, 0, 30, (245, 245, 245, 190), 3, cv2.LINE_AA)
    return sheet


def _plate(rng: np.random.Generator) -> Image:
    radius = float(rng.uniform(70, 125))
    sheet, colour = _blank(2 * radius + 6, 2 * radius + 6), paint(rng)
    if rng.random() < 0.6:
        colour = hsv(20, rng.uniform(0, 25), rng.uniform(215, 250))
    _disc(sheet, radius, colour)
    if rng.random() < 0.5:
        _disc(sheet, radius * 0.93, unlike(rng, colour), 255, 2.5)
    _disc(sheet, radius * 0.68, tuple(round(v * 0.86) for v in colour))  # type: ignore[arg-type]
    _disc(sheet, radius * 0.65, colour)
    if rng.random() < 0.5:
        _biscuits(sheet, rng, radius * 0.5, int(rng.integers(3, 9)))
    return _lit(sheet, rng, 0.12)


def _biscuits(sheet: Image, rng: np.random.Generator, reach_mm: float, count: int) -> None:
    """Draw biscuits at random places around the centre of a picture in place. reach_mm: extent of these places."""
    for _ in range(count):
        offset = rng.uniform(-reach_mm, reach_mm, 2) * 0.7 + np.array(sheet.shape[1::-1]) / 2 / _PX_PER_MM
        colour = hsv(rng.uniform(8, 20), rng.uniform(100, 200), rng.uniform(90, 210))
        axes = (int(rng.uniform(12, 26) * _PX_PER_MM / 2), int(rng.uniform(10, 22) * _PX_PER_MM / 2))
        at = (round(offset[0] * _PX_PER_MM), round(offset[1] * _PX_PER_MM))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(sheet, at, axes, turn, 0, 360, (*(round(v * 0.6) for v in colour), 255), -1, cv2.LINE_AA)
        cv2.ellipse(sheet, at, (axes[0] - 2, axes[1] - 2), turn, 0, 360, (*colour, 255), -1, cv2.LINE_AA)


def _phone(rng: np.random.Generator) -> Image:
    sheet = _blank(76, 156)
    body = hsv(rng.uniform(0, 180), rng.uniform(0, 80), rng.uniform(15, 120))
    _box(sheet, 1, 9, body)
    share = rng.random()
    if share < 0.5:  # screen up, off: it mirrors the ceiling
        _box(sheet, 3.5, 7, (28, 26, 24))
        glint = np.array([[20, 20], [90, 20], [150, 290], [60, 290]], np.int32)
        cv2.fillPoly(sheet, [glint], (70, 66, 62, 255), cv2.LINE_AA)
    elif share < 0.8:  # screen on
        _box(sheet, 3.5, 7, paint(rng))
        for row in range(5):
            for column in range(4):
                x, y = 22 + column * 30, 60 + row * 40
                cv2.rectangle(sheet, (x, y), (x + 17, y + 17), (*paint(rng), 255), -1)
    else:  # screen down, with its lenses
        for y in (24, 52):
            cv2.circle(sheet, (34, y), 10, (30, 30, 30, 255), -1, cv2.LINE_AA)
    return sheet


def _pen(rng: np.random.Generator) -> Image:
    sheet, colour = _blank(150, 12), paint(rng)
    middle = sheet.shape[0] // 2
    cv2.line(sheet, (16, middle), (sheet.shape[1] - 16, middle), (*colour, 255), 16, cv2.LINE_AA)
    cv2.line(
        sheet, (18, middle - 4), (sheet.shape[1] - 20, middle - 4), (*(min(255, v + 70) for v in colour), 255), 3
    )
    cv2.line(sheet, (4, middle), (16, middle), (60, 60, 60, 255), 4, cv2.LINE_AA)
    cv2.line(
        sheet,
        (sheet.shape[1] - 100, middle),
        (sheet.shape[1] - 16, middle),
        (*unlike(rng, colour), 255),
        17,
        cv2.LINE_AA,
    )
    return sheet


def _dice(rng: np.random.Generator) -> Image:
    sheet = _blank(90, 90)
    body = paint(rng) if rng.random() < 0.5 else (236, 240, 240)
    pips = (30, 30, 30) if sum(body) > 330 else (240, 240, 240)
    side = round(float(rng.uniform(12, 17)) * _PX_PER_MM)
    for _ in range(int(rng.integers(1, 6))):
        x, y = (int(v) for v in rng.integers(4, sheet.shape[0] - side - 4, 2))
        cv2.rectangle(sheet, (x, y), (x + side, y + side), (*(round(v * 0.8) for v in body), 255), -1)
        cv2.rectangle(sheet, (x + 1, y + 1), (x + side - 2, y + side - 2), (*body, 255), -1)
        for spot in ((0.25, 0.25), (0.75, 0.75), (0.5, 0.5), (0.25, 0.75), (0.75, 0.25))[: int(rng.integers(1, 6))]:
            at = (round(x + spot[0] * side), round(y + spot[1] * side))
            cv2.circle(sheet, at, max(2, side // 10), (*pips, 255), -1, cv2.LINE_AA)
    return sheet


def _crumbs(rng: np.random.Generator) -> Image:
    sheet = _blank(160, 160)
    for _ in range(int(rng.integers(15, 70))):
        x, y = (int(v) for v in np.clip(rng.normal(160, 60, 2), 6, 313))
        colour = hsv(rng.uniform(8, 22), rng.uniform(60, 180), rng.uniform(60, 230))
        axes = (int(rng.integers(1, 6)), int(rng.integers(1, 4)))
        cv2.ellipse(sheet, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, (*colour, 255), -1, cv2.LINE_AA)
    return sheet


def _coins(rng: np.random.Generator) -> Image:
    sheet = _blank(110, 110)
    for _ in range(int(rng.integers(2, 8))):
        metal = ((80, 130, 190), (90, 170, 205), (175, 180, 184))[int(rng.integers(3))]
        at = tuple(int(v) for v in rng.integers(30, 190, 2))
        radius = round(float(rng.uniform(8, 13)) * _PX_PER_MM)
        cv2.circle(sheet, at, radius, (*metal, 255), -1, cv2.LINE_AA)
        cv2.circle(sheet, at, round(radius * 0.82), (*(round(v * 0.82) for v in metal), 255), 2, cv2.LINE_AA)
        cv2.circle(sheet, at, round(radius * 0.4), (*(round(v * 0.9) for v in metal), 255), -1, cv2.LINE_AA)
    return sheet


def _paper(rng: np.random.Generator) -> Image:
    width, height = ((105.0, 148.0), (148.0, 210.0), (76.0, 76.0))[int(rng.integers(3))]
    sheet = _blank(width, height)
    colour = (
        hsv(rng.uniform(15, 35), rng.uniform(0, 40), rng.uniform(220, 250)) if rng.random() < 0.7 else paint(rng)
    )
    sheet[:] = (*colour, 255)
    ink = hsv(rng.uniform(100, 130), rng.uniform(60, 200), rng.uniform(30, 140))
    x, y = 14, 22
    for _ in range(int(rng.integers(0, 9))):
        letters = "".join(chr(int(v)) for v in rng.integers(97, 123, int(width / 8)))
        cv2.putText(sheet, letters, (x, y), cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 0.7, (*ink, 255), 1, cv2.LINE_AA)
        y += 26
    return sheet


def _box_lid(rng: np.random.Generator) -> Image:
    side = float(rng.uniform(120, 240))
    sheet, colour = _blank(side, side * float(rng.uniform(0.6, 1.0))), paint(rng)
    sheet[:] = (*colour, 255)
    other = unlike(rng, colour)
    cv2.rectangle(sheet, (12, 12), (sheet.shape[1] - 13, sheet.shape[0] - 13), (*other, 255), 5)
    at = (sheet.shape[1] // 2, sheet.shape[0] // 2)
    cv2.circle(sheet, at, sheet.shape[0] // 4, (*unlike(rng, colour), 255), -1, cv2.LINE_AA)
    letters = "".join(chr(int(v)) for v in rng.integers(65, 91, 6))
    cv2.putText(sheet, letters, (30, 60), cv2.FONT_HERSHEY_TRIPLEX, 1.3, (*other, 255), 3, cv2.LINE_AA)
    return _lit(sheet, rng, 0.1)


def _spectacles(rng: np.random.Generator) -> Image:
    sheet, colour = _blank(150, 150), hsv(rng.uniform(0, 180), rng.uniform(0, 160), rng.uniform(15, 110))
    for x in (85, 215):
        cv2.ellipse(sheet, (x, 60), (50, 40), 0, 0, 360, (215, 215, 210, 60), -1, cv2.LINE_AA)
        cv2.ellipse(sheet, (x, 60), (50, 40), 0, 0, 360, (*colour, 255), 5, cv2.LINE_AA)
    cv2.line(sheet, (135, 55), (165, 55), (*colour, 255), 5, cv2.LINE_AA)
    for x, end in ((36, 60), (264, 240)):
        cv2.line(sheet, (x, 62), (end, 285), (*colour, 255), 5, cv2.LINE_AA)
    return sheet


OBJECTS: Final[tuple[Callable[[np.random.Generator], Image], ...]] = (
    _mug, _glass, _plate, _phone, _pen, _dice, _crumbs, _coins, _paper, _box_lid, _spectacles, _glass, _pen,
)  # fmt: skip # a list of names
