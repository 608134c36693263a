"""Draw a table top with its playmat, wear, clutter, lamp reflections and edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Image, as_heights, as_image
from vision.cameras.simulated.table_surfaces import cloths, hard_materials, wood
from vision.cameras.simulated.table_surfaces.clutter import scatter
from vision.cameras.simulated.table_surfaces.colours import hsv, paint, shaded, unlike
from vision.cameras.simulated.table_surfaces.compositing import paste_rotated
from vision.cameras.simulated.table_surfaces.parameters import KINDS, Edge, Ground, Kind, Playmat
from vision.cameras.simulated.table_surfaces.textures import SPAN_MM, noise

_DRAWN_AS: Final[dict[Kind, Callable[[Ground, np.random.Generator], Image]]] = {
    "wood": wood.solid,
    "planks": wood.planks,
    "parquet": wood.parquet,
    "herringbone": wood.herringbone,
    "veneer": wood.veneer,
    "checks": partial(cloths.cloth, pattern=cloths.checks),
    "gingham": partial(cloths.cloth, pattern=cloths.gingham),
    "tartan": partial(cloths.cloth, pattern=cloths.tartan),
    "stripes": partial(cloths.cloth, pattern=cloths.stripes),
    "dots": partial(cloths.cloth, pattern=cloths.dots),
    "flowers": partial(cloths.cloth, pattern=cloths.flowers),
    "paisley": partial(cloths.cloth, pattern=cloths.paisley),
    "lace": partial(cloths.cloth, pattern=cloths.lace),
    "patchwork": partial(cloths.cloth, pattern=cloths.patchwork),
    "felt": cloths.felt,
    "stone": hard_materials.marble,
    "plain": hard_materials.lacquer,
    "tiles": hard_materials.tiles,
    "hexagons": hard_materials.hexagons,
    "terrazzo": hard_materials.terrazzo,
    "newspaper": hard_materials.newspaper,
}
"""Function that draws each kind of table top."""


def draw(ground: Ground) -> Image:
    """Return the picture of a table top from straight above, BGR, (1300, 2000, 3), 1 px/mm, +x right, +y up.

    ground: its parameters.
    """
    top = _DRAWN_AS[ground.kind](ground, _rng(ground.seed, 0x70B + KINDS.index(ground.kind)))
    if ground.playmat is not None:
        _lay_playmat(top, ground.playmat)
    if ground.wear > 0:
        top = _with_wear(top, ground.wear, _rng(ground.seed, 0x3EA7))
    if ground.clutter:
        scatter(top, ground.clutter, _rng(ground.seed, 0xC107))
    if ground.gloss > 0:
        _add_lamp_reflections(top, ground.gloss, _rng(ground.seed, 0x6105))
    if ground.edge is not None:
        top = _cut_at_edge(top, ground.edge)
    # No surface is perfectly black or white.
    return as_image(np.clip(top, 4, 251, out=top))


def _rng(seed: int, purpose: int) -> np.random.Generator:
    """Return the random generator of one effect, so that effects do not change each other.

    purpose: the effect's number.
    """
    return np.random.default_rng([seed, purpose])


def _lay_playmat(top: Image, mat: Playmat) -> None:
    """Draw a printed mat on a table top in place: random clouds or a pattern, rings and lines, and a rim."""
    rng = _rng(mat.seed, 0x3A7)
    width, height = (max(40, round(side)) for side in mat.size)
    base = paint(rng)
    sheet = np.empty((height, width, 4), np.uint8)
    sheet[..., 3] = 255
    share = rng.random()
    if share < 0.45:  # a painted scene: clouds of three paints
        clouds = noise(rng, (float(rng.uniform(30, 150)), float(rng.uniform(30, 150))), (width, height))
        weight = np.clip(clouds * 0.6 + 0.5, 0, 1)[..., None]
        low, high = as_heights(base), as_heights(unlike(rng, base))
        fine = 1 + np.float32(0.12) * noise(rng, (9, 9), (width, height))[..., None]
        sheet[..., :3] = np.clip((low + (high - low) * weight) * fine, 0, 255).astype(np.uint8)
    elif share < 0.75:
        kind: Kind = ("stone", "wood", "flowers", "checks")[int(rng.integers(4))]
        print_ = draw(Ground(kind, int(rng.integers(1 << 30)), angle=float(rng.uniform(0, 360))))
        sheet[..., :3] = print_[:height, :width]
    else:
        sheet[..., :3] = base
    ink = unlike(rng, base)
    for _ in range(int(rng.integers(0, 10))):
        at = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        thick = int(rng.choice([-1, 2, 4, 8]))
        cv2.circle(sheet, at, int(rng.uniform(8, 90)), (*unlike(rng, base), 255), thick, cv2.LINE_AA)
        cv2.line(sheet, at, (int(rng.uniform(0, width)), int(rng.uniform(0, height))), (*ink, 255), 3, cv2.LINE_AA)
    if rng.random() < 0.6:
        cv2.rectangle(sheet, (0, 0), (width - 1, height - 1), (*ink, 255), int(rng.integers(4, 40)))
    paste_rotated(top, sheet, mat.centre, mat.angle, 1.0)


def _with_wear(top: Image, wear: float, rng: np.random.Generator) -> Image:
    """Return a table top with dark and pale patches and rings of wet glasses. wear: strength, 0..1."""
    size = (SPAN_MM[0] // 4, SPAN_MM[1] // 4)
    cell = float(np.exp(rng.uniform(np.log(10), np.log(100))))
    field = 1 + np.float32(0.07 * wear) * noise(rng, (cell, cell), size)
    for _ in range(int(rng.integers(0, 5))):
        at = (int(rng.uniform(0, size[0])), int(rng.uniform(0, size[1])))
        cv2.circle(field, at, int(rng.uniform(8, 12)), 1 - 0.25 * wear, 1, cv2.LINE_AA)
    return shaded(top, as_heights(cv2.resize(as_heights(field), SPAN_MM, interpolation=cv2.INTER_LINEAR)))


def _add_lamp_reflections(top: Image, gloss: float, rng: np.random.Generator) -> None:
    """Add random reflections of lamps and windows to a table top in place. gloss: strength, 0..1."""
    size = (SPAN_MM[0] // 4, SPAN_MM[1] // 4)
    glow = np.zeros((size[1], size[0]), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        at = (float(rng.uniform(0, size[0])), float(rng.uniform(0, size[1])))
        turn = float(rng.uniform(0, 180))
        if rng.random() < 0.5:
            axes = (int(rng.uniform(6, 45)), int(rng.uniform(6, 45)))
            cv2.ellipse(glow, (round(at[0]), round(at[1])), axes, turn, 0, 360, 1.0, -1, cv2.LINE_AA)
        else:  # a window with its bars
            wide, deep = float(rng.uniform(20, 110)), float(rng.uniform(20, 110))
            box = cv2.boxPoints((at, (wide, deep), turn))
            cv2.fillConvexPoly(glow, np.round(box).astype(np.int32), 1.0, cv2.LINE_AA)
            for a, b in (((0, 1), (2, 3)), ((1, 2), (3, 0))):
                ends = [tuple(round(float(v)) for v in (box[i] + box[j]) / 2) for i, j in (a, b)]
                cv2.line(glow, ends[0], ends[1], 0.1, 2, cv2.LINE_AA)
    glow = as_heights(cv2.GaussianBlur(glow, (0, 0), float(np.exp(rng.uniform(np.log(1.0), np.log(25))))))
    warm = float(rng.normal(0, 0.08))
    tint = as_heights([1 - warm, 1, 1 + warm]) * np.float32(40 + 150 * gloss)
    small = np.clip(glow[..., None] * tint, 0, 255).astype(np.uint8)
    cv2.add(top, as_image(cv2.resize(small, SPAN_MM, interpolation=cv2.INTER_LINEAR)), top)


def _cut_at_edge(top: Image, edge: Edge) -> Image:
    """Return a table top cut to the table's outline, with a floor in the table's shadow beyond."""
    rng = _rng(edge.seed, 0xF100)
    kind: Kind = ("planks", "tiles", "felt", "plain")[int(rng.integers(4))]
    colour = hsv(rng.uniform(0, 180), rng.uniform(0, 90), rng.uniform(40, 190))
    base = Ground(kind, edge.seed, angle=float(rng.uniform(0, 360)), scale=0.8)
    floor = draw(base if kind == "planks" else replace(base, colours=(colour,)))
    cover = np.zeros((SPAN_MM[1], SPAN_MM[0]), np.uint8)
    width, depth = edge.size
    middle = (SPAN_MM[0] / 2 + edge.centre[0], SPAN_MM[1] / 2 - edge.centre[1])
    if edge.outline == "round":
        axes = (round(width * 8), round(depth * 8))
        cv2.ellipse(cover, (round(middle[0] * 16), round(middle[1] * 16)), axes, 0, 0, 360, 255, -1, cv2.LINE_AA, 4)
    else:
        low = (round(middle[0] - width / 2), round(middle[1] - depth / 2))
        cv2.rectangle(cover, low, (low[0] + round(width), low[1] + round(depth)), 255, -1)
    small = cv2.resize(cover, (SPAN_MM[0] // 8, SPAN_MM[1] // 8), interpolation=cv2.INTER_AREA)
    shade = cv2.resize(cv2.GaussianBlur(small, (0, 0), 9), SPAN_MM, interpolation=cv2.INTER_LINEAR)
    floor = shaded(
        as_image(cv2.blur(floor, (5, 5))), as_heights(0.85 - shade.astype(np.float32) * np.float32(0.55 / 255))
    )
    rim = as_image(cv2.absdiff(cover, cv2.erode(cover, np.ones((7, 7), np.uint8))))
    ended = cv2.copyTo(top, cover, floor)
    return as_image(cv2.copyTo(cv2.convertScaleAbs(top, alpha=0.62), rim, ended))
