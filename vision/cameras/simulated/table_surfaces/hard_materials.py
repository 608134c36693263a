"""Draw table tops of hard materials or paper: tiles, terrazzo, stone, lacquer and newspapers.

Functions of a `Ground` return a whole table top, BGR, (1300, 2000, 3).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Floats, Image, Mask, as_floats, as_heights, as_image
from vision.cameras.simulated.table_surfaces.colours import (
    Palette,
    coloured,
    hsv,
    paint,
    shaded,
    shades,
    stone,
    unlike,
)
from vision.cameras.simulated.table_surfaces.compositing import paste_rotated
from vision.cameras.simulated.table_surfaces.parameters import Bgr, Ground
from vision.cameras.simulated.table_surfaces.textures import SPAN_MM, noise, stamp_wrapped, tile_over_table, veins


def marble(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of one slab of stone, BGR."""
    base = Palette(ground.colours).take(stone(rng))
    slab = shades(veins(rng))
    turned = tile_over_table(slab, rng, ground.angle, ground.scale, cv2.BORDER_REFLECT_101)
    return coloured(turned, base, rng, ground.contrast)


def lacquer(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole plain table top of one colour, BGR: lacquer, laminate, oilcloth or paper."""
    base = Palette(ground.colours).take(paint(rng))
    size = (SPAN_MM[0] // 4, SPAN_MM[1] // 4)
    field = 1 + np.float32(rng.uniform(0.005, 0.03)) * noise(rng, (70, 70), size)
    whole = cv2.resize(as_heights(field), SPAN_MM, interpolation=cv2.INTER_LINEAR)
    speckles = noise(rng, (2.0, 2.0)) * np.float32(rng.uniform(0, 0.02))
    return coloured(shades(as_heights(cv2.add(whole, speckles))), base, rng, ground.contrast)


def tiles(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of square tiles with grout, plain or with an ornament on each, BGR."""
    palette = Palette(ground.colours)
    base, count, side = palette.take(paint(rng)), 4, 120
    grout, gap = palette.take(unlike(rng, base, 30)), int(rng.integers(2, 7))
    second = palette.take(unlike(rng, base)) if rng.random() < 0.3 else base
    ornament = _ornament(rng, side, palette.take(unlike(rng, base))) if rng.random() < 0.4 else None
    tile = np.empty((count * side, count * side, 3), np.uint8)
    for row in range(count):
        for column in range(count):
            colour = (base, second)[(row + column) % 2]
            square = np.empty((side, side, 3), np.uint8)
            square[:] = np.clip(as_heights(colour) * rng.normal(1, 0.03), 0, 255).astype(np.uint8)
            if ornament is not None:
                print_, cover = ornament
                square[cover] = print_
            square[:gap], square[:, :gap] = grout, grout
            tile[row * side : (row + 1) * side, column * side : (column + 1) * side] = square
    period = float(rng.uniform(45, 260)) * count
    return _glazed(ground, rng, tile, period)


def _ornament(rng: np.random.Generator, side: int, colour: Bgr) -> tuple[Bgr, Mask]:
    """Return the colour and mask (side, side) of a random ornament of four mirrored quarters."""
    quarter = np.zeros((side // 2, side // 2), np.uint8)
    for _ in range(int(rng.integers(2, 5))):
        at = (int(rng.uniform(0, side // 2)), int(rng.uniform(0, side // 2)))
        radius = int(rng.uniform(8, 40))
        cv2.circle(quarter, at, radius, 255, int(rng.choice([-1, 3, 5])))
    half = np.concatenate([quarter, quarter[:, ::-1]], axis=1)
    return colour, np.asarray(np.concatenate([half, half[::-1]]) > 127)


def hexagons(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of hexagonal tiles with grout, in tones of one or two colours, BGR."""
    palette = Palette(ground.colours)
    base, reach, across, down = palette.take(paint(rng)), 40, 6, 4
    grout = palette.take(unlike(rng, base, 30))
    paints = [base, base, palette.take(unlike(rng, base))] if rng.random() < 0.5 else [base]
    step = (reach * np.sqrt(3), reach * 1.5)
    tile = np.empty((round(step[1] * down), round(step[0] * across), 3), np.uint8)
    tile[:] = grout
    corners = np.radians(np.arange(30, 390, 60))
    shape = np.c_[np.cos(corners), np.sin(corners)] * (reach - float(rng.uniform(1.5, 4)))
    for row in range(down):
        for column in range(across):
            colour = np.clip(as_heights(paints[int(rng.integers(len(paints)))]) * rng.normal(1, 0.05), 0, 255)
            at = ((column + row % 2 / 2) * step[0], row * step[1])

            def hexagon(x: float, y: float, colour: tuple[float, ...] = tuple(float(v) for v in colour)) -> None:
                points = np.round((shape + as_floats((x, y))) * 16).astype(np.int32)
                cv2.fillConvexPoly(tile, points, colour, cv2.LINE_AA, 4)

            stamp_wrapped(tile, at, 2 * reach, hexagon)
    return _glazed(ground, rng, tile, float(rng.uniform(24, 110)) * across)


def _glazed(ground: Ground, rng: np.random.Generator, tile: Image, period: float) -> Image:
    """Return a whole table top covered with copies of a tile (BGR), slightly uneven in brightness.

    period: width of the tile, mm, before `ground.scale`.
    """
    mean = tile.reshape(-1, 3).mean(axis=0)
    tile = as_image(np.clip(mean + (tile - mean) * ground.contrast, 0, 255))
    flat = tile_over_table(tile, rng, ground.angle, period * ground.scale / tile.shape[1])
    size = (SPAN_MM[0] // 4, SPAN_MM[1] // 4)
    uneven = 1 + np.float32(rng.uniform(0.01, 0.06)) * noise(rng, (24, 24), size)
    return shaded(flat, as_heights(cv2.resize(as_heights(uneven), SPAN_MM, interpolation=cv2.INTER_LINEAR)))


def terrazzo(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of terrazzo, BGR: chips of several stones cast into cement and polished."""
    palette, side = Palette(ground.colours), 420
    base = palette.take(stone(rng))
    paints = [palette.take(stone(rng) if rng.random() < 0.6 else unlike(rng, base)) for _ in range(4)]
    tile = np.empty((side, side, 3), np.uint8)
    tile[:] = base
    largest = float(rng.uniform(6, 22))
    for _ in range(int(rng.uniform(1.0, 3.0) * 5500 / largest)):
        reach = float(largest * rng.random() ** 2 + 1.5)
        angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(4, 8))))
        chip = (
            np.c_[np.cos(angles), np.sin(angles) * rng.uniform(0.5, 1)]
            * reach
            * rng.uniform(0.6, 1, (len(angles), 1))
        )
        colour = paints[int(rng.integers(len(paints)))]

        def cast(x: float, y: float, chip: Floats = chip, colour: Bgr = colour) -> None:
            cv2.fillPoly(tile, [np.round((chip + as_floats((x, y))) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)

        stamp_wrapped(tile, (float(rng.uniform(0, side)), float(rng.uniform(0, side))), reach, cast)
    return _glazed(ground, rng, tile, float(rng.uniform(300, 600)))


def newspaper(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top under pages of newspapers, roughly parallel to the ground's angle, BGR."""
    top = lacquer(ground, rng)
    pages = [_page(rng) for _ in range(3)]
    for _ in range(int(rng.integers(9, 16))):
        at = (float(rng.uniform(-900, 900)), float(rng.uniform(-560, 560)))
        turn = ground.angle + float(rng.normal(0, 12)) + float(rng.integers(4)) * 90
        paste_rotated(top, pages[int(rng.integers(3))], at, turn, float(rng.uniform(0.75, 1.1)) * ground.scale)
    return top


def _page(rng: np.random.Generator) -> Image:
    """Return a page with headings, columns of text and pictures, 400 × 560 mm, as BGRA at 1 px/mm."""
    width, height = 400, 560
    paper = hsv(rng.uniform(10, 28), rng.uniform(0, 30), rng.uniform(195, 240))
    ink = tuple(round(v * float(rng.uniform(0.2, 0.4))) for v in paper)
    page = np.empty((height, width, 4), np.uint8)
    page[:] = (*paper, 255)
    count = int(rng.integers(3, 6))
    letters = "".join(chr(int(v)) for v in rng.integers(65, 91, 12))
    size = float(rng.uniform(1.2, 2.0))
    cv2.putText(page, letters, (14, 46), cv2.FONT_HERSHEY_TRIPLEX, size, (*ink, 255), 3, cv2.LINE_AA)
    for column in range(count):
        left, right = round((column + 0.08) * width / count), round((column + 0.94) * width / count)
        y = 64
        while y < height - 14:
            share = rng.random()
            if share < 0.03:
                depth = min(int(rng.integers(50, 130)), height - 14 - y)
                photo = hsv(rng.uniform(0, 180), rng.uniform(0, 140), rng.uniform(60, 200))
                tones = 0.6 + 0.4 * rng.random((4, 4, 1))
                picture = cv2.resize(
                    tones * as_heights(photo), (right - left, depth), interpolation=cv2.INTER_CUBIC
                )
                page[y : y + depth, left:right, :3] = np.clip(picture, 0, 255).astype(np.uint8)
                y += depth + 8
            elif share < 0.06:
                heading = "".join(chr(int(v)) for v in rng.integers(65, 91, 7))
                cv2.putText(
                    page, heading, (left, y + 12), cv2.FONT_HERSHEY_DUPLEX, 0.5, (*ink, 255), 1, cv2.LINE_AA
                )
                y += 20
            else:
                x = left
                while x < right - 3:
                    end = min(right, x + int(rng.integers(4, 15)))
                    page[y : y + 2, x:end, :3] = ink
                    x = end + 2
                y += 4
    return page
