"""Random printed boards: the background of pieces, with flat print that resembles pieces."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from models.detector.shapes import outline, paint
from models.print_segmentation.painting import clouds, noise, painting, shaded
from vision.cameras.simulated.arrays import Floats, Image, as_floats

Colour = tuple[int, int, int]
Point = tuple[int, int]
_PAINTED_FRACTION = 0.75
"""Fraction of grounds that are illustrated landscapes."""
_RAGGED_FRACTION = 0.6
"""Fraction of boards whose tiles fade into the band between them."""
_BORDER_FRACTION = 0.3
"""Fraction of boards that end inside the picture."""
_MARKED_FRACTION = 0.6
"""Fraction of boards with printed marks."""
_MAX_MARKS = 12
"""Largest number of marks; most boards have few flat shapes that resemble pieces."""


def board(rng: np.random.Generator, side: int, tile: float) -> tuple[Image, Floats, Colour]:
    """Draw a random printed square board; return its picture, the edges between its tiles, and their colour.

    The picture and the colour are BGR; edges are segments in px, (n, 2, 2). side: of the picture, px. tile:
    circumradius of a tile, px.
    """
    grounds = [
        painting(rng, side) if rng.random() < _PAINTED_FRACTION else _ground(rng, side)
        for _ in range(int(rng.integers(2, 6)))
    ]
    which = np.zeros((side, side), np.uint8)
    corners = 6 if rng.random() < 0.6 else 4
    edges: list[Floats] = []
    for middle in _middles(rng, side, tile, corners):
        turns = 2 * np.pi * (np.arange(corners) + 0.5) / corners
        ring = as_floats(middle + tile * np.c_[np.cos(turns), np.sin(turns)])
        if rng.random() < 0.85:
            cv2.fillPoly(which, [np.round(ring).astype(np.int32)], float(rng.integers(len(grounds))))
        edges += [np.stack([ring[n], ring[(n + 1) % corners]]) for n in range(corners)]
    art = grounds[0].copy()
    for number in range(1, len(grounds)):
        cv2.copyTo(grounds[number], (which == number).astype(np.uint8), art)
    all_edges = np.stack(edges) if edges else np.zeros((0, 2, 2))
    band = _paths(rng, art, all_edges)
    for _ in range(int(rng.integers(0, _MAX_MARKS + 1)) if rng.random() < _MARKED_FRACTION else 0):
        _mark(rng, art, tile)
    if rng.random() < _BORDER_FRACTION:
        end_board(rng, art)
    return art, all_edges, band


def _middles(rng: np.random.Generator, side: int, tile: float, corners: int) -> Floats:
    down, across = (1.5 * tile, np.sqrt(3) * tile) if corners == 6 else (np.sqrt(2) * tile, np.sqrt(2) * tile)
    rows, columns = np.meshgrid(np.arange(-1, side / down + 1), np.arange(-1, side / across + 1), indexing="ij")
    shifted = columns + (0.5 * (rows % 2) if corners == 6 else 0.0)
    middles = np.stack([shifted * across, rows * down], axis=-1).reshape(-1, 2)
    if rng.random() < 0.3:
        middles = middles[rng.random(len(middles)) < 0.5]
    return as_floats(middles)


def _ground(rng: np.random.Generator, side: int) -> Image:
    """Draw a square of one random texture: clouds of some colours, often with strokes, dots or shapes."""
    palette = np.array([paint(rng) for _ in range(int(rng.integers(2, 5)))], np.float32)
    if rng.random() < 0.6:  # shades of one colour
        shades = palette[:1] * rng.uniform(0.55, 1.3, (3, 1)) + rng.normal(0, 14, (3, 3))
        palette = np.asarray(shades, np.float32)
    decay, octaves = float(rng.uniform(0.55, 0.85)), int(rng.integers(2, 7))
    # Drawn one by one, each just before its octave.
    cells = (max(2, round(side / float(rng.uniform(90, 160)) * 2**octave)) for octave in range(octaves))
    weight = noise(rng, side, decay, ((of, of) for of in cells))
    level = (weight - weight.mean()) / (2.5 * weight.std() + 1e-6) + 0.5
    ground = shaded(palette, np.asarray(level, np.float32), stepped=bool(rng.random() < 0.3))
    for what, often in (("shape", 0.15), ("stroke", 0.4), ("dot", 0.3)):
        if rng.random() < often:
            _scatter(rng, ground, what)
    return ground


def _scatter(rng: np.random.Generator, art: Image, what: str) -> None:
    side = art.shape[0]
    colours = [paint(rng) for _ in range(3)]
    for _ in range(4):  # art keeps to its colours: darker and lighter ones of what is there already
        own = art[rng.integers(side), rng.integers(side)]
        blue, green, red = np.clip(own * rng.uniform(0.4, 1.5), 0, 255).tolist()
        colours.append((int(blue), int(green), int(red)))
    size = float(rng.uniform(4, 34))
    way = float(rng.uniform(0, np.pi))
    for _ in range(int(np.exp(rng.uniform(3.4, 6.4)))):
        at, colour = rng.uniform(0, side, 2), colours[int(rng.integers(len(colours)))]
        if what == "stroke":
            turn = way + float(rng.normal(0, 0.4))
            end = at + size * float(rng.uniform(0.5, 2)) * np.array([np.cos(turn), np.sin(turn)])
            cv2.line(art, tuple(map(int, at)), tuple(map(int, end)), colour, int(rng.integers(1, 7)), cv2.LINE_AA)
        elif what == "dot":
            cv2.circle(art, tuple(map(int, at)), int(rng.uniform(1, size / 2 + 2)), colour, -1, cv2.LINE_AA)
        else:
            _shape(rng, art, at, size * float(rng.uniform(0.6, 1.6)), colour)


def _shape(
    rng: np.random.Generator, art: Image, at: Floats, size: float, colour: tuple[int, ...], rim: bool = False
) -> None:
    turn = float(rng.uniform(0, 2 * np.pi))
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    ring = np.round(np.array(outline(rng, size)) @ turned + at).astype(np.int32)
    cv2.fillPoly(art, [ring], colour, cv2.LINE_AA)
    if rim:
        cv2.polylines(art, [ring], True, tuple(int(v * 0.4) for v in colour), 2, cv2.LINE_AA)


def _paths(rng: np.random.Generator, art: Image, edges: Floats) -> Colour:
    """Draw the edges between tiles as a sharp or faded band, a line, or both; return the band's colour."""
    band, line = paint(rng), tuple(int(v * 0.3) for v in paint(rng))
    if rng.random() < 0.7:
        band = (int(rng.integers(110, 190)), int(rng.integers(170, 235)), int(rng.integers(210, 256)))  # sand
    if rng.random() < 0.15:
        return band
    wide, lined = int(rng.integers(0, 26)), rng.random() < 0.6
    ends = [((int(x0), int(y0)), (int(x1), int(y1))) for (x0, y0), (x1, y1) in edges]
    if wide > 2 and ends and rng.random() < _RAGGED_FRACTION:
        fade_into_band(rng, art, ends, wide, band)
    else:
        for start, end in ends if wide > 2 else ():
            cv2.line(art, start, end, band, wide, cv2.LINE_AA)
    for start, end in ends if lined else ():
        cv2.line(art, start, end, line, int(rng.integers(1, 5)), cv2.LINE_AA)
    return band


