"""Scenes of wooden pieces on a printed board, drawn face by face, with masks and paints as ground truth."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import coded, linear
from models.detector.shapes import outline, paint
from models.print_segmentation.art import Colour, board
from vision.cameras.simulated.arrays import Floats, Image, as_floats

SIDE_PX = 256
"""Side of a scene, px."""
_FINER = 2
"""Supersampling factor."""
_REACH = 3.2
"""Size of the drawn board relative to the picture: a tilted camera shows more of it."""
_BOARD_PAINT_FRACTION = 0.35
"""Fraction of paints in the board's own colours."""
_BAND_PAINT_FRACTION = 0.2
"""Fraction of paints in the colour printed between tiles."""


@dataclass(frozen=True, slots=True)
class PrintedScene:
    """Picture with ground truth."""

    image: Image
    """BGR picture."""
    whose: NDArray[np.uint8]
    """1 + index of the object at each pixel, 0 for none."""
    paints: NDArray[np.uint8]
    """Linear BGR 0..255 of each object, (objects, 3)."""


@dataclass(frozen=True, slots=True)
class _Camera:
    """Camera centred on a board. Units are px on the board; x right, y away, z up."""

    tilt: float
    """Angle from straight down, radians."""
    far: float
    """Distance from the board's centre, px of the board."""
    turn: float
    """Rotation about the vertical axis, radians."""
    stretch: float
    """Aspect ratio of its pixels."""

    def see(self, points: Floats) -> tuple[Floats, Floats]:
        """Project points (n, 3) to pixels of the supersampled picture, (n, 2), and depths, (n,)."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        x, y = points[:, 0] * c - points[:, 1] * s, points[:, 0] * s + points[:, 1] * c
        up = y * np.cos(self.tilt) + points[:, 2] * np.sin(self.tilt)
        near = points[:, 2] * np.cos(self.tilt) - y * np.sin(self.tilt)
        scale = _FINER * self.far / (self.far - near)
        half = _FINER * SIDE_PX / 2
        wide = np.sqrt(self.stretch)
        return as_floats(np.stack([half + scale * x * wide, half - scale * up / wide], axis=1)), as_floats(near)


@dataclass(frozen=True, slots=True)
class _Block:
    """A prism: lower and upper ring of corners, (n, 3) each, and its paint (linear BGR)."""

    low: Floats
    """Lower ring of corners, (n, 3)."""
    high: Floats
    """Upper ring of corners, (n, 3)."""
    colour: Floats
    """Paint, linear BGR."""


def scene(rng: np.random.Generator) -> PrintedScene:
    """Render a random board with objects on it, in a random view and light."""
    camera = _Camera(
        float(np.radians(rng.uniform(0, 62))),
        float(rng.uniform(500, 2500)),
        float(rng.uniform(0, 6.28)),
        float(np.exp(rng.normal(0, 0.15))),
    )
    size = float(rng.uniform(17, 42))
    tile = size * float(rng.uniform(1.3, 3.2))
    side = int(_REACH * SIDE_PX)
    art, edges, band = board(rng, side, tile)
    middle = side / 2
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float64)
    flat = np.c_[corners[:, 0] - middle, middle - corners[:, 1], np.zeros(4)]
    way = cv2.getPerspectiveTransform(corners.astype(np.float32), camera.see(as_floats(flat))[0].astype(np.float32))
    fine = _FINER * SIDE_PX
    seen = cv2.warpPerspective(art, way, (fine, fine), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    picture = linear(np.asarray(seen, np.uint8))
    lines = np.stack([edges[..., 0] - middle, middle - edges[..., 1]], axis=-1)
    blocks = _blocks(rng, size, as_floats(lines), art, band)
    light = _light(rng)
    picture *= _shadows(rng, blocks, camera, light)[..., None]
    whose = np.zeros((fine, fine), np.uint8)
    ambient = float(rng.uniform(0.35, 0.7))
    depth = [float(camera.see(block.high.mean(axis=0)[None])[1][0]) for block in blocks]
    grain = 1 + cv2.GaussianBlur(rng.standard_normal((fine, fine)).astype(np.float32), (0, 0), 2)[..., None] * 0.25
    for number in np.argsort(depth):
        _draw(picture, whose, blocks[number], int(number) + 1, camera, (light, ambient), grain, rng)
    small = cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
    paints = np.array([255 * np.clip(block.colour, 0, 1) for block in blocks], np.uint8).reshape(-1, 3)
    return PrintedScene(
        _taken(rng, np.asarray(small, np.float32)), np.ascontiguousarray(whose[1::_FINER, 1::_FINER]), paints
    )


def _blocks(rng: np.random.Generator, size: float, lines: Floats, art: Image, band: Colour) -> list[_Block]:
    """Return random blocks on edges between tiles, on the ends of edges, and elsewhere."""
    side = art.shape[0]
    paints = [as_floats(np.array(paint(rng), np.float64)) for _ in range(int(rng.integers(2, 6)))]
    for number in range(len(paints)):
        chance = rng.random()
        if chance < _BOARD_PAINT_FRACTION + _BAND_PAINT_FRACTION:
            row, column = rng.integers(side // 3, 2 * side // 3, 2)
            own = art[row, column] if chance < _BOARD_PAINT_FRACTION else np.array(band)
            paints[number] = as_floats(np.clip(own * rng.uniform(0.8, 1.25), 0, 255))
    colours = [_linear_of(value) for value in paints]
    reach = 0.75 * SIDE_PX
    near = lines[np.abs(lines.mean(axis=1)).max(axis=1) < reach] if len(lines) else lines
    shapes = [outline(rng, size * float(rng.uniform(0.6, 1.0))) for _ in range(3)]
    thick, high = float(rng.uniform(0.16, 0.3)) * size, float(rng.uniform(0.16, 0.34)) * size
    blocks: list[_Block] = []
    taken: list[Floats] = []
    for _ in range(int(rng.integers(0, 46)) if rng.random() < 0.93 else 0):
        chance = rng.random()
        turn = float(rng.uniform(0, 6.28))
        if len(near) and chance < 0.65:
            line = near[int(rng.integers(len(near)))]
            turn = float(np.arctan2(*(line[1] - line[0])[::-1])) + float(rng.normal(0, 0.06))
            near_to = line.mean(axis=0) if chance < 0.42 else line[int(rng.integers(2))]
            at = as_floats(near_to + rng.normal(0, 0.06 * size, 2))
        else:
            at = as_floats(rng.uniform(-reach, reach, 2))
        if any(np.hypot(*(at - other)) < 0.55 * size for other in taken):
            continue
        taken.append(at)
        colour = colours[int(rng.integers(len(colours)))]
        bar = chance < 0.42 or rng.random() < 0.3
        blocks.append(
            _bar(at, turn, (0.9 * size, thick, high), colour)
            if bar
            else _thing(rng, at, turn, shapes[int(rng.integers(3))], size, colour)
        )
    return blocks


def _bar(at: Floats, turn: float, sides: tuple[float, float, float], colour: Floats) -> _Block:
    long, wide, high = sides
    ring = np.array([[-long, -wide], [long, -wide], [long, wide], [-long, wide]]) / 2
    ring = ring @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + at
    return _Block(as_floats(np.c_[ring, np.zeros(4)]), as_floats(np.c_[ring, np.full(4, high)]), colour)


_HOUSE = ((-0.5, 0), (0.5, 0), (0.5, 0.5), (0, 0.95), (-0.5, 0.5))
"""Outline of a house, in units of its width."""
_CHURCH = ((-0.8, 0), (0.6, 0), (0.6, 0.5), (-0.05, 0.5), (-0.05, 0.85), (-0.42, 1.2), (-0.8, 0.85))
"""Outline of a church, in the same units."""


def _thing(
    rng: np.random.Generator,
    at: Floats,
    turn: float,
    shape: tuple[tuple[float, float], ...],
    size: float,
    colour: Floats,
) -> _Block:
    """Return a block with the shape of an extruded silhouette, lying flat or standing on its base."""
    chance = rng.random()
    deep = size * float(rng.uniform(0.25, 0.55))
    if chance < 0.45:
        ring = np.array(shape)
        flat = ring @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + at
        n = len(ring)
        return _Block(as_floats(np.c_[flat, np.zeros(n)]), as_floats(np.c_[flat, np.full(n, deep)]), colour)
    standing = as_floats(np.array(_HOUSE if chance < 0.7 else _CHURCH) * (size * 0.62))
    ring = standing if chance < 0.85 else as_floats(np.array(shape))
    ring[:, 1] -= ring[:, 1].min()
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    ends = [np.c_[ring[:, :1] * along + at + shift * across, ring[:, 1]] for shift in (-deep / 2, deep / 2)]
    return _Block(as_floats(ends[0]), as_floats(ends[1]), colour)


def _faces(block: _Block) -> list[Floats]:
    n = len(block.low)
    rings = [block.low, block.high]
    return rings + [
        np.stack([block.low[i], block.low[(i + 1) % n], block.high[(i + 1) % n], block.high[i]]) for i in range(n)
    ]


def _draw(
    picture: NDArray[np.float32],
    whose: NDArray[np.uint8],
    block: _Block,
    number: int,
    camera: _Camera,
    lit: tuple[Floats, float],
    grain: NDArray[np.float32],
    rng: np.random.Generator,
) -> None:
    """Draw a block's faces into picture and ground truth, farthest first."""
    light, ambient = lit
    middle = (block.low.mean(axis=0) + block.high.mean(axis=0)) / 2
    faces = [(face, *camera.see(face)) for face in _faces(block)]
    glint = float(rng.uniform(0, 0.12)) if rng.random() < 0.3 else 0.0
    for face, pixels, _ in sorted(faces, key=lambda one: float(one[2].mean())):
        normal = np.cross(face[1] - face[0], face[2] - face[1]) if len(face) == 4 else _normal(face)
        normal = normal / (np.linalg.norm(normal) + 1e-9)
        if normal @ (face.mean(axis=0) - middle) < 0:
            normal = -normal
        bright = ambient * (0.75 + 0.25 * normal[2]) + (1 - ambient) * max(0.0, float(normal @ light)) * 1.3
        ring = np.round(pixels * 8).astype(np.int32)
        left, top = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
        right, bottom = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, whose.shape[0])
        if right <= left or bottom <= top:
            continue
        mask = np.zeros((bottom - top, right - left), np.uint8)
        cv2.fillPoly(mask, [ring - 8 * np.array([left, top], np.int32)], 1.0, cv2.LINE_8, 3)
        window = (slice(top, bottom), slice(left, right))
        inside = mask > 0
        picture[window][inside] = ((block.colour * bright + glint) * grain[window])[inside]
        whose[window][inside] = number
        if bright > 0.8 and rng.random() < 0.4:  # rounded edges catch the light
            cv2.polylines(
                picture, [ring], True, tuple(map(float, block.colour * bright * 1.25 + 0.03)), 1, cv2.LINE_AA, 3
            )


