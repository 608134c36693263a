"""Random game pieces: shapes, paints and prints drawn at random, because the look of a real game is unknown."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Floats, Image, as_floats
from vision.cameras.simulated.solids import Solid
from vision.games.wicked.simulated_piece_shapes import solid

_ANIMALS = ("purple", "green", "red", "black", "yellow")
_CANVAS = 200
"""Side of the canvas on which outlines are drawn, px."""
_PLAIN = 0.35
"""Fraction of pieces that are cubes, discs, cylinders, meeples or balls."""


@dataclass(frozen=True, slots=True)
class PieceSet:
    """The pieces of a random game.

    Kinds are named `search:0` … for pieces, `sign:0` … for signs, and `token:0` … for tokens.
    """

    solids: dict[str, Solid]
    """Solid of each kind."""
    faces: dict[str, Image]
    """Printed face (BGRA) of each kind that has one."""
    pieces: tuple[str, ...]
    """Kinds of search pieces."""
    signs: tuple[str, ...]
    """Kinds of signs."""
    tokens: tuple[str, ...]
    """Kinds of tokens."""


def random_piece_set(rng: np.random.Generator, pieces: int = 10, signs: int = 4, tokens: int = 6) -> PieceSet:
    """Return shapes, paints and prints of a random game's search pieces, signs and tokens.

    pieces, signs, tokens: number of kinds of each.
    """
    solids: dict[str, Solid] = {}
    faces: dict[str, Image] = {}
    size = float(rng.uniform(12.5, 18.5))
    for number in range(pieces):
        kind = f"search:{number}"
        own = size * float(rng.uniform(0.9, 1.1))
        solids[kind] = _plain_piece(rng, kind, own) if rng.random() < _PLAIN else _sawn_piece(rng, kind, own)
    for number in range(signs):
        kind = f"sign:{number}"
        across = float(rng.uniform(13, 22))
        solids[kind] = Solid(kind, _flat_outline(rng, across), float(rng.uniform(1.8, 6)), random_paint(rng), True)
        faces[kind] = random_emblem(rng)
    for number in range(tokens):
        kind = f"token:{number}"
        across, printed = float(rng.uniform(9, 26)), bool(rng.random() < 0.6)
        solids[kind] = Solid(
            kind, _flat_outline(rng, across), float(rng.uniform(1.5, 6)), random_paint(rng), printed
        )
        if printed:
            faces[kind] = random_emblem(rng)
    kinds = {family: tuple(k for k in solids if k.startswith(family)) for family in ("search", "sign", "token")}
    return PieceSet(solids, faces, kinds["search"], kinds["sign"], kinds["token"])


def _sawn_piece(rng: np.random.Generator, kind: str, size: float) -> Solid:
    """Return a random piece as sawn from wood: any silhouette, half as thick as wide. size: longer side, mm."""
    return Solid(kind, random_outline(rng, size), float(rng.uniform(0.35, 0.65)) * size, random_paint(rng))


def _plain_piece(rng: np.random.Generator, kind: str, size: float) -> Solid:
    """Return a random piece of a common shape: cube, disc, cylinder, meeple or ball. size: typical width, mm."""
    colour, sort = random_paint(rng), int(rng.integers(5))
    turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    circle = np.c_[np.cos(turns), np.sin(turns)]
    if sort == 0:
        side = size * float(rng.uniform(0.62, 0.85))
        square = as_floats([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        return Solid(kind, _scaled_outline(square, side), side * float(rng.uniform(0.9, 1.0)), colour)
    if sort == 1:
        return Solid(
            kind, _scaled_outline(circle, size * float(rng.uniform(0.8, 1.3))), float(rng.uniform(1.5, 5)), colour
        )
    if sort == 2:
        across = size * float(rng.uniform(0.62, 0.8))
        return Solid(kind, _scaled_outline(circle, across), across * float(rng.uniform(0.6, 1.3)), colour)
    if sort == 3:
        return Solid(
            kind,
            _scaled_outline(_merged_outline(rng, _meeple_limbs(rng)), size),
            size * float(rng.uniform(0.4, 0.65)),
            colour,
        )
    across = size * float(rng.uniform(0.62, 0.95))
    return Solid(kind, _scaled_outline(circle, across), across, colour, sphere=True)


def random_outline(rng: np.random.Generator, size: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a random animal, meeple, blob or polygon: points (x, y) in mm, centred.

    size: longer side, mm.
    """
    chance = rng.random()
    if chance < 0.25:
        points = as_floats(solid(f"search:{rng.choice(_ANIMALS)}").outline)
    elif chance < 0.5:
        points = _merged_outline(rng, _meeple_limbs(rng))
    elif chance < 0.75:
        points = _merged_outline(rng, _animal_limbs(rng))
    elif chance < 0.86:
        points = _blob_outline(rng)
    else:
        points = _block_outline(rng)
    shear = np.array([[rng.uniform(0.8, 1.2), rng.normal(0, 0.12)], [rng.normal(0, 0.12), rng.uniform(0.8, 1.2)]])
    if rng.random() < 0.5:
        shear[0] *= -1
    return _scaled_outline(points @ shear.T, size)


