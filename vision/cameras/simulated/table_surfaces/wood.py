"""Draw wooden table tops: solid, planks, parquet, herringbone, veneer.

Public functions return a whole table top, BGR, (1300, 2000, 3), with the grain rotated from +x by `Ground.angle`.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.simulated.array_types import Image, as_image
from vision.cameras.simulated.table_surfaces import colours
from vision.cameras.simulated.table_surfaces.parameters import Ground
from vision.cameras.simulated.table_surfaces.textures import grain, tile_over_table


def solid(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of one wide board, BGR."""
    return _coloured_table_top(ground, rng, grain(rng))


def veneer(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of sheets of veneer, each the mirror image of its neighbour, BGR."""
    figure = grain(rng)
    width = int(min(figure.shape[0], rng.uniform(140, 420)))
    top = int(rng.integers(0, figure.shape[0] - width + 1))
    leaf = figure[top : top + width]
    joined = np.concatenate([leaf, leaf[::-1]])
    joined[[0, width]] = cv2.convertScaleAbs(joined[[0, width]], alpha=float(rng.uniform(0.75, 1.0)))
    return _coloured_table_top(ground, rng, as_image(joined), wrapped=True)


def planks(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of planks with seams and butt joints, each with its own tone, BGR."""
    figure = grain(rng)
    width = int(rng.uniform(55, 190))
    count = max(3, round(1400 / width))
    length = int(rng.uniform(600, 1280))
    seam, seam_mm = float(rng.uniform(0.35, 0.85)), int(rng.integers(1, 4))
    tones, jointed = 1 + rng.normal(0, rng.uniform(0.02, 0.13), (count, 2)), rng.random() < 0.6
    tile = np.empty((count * width, 1280), np.uint8)
    for row in range(count):
        plank = _strip(figure, rng, width, tile.shape[1])
        if jointed:
            joint = int(rng.integers(0, length)) or 1  # OpenCV refuses an empty piece
            plank[:, :joint] = cv2.convertScaleAbs(plank[:, :joint], alpha=float(tones[row, 0]))
            plank[:, joint:] = cv2.convertScaleAbs(
                _strip(figure, rng, width, 1280 - joint), alpha=float(tones[row, 1])
            )
            plank[:, joint : joint + seam_mm] = _darkened(plank[:, joint : joint + seam_mm], seam)
        else:
            plank = as_image(cv2.convertScaleAbs(plank, alpha=float(tones[row, 0])))
        plank[:seam_mm] = _darkened(plank[:seam_mm], seam)
        tile[row * width : (row + 1) * width] = plank
    return _coloured_table_top(ground, rng, tile, wrapped=True)


def parquet(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of squares of strips, alternately along and across, BGR."""
    figure = grain(rng)
    strips = int(rng.integers(3, 8))
    strip = max(6, round(float(rng.uniform(90, 220)) / strips))
    side, seam = strip * strips, float(rng.uniform(0.5, 0.85))
    spread_of_tones = float(rng.uniform(0.03, 0.12))
    squares = 4
    tile = np.empty((squares * side, squares * side), np.uint8)
    for row in range(squares):
        for column in range(squares):
            square = np.empty((side, side), np.uint8)
            for number in range(strips):
                piece = cv2.convertScaleAbs(
                    _strip(figure, rng, strip, side), alpha=float(1 + rng.normal(0, spread_of_tones))
                )
                piece[0] = _darkened(piece[0], seam)
                square[number * strip : (number + 1) * strip] = piece
            square[:, 0] = _darkened(square[:, 0], seam)
            place = (slice(row * side, (row + 1) * side), slice(column * side, (column + 1) * side))
            tile[place] = square.T if (row + column) % 2 else square
    return _coloured_table_top(ground, rng, tile, wrapped=True)


def herringbone(ground: Ground, rng: np.random.Generator) -> Image:
    """Return a whole table top of strips in herringbone, the end of each meeting the side of the next, BGR."""
    figure = grain(rng)
    ratio, width = int(rng.integers(3, 6)), int(rng.uniform(28, 60))
    seam, spread_of_tones = float(rng.uniform(0.5, 0.85)), float(rng.uniform(0.03, 0.12))
    period = 2 * ratio * width
    tile = np.empty((period, period), np.uint8)
    for number in range(2 * ratio):
        for upright in (False, True):
            strip = as_image(
                cv2.convertScaleAbs(
                    _strip(figure, rng, width, ratio * width), alpha=float(1 + rng.normal(0, spread_of_tones))
                )
            )
            strip[0], strip[:, 0] = _darkened(strip[0], seam), _darkened(strip[:, 0], seam)
            # In cells of a strip's width: lying strips begin on the diagonal, upright ones just below it.
            column, row = (number, number + 1) if upright else (number, number)
            strip = strip.T if upright else strip
            rows = (row * width + np.arange(strip.shape[0])) % period
            columns = (column * width + np.arange(strip.shape[1])) % period
            tile[np.ix_(rows, columns)] = strip
    return _coloured_table_top(ground, rng, tile, wrapped=True)


def _strip(figure: Image, rng: np.random.Generator, height: int, width: int) -> Image:
    """Return a strip of wood of this size (px), cut at random from a picture of grain and randomly mirrored."""
    top = int(rng.integers(0, max(1, figure.shape[0] - height)))
    left = int(rng.integers(0, max(1, figure.shape[1] - width)))
    piece = figure[top : top + height, left : left + width]
    flipped = cv2.flip(piece, int(rng.integers(-1, 2)))
    return as_image(cv2.resize(flipped, (width, height))) if flipped.shape != (height, width) else as_image(flipped)


def _darkened(part: Image, factor: float) -> Image:
    """Return pixels multiplied by a factor, in the same shape."""
    return as_image(cv2.convertScaleAbs(part, alpha=factor).reshape(part.shape))


def _coloured_table_top(ground: Ground, rng: np.random.Generator, shade: Image, *, wrapped: bool = False) -> Image:
    """Return a whole table top covered with copies of a picture of 8-bit shades, in a colour of wood, BGR.

    wrapped: the picture repeats without seams; else its mirror image continues it.
    """
    base = colours.Palette(ground.colours).take(colours.wood(rng))
    # Solid boards do not repeat: their mirror image continues at the border.
    border = cv2.BORDER_WRAP if wrapped else cv2.BORDER_REFLECT_101
    tiled = tile_over_table(shade, rng, ground.angle, ground.scale, border)
    return colours.coloured(tiled, base, rng, ground.contrast)
