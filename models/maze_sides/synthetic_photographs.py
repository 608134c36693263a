"""Synthetic photographs of boards with random designs, with ground truth for training."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from models.maze_objects.random_scenes import random_pawn_profile
from models.maze_sides.random_boards import FlatBoard, Picture, random_board
from models.maze_sides.random_table_tops import random_table_top
from models.maze_sides.random_textures import Colour, TextureBank, random_colour
from vision.cameras.frame import Image
from vision.games.master.readings import SIZE

WIDTH, HEIGHT = 640, 480
"""Size of a picture, px."""
MAX_TILT_DEG = 52.0
"""Largest angle between the camera's axis and the vertical."""
MIN_COVERED_FRACTION: Final = 0.15
"""Fraction of a tile from which, if hidden, it counts as covered."""
_TILE: Final = 2 / SIZE
"""Side of a tile, in half fields."""
_HALF_PUSHED, _HANDS, _EMPTY = 0.12, 0.25, 0.06
"""Fractions of pictures with a row or column half pushed in, with hands, and without a board."""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """One picture with its ground truth."""

    image: Image
    """Shape (HEIGHT, WIDTH, 3), BGR."""
    field: NDArray[np.float32]
    """Corners of the field, px, clockwise from place 0; NaN where there is no board. Shape (4, 2)."""
    tiles: tuple[str, ...]
    """Openings of each tile, by place; empty without a board."""
    spare: NDArray[np.float32]
    """Corners of the spare, px; NaN where there is none. Shape (4, 2)."""
    half_pushed: int
    """Row, or 7 + column, that is half pushed in; -1 if none."""
    covered: NDArray[np.bool_]
    """Whether a hand covers each place. Shape (49,)."""


def random_picture(bank: TextureBank, rng: np.random.Generator) -> LabelledPicture:
    """Return a random synthetic photograph with its ground truth; a small fraction shows no board."""
    projection = random_projection(rng)
    camera = projection[:, [0, 1, 3]]
    table = random_table_top(bank, rng, (WIDTH, HEIGHT), camera)
    _draw_clutter(table, bank, rng)
    nowhere = np.full((4, 2), np.nan, np.float32)
    if rng.random() < _EMPTY:
        if rng.random() < 0.5:  # another game's board
            _draw_flat_picture(table, bank.painted(rng, 256), camera @ _flat_to_table(256, 256))
        image = _photograph(table, rng)
        return LabelledPicture(image, nowhere, (), nowhere, -1, np.zeros(SIZE**2, bool))
    board = random_board(bank, rng, bool(rng.random() < _HALF_PUSHED))
    to_board = camera @ _flat_to_table(board.picture.shape[0], SIZE * 56)
    if rng.random() < 0.5:
        _draw_board_shadow(table, board.picture.shape[0], to_board)
    _draw_flat_picture(table, board.picture, to_board)
    spare = nowhere
    if rng.random() < 0.9:
        spare = _draw_spare(table, board, camera, rng)
    field = map_points(board.field, to_board).astype(np.float32)
    covered = np.zeros(SIZE**2, bool)
    _draw_wizards(table, board, projection, rng)
    if rng.random() < _HANDS:
        mask = _draw_hands(table, field, rng)
        whole = cv2.warpPerspective(mask, np.linalg.inv(to_board), board.picture.shape[1::-1])
        left, top = (round(value) for value in board.field[0].tolist())
        inside = whole[top : top + SIZE * 56, left : left + SIZE * 56].reshape(SIZE, 56, SIZE, 56)
        covered = inside.mean((1, 3)).reshape(-1) > MIN_COVERED_FRACTION
    image = _photograph(table, rng)
    line = -1 if board.half_pushed is None else board.half_pushed
    return LabelledPicture(image, field, board.tiles, spare, line, covered)


