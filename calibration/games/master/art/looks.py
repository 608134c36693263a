"""Looks of tiles and boards: procedural pictures of walls and paths in many materials.

A reader of mazes must not depend on one print, so pictures for training and evaluation are drawn in several looks.
Pictures are BGR, uint8; a tile is square, `px` wide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Field = NDArray[np.float32]
Bgr = tuple[int, int, int]
"""Colour as blue, green, red, 0..255."""
Material = Literal["plain", "grain", "leaves", "bricks", "slabs", "junk", "planks"]
"""Pattern of a surface."""


@dataclass(frozen=True, slots=True)
class MazeLook:
    """Look of the tiles and the board of one printing."""

    path: Bgr
    """Colour of paths."""
    wall: Bgr
    """Colour of walls."""
    path_material: Material
    """Pattern of paths."""
    wall_material: Material
    """Pattern of walls."""
    width: float
    """Width of paths, in tiles."""
    outline: Bgr | None
    """Colour of the line between path and wall; None for none."""
    waver: float
    """Deviation of the path's rim from a straight line, in tiles."""
    rim: Bgr
    """Colour of the board around the field."""
    edge: Bgr
    """Colour of a tile's cut edge."""
    line: Bgr | None = None
    """Colour of the line around each tile; None for none."""


LOOKS: Final[Mapping[str, MazeLook]] = MappingProxyType(
    {
        "standin": MazeLook(
            (196, 222, 236), (96, 132, 96), "plain", "leaves", 0.34, (60, 52, 44), 0.01, (120, 150, 176), (170, 190, 200)
        ),
        "hedge": MazeLook(
            (150, 190, 210), (44, 92, 50), "grain", "leaves", 0.36, None, 0.02, (70, 90, 60), (150, 170, 180)
        ),
        "brick": MazeLook(
            (120, 168, 196), (60, 74, 150), "slabs", "bricks", 0.4, (40, 40, 60), 0.0, (70, 110, 150), (160, 160, 170)
        ),
        "junk": MazeLook(
            (130, 186, 214), (64, 80, 104), "grain", "junk", 0.38, None, 0.03, (60, 84, 120), (180, 186, 190)
        ),
        "stone": MazeLook(
            (92, 100, 104), (172, 176, 180), "slabs", "grain", 0.36, (50, 50, 50), 0.015, (130, 130, 134), (190, 190, 190)
        ),
        "night": MazeLook(
            (60, 48, 40), (150, 120, 170), "planks", "slabs", 0.32, (220, 220, 220), 0.0, (60, 40, 60), (90, 80, 90),
            (20, 20, 20),
        ),
    }
)  # fmt: skip # one look a block
"""Looks by name; `standin` is the printable stand-in."""
HELD_OUT: Final = ("junk", "stone")
"""Looks that train and tune nothing."""
RINGS: Final[Mapping[str, Bgr]] = MappingProxyType(
    {"red": (44, 40, 190), "brown": (84, 132, 184), "blue": (168, 92, 40), "white": (236, 238, 240)}
)
"""Colours of start rings and wizards."""


