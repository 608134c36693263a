"""Random designs of tiles and boards, drawn in top view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze_sides.random_textures import Colour, TextureBank, random_colour
from vision.games.master.objects.board_orientation import turned_openings
from vision.games.master.readings import FIXED, LOOSE_TILES, SIZE, STARTS

Picture = NDArray[np.float32]
"""BGR, 0..1, shape (height, width, 3)."""
TILE_PX: Final = 56
"""Side of a tile as drawn, px."""
SIDES: Final = "TRBL"
"""Letters of the sides, clockwise."""
MAX_DRIFT, MAX_TURN_DEG = 0.12, 6.0
"""Largest shift of a loose tile along each axis, in tiles, and largest turn, degrees."""
_DIRECTIONS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Direction of each side as (x, y)."""


@dataclass(frozen=True, slots=True)
class TileLook:
    """Design of the tiles and the board in one printing of the game."""

    path_width: float
    """Width of the path, in tiles."""
    round_corners: bool
    """Whether bends are arcs."""
    ragged: float
    """Strength of the noise that frays the edge of the path, 0..0.4."""
    softness: float
    """Blur of the edge of the path, px."""
    outline: tuple[float, float]
    """Width in px and strength (negative: darker) of a line along the path."""
    relief: float
    """Strength of shading that lifts the walls above the path."""
    border: tuple[float, float]
    """Width in px and strength of a line along each tile's edge."""
    fixed_border: bool
    """Whether fixed tiles have the line of `border` too."""
    fixed_light: float
    """Factor by which fixed tiles are brighter than loose ones."""
    rounded_tile: int
    """Radius of the loose tiles' corners, px."""
    shadow: float
    """Darkness of the shadow that loose tiles cast, 0..1."""
    pictures: float
    """Fraction of tiles with a small picture in the middle."""
    decorations: float
    """Number of small pictures on a tile's walls, on average."""
    margin: float
    """Width of the board outside the field, in tiles."""
    arrows: bool
    """Whether arrows are printed in the margin."""
    framed: float
    """Whether a line is drawn round the field (not 0)."""


def random_look(rng: np.random.Generator) -> TileLook:
    """Return a random design of tiles and board."""
    return TileLook(
        path_width=float(rng.uniform(0.2, 0.56)),
        round_corners=bool(rng.random() < 0.25),
        ragged=float(rng.choice([0, 0.15, 0.3]) * rng.random()),
        softness=float(rng.uniform(0.4, 2.5)),
        outline=(float(rng.uniform(1, 3)), float(rng.choice([0, -0.5, 0.4]) * rng.random())),
        relief=float(rng.choice([0, 0.4, 0.8]) * rng.random()),
        border=(float(rng.uniform(1, 3)), float(rng.choice([0, -0.4, 0.3]) * rng.random())),
        fixed_border=bool(rng.random() < 0.5),
        fixed_light=float(np.exp(rng.normal(0, 0.1))),
        rounded_tile=int(rng.choice([0, 1, 3, 6])),
        shadow=float(rng.uniform(0, 0.6)),
        pictures=float(rng.choice([0, 0, 0.3, 0.6])),
        decorations=float(rng.choice([0, 0, 0.7])),
        margin=float(rng.choice([0.02, 0.3, 0.6, 1.0]) + rng.uniform(0, 0.25)),
        arrows=bool(rng.random() < 0.7),
        framed=float(rng.choice([0, -0.5, 0.4]) * rng.random()),
    )


def random_maze(rng: np.random.Generator) -> tuple[tuple[str, ...], str]:
    """Return the openings of the 49 tiles by place, with loose tiles dealt at random, and those of the spare."""
    shapes = [shape for shape, count in LOOSE_TILES.items() for _ in range(count)]
    dealt = [turned_openings(shapes[i], int(rng.integers(4))) for i in rng.permutation(len(shapes))]
    loose = iter(dealt)
    return tuple(FIXED.get(place) or next(loose) for place in range(SIZE**2)), next(loose)