def _normal(ring: Floats) -> Floats:
    following = np.roll(ring, -1, axis=0)
    return as_floats(np.cross(ring, following).sum(axis=0))


def _light(rng: np.random.Generator) -> Floats:
    height, turn = np.radians(rng.uniform(30, 85)), rng.uniform(0, 6.28)
    return as_floats(np.array([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)]))


def _shadows(rng: np.random.Generator, blocks: list[_Block], camera: _Camera, light: Floats) -> NDArray[np.float32]:
    """Return the fraction of light on the board, (height, width), with cast and contact shadows of the blocks."""
    fine = _FINER * SIDE_PX
    shade = np.zeros((fine, fine), np.float32)
    touch = np.zeros((fine, fine), np.float32)
    for block in blocks:
        points = np.concatenate([block.low, block.high])
        thrown = points.copy()
        thrown[:, :2] -= light[:2] / light[2] * points[:, 2:]
        thrown[:, 2] = 0
        for layer, ground in (
            (shade, np.concatenate([thrown, block.low * [1, 1, 0]])),
            (touch, points * [1, 1, 0]),
        ):
            hull = cv2.convexHull(np.round(camera.see(as_floats(ground))[0]).astype(np.int32))
            cv2.fillConvexPoly(layer, hull, 1.0)
    deep, soft = float(rng.uniform(0.15, 0.75)), float(rng.uniform(0.5, 5))
    shade = cv2.GaussianBlur(shade, (0, 0), soft) * deep
    touch = cv2.GaussianBlur(touch, (0, 0), 3.0) * float(rng.uniform(0.1, 0.4))
    return np.asarray((1 - shade) * (1 - touch), np.float32)