def random_paint(rng: np.random.Generator) -> tuple[int, int, int]:
    """Return a random paint (BGR): mostly a strong colour, sometimes black, white, grey or bare wood."""
    chance = rng.random()
    if chance < 0.66:
        hsv = (int(rng.integers(180)), int(rng.integers(110, 256)), int(rng.integers(60, 246)))
    elif chance < 0.78:
        hsv = (int(rng.integers(180)), int(rng.integers(0, 50)), int(rng.integers(25, 75)))
    elif chance < 0.88:
        hsv = (int(rng.integers(180)), int(rng.integers(0, 40)), int(rng.integers(180, 250)))
    else:
        hsv = (int(rng.integers(8, 24)), int(rng.integers(60, 190)), int(rng.integers(110, 235)))
    blue, green, red = cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def random_emblem(rng: np.random.Generator, size: int = 72) -> Image:
    """Return a random printed face (BGRA): a background, often a rim, and one to four marks. size: side, px."""
    face = np.zeros((size, size, 4), np.uint8)
    face[:] = (*random_paint(rng), 255)
    middle = size // 2
    if rng.random() < 0.5:
        cv2.circle(
            face,
            (middle, middle),
            round(size * float(rng.uniform(0.36, 0.46))),
            (*random_paint(rng), 255),
            int(rng.integers(2, 6)),
            cv2.LINE_AA,
        )
    for _ in range(int(rng.integers(1, 5))):
        colour = (*random_paint(rng), 255)
        at = rng.normal(middle, size * 0.1, 2)
        ring = _blob_outline(rng) if rng.random() < 0.6 else _block_outline(rng)
        reach = size * float(rng.uniform(0.08, 0.3)) / float(np.abs(ring).max())
        points = np.round(ring * reach + at).astype(np.int32)
        if rng.random() < 0.8:
            cv2.fillPoly(face, [points], colour, cv2.LINE_AA)
        else:
            cv2.polylines(face, [points], True, colour, 3, cv2.LINE_AA)
    return face


