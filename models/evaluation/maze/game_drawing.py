"""Draw a game of Master Labyrinth: board, tiles, spare, tokens, wizards, and what players hold.

Lengths and frame as in `models.evaluation.maze.renderer`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from calibration.games.master.art.maze_picture_styles import (
    LOOKS,
    RINGS,
    TILE_PX,
    MazeLook,
    board_picture,
    fixed_picture,
    tile_picture,
    varied,
)
from models.evaluation.maze.random_positions import PLACES, SHAPES, MazePosition
from models.evaluation.maze.renderer import (
    Bgr,
    Floats,
    Image,
    PinholeCamera,
    Slab,
    draw_pawn,
    draw_slab,
    draw_stick,
    foot_radius,
)
from models.evaluation.maze.token_face_drawing import PRINTS, token_picture
from vision.games.master.objects.board_orientation import turned_openings
from vision.games.master.readings import FIXED, SIZE

_GAP: Final = 0.02
"""Distance that two wizards on one tile keep beyond touching, halved, tiles."""
_TRIES: Final = 60
"""Maximum number of random places tried for the spare tile."""


@dataclass(frozen=True)
class GameStyle:
    """Look and sizes of one copy of the game, and how neatly its tiles lie."""

    look: MazeLook
    """Look of the board and the tiles."""
    tokens: str
    """Print of the tokens, of `PRINTS`."""
    seed: int
    """Seed of the details of the prints."""
    rim: float
    """Width of the board's rim around the 7 × 7 field, tiles."""
    tile: float
    """Width of a loose or raised tile relative to the distance between neighbouring places."""
    tile_thick: float
    """Thickness of a tile, tiles."""
    token: float
    """Diameter of a token, tiles."""
    raised: bool
    """Whether fixed tiles lie on the board like loose ones instead of being printed on it."""
    drift: float
    """How much loose tiles are shifted and turned, as a fraction (0..1) of the largest amounts."""
    pawn: int
    """Shape of the wizards (`draw_pawn`)."""
    paints: dict[str, Bgr]
    """Colours of the wizards, by name."""


def random_style(rng: np.random.Generator, look: str, seed: int, tokens: str | None) -> GameStyle:
    """Return random sizes, paints and print details of a copy of the game with a given look.

    look: of `LOOKS`; seed: of the details of the prints; tokens: print of the tokens, of `PRINTS`; None: a random
    one, but the stand-in's with the stand-in's board.
    """
    maze_look = LOOKS[look] if LOOKS[look].drawn else varied(LOOKS[look], seed)
    gains = {colour: rng.uniform(0.85, 1.12) * (1 + 0.04 * rng.standard_normal(3)) for colour in RINGS}
    paints: dict[str, Bgr] = {}
    for colour, usual in RINGS.items():
        blue, green, red = (int(value) for value in np.clip(np.array(usual) * gains[colour], 10, 250))
        paints[colour] = (blue, green, red)
    chosen = "standin" if maze_look.drawn else str(rng.choice(PRINTS))
    return GameStyle(
        look=maze_look,
        tokens=tokens or chosen,
        seed=seed,
        rim=0.6 if maze_look.drawn else float(rng.uniform(0.35, 1.0)),
        tile=float(rng.uniform(0.95, 0.985)),
        tile_thick=float(rng.uniform(0.03, 0.08)),
        token=float(rng.uniform(0.48, 0.56)),
        raised=not maze_look.drawn and rng.random() < 0.3,
        drift=float(rng.uniform(0.15, 1.0)),
        pawn=int(rng.integers(3)),
        paints=paints,
    )