def random_projection(rng: np.random.Generator) -> NDArray[np.float64]:
    """Return a random camera as the projection from points (x, y, height) to the picture, shape (3, 4).

    The origin is the board's middle, and half the side of its 7 × 7 tiles is 1.
    """
    focal = WIDTH * rng.uniform(0.7, 2.2)
    tilt = np.radians(MAX_TILT_DEG * rng.random() ** 1.2)
    turn, roll = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.1)
    if rng.random() < 0.5:
        turn = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.12)
    size = HEIGHT * rng.uniform(0.2, 0.47)  # half a field in px at the middle of the picture
    distance = focal / size

    def about(axis: int, angle: float) -> NDArray[np.float64]:
        turned = np.eye(3)
        i, j = ((1, 2), (0, 2), (0, 1))[axis]
        turned[i, i] = turned[j, j] = np.cos(angle)
        turned[i, j], turned[j, i] = -np.sin(angle), np.sin(angle)
        return turned

    pose = about(2, roll) @ about(0, tilt) @ about(2, turn)
    axes = np.c_[pose[:, :2], -pose[:, 2], [0, 0, distance]]
    middle = np.array([WIDTH / 2, HEIGHT / 2]) + rng.normal(0, 0.07, 2) * HEIGHT
    return np.asarray(np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]]) @ axes, np.float64)


def _flat_to_table(side: int, field: int) -> NDArray[np.float64]:
    """Return the map (3, 3) from px of a square top view to the table, where half the field's side is 1.

    side: of the top view, px. field: side of the field (the 7 × 7 tiles) in it, px.
    """
    return np.array([[2 / field, 0, -side / field], [0, 2 / field, -side / field], [0, 0, 1]])