def _flat_outline(rng: np.random.Generator, across: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a random token or sign, mostly round: (x, y) in mm. across: longer side, mm."""
    if rng.random() < 0.8:
        turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
        return _scaled_outline(np.c_[np.cos(turns), np.sin(turns)], across)
    return _scaled_outline(_block_outline(rng), across)


def _scaled_outline(points: Floats, size: float) -> tuple[tuple[float, float], ...]:
    """Return an outline (n, 2), moved to the origin and scaled so that its longer side is `size` mm."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, span = (low + high) / 2, float((high - low).max())
    return tuple((float(x), float(y)) for x, y in (points - middle) * (size / span))


def _blob_outline(rng: np.random.Generator) -> Floats:
    """Return the outline of a random smooth blob with a radius of about 1, (n, 2)."""
    turns = np.linspace(0, 2 * np.pi, 22, endpoint=False)
    radius = 1 + sum(
        float(rng.normal(0, 0.34 / k)) * np.cos(k * turns + float(rng.uniform(0, 6.28))) for k in range(2, 6)
    )
    radius = np.clip(radius, 0.45, 1.8)
    return as_floats(np.c_[radius * np.cos(turns), radius * np.sin(turns)])


def _block_outline(rng: np.random.Generator) -> Floats:
    """Return the outline of a random rectangle, house or polygon with a radius of about 1, (n, 2)."""
    if rng.random() < 0.4:
        wide = float(rng.uniform(0.6, 1.0))
        return as_floats([[-wide, -1], [wide, -1], [wide, 1], [-wide, 1]])
    if rng.random() < 0.3:
        return as_floats([[-1, -1], [1, -1], [1, 0.3], [0, 1.1], [-1, 0.3]])
    turns = np.linspace(0, 2 * np.pi, int(rng.integers(3, 10)), endpoint=False) + float(rng.uniform(0, 6.28))
    return as_floats(np.c_[np.cos(turns), np.sin(turns)])


Limb = tuple[tuple[float, float], tuple[float, float], float]
"""A thick line as part of a figure: start point, end point (x, y from -1 to 1, y up) and thickness."""


def _meeple_limbs(rng: np.random.Generator) -> list[Limb]:
    """Return the thick lines of which a random standing figure consists: head, body, arms and legs."""

    def wobble(spread: float = 0.08) -> float:
        return float(rng.normal(0, spread))

    foot, hand = 0.5 + wobble(), 0.68 + wobble()
    thick = 0.42 + wobble(0.05)
    return [
        ((0, 0.62 + wobble()), (0, 0.68), 0.5 + wobble(0.05)),
        ((0, 0.3), (0, -0.1), 0.55 + wobble()),
        ((0, 0.2), (-hand, 0.12 + wobble()), thick),
        ((0, 0.2), (hand, 0.12 + wobble()), thick),
        ((0, -0.1), (-foot, -0.78), thick + 0.05),
        ((0, -0.1), (foot, -0.78), thick + 0.05),
    ]


def _animal_limbs(rng: np.random.Generator) -> list[Limb]:
    """Return the thick lines of which a random animal consists: body, neck, head, legs, often a tail and ears."""

    def of(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    back, front = (-of(0.35, 0.6), of(-0.25, 0.15)), (of(0.25, 0.6), of(-0.2, 0.25))
    head = (front[0] + of(-0.1, 0.35), front[1] + of(0.15, 0.65))
    limbs = [(back, front, of(0.45, 0.8)), (front, head, of(0.25, 0.45)), (head, head, of(0.35, 0.6))]
    for hip in (back, front):
        limbs += [(hip, (hip[0] + of(-0.15, 0.15), -of(0.7, 0.95)), of(0.18, 0.35)) for _ in range(int(of(1, 3)))]
    if rng.random() < 0.6:
        limbs.append((back, (back[0] - of(0.1, 0.5), back[1] + of(-0.3, 0.6)), of(0.15, 0.3)))
    for _ in range(int(rng.integers(0, 3))):
        limbs.append((head, (head[0] + of(-0.3, 0.3), head[1] + of(0.2, 0.5)), of(0.12, 0.25)))
    return limbs


def _merged_outline(rng: np.random.Generator, limbs: list[Limb]) -> Floats:
    """Return the smoothed outline of the union of thick lines, (n, 2), y up, in px of a canvas."""
    canvas = np.zeros((_CANVAS, _CANVAS), np.uint8)
    unit = _CANVAS / 3.2

    def pixel(at: tuple[float, float]) -> tuple[int, int]:
        return round(_CANVAS / 2 + at[0] * unit), round(_CANVAS / 2 - at[1] * unit)

    for start, end, thick in limbs:
        cv2.line(canvas, pixel(start), pixel(end), 255.0, max(4, round(thick * unit)))
    soft = cv2.GaussianBlur(canvas, (0, 0), float(rng.uniform(1.5, 4)))
    rings, _ = cv2.findContours((soft > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    ring = cv2.approxPolyDP(max(rings, key=cv2.contourArea), 2.0, True)[:, 0].astype(np.float64)
    return as_floats(np.c_[ring[:, 0], -ring[:, 1]])