def _taken(rng: np.random.Generator, light: NDArray[np.float32]) -> Image:
    """Return the picture that a camera takes of linear light: uneven lamp, tint, blur, noise and JPEG."""
    side = light.shape[0]
    slope = rng.normal(0, 0.35, 2) * (rng.random() < 0.7)
    x, y = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side))
    gain = np.exp(rng.normal(-0.1, 0.35) + slope[0] * x + slope[1] * y)[..., None] * np.exp(
        rng.normal(0, (0.18, 0.04, 0.1))
    )
    light = np.clip(light * gain + rng.uniform(0, 0.02), 0, 1.0) ** float(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.85:
        light = np.asarray(cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.3, 1.1))), np.float32)
    levels = coded(np.asarray(light, np.float32))
    if rng.random() < 0.4:
        levels += float(rng.uniform(0.2, 1.0)) * (levels - cv2.GaussianBlur(levels, (0, 0), 1.2))
    noisy = levels + rng.normal(0, float(rng.uniform(0.5, 5)), levels.shape)
    image = np.clip(noisy, 0, 255).astype(np.uint8)
    _, packed = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)


def _linear_of(colour: Floats) -> Floats:
    return as_floats(linear(np.asarray(colour, np.uint8).reshape(1, 1, 3))[0, 0].astype(np.float64))