def _draw_flat_picture(table: Picture, flat: Picture, matrix: NDArray[np.float64]) -> None:
    """Draw the top view `flat` into the photograph `table` in place. matrix: homography from `flat` to `table`."""
    high, wide = flat.shape[:2]
    corners = map_points(np.array([[0, 0], [wide, 0], [wide, high], [0, high]], float), matrix).astype(np.float32)
    (left, top), (right, bottom) = (
        np.clip(limit, 0, (WIDTH, HEIGHT)).astype(int).tolist()
        for limit in (np.floor(corners.min(0)), np.ceil(corners.max(0)) + 1)
    )
    if right <= left or bottom <= top:
        return
    moved = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]]) @ matrix
    size = right - left, bottom - top
    shown = cv2.warpPerspective(flat, moved, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(np.ones((high, wide), np.float32), moved, size)[..., None]
    part = table[top:bottom, left:right]
    part += cover * (shown - part)


def _draw_board_shadow(table: Picture, side: int, matrix: NDArray[np.float64]) -> None:
    """Darken the photograph `table` in place by the shadow of a thick board.

    side: of the board's top view, px. matrix: homography from it to the photograph, px.
    """
    cover = cv2.warpPerspective(np.ones((side, side), np.float32), matrix, (WIDTH, HEIGHT))
    table *= 1 - 0.5 * cv2.GaussianBlur(np.roll(cover, (4, 3), (0, 1)), (0, 0), 4)[..., None]


def _draw_spare(
    table: Picture, board: FlatBoard, camera: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Draw the spare tile beside the board, in place; return its corners in px, (4, 2), NaN if not wholly in view.

    camera: homography from the table, in half fields, to px.
    """
    side = board.spare.shape[0]
    edge = board.picture.shape[0] / (SIZE * side)
    along, away = rng.uniform(-1.1, 1.1), edge + rng.uniform(0.2, 0.6)
    at = np.array([along, away]) if rng.random() < 0.5 else np.array([away, along])
    at *= rng.choice([-1, 1], 2)
    angle = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:
        angle = rng.normal(0, 0.1)
    cos, sin = np.cos(angle) / SIZE * 2 / side, np.sin(angle) / SIZE * 2 / side
    half = side / 2
    flat = np.array([[cos, -sin, at[0] - half * (cos - sin)], [sin, cos, at[1] - half * (sin + cos)], [0, 0, 1]])
    matrix = camera @ flat
    corners = map_points(side * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float), matrix).astype(np.float32)
    inside = (corners > 2).all() and (corners < (WIDTH - 2, HEIGHT - 2)).all()
    _draw_flat_picture(table, board.spare, matrix)
    return corners if inside else np.full((4, 2), np.nan, np.float32)


def _draw_clutter(table: Picture, bank: TextureBank, rng: np.random.Generator) -> None:
    """Draw discs and textured cards on the photograph `table` in place, like cups, coins and books."""
    for _ in range(rng.integers(0, 7)):
        x, y = (rng.uniform(0, 1, 2) * (WIDTH, HEIGHT)).astype(int).tolist()
        size = int(rng.uniform(10, 120))
        if rng.random() < 0.5:
            cv2.circle(table, (x, y), size // 2, random_colour(rng).tolist(), -1, cv2.LINE_AA)
            cv2.circle(table, (x, y), size // 3, random_colour(rng).tolist(), 2, cv2.LINE_AA)
        else:
            angle, shape = rng.uniform(0, np.pi), (1, rng.uniform(0.4, 1.5))
            cos, sin = np.cos(angle) * size / 64, np.sin(angle) * size / 64
            matrix = np.array([[cos, -sin * shape[1], x], [sin, cos * shape[1], y], [0, 0, 1.0]])
            _draw_flat_picture(table, bank.painted(rng, 64), matrix)


def _draw_wizards(
    table: Picture, board: FlatBoard, projection: NDArray[np.float64], rng: np.random.Generator
) -> None:
    """Draw up to six standing wizards with their shadows in place, from back to front.

    projection: from points (x, y, height), in half fields from the board's middle, to px.
    """
    profile = random_pawn_profile(rng) * _TILE
    sun = rng.normal(0, 0.8, 2)
    feet = list[NDArray[np.float64]]()
    for _ in range(rng.integers(0, 7)):
        place = int(rng.integers(SIZE**2))
        if board.discs and rng.random() < 0.25:
            place = int(rng.choice(sorted(board.discs)))
        spot = np.array([place % SIZE + 0.5, place // SIZE + 0.5]) + rng.normal(0, 0.1, 2)
        if feet and rng.random() < 0.12:
            spot = (feet[-1] / _TILE) + SIZE / 2 + rng.choice([-0.4, 0.4], 2)
        feet.append((spot - SIZE / 2) * _TILE)
    # The farthest first; the third row is the distance from the camera.
    feet.sort(key=lambda foot: -float(projection[2] @ [*foot, 0, 1]))
    for foot in feet:
        body = random_colour(rng)
        _draw_wizard(table, projection, foot, profile, sun, body * rng.uniform(0.5, 1.2), rng)


def _draw_wizard(
    table: Picture,
    projection: NDArray[np.float64],
    foot: NDArray[np.float64],
    profile: NDArray[np.float64],
    sun: NDArray[np.float64],
    body: Colour,
    rng: np.random.Generator,
) -> None:
    """Draw one wizard, a solid of revolution, and its shadow in place.

    projection: as in `_draw_wizards`. foot: where it stands, in half fields. profile: heights and radii, (n, 2), in
    half fields. sun: displacement of shadows per height. body: paint.
    """
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circle = np.c_[np.cos(angles), np.sin(angles)]

    def outline(*levels: tuple[NDArray[np.float64], float, float]) -> NDArray[np.int32]:
        """Return the convex hull of circles (centre, radius, height) in the picture, sixteenths of a px."""
        points = np.concatenate([np.c_[at + radius * circle, np.full(16, high)] for at, radius, high in levels])
        shown = np.c_[points, np.ones(len(points))] @ projection.T
        return np.asarray(cv2.convexHull((16 * shown[:, :2] / shown[:, 2:]).astype(np.int32))[:, 0], np.int32)

    dark = np.zeros((HEIGHT, WIDTH), np.float32)
    top = float(profile[-1, 0])
    shadow = outline((foot, profile[0, 1], 0.0), (foot + sun * top, profile[-1, 1], 0.0))
    cv2.fillConvexPoly(dark, shadow, 1.0, cv2.LINE_AA, 4)
    table *= 1 - rng.uniform(0.1, 0.6) * cv2.GaussianBlur(dark, (0, 0), 1.5)[..., None]
    side, shine = rng.normal(0, 0.3, 2), float(rng.uniform(0, 0.35))
    for part, brighter in ((1.0, 1.0), (0.55, 1.0 + shine)):
        for (low, wide), (high, narrow) in pairwise(profile):
            shade = brighter * (0.8 + 0.3 * float(low) / top)
            away = side * (1 - part)
            hull = outline((foot + wide * away, part * wide, low), (foot + narrow * away, part * narrow, high))
            cv2.fillConvexPoly(table, hull, np.clip(shade * body, 0, 1).tolist(), cv2.LINE_AA, 4)


def _draw_hands(table: Picture, field: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw hands over the board in place; return the fraction of each pixel that they cover, (HEIGHT, WIDTH).

    field: corners of the field, px.
    """
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    for _ in range(rng.integers(1, 3)):
        weights = rng.dirichlet(np.ones(4))
        x, y = weights @ field
        size = float(np.linalg.norm(field[0] - field[2])) * rng.uniform(0.05, 0.14)
        angle = rng.uniform(0, 2 * np.pi)
        away = np.array([np.cos(angle), np.sin(angle)])
        end = np.array([x, y]) + 900 * away
        cv2.line(mask, (int(x), int(y)), (int(end[0]), int(end[1])), 1, max(3, int(size * 1.1)), cv2.LINE_AA)
        cv2.circle(mask, (int(x), int(y)), int(size), 1, -1, cv2.LINE_AA)
        for finger in rng.uniform(-0.8, 0.8, 5):
            tip = np.array([x, y]) - size * 2 * np.array([np.cos(angle + finger), np.sin(angle + finger)])
            width = max(3, int(size * 0.35))
            cv2.line(mask, (int(x), int(y)), (int(tip[0]), int(tip[1])), 1, width, cv2.LINE_AA)
    skin = np.array([0.45, 0.6, 0.85]) * rng.uniform(0.25, 1.15) if rng.random() < 0.7 else random_colour(rng)
    lit = 1 + np.float32(0.15) * cv2.resize(rng.standard_normal((12, 16)).astype(np.float32), (WIDTH, HEIGHT))
    shadow = cv2.GaussianBlur(np.roll(mask, (6, 5), (0, 1)), (0, 0), 5)
    table *= 1 - 0.4 * shadow[..., None]
    table += mask[..., None] * (lit[..., None] * skin.astype(np.float32) - table)
    return mask


def _photograph(table: Picture, rng: np.random.Generator) -> Image:
    """Return a drawn picture (floats 0..1) as photographed in random light: shadows, glare, blur, noise, JPEG."""
    x, y = np.meshgrid(np.linspace(-1, 1, WIDTH, dtype=np.float32), np.linspace(-1, 1, HEIGHT, dtype=np.float32))
    angle, slope = rng.uniform(0, 2 * np.pi), abs(rng.normal(0, 0.25))
    light = 1 + float(slope) * (float(np.cos(angle)) * x + float(np.sin(angle)) * y)
    light *= 1 - rng.uniform(0, 0.3) * (x**2 + y**2) / 2
    if rng.random() < 0.25:  # an edge of shadow
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-0.6, 0.6)
        edge = (float(np.cos(angle)) * x + float(np.sin(angle)) * y - offset) / rng.uniform(0.01, 0.2)
        light *= 1 - rng.uniform(0.2, 0.6) / (1 + np.exp(np.clip(-edge, -30, 30)))
    warmth = rng.normal(0, 0.12) + (0.3 if rng.random() < 0.25 else 0)
    tint = np.exp(np.array([-warmth, rng.normal(0, 0.04), warmth]))
    factor = np.asarray(np.exp(rng.normal(-0.15, 0.4)) * tint, np.float32)
    shot = cv2.pow(np.clip(table, 0, 1), rng.uniform(0.75, 1.35)) * (light[..., None] * factor)
    if rng.random() < 0.3:  # glare
        centre = rng.uniform(-0.8, 0.8, 2).tolist()
        spot = np.exp(-((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / rng.uniform(0.005, 0.15))
        shot += rng.uniform(0.1, 1.0) * spot[..., None]
    blur = rng.random()
    if blur < 0.5:
        shot = np.asarray(cv2.GaussianBlur(shot, (0, 0), rng.uniform(0.4, 1.8)))
    elif blur < 0.6:
        length = int(rng.integers(2, 6))
        shot = np.asarray(cv2.blur(shot, (length, 1) if rng.random() < 0.5 else (1, length)))
    shot += rng.standard_normal(shot.shape, np.float32) * np.float32(rng.uniform(0, 0.04))
    picture = (np.clip(shot, 0, 1) * 255).astype(np.uint8)
    quality = int(rng.integers(50, 98))
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
