"""Textures of table tops: noise, wood grain, stone veins, creases, weave; and tiling of a small picture.

Textures are arrays of brightness factors, 1 where nothing changes.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Heights, Image, as_heights, as_image

SPAN_MM = (2000, 1300)
"""Width and depth of the drawn part of a table top, mm and px, as the scale is 1 px/mm; its centre is the
origin."""
_GRAIN = (1280, 704)
"""Width and height of a picture of wood grain, mm: larger than the visible part of a board."""


def noise(rng: np.random.Generator, cell: tuple[float, float], size: tuple[int, int] = SPAN_MM) -> Heights:
    """Return smooth noise of about unit spread, (height, width).

    cell: width and height of its features, px. size: width and height of the result, px.
    """
    width, height = size
    shape = (max(3, int(height / cell[1]) + 2), max(3, int(width / cell[0]) + 2))
    coarse = rng.standard_normal(shape, dtype=np.float32)
    return as_heights(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC))


def weave(rng: np.random.Generator, strength: float) -> Heights:
    """Return the fine irregular grain of felt or cloth as brightness factors around 1, (1300, 2000).

    strength: standard deviation.
    """
    grain = np.empty((SPAN_MM[1], SPAN_MM[0]), np.float32)
    cv2.setRNGSeed(int(rng.integers(1 << 30)))
    cv2.randn(grain, 1.0, strength)  # type: ignore[call-overload]
    return grain


def creases(rng: np.random.Generator, strength: float, weave_strength: float = 0.0) -> Heights:
    """Return the waves and folds of an imperfectly ironed cloth as brightness factors around 1, (1300, 2000).

    strength: of waves and folds. weave_strength: of an additional weave.
    """
    size = (SPAN_MM[0] // 4, SPAN_MM[1] // 4)
    waves = 0.5 * noise(rng, (float(rng.uniform(30, 120)), float(rng.uniform(8, 24))), size)
    waves += 0.3 * noise(rng, (15, 15), size)
    # Two folds from storage: straight, dark on one side and bright on the other.
    x, y = np.arange(size[0], dtype=np.float32)[None], np.arange(size[1], dtype=np.float32)[:, None]
    for _ in range(int(rng.integers(0, 4))):
        turn = float(rng.normal(0, 0.05) + rng.integers(2) * np.pi / 2)
        across = x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn)) - np.float32(rng.uniform(0, max(size)))
        waves += np.float32(rng.uniform(0.6, 1.8)) * across / 4 * np.exp(-np.abs(across) / 3)
    field = as_heights(cv2.resize(waves * np.float32(strength) + 1, SPAN_MM, interpolation=cv2.INTER_LINEAR))
    if weave_strength > 0:
        field = as_heights(cv2.multiply(field, weave(rng, weave_strength)))
    return field


def grain(rng: np.random.Generator) -> Image:
    """Return wood grain along +x as shades (704, 1280): brightness factors times `colours.MIDDLE`."""
    height = _GRAIN[1]
    wobble = noise(rng, (float(rng.uniform(300, 800)), float(rng.uniform(60, 160))), _GRAIN) * float(
        rng.uniform(6, 22)
    )
    wobble += noise(rng, (130, 30), _GRAIN) * 3
    rows = np.arange(height, dtype=np.float32)[:, None] + wobble
    # The spacing of rings changes across a board: wide at its centre, narrow at its sides.
    period = float(rng.uniform(9, 42))
    rings = np.sin(rows * np.float32(2 * np.pi / period) + noise(rng, (900, 90), _GRAIN) * np.float32(2.6))
    if rng.random() < 0.6:  # late wood is a narrow dark line
        rings = as_heights(1 - 2 * ((1 - rings) / 2) ** np.float32(rng.uniform(1.5, 4)))
    fibre = noise(rng, (70, 1.4), _GRAIN) * np.float32(rng.uniform(0.3, 0.9)) + noise(rng, (170, 3.2), _GRAIN) * 0.6
    pores = np.clip(noise(rng, (26, 1.1), _GRAIN) - 1.5, 0, 2)
    field = (
        1
        + np.float32(0.08 * rng.uniform(0.2, 1.8)) * rings
        + np.float32(0.05) * fibre
        + np.float32(0.06) * noise(rng, (500, 140), _GRAIN)
        - np.float32(rng.uniform(0, 0.16)) * pores
    )
    if rng.random() < 0.4:
        field *= _knots(rng)
    return as_image(cv2.convertScaleAbs(field, alpha=128))


def _knots(rng: np.random.Generator) -> Heights:
    """Return factors that darken wood grain at some knots, (704, 1280)."""
    width, height = _GRAIN
    field = np.ones((height, width), np.float32)
    for _ in range(int(rng.integers(1, 6))):
        at = (int(rng.uniform(40, width - 40)), int(rng.uniform(20, height - 20)))
        radius = float(rng.uniform(3, 12))
        for part, dark in ((1.6, 0.88), (1.0, 0.7), (0.5, 0.55)):
            axes = (max(1, round(radius * part * 1.5)), max(1, round(radius * part)))
            cv2.ellipse(field, at, axes, 0, 0, 360, dark, -1, cv2.LINE_AA)
    return as_heights(cv2.GaussianBlur(field, (0, 0), 1.6))


def veins(rng: np.random.Generator) -> Heights:
    """Return the veins and grain of marble or granite as brightness factors around 1, (1300, 2000)."""
    size = (SPAN_MM[0] // 2, SPAN_MM[1] // 2)
    warp = noise(rng, (190, 150), size) + 0.45 * noise(rng, (60, 55), size) + 0.16 * noise(rng, (17, 15), size)
    x, y = np.arange(size[0], dtype=np.float32)[None], np.arange(size[1], dtype=np.float32)[:, None]
    field = 1 + np.float32(0.05) * warp
    for depth, sharp in ((0.24, 26.0), (0.14, 40.0)):
        turn, spacing = float(rng.uniform(0, np.pi)), float(rng.uniform(120, 280))
        across = (x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn))) * np.float32(np.pi / spacing)
        strength = np.clip(0.5 + 0.6 * noise(rng, (120, 120), size), 0, 1) * np.float32(
            depth * rng.uniform(0.2, 1.5)
        )
        field -= strength * np.exp(-np.abs(np.sin(across + np.float32(1.5) * warp)) * np.float32(sharp))
    whole = as_heights(cv2.resize(field, SPAN_MM, interpolation=cv2.INTER_LINEAR))
    crystals = noise(rng, (3.0, 3.0)) * np.float32(rng.uniform(0.01, 0.1))
    return as_heights(cv2.add(whole, crystals))


def tile_over_table(
    tile: Image, rng: np.random.Generator, angle: float, mm_per_px: float, border: int = cv2.BORDER_WRAP
) -> Image:
    """Return a whole table top, 1 px/mm, covered with copies of a tile from a random offset.

    angle: rotation, degrees clockwise. mm_per_px: scale of the tile. border: OpenCV border mode, which determines
    how the tile repeats.
    """
    if mm_per_px < 0.8:
        size = (max(4, round(tile.shape[1] * mm_per_px)), max(4, round(tile.shape[0] * mm_per_px)))
        mm_per_px *= tile.shape[1] / size[0]
        tile = as_image(cv2.resize(tile, size, interpolation=cv2.INTER_AREA))
    cos, sin = np.cos(np.radians(angle)) / mm_per_px, np.sin(np.radians(angle)) / mm_per_px
    inverse = np.array([[cos, sin, rng.uniform(0, tile.shape[1])], [-sin, cos, rng.uniform(0, tile.shape[0])]])
    inverse[:, 2] -= inverse[:, :2] @ [SPAN_MM[0] / 2, SPAN_MM[1] / 2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return as_image(cv2.warpAffine(tile, inverse, SPAN_MM, flags=flags, borderMode=border))


def stamp_wrapped(tile: Image, at: tuple[float, float], reach: float, stamp: Any) -> None:
    """Draw a motif on a tile in place, and again where it wraps around a border, so that no seam shows.

    at: position of the motif, px. reach: its radius, px. stamp: function that draws it on the tile at (x, y).
    """
    height, width = tile.shape[:2]
    for left in (-width, 0, width):
        for top in (-height, 0, height):
            x, y = at[0] + left, at[1] + top
            if -reach < x < width + reach and -reach < y < height + reach:
                stamp(x, y)
