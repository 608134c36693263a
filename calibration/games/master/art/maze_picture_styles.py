"""Looks of the maze: pictures of tiles and boards in many materials, for training and evaluation.

A reader must not depend on one print. `standin` is the printable stand-in; the other looks are procedural, and
`varied` changes their colours and widths from print to print. Pictures are BGR, uint8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing.raster import rasterise
from calibration.games.master.art.board import FIXED, PAINTS, SIZE, STARTS, board_face
from calibration.games.master.art.tiles import TILE, tile_face

Image = NDArray[np.uint8]
Field = NDArray[np.float32]
Bgr = tuple[int, int, int]
"""Colour as blue, green, red, 0..255."""
Material = Literal["plain", "grain", "leaves", "bricks", "slabs", "junk", "planks"]
"""Pattern of a surface."""

TILE_PX: Final = 96
"""Width of the picture of a tile, px."""
_VARIANTS: Final = 4
"""Number of differently drawn tiles of the same shape of the stand-in."""


@dataclass(frozen=True, slots=True)
class MazeLook:
    """Look of the tiles and the board of one print."""

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
    rim: Bgr
    """Colour of the board around the field."""
    edge: Bgr
    """Colour of a tile's cut edge."""
    outline: Bgr | None = None
    """Colour of the line between path and wall; None for none."""
    waver: float = 0.0
    """Deviation of the path's rim from a straight line, in tiles."""
    border: Bgr | None = None
    """Colour of the line around each tile; None for none."""
    drawn: bool = False
    """Whether tiles and board are the art of the stand-in instead of procedural."""


LOOKS: Final[Mapping[str, MazeLook]] = MappingProxyType(
    {
        "standin": MazeLook(
            path=(211, 230, 239),
            wall=(60, 90, 44),
            path_material="plain",
            wall_material="leaves",
            width=0.35,
            rim=(26, 36, 56),
            edge=(170, 190, 200),
            drawn=True,
        ),
        "hedge": MazeLook(
            path=(150, 190, 210),
            wall=(44, 92, 50),
            path_material="grain",
            wall_material="leaves",
            width=0.36,
            rim=(70, 90, 60),
            edge=(150, 170, 180),
            waver=0.02,
        ),
        "brick": MazeLook(
            path=(120, 168, 196),
            wall=(60, 74, 150),
            path_material="slabs",
            wall_material="bricks",
            width=0.4,
            rim=(70, 110, 150),
            edge=(160, 160, 170),
            outline=(40, 40, 60),
        ),
        "night": MazeLook(
            path=(60, 48, 40),
            wall=(150, 120, 170),
            path_material="planks",
            wall_material="slabs",
            width=0.32,
            rim=(60, 40, 60),
            edge=(90, 80, 90),
            outline=(220, 220, 220),
            border=(20, 20, 20),
        ),
        "junk": MazeLook(
            path=(130, 186, 214),
            wall=(64, 80, 104),
            path_material="grain",
            wall_material="junk",
            width=0.38,
            rim=(60, 84, 120),
            edge=(180, 186, 190),
            waver=0.03,
        ),
        "stone": MazeLook(
            path=(92, 100, 104),
            wall=(172, 176, 180),
            path_material="slabs",
            wall_material="grain",
            width=0.36,
            rim=(130, 130, 134),
            edge=(190, 190, 190),
            outline=(50, 50, 50),
            waver=0.015,
        ),
    }
)
"""Looks by name."""
HELD_OUT: Final = ("junk", "stone")
"""Looks that no network is trained with; some thresholds of the reader were chosen with them."""
RINGS: Final[Mapping[str, Bgr]] = MappingProxyType(
    {colour: (int(code[5:7], 16), int(code[3:5], 16), int(code[1:3], 16)) for colour, code in PAINTS.items()}
)
"""Colours of start rings and wizards in the printable stand-in."""


def varied(look: MazeLook, seed: int) -> MazeLook:
    """Return another print of a look: its colours and path width differ slightly, by seed."""
    rng = np.random.default_rng([seed, 0x100C])

    def tinted(colour: Bgr | None) -> Bgr | None:
        if colour is None:
            return None
        gains = rng.uniform(0.82, 1.18) * (1 + 0.05 * rng.standard_normal(3))
        blue, green, red = (int(value) for value in np.clip(np.array(colour) * gains, 8, 247))
        return blue, green, red

    return replace(
        look,
        path=tinted(look.path) or look.path,
        wall=tinted(look.wall) or look.wall,
        rim=tinted(look.rim) or look.rim,
        edge=tinted(look.edge) or look.edge,
        outline=tinted(look.outline),
        width=look.width * float(rng.uniform(0.9, 1.1)),
    )