def fade_into_band(
    rng: np.random.Generator, art: Image, ends: Sequence[tuple[Point, Point]], wide: int, band: Colour
) -> None:
    """Draw bands between tiles with ragged, often darker borders, into which the tiles fade."""
    side = len(art)
    off = np.full((side, side), 255, np.uint8)
    for start, end in ends:
        cv2.line(off, start, end, 0.0, 1)
    rough = clouds(rng, side, float(rng.uniform(6, 25)), 0.7, 3)
    past = cv2.distanceTransform(off, cv2.DIST_L2, 3) - wide / 2 - rough * float(rng.uniform(0.3, 3))
    share = 1 / (1 + np.exp(np.clip(past / float(rng.uniform(0.4, 4)), -30, 30)))[..., None]
    rim = float(rng.uniform(0, 0.6)) * np.exp(-((past / float(rng.uniform(1.5, 6))) ** 2))[..., None]
    grain = 1 + clouds(rng, side, float(rng.uniform(3, 30)), 0.7, 3)[..., None] * float(rng.uniform(0.01, 0.1))
    faded = (art * (1 - share) + np.array(band) * share) * (1 - rim) * grain
    np.copyto(art, np.clip(faded, 0, 255), casting="unsafe")


def end_board(rng: np.random.Generator, art: Image) -> None:
    """Draw the board's edge inside the picture, with another surface beyond its edge."""
    side = len(art)
    turn, far = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.05, 0.2)) * side
    y, x = np.indices((side, side)) - side / 2
    beyond = (np.cos(turn) * x + np.sin(turn) * y > far).astype(np.uint8)
    cv2.copyTo(painting(rng, side), beyond, art)


def _mark(rng: np.random.Generator, art: Image, tile: float) -> None:
    """Draw a random mark: disc with a number, letters, bar as long as a piece, or shape with a dark rim."""
    side = art.shape[0]
    at, colour, chance = rng.uniform(0, side, 2), paint(rng), rng.random()
    x, y = map(int, at)
    if chance < 0.3:
        cv2.circle(art, (x, y), int(rng.uniform(0.1, 0.25) * tile), colour, -1, cv2.LINE_AA)
        cv2.putText(
            art,
            str(int(rng.integers(2, 13))),
            (x - 8, y + 8),
            cv2.FONT_HERSHEY_SIMPLEX,
            float(rng.uniform(0.4, 1.2)),
            paint(rng),
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    elif chance < 0.45:
        letters = "".join(rng.choice(list("AEIORSTNLM"), int(rng.integers(2, 9))))
        cv2.putText(
            art,
            letters,
            (x, y),
            cv2.FONT_HERSHEY_SIMPLEX,
            float(rng.uniform(0.4, 1.6)),
            colour,
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    elif chance < 0.65:
        turn, long = float(rng.uniform(0, np.pi)), float(rng.uniform(20, 80))
        end = (int(x + long * np.cos(turn)), int(y + long * np.sin(turn)))
        cv2.line(art, (x, y), end, colour, int(rng.integers(4, 18)), cv2.LINE_AA)
    else:
        _shape(rng, art, at, float(rng.uniform(20, 90)), colour, rim=bool(rng.random() < 0.6))
