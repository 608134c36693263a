"""Picture of a look's table top from straight above: its `Ground`, or plain wood, felt or stone."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Heights, Image, as_heights, as_image
from vision.cameras.simulated.table_surfaces import SPAN_MM, Ground, draw

_WOODS = ((58, 92, 140), (46, 72, 112), (88, 128, 172), (34, 48, 74), (110, 150, 186))
"""Colours of wood, BGR."""
_FELTS = ((62, 74, 28), (52, 40, 44), (30, 34, 96), (88, 66, 40), (70, 78, 82), (44, 88, 52))
"""Colours of felt, BGR."""
_STONES = ((168, 172, 176), (92, 94, 98), (128, 140, 150))
"""Colours of stone, BGR."""


def tabletop(look: Look) -> Image:
    """Return the table top of a look from above, BGR, read-only, (1300, 2000, 3), 1 px/mm, +x right, +y up."""
    return _drawn(look.ground, look.table, look.seed)


@lru_cache(maxsize=2)
def _drawn(ground: Ground | None, table: str, seed: int) -> Image:
    """Return a table top as `tabletop` does. Cached: pictures of one table from other camera poses share it.

    ground: parameters of the table top; None draws a plain one. table: material of that. seed: of its grain.
    """
    rng = np.random.default_rng([seed, 0x7AB])
    if ground is not None:
        top = draw(ground)
    elif table == "wood":
        top = _wood(rng)
    elif table == "felt":
        top = _felt(rng)
    else:
        top = _stone(rng)
    top.setflags(write=False)
    return top


def _noise(rng: np.random.Generator, cell_x: float, cell_y: float) -> Heights:
    """Return smooth noise of about unit spread, (1300, 2000); `cell_x` and `cell_y`: size of its features, mm."""
    width, height = SPAN_MM
    shape = (max(3, int(height / cell_y) + 2), max(3, int(width / cell_x) + 2))
    coarse = rng.standard_normal(shape, dtype=np.float32)
    fine = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return as_heights(fine)


def _coloured(base: tuple[int, int, int], shade: Heights) -> Image:
    """Return a BGR picture of one colour multiplied by brightness factors (height, width)."""
    image = as_heights(base)[None, None, :] * shade[..., None]
    return as_image(np.clip(image, 0, 255))


def _wood(rng: np.random.Generator) -> Image:
    height = SPAN_MM[1]
    base = _WOODS[int(rng.integers(len(_WOODS)))]
    wobble = _noise(rng, 420, 90) * 14 + _noise(rng, 130, 30) * 3
    rows = np.arange(height, dtype=np.float32)[:, None] + wobble
    rings = np.sin(rows * (2 * np.pi / float(rng.uniform(17, 34))) + _noise(rng, 700, 60) * 2.5)
    fibre = _noise(rng, 60, 1.4) * 0.5 + _noise(rng, 160, 3.2) * 0.6
    pores = np.clip(_noise(rng, 26, 1.1) - 1.5, 0, 2)
    shade = 1 + 0.075 * rings + 0.055 * fibre + 0.06 * _noise(rng, 500, 140) - 0.12 * pores
    planks = int(rng.integers(0, 3)) * 4
    if planks:
        depth = height / planks
        index = (np.arange(height) / depth).astype(int)
        shade *= (1 + 0.07 * rng.standard_normal(planks + 1)[index])[:, None].astype(np.float32)
        seam = np.abs((np.arange(height) % depth) - depth / 2) > depth / 2 - 1.2
        shade[seam] *= 0.72
    return _coloured(base, shade.astype(np.float32))


def _felt(rng: np.random.Generator) -> Image:
    base = _FELTS[int(rng.integers(len(_FELTS)))]
    grain = rng.standard_normal((SPAN_MM[1], SPAN_MM[0]), dtype=np.float32)
    fluff = _noise(rng, 7, 7) * 0.03 + _noise(rng, 160, 120) * 0.035
    return _coloured(base, 1 + 0.08 * grain + fluff)


def _stone(rng: np.random.Generator) -> Image:
    base = _STONES[int(rng.integers(len(_STONES)))]
    y, x = np.mgrid[0 : SPAN_MM[1], 0 : SPAN_MM[0]].astype(np.float32)
    warp = _noise(rng, 380, 300) + 0.45 * _noise(rng, 120, 110) + 0.16 * _noise(rng, 34, 30)
    veins = np.zeros_like(warp)
    for depth, spacing, sharpness in ((0.24, 520.0, 26.0), (0.14, 310.0, 40.0)):
        turn = float(rng.uniform(0, np.pi))
        across = (x * np.cos(turn) + y * np.sin(turn)) * (np.pi / spacing)
        strength = np.clip(0.6 + 0.5 * _noise(rng, 240, 240), 0, 1)
        veins += depth * strength * np.exp(-np.abs(np.sin(across + 1.5 * warp)) * sharpness)
    grain = rng.standard_normal((SPAN_MM[1], SPAN_MM[0]), dtype=np.float32)
    crystals = np.clip(_noise(rng, 3.0, 3.0) - 0.9, 0, 2)
    shade = 1 + 0.05 * warp - veins + 0.03 * grain + 0.05 * crystals + 0.03 * _noise(rng, 9, 9)
    return _coloured(base, as_heights(shade))