def tile_picture(openings: str, look: MazeLook, seed: int, px: int = TILE_PX) -> Image:
    """Return the picture of a tile, BGR, `px` wide, in the style of a look.

    openings: sides that its paths reach, letters of T, R, B, L; seed: of the surfaces' texture.
    """
    if look.drawn:
        drawn = _drawn_tile(openings, seed % _VARIANTS)
        return np.asarray(cv2.resize(drawn, (px, px), interpolation=cv2.INTER_AREA), np.uint8)
    rng = np.random.default_rng([seed, 0x711E])
    y, x = (np.mgrid[0:px, 0:px].astype(np.float32) + 0.5) / px - 0.5
    distance = np.full((px, px), 9.0, np.float32)
    for side in openings:
        along = {"T": -y, "R": x, "B": y, "L": -x}[side]
        across = {"T": x, "R": y, "B": x, "L": y}[side]
        distance = np.minimum(distance, np.hypot(across, np.minimum(along, 0)))
    # Near the rim of a tile paths of all tiles meet: they waver in the middle only.
    distance += look.waver * _noise(rng, px, px // 12) * np.clip(4 - 8 * np.maximum(abs(x), abs(y)), 0, 1)
    path = _surface(look.path, look.path_material, rng, px)
    wall = _surface(look.wall, look.wall_material, rng, px)
    half = look.width / 2
    # Walls stand above paths: they cast a narrow shadow onto them.
    shade = 1 - 0.3 * np.clip((distance - half + 0.07) / 0.07, 0, 1)
    mix = np.clip((distance - half) * px + 0.5, 0, 1)[..., None]
    picture = path * shade[..., None] * (1 - mix) + wall * mix
    if look.outline is not None:
        ink = np.clip(1.5 - np.abs(distance - half) * px * 0.9, 0, 1)[..., None]
        picture = picture * (1 - ink) + np.asarray(look.outline, np.float32) * ink
    if look.border is not None:
        line = np.clip(np.maximum(np.abs(x), np.abs(y)) * px - px / 2 + 2.0, 0, 1)[..., None]
        picture = picture * (1 - line) + np.asarray(look.border, np.float32) * line
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


def board_picture(look: MazeLook, seed: int, rim: float, bare: bool = False, px: int = TILE_PX) -> Image:
    """Return the picture of the board, BGR: fixed tiles with start rings, recesses for loose tiles, and arrows.

    rim: width of the rim in tiles; px: width of a tile. bare: leave out the fixed tiles (not in a look that is
    `drawn`), for a board on which they lie as separate tiles.
    """
    edge = round(rim * px)
    if look.drawn:
        drawn = _drawn_board(round(rim, 1))
        size = SIZE * px + 2 * edge
        return np.asarray(cv2.resize(drawn, (size, size), interpolation=cv2.INTER_AREA), np.uint8)
    rng = np.random.default_rng([seed, 0xB0A2])
    size = SIZE * px + 2 * edge
    grain = 1 + 0.05 * rng.standard_normal((size, size, 1), dtype=np.float32)
    face = np.asarray(np.clip(np.asarray(look.rim, np.float32) * grain, 0, 255), np.uint8)
    field = face[edge : edge + SIZE * px, edge : edge + SIZE * px]
    field[:] = np.asarray(field * float(rng.uniform(0.4, 0.8)), np.uint8)
    for place in () if bare else FIXED:
        top, left = place // SIZE * px, place % SIZE * px
        field[top : top + px, left : left + px] = fixed_picture(place, look, seed, px)
    arrow = tuple(float(value) for value in rng.uniform(60, 250, 3))
    for _ in range(4):
        for line in (1, 3, 5):
            x = edge + (line + 0.5) * px
            head = [[x - px * 0.2, edge * 0.35], [x + px * 0.2, edge * 0.35], [x, edge * 0.75]]
            cv2.fillPoly(face, [np.asarray(head, np.int32)], arrow, cv2.LINE_AA)
        face = np.ascontiguousarray(np.rot90(face))
    return face


def fixed_picture(place: int, look: MazeLook, seed: int, px: int = TILE_PX) -> Image:
    """Return the picture of the fixed tile at a place, 7 · row + column, BGR, with its start ring if it has one."""
    rng = np.random.default_rng([seed, 0x21C6])
    tile = tile_picture(FIXED[place], look, seed * 64 + place, px)
    if place not in STARTS:
        return tile
    diameter, width = float(rng.uniform(0.4, 0.56)), float(rng.uniform(0.05, 0.09))
    return _with_ring(tile, RINGS[STARTS[place]], diameter, width)


def _with_ring(tile: Image, colour: Bgr, diameter: float, width: float) -> Image:
    """Return a copy of a tile's picture with a start ring. diameter, width: of the ring, in tiles."""
    px = len(tile)
    drawn = tile.copy()
    centre, radius = (px * 8, px * 8), round(px * diameter * 8)
    cv2.circle(drawn, centre, radius, (30.0, 30.0, 30.0), round(px * width) + 3, cv2.LINE_AA, 4)
    cv2.circle(drawn, centre, radius, tuple(map(float, colour)), max(1, round(px * width)), cv2.LINE_AA, 4)
    return drawn


@lru_cache(maxsize=64)
def _drawn_tile(openings: str, variant: int) -> Image:
    return rasterise(tile_face(openings, variant), TILE_PX / TILE)[..., :3]


@lru_cache(maxsize=8)
def _drawn_board(rim: float) -> Image:
    return rasterise(board_face(TILE, rim * TILE), TILE_PX / TILE)[..., :3]


def _surface(colour: Bgr, material: Material, rng: np.random.Generator, px: int) -> Field:
    """Return a surface (px, px, 3) of a material in a colour, BGR 0..255."""
    base = np.broadcast_to(np.asarray(colour, np.float32), (px, px, 3))
    match material:
        case "plain":
            shade = 1 + 0.03 * _noise(rng, px, px // 4)
        case "grain":
            shade = 1 + 0.10 * _noise(rng, px, 3) + 0.06 * _noise(rng, px, px // 6)
        case "leaves":
            leaves = np.abs(_noise(rng, px, max(2, px // 16)))
            shade = 0.75 + 0.3 * np.clip(leaves, 0, 2) + 0.1 * _noise(rng, px, px // 5)
        case "bricks":
            shade = _brick_shade(rng, px, 8, 2.0) + 0.05 * _noise(rng, px, 3)
        case "slabs":
            shade = _brick_shade(rng, px, 5, 1.3) + 0.04 * _noise(rng, px, 3)
        case "planks":
            y = np.arange(px, dtype=np.float32)[:, None] / px
            shade = 1 + 0.12 * np.sin(y * 55 + 2 * _noise(rng, px, px // 3)) + 0.05 * _noise(rng, px, 3)
        case "junk":
            return _junk(base, rng, px)
    return np.asarray(base * shade[..., None], np.float32)


def _brick_shade(rng: np.random.Generator, px: int, rows: int, ratio: float) -> Field:
    """Return the brightness factors (px, px) of bricks or slabs in rows.

    rows: number of rows; ratio: length of a brick over its height.
    """
    shade = np.ones((px, px), np.float32)
    height = px / rows
    for row in range(rows):
        top, length = round(row * height), height * ratio
        bottom = round((row + 1) * height)
        left = -length * (0.5 if row % 2 else 0.0)
        while left < px:
            start, left = left, left + length
            shade[top:bottom, max(0, round(start)) : max(0, round(left))] = rng.uniform(0.82, 1.15)
            shade[top:bottom, max(0, round(left) - 1) : max(0, round(left) + 1)] = 0.6
        shade[top : top + 2] = 0.6
    return shade


def _junk(base: NDArray[np.float32], rng: np.random.Generator, px: int) -> Field:
    """Return a heap of bones, jars, roots and rags in many colours, (px, px, 3)."""
    picture = np.ascontiguousarray(base * (0.5 + 0.1 * _noise(rng, px, 4)[..., None]))
    for _ in range(70):
        colour = tuple(float(value) for value in rng.uniform(0.4, 1.7) * base[0, 0] + rng.normal(0, 26, 3))
        x, y = (int(value) for value in rng.integers(0, px, 2))
        width, height = (int(value) for value in rng.integers(2, max(4, px // 9), 2))
        angle = float(rng.uniform(0, 180))
        cv2.ellipse(picture, (x, y), (width, height), angle, 0, 360, colour, -1, cv2.LINE_AA)
        cv2.ellipse(picture, (x, y), (width, height), angle, 0, 360, (20.0, 24.0, 28.0), 1, cv2.LINE_AA)
    return np.asarray(picture, np.float32)


def _noise(rng: np.random.Generator, px: int, cell: int) -> Field:
    """Return smooth noise (px, px) of about unit spread. cell: width of its features, px."""
    count = max(3, px // max(1, cell) + 2)
    coarse = rng.standard_normal((count, count), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, (px, px), interpolation=cv2.INTER_CUBIC), np.float32)
