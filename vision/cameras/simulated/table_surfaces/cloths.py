"""Draw cloths with woven, printed and sewn patterns.

Functions of a `Palette` return a tile (BGR) that repeats without seams, and its typical size in mm.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.array_types import Floats, Heights, Image, as_floats, as_heights, as_image
from vision.cameras.simulated.table_surfaces.colours import Palette, hsv, paint, shaded, unlike
from vision.cameras.simulated.table_surfaces.parameters import Bgr, Ground
from vision.cameras.simulated.table_surfaces.textures import creases, stamp_wrapped, tile_over_table, weave

Pattern = Callable[[np.random.Generator, Palette], tuple[Image, float]]
"""Function that draws a tile (BGR) and returns it with its typical size in mm."""


def cloth(ground: Ground, rng: np.random.Generator, pattern: Pattern) -> Image:
    """Return a whole table top covered with a cloth of a pattern, with weave, folds and waves, BGR.

    pattern: draws a tile of it, such as `gingham`.
    """
    tile, period = pattern(rng, Palette(ground.colours))
    tile = _contrasted(tile, ground.contrast)
    flat = tile_over_table(tile, rng, ground.angle, period * ground.scale / tile.shape[1])
    return shaded(flat, creases(rng, float(rng.uniform(0, 0.07)), float(rng.uniform(0.0, 0.05))))


def felt(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top covered with felt or another cloth of one colour, BGR."""
    flat = np.empty((1, 1, 3), np.uint8)
    flat[:] = Palette(ground.colours).take(paint(rng))
    field = as_heights(cv2.multiply(creases(rng, 0.02), weave(rng, float(rng.uniform(0.03, 0.1)))))
    return shaded(as_image(np.tile(flat, (*field.shape, 1))), field)


def _contrasted(tile: Image, contrast: float) -> Image:
    """Return a tile with its contrast around its mean colour multiplied by a factor."""
    mean = tile.reshape(-1, 3).mean(axis=0)
    return as_image(np.clip(mean + (tile - mean) * contrast, 0, 255))


def _filled(side: int, base: Bgr) -> Image:
    """Return a square tile of one colour. side: px."""
    tile = np.empty((side, side, 3), np.uint8)
    tile[:] = base
    return tile


