"""Lays a game on the simulated table: board, tiles, spare, tokens, wizards, and what players hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.games.master.art.maze_looks import (
    LOOKS,
    RINGS,
    TILE_PX,
    MazeLook,
    board_picture,
    fixed_picture,
    tile_picture,
    varied,
)
from models.evaluation.maze.random_positions import PLACES, SHAPES, MazePosition, turned
from models.evaluation.maze.renderer import (
    Bgr,
    Floats,
    Image,
    PinholeCamera,
    Slab,
    draw_stick,
    foot_radius,
    lay,
    stand,
)
from models.evaluation.maze.token_faces import PRINTS, token_picture
from vision.games.master.readings import FIXED, SIZE

_GAP: Final = 0.02
"""Half of the distance between the feet of two wizards on one tile, tiles."""
_TRIES: Final = 60
"""Number of random places of the spare until one fits."""


@dataclass(frozen=True)
class MazePrint:
    """One printing of the game, and how it lies."""

    look: MazeLook
    """Look of the board and the tiles."""
    tokens: str
    """Print of the tokens."""
    seed: int
    """Seed of the details of the prints."""
    rim: float
    """Width of the rim, tiles."""
    tile: float
    """Width of a tile relative to the distance of places."""
    tile_thick: float
    """Thickness of a tile, tiles."""
    token: float
    """Diameter of a token, tiles."""
    raised: bool
    """Whether fixed tiles lie on the board like loose ones instead of being printed on it."""
    drift: float
    """Fraction of the largest shift and turn of loose tiles."""
    pawn: int
    """Shape of wizards."""
    paints: dict[str, Bgr]
    """Colours of wizards."""


def random_print(rng: np.random.Generator, look: str, seed: int, tokens: str | None) -> MazePrint:
    """Return a random print of a look. tokens: print of the tokens; None: random, the stand-in's with its board."""
    style = LOOKS[look] if LOOKS[look].drawn else varied(LOOKS[look], seed)
    gains = {colour: rng.uniform(0.85, 1.12) * (1 + 0.04 * rng.standard_normal(3)) for colour in RINGS}
    paints: dict[str, Bgr] = {}
    for colour, usual in RINGS.items():
        blue, green, red = (int(value) for value in np.clip(np.array(usual) * gains[colour], 10, 250))
        paints[colour] = (blue, green, red)
    chosen = "standin" if style.drawn else str(rng.choice(PRINTS))
    return MazePrint(
        look=style,
        tokens=tokens or chosen,
        seed=seed,
        rim=0.6 if style.drawn else float(rng.uniform(0.35, 1.0)),
        tile=float(rng.uniform(0.95, 0.985)),
        tile_thick=float(rng.uniform(0.03, 0.08)),
        token=float(rng.uniform(0.48, 0.56)),
        raised=not style.drawn and rng.random() < 0.3,
        drift=float(rng.uniform(0.15, 1.0)),
        pawn=int(rng.integers(3)),
        paints=paints,
    )