def tile_picture(openings: str, look: MazeLook, seed: int, px: int = 96) -> Image:
    """Return the face of a tile whose paths lead from its middle to these sides."""
    rng = np.random.default_rng([seed, 0x711E])
    y, x = (np.mgrid[0:px, 0:px].astype(np.float32) + 0.5) / px - 0.5
    distance = np.full((px, px), 9.0, np.float32)
    for side in openings:
        along = {"T": -y, "R": x, "B": y, "L": -x}[side]
        across = {"T": x, "R": y, "B": x, "L": y}[side]
        distance = np.minimum(distance, np.hypot(across, np.minimum(along, 0)))
    distance += look.waver * _noise(rng, px, px // 12)
    path = _surface(look.path, look.path_material, rng, px)
    wall = _surface(look.wall, look.wall_material, rng, px)
    half = look.width / 2
    # Walls stand above paths: they cast a narrow shadow onto them.
    shade = 1 - 0.3 * np.clip((distance - half + 0.07) / 0.07, 0, 1)
    mix = np.clip((distance - half) * px + 0.5, 0, 1)[..., None]
    picture = path * shade[..., None] * (1 - mix) + wall * mix
    if look.outline is not None:
        ink = np.clip(1.5 - np.abs(distance - half) * px * 0.9, 0, 1)[..., None]
        picture = picture * (1 - ink) + np.float32(look.outline) * ink
    if look.line is not None:
        border = np.clip(np.maximum(np.abs(x), np.abs(y)) * px - px / 2 + 2.0, 0, 1)[..., None]
        picture = picture * (1 - border) + np.float32(look.line) * border
    return np.clip(picture, 0, 255).astype(np.uint8)


def ring(picture: Image, colour: Bgr, diameter: float = 0.42) -> Image:
    """Return a tile's face with a start ring of this colour; diameter in tiles."""
    px = len(picture)
    centre, axes = (px * 8, px * 8), round(px * diameter * 8)
    drawn = picture.copy()
    cv2.circle(drawn, centre, axes, (30, 30, 30), max(2, px // 9), cv2.LINE_AA, 4)
    cv2.circle(drawn, centre, axes, colour, max(1, px // 14), cv2.LINE_AA, 4)
    return drawn


def _surface(colour: Bgr, material: Material, rng: np.random.Generator, px: int) -> Field:
    base = np.broadcast_to(np.float32(colour), (px, px, 3))
    match material:
        case "plain":
            shade = 1 + 0.03 * _noise(rng, px, px // 4)
        case "grain":
            shade = 1 + 0.10 * _noise(rng, px, 3) + 0.06 * _noise(rng, px, px // 6)
        case "leaves":
            leaves = np.abs(_noise(rng, px, max(2, px // 16)))
            shade = 0.75 + 0.3 * np.clip(leaves, 0, 2) + 0.1 * _noise(rng, px, px // 5)
        case "bricks":
            shade = _courses(rng, px, 8, 2.0) + 0.05 * _noise(rng, px, 3)
        case "slabs":
            shade = _courses(rng, px, 5, 1.3) + 0.04 * _noise(rng, px, 3)
        case "planks":
            y = np.arange(px, dtype=np.float32)[:, None] / px
            shade = 1 + 0.12 * np.sin(y * 55 + 2 * _noise(rng, px, px // 3)) + 0.05 * _noise(rng, px, 3)
        case "junk":
            return _junk(base, rng, px)
    return (base * shade[..., None]).astype(np.float32)


def _courses(rng: np.random.Generator, px: int, rows: int, ratio: float) -> Field:
    """Return the shade of bricks or slabs in courses."""
    shade = np.ones((px, px), np.float32)
    height = px / rows
    for row in range(rows):
        top, width = row * height, height * ratio
        left = -width * (0.5 if row % 2 else 0.0)
        while left < px:
            box = (slice(int(top), int(top + height)), slice(max(0, int(left)), max(0, int(left + width))))
            shade[box] = rng.uniform(0.82, 1.15)
            left += width
            shade[int(top) : int(top + height), max(0, int(left) - 1) : max(0, int(left) + 1)] = 0.6
        shade[int(top) : int(top) + 2] = 0.6
    return shade


def _junk(base: NDArray[np.float32], rng: np.random.Generator, px: int) -> Field:
    """Return a heap of bones, jars, roots and rags in many colours."""
    picture = np.ascontiguousarray(base * (0.5 + 0.1 * _noise(rng, px, 4)[..., None]))
    for _ in range(70):
        colour = tuple(float(v) for v in rng.uniform(0.4, 1.7) * np.float32(base[0, 0]) + rng.normal(0, 26, 3))
        x, y = (int(v) for v in rng.integers(0, px, 2))
        axes = tuple(int(v) for v in rng.integers(2, max(4, px // 9), 2))
        cv2.ellipse(picture, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, colour, -1, cv2.LINE_AA)
        cv2.ellipse(picture, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, (20, 24, 28), 1, cv2.LINE_AA)
    return picture.astype(np.float32)


def _noise(rng: np.random.Generator, px: int, cell: int) -> Field:
    """Return smooth noise of about unit spread whose features are this many px wide."""
    count = max(3, px // max(1, cell) + 2)
    coarse = rng.standard_normal((count, count), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (px, px), interpolation=cv2.INTER_CUBIC), np.float32)