def checks(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of a chessboard of two colours, and its typical size, mm."""
    base = palette.take(paint(rng))
    other = palette.take(unlike(rng, base))
    tile = _filled(64, base)
    tile[:32, :32] = tile[32:, 32:] = other
    return tile, float(rng.uniform(30, 110))


def gingham(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of gingham, stripes that are darker where they cross, and its size, mm."""
    base = palette.take(hsv(rng.uniform(0, 180), rng.uniform(0, 20), rng.uniform(215, 250)))
    stripe = palette.take(unlike(rng, base, 80))
    at = np.arange(96) / 96
    return _crossed(base, stripe, (at < 0.5).astype(np.float32), 0.5), float(rng.uniform(14, 90))


def tartan(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of a tartan, bands of several colours woven together, and its size, mm."""
    side = 240
    base = palette.take(paint(rng))
    sett = np.empty((side, 3), np.float32)
    sett[:] = base
    for _ in range(int(rng.integers(2, 5))):
        colour = palette.take(unlike(rng, base))
        middle, wide, lines = int(rng.integers(side)), int(rng.integers(6, 50)), int(rng.integers(1, 3))
        for line in range(lines):
            sett[(middle + line * (wide + 8) + np.arange(wide)) % side] = colour
    # Warp and weft alternate along the twill's diagonals.
    over = (np.add.outer(np.arange(side), np.arange(side)) % 4 < 2)[..., None]
    woven = np.where(over, sett[None], sett[:, None])
    return as_image(cv2.GaussianBlur(woven, (0, 0), 0.8)), float(rng.uniform(110, 260))


def _crossed(base: Bgr, stripe: Bgr, weft: Heights, strength: float) -> Image:
    """Return a square tile of stripes in both directions.

    weft: weight of `stripe` against `base` at each px across one period, 0..1. strength: factor of the weights.
    """
    share = (weft[None] + weft[:, None]) * np.float32(strength)
    low, high = as_heights(base), as_heights(stripe)
    return as_image(low + (high - low) * np.clip(share, 0, 1)[..., None])


def stripes(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of stripes along +x, of two to five colours, and its typical size, mm."""
    side = 160
    base = palette.take(paint(rng))
    tile = _filled(side, base)
    for _ in range(int(rng.integers(1, 5))):
        start, wide = int(rng.integers(side)), int(side * rng.uniform(0.05, 0.45))
        tile[(start + np.arange(wide)) % side] = palette.take(unlike(rng, base))
    period = float(rng.uniform(18, 90)) if rng.random() < 0.7 else float(rng.uniform(90, 260))
    return tile, period


def dots(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of polka dots, in rows or scattered, and its typical size, mm."""
    side = 160
    base = palette.take(paint(rng))
    tile = _filled(side, base)
    paints = [palette.take(unlike(rng, base)) for _ in range(int(rng.integers(1, 4)))]
    radius = float(rng.uniform(0.07, 0.2)) * side
    regular = [(0.25, 0.25), (0.75, 0.75)]
    spots = (
        regular if rng.random() < 0.65 else [(rng.random(), rng.random()) for _ in range(int(rng.integers(3, 9)))]
    )
    for number, (x, y) in enumerate(spots):
        colour = paints[number % len(paints)]
        stamp_wrapped(tile, (x * side, y * side), radius, lambda u, v, c=colour: _disc(tile, u, v, radius, c))
    return tile, float(rng.uniform(22, 110))


def _disc(tile: Image, x: float, y: float, radius: float, colour: Bgr) -> None:
    cv2.circle(tile, (round(x * 16), round(y * 16)), round(radius * 16), colour, -1, cv2.LINE_AA, 4)


def flowers(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of blossoms with leaves and stems, and its typical size, mm."""
    side = 360
    base = palette.take(paint(rng))
    tile = _filled(side, base)
    if rng.random() < 0.25:
        under = (stripes, gingham)[int(rng.integers(2))](rng, Palette((base,)))[0]
        tile = as_image(cv2.resize(np.tile(under, (3, 3, 1)), (side, side), interpolation=cv2.INTER_AREA))
    greens = [hsv(rng.uniform(32, 85), rng.uniform(50, 200), rng.uniform(50, 190)) for _ in range(2)]
    paints = [palette.take(unlike(rng, base)) for _ in range(int(rng.integers(2, 5)))]
    largest = float(rng.uniform(0.05, 0.15)) * side
    sorts = [
        (largest * float(rng.uniform(0.5, 1.2)), int(rng.integers(4, 9)), float(rng.uniform(0.2, 0.42)))
        for _ in range(int(rng.integers(1, 4)))
    ]
    for at in _scattered(rng, int(rng.integers(8, 26)), side):
        reach, petals, slim = sorts[int(rng.integers(len(sorts)))]
        turn, heart = float(rng.uniform(0, 2 * np.pi)), paints[int(rng.integers(len(paints)))]
        colour, green = paints[int(rng.integers(len(paints)))], greens[int(rng.integers(2))]

        def blossom(
            x: float,
            y: float,
            reach: float = reach,
            petals: int = petals,
            slim: float = slim,
            turn: float = turn,
            heart: Bgr = heart,
            colour: Bgr = colour,
            green: Bgr = green,
        ) -> None:
            _stem(tile, x, y, reach, turn, green)
            _petals(tile, x, y, reach, petals, slim, turn, colour)
            _disc(tile, x, y, reach * 0.24, heart)

        stamp_wrapped(tile, at, 3 * reach, blossom)
    return tile, float(rng.uniform(110, 420))


def _scattered(rng: np.random.Generator, count: int, side: int) -> list[tuple[float, float]]:
    """Return random positions (px) of motifs on a square tile, well apart. side: of the tile, px."""
    placed: list[Floats] = []
    for _ in range(count):
        tries = rng.uniform(0, side, (6, 2))
        if placed:
            away = np.abs(tries[:, None] - np.asarray(placed)[None])
            distances = np.hypot(*np.moveaxis(np.minimum(away, side - away), -1, 0)).min(axis=1)
            placed.append(tries[int(distances.argmax())])
        else:
            placed.append(tries[0])
    return [(float(x), float(y)) for x, y in placed]


def _petals(
    tile: Image, x: float, y: float, reach: float, count: int, slim: float, turn: float, colour: Bgr
) -> None:
    """Draw the petals of a blossom around (x, y) in place.

    reach: radius of the blossom, px. count: number of petals. slim: half a petal's width relative to `reach`. turn:
    direction of the first, radians.
    """
    darker = tuple(round(v * 0.78) for v in colour)
    for number in range(count):
        angle = turn + 2 * np.pi * number / count
        middle = (round(x + reach * 0.55 * np.cos(angle)), round(y + reach * 0.55 * np.sin(angle)))
        axes = (max(1, round(reach * 0.5)), max(1, round(reach * slim)))
        cv2.ellipse(tile, middle, axes, float(np.degrees(angle)), 0, 360, colour, -1, cv2.LINE_AA)
        cv2.ellipse(tile, middle, axes, float(np.degrees(angle)), 0, 360, darker, 1, cv2.LINE_AA)


def _stem(tile: Image, x: float, y: float, reach: float, turn: float, green: Bgr) -> None:
    """Draw the stem and leaves of a blossom at (x, y) in place. reach: its radius, px. turn: direction, radians."""
    end = (round(x + reach * 2.6 * np.cos(turn)), round(y + reach * 2.6 * np.sin(turn)))
    cv2.line(tile, (round(x), round(y)), end, green, max(1, round(reach * 0.13)), cv2.LINE_AA)
    for side in (-0.7, 0.7):
        along = (x + reach * 1.6 * np.cos(turn), y + reach * 1.6 * np.sin(turn))
        middle = (
            round(along[0] + reach * 0.45 * np.cos(turn + side)),
            round(along[1] + reach * 0.45 * np.sin(turn + side)),
        )
        axes = (max(1, round(reach * 0.5)), max(1, round(reach * 0.18)))
        cv2.ellipse(tile, middle, axes, float(np.degrees(turn + side)), 0, 360, green, -1, cv2.LINE_AA)


def paisley(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of paisley, curved drops ringed by dots, and its typical size, mm."""
    side = 320
    base = palette.take(paint(rng))
    tile = _filled(side, base)
    outer, inner, accent = (palette.take(unlike(rng, base)) for _ in range(3))
    size = side * float(rng.uniform(0.2, 0.27))
    for number, (x, y) in enumerate(((0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25))):
        turn = float(rng.uniform(0, 2 * np.pi))
        part = size if number < 2 else size * 0.6

        def drop(x: float, y: float, part: float = part, turn: float = turn) -> None:
            for scale, colour in ((1.0, outer), (0.8, base), (0.68, inner), (0.4, accent)):
                outline = _drop(x, y, part * scale, turn)
                cv2.fillPoly(tile, [outline], colour, cv2.LINE_AA, 4)
            for k in range(10):
                angle = turn + 2 * np.pi * k / 10
                _disc(tile, x + part * 1.3 * np.cos(angle), y + part * 1.3 * np.sin(angle), part * 0.09, outer)

        stamp_wrapped(tile, (x * side, y * side), 2 * size, drop)
    return tile, float(rng.uniform(90, 340))


def _drop(x: float, y: float, size: float, turn: float) -> NDArray[np.int32]:
    """Return the outline of a paisley drop around (x, y), px, as points (N, 2) in 1/16 px.

    size: half its length, px. turn: direction of its length, radians.
    """
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    along = np.cos(t) * size
    across = np.sin(t) * size * 0.75 * np.sin(t / 2)
    across += 0.35 * size * (along / size) ** 2 * (along > 0)  # the tip is bent to one side
    points = np.c_[along * np.cos(turn) - across * np.sin(turn), along * np.sin(turn) + across * np.cos(turn)]
    return np.asarray(np.round((points + as_floats((x, y))) * 16), np.int32)


def lace(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of lace over an under-cloth, rosettes joined by a net, and its size, mm."""
    side = 216
    base = palette.take(paint(rng))
    thread = palette.take(
        unlike(rng, base, 70) if rng.random() < 0.4 else hsv(20, rng.uniform(0, 40), rng.uniform(225, 250))
    )
    tile = _filled(side, base)
    net = int(rng.choice([12, 18, 24]))
    for k in range(0, 2 * side, net):
        cv2.line(tile, (k, 0), (k - side, side), thread, 1, cv2.LINE_AA)
        cv2.line(tile, (k - side, 0), (k, side), thread, 1, cv2.LINE_AA)
    petals, thick = int(rng.integers(6, 13)), int(rng.integers(2, 5))
    for at, reach in (((side / 2, side / 2), side * 0.4), ((0.0, 0.0), side * 0.22)):

        def rosette(x: float, y: float, reach: float = reach) -> None:
            for k in range(petals):
                angle = 360.0 * k / petals
                off = (
                    round(x + reach * 0.6 * np.cos(np.radians(angle))),
                    round(y + reach * 0.6 * np.sin(np.radians(angle))),
                )
                axes = (round(reach * 0.36), max(2, round(reach * 1.6 / petals)))
                cv2.ellipse(tile, off, axes, angle, 0, 360, thread, -1 if k % 2 else thick, cv2.LINE_AA)
            for part in (0.2, 1.0):
                cv2.circle(tile, (round(x), round(y)), round(reach * part), thread, thick, cv2.LINE_AA)

        stamp_wrapped(tile, at, 2 * reach, rosette)
    return tile, float(rng.uniform(40, 170))


def patchwork(rng: np.random.Generator, palette: Palette) -> tuple[Image, float]:
    """Return a seamless tile (BGR) of a quilt, squares of other cloths with visible seams, and its size, mm."""
    count, cell = int(rng.integers(3, 6)), 96
    sorts = (checks, gingham, stripes, dots, flowers)
    cloths = []
    for _ in range(5):
        if rng.random() < 0.35:
            cloths.append(_filled(cell, palette.take(paint(rng))))
        else:
            tile, _ = sorts[int(rng.integers(len(sorts)))](rng, Palette(()))
            repeats = 1 if tile.shape[0] > 200 else int(rng.integers(2, 5))
            many = np.tile(tile, (repeats, repeats, 1))
            cloths.append(as_image(cv2.resize(many, (cell, cell), interpolation=cv2.INTER_AREA)))
    quilt = np.empty((count * cell, count * cell, 3), np.uint8)
    for row in range(count):
        for column in range(count):
            patch = np.rot90(cloths[int(rng.integers(len(cloths)))], int(rng.integers(4))).copy()
            patch[:2], patch[:, :2] = as_image(patch[:2] * 0.6), as_image(patch[:, :2] * 0.6)
            quilt[row * cell : (row + 1) * cell, column * cell : (column + 1) * cell] = patch
    return quilt, float(rng.uniform(70, 170)) * count