def path_mask(openings: str, look: TileLook, rng: np.random.Generator) -> NDArray[np.float32]:
    """Return how far each pixel of a tile shows path instead of wall, 0..1. Shape (TILE_PX, TILE_PX)."""
    middle, half = TILE_PX / 2, look.path_width * TILE_PX / 2
    mask = np.zeros((TILE_PX, TILE_PX), np.float32)
    bend = len(openings) == 2 and turned_openings(openings, 2) != openings
    if bend and look.round_corners:
        first, second = (_DIRECTIONS[SIDES.index(side)] for side in openings)
        corner = (round(middle + middle * (first[0] + second[0])), round(middle + middle * (first[1] + second[1])))
        cv2.circle(mask, corner, round(middle), 1, max(1, round(2 * half)))
    else:
        low, high = round(middle - half), round(middle + half)
        cv2.rectangle(mask, (low, low), (high - 1, high - 1), 1, -1)
        for side in openings:
            x, y = _DIRECTIONS[SIDES.index(side)]
            end = middle + TILE_PX * x, middle + TILE_PX * y
            box = sorted((middle, end[0])), sorted((middle, end[1]))
            left, right = (box[0][0] - half, box[0][1] + half) if x == 0 else box[0]
            top, bottom = (box[1][0] - half, box[1][1] + half) if y == 0 else box[1]
            cv2.rectangle(mask, (round(left), round(top)), (round(right) - 1, round(bottom) - 1), 1, -1)
    mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.8 + 6 * look.ragged), np.float32)
    if look.ragged:
        grid = rng.standard_normal((TILE_PX // 3, TILE_PX // 3)).astype(np.float32)
        mask += look.ragged * cv2.resize(grid, (TILE_PX, TILE_PX), interpolation=cv2.INTER_LINEAR)
    sharp = 1 / (1 + np.exp(np.clip(-(mask - 0.5) * 12 / look.softness, -30, 30)))
    return np.asarray(sharp, np.float32)


class TilePainter:
    """Draws tiles of one design."""

    def __init__(self, look: TileLook, bank: TextureBank, rng: np.random.Generator) -> None:
        """Choose colours and textures of walls and paths that differ clearly."""
        self.look, self._rng = look, rng
        wall, path = random_colour(rng), random_colour(rng)
        while np.abs(wall - path).max() < 0.1:
            path = random_colour(rng)
        big = 5 * TILE_PX
        self.walls, self._path = bank.painted(rng, big, wall), bank.painted(rng, big, path)
        if rng.random() < 0.3:  # walls of two kinds
            patches = cv2.resize(rng.random((10, 10)).astype(np.float32), (big, big)) > 0.5
            self.walls = np.where(patches[..., None], self.walls, bank.painted(rng, big))

    def tile(self, openings: str, loose: bool) -> Picture:
        """Return the picture of a tile, (TILE_PX, TILE_PX, 3). loose: whether it is a loose or a fixed one."""
        look, rng = self.look, self._rng
        mask = path_mask(openings, look, rng)
        (ax, ay), (bx, by) = rng.integers(0, self.walls.shape[0] - TILE_PX, (2, 2))
        wall, path = (
            self.walls[ay : ay + TILE_PX, ax : ax + TILE_PX],
            self._path[by : by + TILE_PX, bx : bx + TILE_PX],
        )
        if look.decorations:
            wall = wall.copy()
            for _ in range(rng.poisson(look.decorations)):
                _draw_small_picture(wall, rng, rng.uniform(3, TILE_PX - 3, 2), rng.uniform(3, 8))
        if look.relief:
            soft = cv2.GaussianBlur(mask, (0, 0), 3)
            wall = wall * (1 + look.relief * (cv2.Sobel(soft, cv2.CV_32F, 0, 1) * 2)[..., None])
            path = path * (1 - look.relief * (1 - soft)[..., None])
        shown = wall + mask[..., None] * (path - wall)
        if look.outline[1]:
            edge = np.clip(4 * mask * (1 - mask) * look.outline[0], 0, 1)[..., None]
            shown = shown * (1 + look.outline[1] * edge)
        if rng.random() < look.pictures:
            _draw_small_picture(shown, rng, np.full(2, TILE_PX / 2) + rng.normal(0, 2, 2), rng.uniform(5, 14))
        if look.border[1] and (loose or look.fixed_border):
            width = round(look.border[0])
            line = np.ones((TILE_PX, TILE_PX, 1), np.float32)
            line[width:-width, width:-width] = 0
            shown = shown * (1 + look.border[1] * line)
        if not loose:
            shown = shown * look.fixed_light
        return np.asarray(np.clip(shown * np.exp(rng.normal(0, 0.03)), 0, 1), np.float32)


@dataclass(frozen=True, slots=True)
class TokenPrint:
    """Design of the tokens in one printing of the game."""

    radius: float
    """Radius of a token, px of the board."""
    face: Colour
    """Colour of the faces that have none of their own."""
    own_faces: float
    """Fraction of tokens whose face has a colour of its own."""
    rings: tuple[Colour, ...]
    """Colours of the one to three rings round the face, from outside to inside."""
    ring_width: float
    """Width of each ring, px of the board."""
    ink: Colour
    """Colour of the numbers."""
    rise: NDArray[np.float64]
    """Displacement (x, y) of the upper face of a token against its foot, px of the board."""


def random_token_print(rng: np.random.Generator) -> TokenPrint:
    """Return a random design of tokens."""
    return TokenPrint(
        radius=TILE_PX * float(rng.uniform(0.2, 0.34)),
        face=random_colour(rng),
        own_faces=float(rng.choice([0.0, 0.5, 1.0])),
        rings=tuple(random_colour(rng) for _ in range(int(rng.integers(1, 4)))),
        ring_width=float(rng.uniform(1.5, 3.5)),
        ink=random_colour(rng),
        rise=rng.uniform(-4, 4, 2) * rng.random(),
    )


@dataclass(frozen=True, slots=True)
class FlatBoard:
    """A board in top view, with its ground truth."""

    picture: Picture
    """The board with its margin."""
    field: NDArray[np.float64]
    """Corners of the 7 × 7 field, px, clockwise from the outer corner of place 0; shape (4, 2)."""
    tiles: tuple[str, ...]
    """Openings of each tile, by place."""
    spare: Picture
    """Picture of the spare."""
    half_pushed: int | None
    """Row, or 7 + column, that is half pushed in; None if none."""
    discs: frozenset[int]
    """Places with a token."""


def random_board(bank: TextureBank, rng: np.random.Generator, half_pushed: bool = False) -> FlatBoard:
    """Return a random board in top view. half_pushed: whether a random row or column is half pushed in."""
    look = random_look(rng)
    painter = TilePainter(look, bank, rng)
    tiles, spare = random_maze(rng)
    margin = round(look.margin * TILE_PX)
    side = SIZE * TILE_PX + 2 * margin
    ground = bank.painted(rng, side)
    if rng.random() < 0.3:  # the ground is printed like the walls
        ground = np.asarray(cv2.resize(painter.walls, (side, side)), np.float32)
    if look.arrows and margin > 12:
        _draw_arrows(ground, margin, random_colour(rng), rng)
    if look.framed:
        cv2.rectangle(ground, (margin - 2, margin - 2), (side - margin + 1, side - margin + 1), (0, 0, 0), 2)
    line, step = _random_push(rng) if half_pushed else (None, 0.0)
    for place in sorted(range(SIZE**2), key=lambda one: one not in FIXED):
        row, column = divmod(place, SIZE)
        loose = place not in FIXED
        tile = painter.tile(tiles[place], loose)
        x, y = margin + column * TILE_PX, margin + row * TILE_PX
        if loose:
            moved = np.array((column + 0.5, row + 0.5)) * TILE_PX + margin
            moved += step * TILE_PX * np.array((line == row, line == SIZE + column))
            _draw_loose_tile(
                ground, tile, moved + rng.uniform(-MAX_DRIFT, MAX_DRIFT, 2) * TILE_PX * rng.random(), look, rng
            )
        else:
            ground[y : y + TILE_PX, x : x + TILE_PX] = tile
    if line is not None:
        at = np.full(2, margin + (line % SIZE + 0.5) * TILE_PX)
        at[line // SIZE] = margin + ((-0.5 if step > 0 else SIZE + 0.5) + step) * TILE_PX
        _draw_loose_tile(ground, painter.tile(spare, True), at, look, rng)
    centres = {p: (margin + (p % 7 + 0.5) * TILE_PX, margin + (p // 7 + 0.5) * TILE_PX) for p in range(SIZE**2)}
    if rng.random() < 0.8:
        for place in STARTS.values():
            spot = tuple(int(value) for value in centres[place])
            width = int(rng.integers(2, 6)) if rng.random() < 0.7 else -1
            cv2.circle(
                ground, spot, int(TILE_PX * rng.uniform(0.16, 0.3)), random_colour(rng).tolist(), width, cv2.LINE_AA
            )
    discs = frozenset[int]()
    if rng.random() < 0.8:
        print_ = random_token_print(rng)
        discs = frozenset(rng.choice(SIZE**2, int(rng.integers(1, 22)), replace=False).tolist())
        spread = rng.uniform(1, 5)
        for place in discs:
            _draw_token(ground, np.array(centres[place]) + rng.normal(0, spread, 2), print_, rng)
    field = margin + SIZE * TILE_PX * np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)
    loose_spare = painter.tile(spare, True)
    return FlatBoard(np.clip(ground, 0, 1), field, tiles, loose_spare, line, discs)


def _random_push(rng: np.random.Generator) -> tuple[int, float]:
    """Return a random row (or 7 + column) that can be pushed, and its displacement right (or down), in tiles."""
    line = int(rng.choice([1, 3, 5])) + SIZE * int(rng.integers(2))
    return line, float(rng.choice([-1, 1]) * rng.uniform(0.22, 0.78))


def _draw_loose_tile(
    ground: Picture, tile: Picture, centre: NDArray[np.float64], look: TileLook, rng: np.random.Generator
) -> None:
    """Draw a loose tile, slightly rotated, with its shadow onto the board in place.

    ground: picture of the board. centre: of the tile, px of the board.
    """
    angle = np.radians(rng.uniform(-MAX_TURN_DEG, MAX_TURN_DEG) * rng.random())
    size = rng.uniform(0.94, 1.0)
    cos, sin = size * np.cos(angle), size * np.sin(angle)
    half = TILE_PX / 2
    reach = round(0.62 * TILE_PX)
    corner = np.round(centre).astype(int) - reach
    local = centre - corner
    matrix = np.array(
        [
            [cos, -sin, local[0] - half * (cos - sin)],
            [sin, cos, local[1] - half * (sin + cos)],
        ]
    )
    alpha = np.zeros((TILE_PX, TILE_PX), np.float32)
    round_px = look.rounded_tile
    cv2.rectangle(alpha, (round_px, 0), (TILE_PX - 1 - round_px, TILE_PX - 1), 1, -1)
    cv2.rectangle(alpha, (0, round_px), (TILE_PX - 1, TILE_PX - 1 - round_px), 1, -1)
    for x in (round_px, TILE_PX - 1 - round_px):
        for y in (round_px, TILE_PX - 1 - round_px):
            cv2.circle(alpha, (x, y), round_px, 1, -1)
    shape = (2 * reach, 2 * reach)
    cover = cv2.warpAffine(alpha, matrix, shape, flags=cv2.INTER_LINEAR)[..., None]
    shown = cv2.warpAffine(tile, matrix, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    x0, y0 = np.maximum(corner, 0)
    x1, y1 = np.minimum(corner + 2 * reach, (ground.shape[1], ground.shape[0]))
    if x1 <= x0 or y1 <= y0:
        return
    part = np.s_[y0 - corner[1] : y1 - corner[1], x0 - corner[0] : x1 - corner[0]]
    below = ground[y0:y1, x0:x1]
    if look.shadow:
        dark = cv2.GaussianBlur(np.roll(cover[..., 0], (2, 1), (0, 1)), (0, 0), 2.0)[..., None]
        below = below * (1 - look.shadow * dark[part])
    ground[y0:y1, x0:x1] = below + cover[part] * (shown[part] - below)


def _draw_small_picture(picture: Picture, rng: np.random.Generator, at: NDArray[np.float64], size: float) -> None:
    """Draw a few random ellipses in place, like a small printed picture. size: typical half width, px."""
    for _ in range(rng.integers(1, 4)):
        x, y = (at + rng.normal(0, size / 3, 2)).astype(int).tolist()
        axes = (int(size * rng.uniform(0.3, 1)) + 1, int(size * rng.uniform(0.3, 1)) + 1)
        cv2.ellipse(
            picture, (x, y), axes, rng.uniform(0, 180), 0, 360, random_colour(rng).tolist(), -1, cv2.LINE_AA
        )


def _draw_token(ground: Picture, at: NDArray[np.float64], print_: TokenPrint, rng: np.random.Generator) -> None:
    """Draw a token in place: a thick disc with rings, a small picture and a number. at: centre, px."""
    face = random_colour(rng) if rng.random() < print_.own_faces else print_.face
    radius, edge = print_.radius, (0.6 * print_.rings[0]).tolist()
    x, y = (round(value) for value in at.tolist())
    cv2.circle(ground, (x + 2, y + 2), round(radius), (0.5 * face).tolist(), -1, cv2.LINE_AA)
    # Seen at an angle, the upper face of a thick token is shifted against its lower one.
    for step in np.linspace(0, 1, 4).tolist():
        at_height = np.round(at + step * print_.rise).astype(int).tolist()
        cv2.circle(ground, at_height, round(radius), edge, -1, cv2.LINE_AA)
    at = at + print_.rise
    x, y = (round(value) for value in at.tolist())
    inner = radius
    for ring in print_.rings:
        cv2.circle(ground, (x, y), round(inner), ring.tolist(), -1, cv2.LINE_AA)
        inner -= print_.ring_width
    cv2.circle(ground, (x, y), round(inner), face.tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.8:
        _draw_small_picture(ground, rng, at, inner * 0.5)
    mask = np.zeros((TILE_PX, TILE_PX), np.uint8)
    cv2.putText(
        mask, str(rng.integers(1, 26)), (TILE_PX // 2 - 8, TILE_PX // 2 + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 255, 1
    )
    left, top = x - TILE_PX // 2, y - TILE_PX // 2
    part = ground[max(0, top) : top + TILE_PX, max(0, left) : left + TILE_PX]
    part[mask[: part.shape[0], : part.shape[1]] > 100] = print_.ink


def _draw_arrows(ground: Picture, margin: int, tint: Colour, rng: np.random.Generator) -> None:
    """Draw arrows in the board's margin in place; they point at rows and columns 1, 3 and 5, counted from 0."""
    side, size = ground.shape[0], margin * rng.uniform(0.2, 0.4)
    for number in (1, 3, 5):
        along = margin + (number + 0.5) * TILE_PX
        for away, sign in ((margin / 2, 1), (side - margin / 2, -1)):
            wide = np.array([[-size, -size * sign], [size, -size * sign], [0, size * sign]])
            down = (np.array([along, away]) + wide).astype(np.int32)
            cv2.fillConvexPoly(ground, down, tint.tolist(), cv2.LINE_AA)
            cv2.fillConvexPoly(ground, np.ascontiguousarray(down[:, ::-1]), tint.tolist(), cv2.LINE_AA)
