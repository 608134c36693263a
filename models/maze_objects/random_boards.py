"""Random boards in top view: tiles of any material, start rings, and faces of tokens (discs)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Floats, Heights, Image, as_floats, as_heights
from vision.cameras.simulated.table_surfaces import Ground, draw
from vision.games.master.readings import SIZE, STARTS

PX: Final = 48
"""Width of a tile on the canvas, px."""
EDGE: Final = 1
"""Margin round the field, in tiles."""
CANVAS: Final = (SIZE + 2 * EDGE) * PX
"""Side of the canvas, px."""
COLOURS: Final[Mapping[str, tuple[tuple[int, int, int], ...]]] = {
    "red": ((40, 35, 190), (60, 50, 215), (35, 25, 140), (70, 60, 200)),
    "brown": ((84, 132, 184), (60, 105, 160), (110, 160, 205), (70, 110, 150)),
    "blue": ((168, 92, 40), (200, 110, 50), (140, 60, 30), (210, 150, 80)),
    "white": ((236, 238, 240), (215, 225, 230), (200, 205, 208), (225, 235, 245)),
}
"""Typical paints of each wizard, BGR, in the order of `STARTS`."""
_WIZARD_COLOURED: Final = 0.4
"""Fraction of boards whose paths have the paint of a wizard."""
_WHITE: Final = 0.75
"""Fraction of these boards on which that wizard is the white one."""
_OPENINGS: Final = ("TB", "RL", "TR", "RB", "BL", "TL", "TRB", "RBL", "TBL", "TRL")


@dataclass(eq=False)
class Canvas:
    """Top view of a board while it is drawn, with the object that each pixel shows."""

    image: Image
    """BGR, (CANVAS, CANVAS, 3)."""
    owner: Image
    """Object that each pixel shows, (CANVAS, CANVAS): 0 table or tile, 1 ring, 2 token, 3.. wizards, 255 hand."""
    rings: dict[str, tuple[float, ...]] = field(default_factory=dict)
    """Paint of each ring, BGR."""


def jittered_paint(rng: np.random.Generator, paint: tuple[float, ...], spread: float = 14) -> tuple[float, ...]:
    """Return a paint (BGR) with random deviations. spread: standard deviation of each channel, 0 to 255."""
    return tuple(
        float(v) for v in np.clip(np.array(paint) * rng.uniform(0.85, 1.12) + rng.normal(0, spread, 3), 0, 255)
    )


def random_paint(rng: np.random.Generator) -> tuple[float, ...]:
    """Return a random colour, BGR."""
    hsv = np.array([[[rng.integers(180), rng.integers(256) * rng.random(), rng.integers(30, 256)]]]).astype(
        np.uint8
    )
    return tuple(float(v) for v in cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0])


def draw_board(rng: np.random.Generator) -> tuple[Canvas, int]:
    """Return a canvas with table top, board, tiles and start rings, and the orientation of the board.

    The orientation is the number of clockwise quarter turns by which the board is turned in the picture.
    """
    image = _random_surface(rng) if rng.random() < 0.7 else _random_table_top(rng)
    rim = float(rng.uniform(0.05, 1.0)) * PX
    low, high = round(EDGE * PX - rim), round(CANVAS - EDGE * PX + rim)
    bare = rng.random() < 0.12
    if not bare:
        cv2.rectangle(image, (low, low), (high, high), random_paint(rng), -1)
    path, wall = _random_surface(rng, _random_path_paint(rng)), _random_surface(rng)
    drift, kept = float(rng.uniform(0, 1)), 0.15 if bare else 1.0
    half = float(rng.uniform(0.12, 0.26)) * PX
    line = random_paint(rng) if rng.random() < 0.4 else None
    gap = float(rng.uniform(0.93, 1.0))
    for place in range(SIZE * SIZE):
        if rng.random() < kept:
            shift = rng.uniform(-0.1, 0.1, 2) * drift if place // SIZE % 2 or place % 2 else np.zeros(2)
            _draw_tile(rng, image, path, wall, place, shift, float(rng.uniform(-5, 5)) * drift, half, gap, line)
    canvas = Canvas(image, np.zeros((CANVAS, CANVAS), np.uint8))
    turns = int(rng.integers(4))
    _draw_rings(rng, canvas, turns)
    return canvas, turns


def start_places(turns: int) -> dict[str, int]:
    """Return the place (7 · row + column, as the picture shows them) of each start ring, by colour.

    turns: clockwise quarter turns of the board in the picture.
    """
    colours = list(STARTS)
    around = (16, 18, 32, 30)
    return {colour: around[(index + turns) % 4] for index, colour in enumerate(colours)}


def clouds(rng: np.random.Generator, side: int, coarsest: float, decay: float, octaves: int) -> Heights:
    """Return fractal noise, (side, side), with mean 0 and standard deviation 1.

    coarsest: size of its largest spots, px. decay: factor on the strength from one octave to the next.
    """
    stretch = float(np.exp(rng.normal(0, 0.5)))
    even = [side / coarsest * 2**octave for octave in range(octaves)]
    rows, columns = ([max(2, min(side, round(of * by))) for of in even] for by in (stretch, 1 / stretch))
    whole = np.zeros((side, side), np.float32)
    for octave, size in enumerate(zip(rows, columns, strict=True)):
        rough = rng.standard_normal(size).astype(np.float32)
        whole += as_heights(cv2.resize(rough, (side, side), interpolation=cv2.INTER_CUBIC)) * decay**octave
    return as_heights((whole - whole.mean()) / (whole.std() + 1e-6))


def _random_table_top(rng: np.random.Generator) -> Image:
    """Return part of a random table top, (CANVAS, CANVAS, 3)."""
    top = draw(Ground.from_seed(int(rng.integers(1 << 20))))
    row, column = (int(rng.integers(0, side - CANVAS + 1)) for side in top.shape[:2])
    return np.ascontiguousarray(top[row : row + CANVAS, column : column + CANVAS])


def _random_path_paint(rng: np.random.Generator) -> tuple[float, ...]:
    """Return a random colour of the paths, BGR.

    It is often that of a wizard, so that this wizard differs from the path by its shape alone.
    """
    if rng.random() >= _WIZARD_COLOURED:
        return random_paint(rng)
    colour = "white" if rng.random() < _WHITE else str(rng.choice(list(COLOURS)))
    return jittered_paint(rng, COLOURS[colour][int(rng.integers(4))])


def _random_surface(rng: np.random.Generator, paint: tuple[float, ...] | None = None) -> Image:
    """Return a random surface, (CANVAS, CANVAS, 3): plain, cloudy, with bricks or spots. paint: main colour."""
    base = np.array(random_paint(rng) if paint is None else paint)
    level = clouds(rng, CANVAS, float(rng.uniform(4, 60)), float(rng.uniform(0.5, 1.0)), int(rng.integers(1, 5)))
    tint = rng.normal(0, 8, 3)
    surface = base + level[..., None] * (base * float(rng.uniform(0.0, 0.3)) + tint * rng.random())
    if rng.random() < 0.35:
        wide, tall = rng.uniform(6, 40, 2)
        mortar = base * rng.uniform(0.4, 1.6)
        for row in range(int(CANVAS / tall) + 1):
            y = int(row * tall)
            cv2.line(surface, (0, y), (CANVAS, y), mortar.tolist(), int(rng.integers(1, 3)))
            for x in np.arange(row % 2 * wide / 2, CANVAS, wide):
                cv2.line(surface, (int(x), y), (int(x), int(y + tall)), mortar.tolist(), 1)
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(50, 500))):
            x, y = rng.integers(0, CANVAS, 2)
            paint = np.clip(base * rng.uniform(0.4, 1.6) + rng.normal(0, 30, 3), 0, 255).tolist()
            axes = tuple(int(v) for v in rng.uniform(1, 12, 2))
            cv2.ellipse(surface, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, paint, -1)
    return np.clip(surface, 0, 255).astype(np.uint8)


def _draw_tile(
    rng: np.random.Generator,
    image: Image,
    path: Image,
    wall: Image,
    place: int,
    shift: Floats,
    angle: float,
    half: float,
    gap: float,
    line: tuple[float, ...] | None,
) -> None:
    """Draw a tile with random openings onto a canvas in place.

    image: canvas. path, wall: surfaces to cut from. shift: displacement, in tiles. angle: rotation, degrees. half:
    half the width of paths, px. gap: factor on the tile's side, below 1 to leave gaps. line: colour of the paths'
    edges, None without.
    """
    mask = np.zeros((PX, PX), np.uint8)
    middle = PX / 2
    for side in str(rng.choice(_OPENINGS)):
        dx, dy = {"T": (0, -1), "R": (1, 0), "B": (0, 1), "L": (-1, 0)}[side]
        low = (
            middle + min(0, dx) * middle - (half if not dx else 0),
            middle + min(0, dy) * middle - (half if not dy else 0),
        )
        high = (
            middle + max(0, dx) * middle + (half if not dx else 0),
            middle + max(0, dy) * middle + (half if not dy else 0),
        )
        cv2.rectangle(mask, (round(low[0]), round(low[1])), (round(high[0]), round(high[1])), 255, -1)
    cv2.circle(mask, (PX // 2, PX // 2), round(half * rng.uniform(0.9, 1.3)), 255, -1)
    row, column = place // SIZE * PX, place % SIZE * PX
    face = np.where(
        mask[..., None] > 0, path[row : row + PX, column : column + PX], wall[row : row + PX, column : column + PX]
    )
    if line is not None:
        edges, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(face, edges, -1, line, int(rng.integers(1, 3)), cv2.LINE_AA)
    matrix = cv2.getRotationMatrix2D((middle - 0.5, middle - 0.5), angle, gap)
    top, left = EDGE * PX + row, EDGE * PX + column
    matrix = as_floats(matrix)
    matrix[:, 2] += shift * PX + 8
    wide = PX + 16
    target = image[top - 8 : top - 8 + wide, left - 8 : left - 8 + wide]
    laid = cv2.warpAffine(face, matrix, (wide, wide))
    cover = cv2.warpAffine(np.full((PX, PX), 255, np.uint8), matrix, (wide, wide))
    shadow = cv2.dilate(cover, np.ones((3, 3), np.uint8)) > 0
    target[shadow] = (target[shadow] * 0.55).astype(np.uint8)
    cv2.copyTo(laid, (cover > 127).astype(np.uint8), target)


def _draw_rings(rng: np.random.Generator, canvas: Canvas, turns: int) -> None:
    """Draw the four start rings onto a canvas in place, and store their paints in `Canvas.rings`.

    turns: clockwise quarter turns of the board in the picture.
    """
    radius, width = float(rng.uniform(0.16, 0.42)) * PX, float(rng.uniform(0.05, 0.16)) * PX
    filled, outlined = rng.random() < 0.12, rng.random() < 0.5
    ink = random_paint(rng) if rng.random() < 0.3 else (25, 25, 25)
    for colour, place in start_places(turns).items():
        centre = round((EDGE + place % SIZE + 0.5) * PX), round((EDGE + place // SIZE + 0.5) * PX)
        paint = canvas.rings[colour] = jittered_paint(rng, COLOURS[colour][int(rng.integers(4))])
        if outlined:
            cv2.circle(
                canvas.image, centre, round(radius), ink, round(width + 4) if not filled else -1, cv2.LINE_AA
            )
        thickness = -1 if filled else round(width)
        cv2.circle(canvas.image, centre, round(radius - (2 if filled else 0)), paint, thickness, cv2.LINE_AA)
        cv2.circle(canvas.owner, centre, round(radius), 1, thickness)


def disc_face(rng: np.random.Generator) -> Image:
    """Return the face of a random token, (PX, PX, 3): background, a picture of blobs, often a number and rims."""
    face = np.empty((PX, PX, 3), np.uint8)
    face[:] = random_paint(rng)
    middle = PX // 2
    for _ in range(int(rng.integers(1, 8))):
        at = rng.uniform(0.2, 0.8, 2) * PX
        axes = tuple(int(v) for v in rng.uniform(2, 0.3 * PX, 2))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(face, (int(at[0]), int(at[1])), axes, turn, 0, 360, random_paint(rng), -1, cv2.LINE_AA)
    if rng.random() < 0.7:
        number = str(int(rng.integers(1, 26)))
        size = float(rng.uniform(0.5, 1.2))
        (wide, tall), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_SIMPLEX, size, 2)
        x, y = middle - wide // 2, int(rng.uniform(middle, PX * 0.85)) + tall // 4
        if rng.random() < 0.5:
            cv2.rectangle(face, (x - 3, y - tall - 3), (x + wide + 3, y + 4), random_paint(rng), -1)
        cv2.putText(face, number, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, random_paint(rng), 2, cv2.LINE_AA)
    if rng.random() < 0.75:
        cv2.circle(face, (middle, middle), middle - 2, random_paint(rng), int(rng.integers(2, 8)), cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.circle(face, (middle, middle), middle - 1, (25, 25, 25), 2, cv2.LINE_AA)
    return face