def draw_game(
    image: Image,
    camera: PinholeCamera,
    rng: np.random.Generator,
    made: MazePrint,
    position: MazePosition,
    slant: Floats,
    thick: float,
    origin: tuple[float, float] = (0.0, 0.0),
    half_pushed: bool = False,
    spare_hidden: bool = False,
) -> Slab | None:
    """Draw board, tiles, spare, tokens and wizards, and return the spare; None where it is not in the picture.

    slant: where the shadow of a point falls for each unit of height; thick: thickness of the board; origin: offset
    of the field's centre, tiles; half_pushed: whether a line is pushed in part of the way; spare_hidden: whether
    the spare lies elsewhere.
    """
    middle = (SIZE / 2 + origin[0], SIZE / 2 + origin[1])
    face = board_picture(made.look, made.seed, made.rim, bare=made.raised)
    lay(image, camera, Slab(face, middle, SIZE + 2 * made.rim, -thick, 0.0, made.look.edge), slant)
    pushed, spare = _half_pushed(rng) if half_pushed else (np.zeros((PLACES, 2)), None)
    tiles = dict(_tiles(rng, made, position.tiles, origin, pushed))
    if spare is None and not spare_hidden:
        spare = _spare_place(rng, camera, made, origin, thick)
    ground = 0.0 if half_pushed else -thick
    spin = float(rng.uniform(-4, 4) if half_pushed else rng.uniform(-25, 25))
    spare_slab = None if spare is None else _tile(made, position.spare, 63, spare, spin, ground)
    for slab in _by_distance(camera, [*tiles.values(), *([spare_slab] if spare_slab else [])]):
        lay(image, camera, slab, slant)
    if not half_pushed:
        _draw_held(image, camera, rng, made, position, slant, thick, spare)
    grounds = {place: (slab.centre, slab.top) for place, slab in tiles.items()}
    for place in range(PLACES):
        grounds.setdefault(place, ((place % SIZE + 0.5 + origin[0], place // SIZE + 0.5 + origin[1]), 0.0))
    on_spare = None if spare_slab is None else (spare_slab.centre, spare_slab.top)
    discs = []
    for number, lying in position.tokens.items():
        where = on_spare if lying is None else grounds[lying]
        if where is not None:
            discs.append(disc(made, number, where, rng))
    for slab in _by_distance(camera, discs):
        lay(image, camera, slab, slant)
    feet: list[tuple[str, tuple[float, float, float]]] = []
    for colour, standing in position.wizards.items():
        where = on_spare if standing is None else grounds[standing]
        if where is not None:
            beside = [other for other, at in position.wizards.items() if at == standing]
            off = np.clip(rng.normal(0, 0.05, 2), -0.25, 0.25)
            if len(beside) > 1:
                off = _side_by_side(len(beside), foot_radius(made.pawn), made.seed)[beside.index(colour)]
            x, y = np.asarray(where[0]) + off
            on_disc = where[1] + (0.05 if standing in position.tokens.values() else 0.0)
            feet.append((colour, (float(x), float(y), on_disc)))
    for colour, foot in sorted(feet, key=lambda each: -camera.distance(each[1])):
        stand(image, camera, foot, made.paints[colour], slant, made.pawn)
    return spare_slab


def _side_by_side(count: int, radius: float, seed: int) -> Floats:
    """Return where two or more wizards stand on one tile, from its centre, tiles, (count, 2).

    They touch at most: solid pieces do not overlap. radius: of their feet, tiles.
    """
    angles = 2 * np.pi * (np.random.default_rng([seed, 0xAF]).random() + np.arange(count) / count)
    gap = radius / np.sin(np.pi / count) + _GAP
    return np.asarray(gap * np.column_stack([np.cos(angles), np.sin(angles)]), np.float64)


def _tiles(
    rng: np.random.Generator, made: MazePrint, tiles: Sequence[str], origin: tuple[float, float], pushed: Floats
) -> Iterator[tuple[int, Slab]]:
    """Yield the tiles that lie on the board, each a little shifted and turned."""
    for place, openings in enumerate(tiles):
        middle = np.array([place % SIZE + 0.5, place // SIZE + 0.5]) + origin
        if place not in FIXED:
            shift = rng.uniform(-0.1, 0.1, 2) * made.drift + pushed[place]
            angle = float(rng.uniform(-5, 5)) * made.drift
            x, y = middle + shift
            yield place, _tile(made, openings, place, (float(x), float(y)), angle, 0.0)
        elif made.raised:
            face = fixed_picture(place, made.look, made.seed)
            x, y = middle
            yield place, Slab(face, (float(x), float(y)), made.tile, 0.0, made.tile_thick, made.look.edge)


def _tile(
    made: MazePrint, openings: str, number: int, centre: tuple[float, float], angle: float, ground: float
) -> Slab:
    """Return a loose tile; "" lies face down."""
    if openings:
        shape = SHAPES[openings]
        face = tile_picture(shape, made.look, made.seed * 64 + number)
        quarters = next(q for q in range(4) if turned(shape, q) == openings)
        face = np.ascontiguousarray(np.rot90(face, -quarters))
    else:
        face = np.full((TILE_PX, TILE_PX, 3), made.look.rim, np.uint8)
    return Slab(face, centre, made.tile, ground, ground + made.tile_thick, made.look.edge, angle)


def disc(made: MazePrint, number: int, where: tuple[tuple[float, float], float], rng: np.random.Generator) -> Slab:
    """Return a token near the middle of a place, in a random rotation. where: that middle, and its height."""
    x, y = np.asarray(where[0]) + np.clip(rng.normal(0, 0.04, 2), -0.1, 0.1)
    face, angle = token_picture(number, made.tokens), float(rng.uniform(0, 360))
    return Slab(face, (float(x), float(y)), made.token, where[1], where[1] + 0.05, (140, 150, 160), angle, True)


def _half_pushed(rng: np.random.Generator) -> tuple[Floats, tuple[float, float]]:
    """Return the shift of each place's tile, and the spare's centre, while a line is pushed in part of the way."""
    line, part = int(rng.choice((1, 3, 5))), float(rng.uniform(0.25, 0.75))
    across, back = rng.random() < 0.5, rng.random() < 0.5
    step = np.array([part, 0.0] if across else [0.0, part]) * (-1 if back else 1)
    shifts = np.zeros((PLACES, 2))
    for k in range(SIZE):
        shifts[SIZE * line + k if across else SIZE * k + line] = step
    entry = SIZE + 0.5 - part if back else part - 0.5
    return shifts, (entry, line + 0.5) if across else (line + 0.5, entry)


def _spare_place(
    rng: np.random.Generator, camera: PinholeCamera, made: MazePrint, origin: tuple[float, float], thick: float
) -> tuple[float, float] | None:
    """Return a random place beside the board that lies in the picture; None if none was found."""
    reach = SIZE / 2 + made.rim + 0.75
    size = np.asarray(camera.size)
    for attempt in range(_TRIES):
        out = reach + float(rng.uniform(0, 0.05 + 1.2 * (1 - attempt / _TRIES)))
        along = float(rng.uniform(-3, 3))
        x, y = [(along, -out), (out, along), (along, out), (-out, along)][int(rng.integers(4))]
        centre = (3.5 + origin[0] + x, 3.5 + origin[1] + y)
        corners = camera.project(
            [[centre[0] + dx, centre[1] + dy, -thick] for dx in (-0.75, 0.75) for dy in (-0.75, 0.75)]
        )
        if (corners > 0).all() and (corners < size).all():
            return centre
    return None


def _draw_held(
    image: Image,
    camera: PinholeCamera,
    rng: np.random.Generator,
    made: MazePrint,
    position: MazePosition,
    slant: Floats,
    thick: float,
    spare: tuple[float, float] | None,
) -> None:
    """Draw what players hold beside the board: tokens and wands."""
    reach = SIZE / 2 + made.rim + 0.4
    for number in position.taken:
        side, out, along = int(rng.integers(4)), reach + float(rng.uniform(0, 2.5)), float(rng.uniform(-3.5, 3.5))
        x, y = [(along, -out), (out, along), (along, out), (-out, along)][side]
        if spare is None or np.hypot(3.5 + x - spare[0], 3.5 + y - spare[1]) > 1.1:
            lay(image, camera, disc(made, number, ((3.5 + x, 3.5 + y), -thick), rng), slant)
    paint = tuple(int(value) for value in rng.integers(40, 220, 3))
    for _ in range(int(rng.integers(0, 10))):
        side, out, along = int(rng.integers(4)), reach + float(rng.uniform(0.2, 2.5)), float(rng.uniform(-3.5, 3.5))
        x, y = [(along, -out), (out, along), (along, out), (-out, along)][side]
        if spare is None or np.hypot(3.5 + x - spare[0], 3.5 + y - spare[1]) > 1.4:
            reach_x, reach_y = 0.5 * np.cos(along), 0.5 * np.sin(along)
            ends = [[3.5 + x + k * reach_x, 3.5 + y + k * reach_y, 0.04 - thick] for k in (-1, 1)]
            draw_stick(image, camera, ends, 0.09, (paint[0], paint[1], paint[2]), slant)


def draw_other_game(
    image: Image, camera: PinholeCamera, rng: np.random.Generator, made: MazePrint, slant: Floats
) -> None:
    """Draw an empty table, a chessboard, rows of cards, or a maze whose fixed tiles are not the game's."""
    kind = int(rng.integers(4))
    if kind == 1:
        squares = np.indices((8, 8)).sum(axis=0) % 2
        tones = np.array([made.look.wall, made.look.path], np.uint8)[squares]
        face = np.asarray(cv2.resize(tones, (640, 640), interpolation=cv2.INTER_NEAREST), np.uint8)
        lay(image, camera, Slab(face, (3.5, 3.5), 8.0, -0.05, 0.0, made.look.edge), slant)
    elif kind == 2:
        for place in range(PLACES):
            face = np.asarray(rng.integers(30, 230, (4, 4, 3)), np.uint8)
            face = np.asarray(cv2.resize(face, (64, 64), interpolation=cv2.INTER_CUBIC), np.uint8)
            centre = (place % SIZE + 0.5, place // SIZE + 0.5)
            lay(image, camera, Slab(face, centre, 0.85, -0.03, 0.0, (235, 235, 235)), slant)
    elif kind == 3:
        openings = sorted(SHAPES)
        for place in range(PLACES):
            shape = openings[int(rng.integers(len(openings)))]
            centre = (place % SIZE + 0.5, place // SIZE + 0.5)
            lay(image, camera, _tile(made, shape, place, centre, float(rng.uniform(-5, 5)), -0.05), slant)


def _by_distance(camera: PinholeCamera, slabs: Sequence[Slab]) -> list[Slab]:
    """Return slabs in the order of drawing, the farthest first."""
    return sorted(slabs, key=lambda slab: -camera.distance((*slab.centre, slab.top)))