def draw_game(
    image: Image,
    camera: PinholeCamera,
    rng: np.random.Generator,
    style: GameStyle,
    position: MazePosition,
    shadow_shift: Floats,
    board_thickness: float,
    origin: tuple[float, float] = (0.0, 0.0),
    half_pushed: bool = False,
    spare_hidden: bool = False,
) -> Slab | None:
    """Draw a game on a picture in place and return the spare tile; None where the spare is not in the picture.

    shadow_shift: as in `draw_slab`; board_thickness: tiles; origin: offset of the field's centre (x, y), tiles;
    half_pushed: whether the spare tile is being pushed into a row or column and is part of the way in;
    spare_hidden: whether the spare tile is left out.
    """
    middle = (SIZE / 2 + origin[0], SIZE / 2 + origin[1])
    face = board_picture(style.look, style.seed, style.rim, bare=style.raised)
    draw_slab(
        image,
        camera,
        Slab(face, middle, SIZE + 2 * style.rim, -board_thickness, 0.0, style.look.edge),
        shadow_shift,
    )
    pushed, spare = _random_half_push(rng) if half_pushed else (np.zeros((PLACES, 2)), None)
    tiles = dict(_board_tile_slabs(rng, style, position.tiles, origin, pushed))
    if spare is None and not spare_hidden:
        spare = _random_spare_centre(rng, camera, style, origin, board_thickness)
    ground = 0.0 if half_pushed else -board_thickness
    spin = float(rng.uniform(-4, 4) if half_pushed else rng.uniform(-25, 25))
    spare_slab = None if spare is None else _tile_slab(style, position.spare, 63, spare, spin, ground)
    for slab in _farthest_first(camera, [*tiles.values(), *([spare_slab] if spare_slab else [])]):
        draw_slab(image, camera, slab, shadow_shift)
    if not half_pushed:
        _draw_held(image, camera, rng, style, position, shadow_shift, board_thickness, spare)
    grounds = {place: (slab.centre, slab.top) for place, slab in tiles.items()}
    for place in range(PLACES):
        grounds.setdefault(place, ((place % SIZE + 0.5 + origin[0], place // SIZE + 0.5 + origin[1]), 0.0))
    on_spare = None if spare_slab is None else (spare_slab.centre, spare_slab.top)
    discs = []
    for number, lying in position.tokens.items():
        where = on_spare if lying is None else grounds[lying]
        if where is not None:
            discs.append(token_slab(style, number, where, rng))
    for slab in _farthest_first(camera, discs):
        draw_slab(image, camera, slab, shadow_shift)
    feet: list[tuple[str, tuple[float, float, float]]] = []
    for colour, standing in position.wizards.items():
        where = on_spare if standing is None else grounds[standing]
        if where is not None:
            beside = [other for other, at in position.wizards.items() if at == standing]
            off = np.clip(rng.normal(0, 0.05, 2), -0.25, 0.25)
            if len(beside) > 1:
                off = _side_by_side_offsets(len(beside), foot_radius(style.pawn), style.seed)[beside.index(colour)]
            x, y = np.asarray(where[0]) + off
            on_disc = where[1] + (0.05 if standing in position.tokens.values() else 0.0)
            feet.append((colour, (float(x), float(y), on_disc)))
    for colour, foot in sorted(feet, key=lambda each: -camera.distance(each[1])):
        draw_pawn(image, camera, foot, style.paints[colour], shadow_shift, style.pawn)
    return spare_slab


def _side_by_side_offsets(count: int, radius: float, seed: int) -> Floats:
    """Return positions (count, 2) for two or more wizards on one tile without overlap, from its centre, tiles.

    radius: of a wizard's foot, tiles; seed: of the direction in which the first stands.
    """
    angles = 2 * np.pi * (np.random.default_rng([seed, 0xAF]).random() + np.arange(count) / count)
    gap = radius / np.sin(np.pi / count) + _GAP
    return np.asarray(gap * np.column_stack([np.cos(angles), np.sin(angles)]), np.float64)


def _board_tile_slabs(
    rng: np.random.Generator, style: GameStyle, tiles: Sequence[str], origin: tuple[float, float], pushed: Floats
) -> Iterator[tuple[int, Slab]]:
    """Yield each tile that is not printed on the board, by place; loose ones are shifted and turned a little.

    tiles: openings by place; origin: offset of the field's centre, tiles; pushed: additional shift of each loose
    tile by place, (49, 2), tiles.
    """
    for place, openings in enumerate(tiles):
        middle = np.array([place % SIZE + 0.5, place // SIZE + 0.5]) + origin
        if place not in FIXED:
            shift = rng.uniform(-0.1, 0.1, 2) * style.drift + pushed[place]
            angle = float(rng.uniform(-5, 5)) * style.drift
            x, y = middle + shift
            yield place, _tile_slab(style, openings, place, (float(x), float(y)), angle, 0.0)
        elif style.raised:
            face = fixed_picture(place, style.look, style.seed)
            x, y = middle
            yield place, Slab(face, (float(x), float(y)), style.tile, 0.0, style.tile_thick, style.look.edge)


def _tile_slab(
    style: GameStyle, openings: str, number: int, centre: tuple[float, float], angle: float, ground: float
) -> Slab:
    """Return a loose tile as a slab.

    openings: "" for a tile that lies face down; number: varies the details of its print; centre: tiles; angle:
    degrees clockwise; ground: height of its underside, tiles.
    """
    if openings:
        shape = SHAPES[openings]
        face = tile_picture(shape, style.look, style.seed * 64 + number)
        quarters = next(q for q in range(4) if turned_openings(shape, q) == openings)
        face = np.ascontiguousarray(np.rot90(face, -quarters))
    else:
        face = np.full((TILE_PX, TILE_PX, 3), style.look.rim, np.uint8)
    return Slab(face, centre, style.tile, ground, ground + style.tile_thick, style.look.edge, angle)


def token_slab(
    style: GameStyle, number: int, where: tuple[tuple[float, float], float], rng: np.random.Generator
) -> Slab:
    """Return a token as a slab, near a point and in a random rotation.

    number: printed on the token; where: the point (x, y) and the height of what the token lies on, tiles.
    """
    x, y = np.asarray(where[0]) + np.clip(rng.normal(0, 0.04, 2), -0.1, 0.1)
    face, angle = token_picture(number, style.tokens), float(rng.uniform(0, 360))
    return Slab(face, (float(x), float(y)), style.token, where[1], where[1] + 0.05, (140, 150, 160), angle, True)


def _random_half_push(rng: np.random.Generator) -> tuple[Floats, tuple[float, float]]:
    """Return shifts of all tiles (49, 2) and the spare's centre (x, y), tiles, in the middle of a random push.

    The tiles of one row or column have moved by a part of a tile; the spare follows them into the board.
    """
    line, part = int(rng.choice((1, 3, 5))), float(rng.uniform(0.25, 0.75))
    across, back = rng.random() < 0.5, rng.random() < 0.5
    step = np.array([part, 0.0] if across else [0.0, part]) * (-1 if back else 1)
    shifts = np.zeros((PLACES, 2))
    for k in range(SIZE):
        shifts[SIZE * line + k if across else SIZE * k + line] = step
    entry = SIZE + 0.5 - part if back else part - 0.5
    return shifts, (entry, line + 0.5) if across else (line + 0.5, entry)


def _random_spare_centre(
    rng: np.random.Generator,
    camera: PinholeCamera,
    style: GameStyle,
    origin: tuple[float, float],
    board_thickness: float,
) -> tuple[float, float] | None:
    """Return a random point (x, y) beside the board for the spare, wholly in the picture; None if none is found.

    origin: offset of the field's centre, tiles.
    """
    reach = SIZE / 2 + style.rim + 0.75
    size = np.asarray(camera.size)
    for attempt in range(_TRIES):
        out = reach + float(rng.uniform(0, 0.05 + 1.2 * (1 - attempt / _TRIES)))
        along = float(rng.uniform(-3, 3))
        x, y = [(along, -out), (out, along), (along, out), (-out, along)][int(rng.integers(4))]
        centre = (3.5 + origin[0] + x, 3.5 + origin[1] + y)
        corners = camera.project(
            [[centre[0] + dx, centre[1] + dy, -board_thickness] for dx in (-0.75, 0.75) for dy in (-0.75, 0.75)]
        )
        if (corners > 0).all() and (corners < size).all():
            return centre
    return None


def _draw_held(
    image: Image,
    camera: PinholeCamera,
    rng: np.random.Generator,
    style: GameStyle,
    position: MazePosition,
    shadow_shift: Floats,
    board_thickness: float,
    spare: tuple[float, float] | None,
) -> None:
    """Draw tokens and wands that players own, beside the board and clear of the spare, on a picture in place.

    spare: centre of the spare, tiles; None where there is none.
    """
    reach = SIZE / 2 + style.rim + 0.4
    for number in position.taken:
        side, out, along = int(rng.integers(4)), reach + float(rng.uniform(0, 2.5)), float(rng.uniform(-3.5, 3.5))
        x, y = [(along, -out), (out, along), (along, out), (-out, along)][side]
        if spare is None or np.hypot(3.5 + x - spare[0], 3.5 + y - spare[1]) > 1.1:
            draw_slab(
                image, camera, token_slab(style, number, ((3.5 + x, 3.5 + y), -board_thickness), rng), shadow_shift
            )
    paint = tuple(int(value) for value in rng.integers(40, 220, 3))
    for _ in range(int(rng.integers(0, 10))):
        side, out, along = int(rng.integers(4)), reach + float(rng.uniform(0.2, 2.5)), float(rng.uniform(-3.5, 3.5))
        x, y = [(along, -out), (out, along), (along, out), (-out, along)][side]
        if spare is None or np.hypot(3.5 + x - spare[0], 3.5 + y - spare[1]) > 1.4:
            reach_x, reach_y = 0.5 * np.cos(along), 0.5 * np.sin(along)
            ends = [[3.5 + x + k * reach_x, 3.5 + y + k * reach_y, 0.04 - board_thickness] for k in (-1, 1)]
            draw_stick(image, camera, ends, 0.09, (paint[0], paint[1], paint[2]), shadow_shift)


def draw_other_game(
    image: Image, camera: PinholeCamera, rng: np.random.Generator, style: GameStyle, shadow_shift: Floats
) -> None:
    """Draw something that is not this game's board on a picture in place, chosen at random.

    It is nothing, a chessboard, rows of cards, or a maze whose fixed tiles are not the game's.
    """
    kind = int(rng.integers(4))
    if kind == 1:
        squares = np.indices((8, 8)).sum(axis=0) % 2
        tones = np.array([style.look.wall, style.look.path], np.uint8)[squares]
        face = np.asarray(cv2.resize(tones, (640, 640), interpolation=cv2.INTER_NEAREST), np.uint8)
        draw_slab(image, camera, Slab(face, (3.5, 3.5), 8.0, -0.05, 0.0, style.look.edge), shadow_shift)
    elif kind == 2:
        for place in range(PLACES):
            face = np.asarray(rng.integers(30, 230, (4, 4, 3)), np.uint8)
            face = np.asarray(cv2.resize(face, (64, 64), interpolation=cv2.INTER_CUBIC), np.uint8)
            centre = (place % SIZE + 0.5, place // SIZE + 0.5)
            draw_slab(image, camera, Slab(face, centre, 0.85, -0.03, 0.0, (235, 235, 235)), shadow_shift)
    elif kind == 3:
        openings = sorted(SHAPES)
        for place in range(PLACES):
            shape = openings[int(rng.integers(len(openings)))]
            centre = (place % SIZE + 0.5, place // SIZE + 0.5)
            draw_slab(
                image,
                camera,
                _tile_slab(style, shape, place, centre, float(rng.uniform(-5, 5)), -0.05),
                shadow_shift,
            )


def _farthest_first(camera: PinholeCamera, slabs: Sequence[Slab]) -> list[Slab]:
    """Return slabs in the order of drawing: the farthest from the camera first."""
    return sorted(slabs, key=lambda slab: -camera.distance((*slab.centre, slab.top)))
