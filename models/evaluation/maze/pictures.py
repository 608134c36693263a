"""Synthetic pictures of the maze with ground truth: many looks, cameras, lights and situations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

import cv2
import numpy as np

from calibration.games.master.art.looks import (
    LOOKS,
    RINGS,
    MazeLook,
    board_picture,
    fixed_picture,
    tile_picture,
    varied,
)
from models.evaluation.maze.drawing import (
    Bgr,
    Camera,
    Floats,
    Image,
    Light,
    Slab,
    draw_stick,
    ground_picture,
    lay,
    photographed,
    reach_over,
    stand,
)
from models.evaluation.maze.faces import PRINTS, token_picture
from models.evaluation.maze.positions import PLACES, SHAPES, Position, random_position, turned
from models.evaluation.maze.truth import MazeTruth
from vision.games.master.readings import FIXED, NUMBERS, SIZE, MazeState
from vision.readings import Box

LIGHTS: Final[tuple[Light, ...]] = get_args(Light)
Situation = Literal[
    "board", "spare_hidden", "cut_off", "forgotten", "foreign_tile", "covered", "half_pushed", "half_out",
    "no_board", "two_boards",
]  # fmt: skip # a list of names
"""What the picture shows.

`cut_off`: the picture's edge cuts up to a third of one outer row; `forgotten`: a token or wizard was left on the
spare; `foreign_tile`: a loose tile lies face down; `no_board`: an empty table, or the board of another game.
"""
SITUATIONS: Final[tuple[Situation, ...]] = get_args(Situation)

_STATES: Final[dict[Situation, MazeState]] = {
    "covered": "covered", "half_out": "covered", "half_pushed": "half_pushed", "no_board": "no_board",
    "two_boards": "no_board",
}  # fmt: skip # short pairs
"""States of the situations that are not "board"."""
_COVERED: Final = 0.12
"""Covered fraction of a tile from which on it counts as covered."""
_TRIES: Final = 60
"""Number of random positions of the spare, or of a hand, until one fits."""


@dataclass(frozen=True)
class _Print:
    """One printing of the game, and how it lies."""

    look: MazeLook
    tokens: str
    """Print of the tokens."""
    seed: int
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


def picture(
    seed: int,
    look: str = "standin",
    light: Light = "day",
    situation: Situation = "board",
    size: tuple[int, int] = (1280, 720),
    tilt: float | None = None,
    turn: float | None = None,
    tokens: str | None = None,
    position: Position | None = None,
) -> tuple[Image, MazeTruth]:
    """Return a picture (BGR, uint8) of a position, and its ground truth; equal arguments give equal pictures.

    look: of `LOOKS`; tilt: angle of the optical axis from straight down, degrees, 0..45; turn: rotation of the
    board in the picture, degrees; tokens: their print, of `PRINTS`. None: random; the stand-in's board has its own
    tokens.
    """
    rng = np.random.default_rng([seed, 0x3A2E])
    tilt = float(rng.uniform(0, 45)) if tilt is None else tilt
    turn = float(rng.uniform(0, 360)) if turn is None else turn
    if situation in ("cut_off", "half_out"):
        turn = round(turn / 90) * 90 + float(rng.uniform(-3, 3))
    made = _print(rng, look, seed, tokens)
    camera = _camera(rng, tilt, turn, size, made.rim, situation)
    slant = _slant(rng)
    thick = float(rng.uniform(0.04, 0.1))
    image = ground_picture(int(rng.integers(1 << 20)), camera, -thick)
    if situation == "no_board":
        _draw_other_game(image, camera, rng, made, slant)
        return photographed(image, camera, light, rng), MazeTruth("no_board")
    if situation == "two_boards":
        apart = SIZE / 2 + made.rim + 0.6
        for side in (-1, 1):
            _draw_whole(image, camera, rng, made, random_position(rng), slant, thick, (side * apart, 0.0))
        return photographed(image, camera, light, rng), MazeTruth("no_board")
    position = random_position(rng) if position is None else position
    if situation == "forgotten":
        position = _with_forgotten(position, rng)
    if situation == "foreign_tile":
        foreign = int(rng.choice([place for place in range(PLACES) if place not in FIXED]))
        position = replace(position, tiles=(*position.tiles[:foreign], "", *position.tiles[foreign + 1 :]))
    spare = _draw_whole(image, camera, rng, made, position, slant, thick, (0.0, 0.0), situation)
    hidden = _outside(camera)
    if situation == "covered":
        hidden |= _cover(image, camera, rng, slant)
    box = None if spare is None else _box(camera.project(spare.outline(spare.top)))
    truth = MazeTruth(
        state=_STATES.get(situation, "board"),
        tiles=position.tiles,
        spare="" if box is None else position.spare,
        tokens=position.tokens,
        wizards=position.wizards,
        corners=tuple((float(x), float(y)) for x, y in camera.project(_FIELD)),
        spare_box=box,
        covered=hidden,
    )
    return photographed(image, camera, light, rng), truth


_FIELD: Final = ((0.0, 0.0, 0.0), (7.0, 0.0, 0.0), (7.0, 7.0, 0.0), (0.0, 7.0, 0.0))
"""Corners of the field, clockwise from the outer corner of place 0."""


def _print(rng: np.random.Generator, look: str, seed: int, tokens: str | None) -> _Print:
    style = LOOKS[look] if LOOKS[look].drawn else varied(LOOKS[look], seed)
    gains = {colour: rng.uniform(0.85, 1.12) * (1 + 0.04 * rng.standard_normal(3)) for colour in RINGS}
    paints: dict[str, Bgr] = {}
    for colour, usual in RINGS.items():
        blue, green, red = (int(value) for value in np.clip(np.array(usual) * gains[colour], 10, 250))
        paints[colour] = (blue, green, red)
    chosen = "standin" if style.drawn else str(rng.choice(PRINTS))
    return _Print(
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


def _slant(rng: np.random.Generator) -> Floats:
    """Return where the shadow of a point falls for each unit of height."""
    azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(35, 75))
    return np.asarray([np.cos(azimuth), np.sin(azimuth)] / np.tan(elevation), np.float64)


def _camera(
    rng: np.random.Generator, tilt: float, turn: float, size: tuple[int, int], rim: float, situation: Situation
) -> Camera:
    """Return a camera that shows the whole board, or as much of it as the situation demands."""
    around, about = np.radians(turn), np.radians(tilt)
    rotation = np.array(
        [[1, 0, 0], [0, np.cos(about), np.sin(about)], [0, -np.sin(about), np.cos(about)]]
    ) @ np.array([[np.cos(around), -np.sin(around), 0], [np.sin(around), np.cos(around), 0], [0, 0, 1]])
    focal = float(rng.uniform(0.75, 1.3)) * size[0]
    k1 = float(rng.uniform(-0.08, 0.02))
    fill = float(rng.uniform(0.82, 1.0))
    wide = (SIZE / 2 + rim + 0.6 if situation == "two_boards" else 0.0, 0.0)
    ends = [
        [x, y, 0.0]
        for x in (-rim - 0.1 - wide[0], SIZE + rim + 0.1 + wide[0])
        for y in (-rim - 0.1, SIZE + rim + 0.1)
    ]
    half = np.asarray(size) / 2
    low, high = 6.0, 80.0
    for _ in range(30):
        distance = (low + high) / 2
        camera = Camera(rotation, np.array([0, 0, distance]), focal, size, k1)
        spread = np.abs(camera.project(ends) - half).max(axis=0) / half
        low, high = (distance, high) if spread.max() > fill else (low, distance)
    shift = rng.uniform(-1, 1, 2) * (1 - spread) * half * distance / focal
    if situation in ("cut_off", "half_out"):
        field = camera.project(_FIELD)
        axis, end = int(rng.integers(2)), float(rng.choice((-1, 1)))
        tile = float(np.ptp(field[:, axis])) / SIZE
        beyond = tile * float(rng.uniform(0.0, 0.3) if situation == "cut_off" else rng.uniform(2.5, 4.5))
        reach = float((end * (field[:, axis] - half[axis])).max())
        shift[axis] = end * (half[axis] - reach + beyond) * distance / focal
    return Camera(rotation, np.array([shift[0], shift[1], distance]), focal, size, k1)


def _with_forgotten(position: Position, rng: np.random.Generator) -> Position:
    """Return a position in which a token or a wizard was left on the spare."""
    if position.tokens and rng.random() < 0.5:
        number = int(rng.choice(list(position.tokens)))
        return replace(position, tokens={**position.tokens, number: None})
    colour = str(rng.choice(list(position.wizards)))
    return replace(position, wizards={**position.wizards, colour: None})


def _draw_whole(
    image: Image,
    camera: Camera,
    rng: np.random.Generator,
    made: _Print,
    position: Position,
    slant: Floats,
    thick: float,
    origin: tuple[float, float],
    situation: Situation = "board",
) -> Slab | None:
    """Draw board, tiles, spare, tokens and wizards, and return the spare; None where it is not in the picture."""
    middle = (SIZE / 2 + origin[0], SIZE / 2 + origin[1])
    face = board_picture(made.look, made.seed, made.rim, bare=made.raised)
    lay(image, camera, Slab(face, middle, SIZE + 2 * made.rim, -thick, 0.0, made.look.edge), slant)
    pushed, spare = _half_pushed(rng) if situation == "half_pushed" else (np.zeros((PLACES, 2)), None)
    tiles = dict(_tiles(rng, made, position.tiles, origin, pushed))
    if spare is None and situation != "spare_hidden":
        spare = _spare_place(rng, camera, made, origin, thick)
    ground = 0.0 if situation == "half_pushed" else -thick
    spin = float(rng.uniform(-4, 4) if situation == "half_pushed" else rng.uniform(-25, 25))
    spare_slab = None if spare is None else _tile(made, position.spare, 63, spare, spin, ground)
    for slab in _by_distance(camera, [*tiles.values(), *([spare_slab] if spare_slab else [])]):
        lay(image, camera, slab, slant)
    if situation != "half_pushed":
        _draw_held(image, camera, rng, made, position, slant, thick, spare)
    grounds = {place: (slab.centre, slab.top) for place, slab in tiles.items()}
    for place in range(PLACES):
        grounds.setdefault(place, ((place % SIZE + 0.5 + origin[0], place // SIZE + 0.5 + origin[1]), 0.0))
    on_spare = None if spare_slab is None else (spare_slab.centre, spare_slab.top)
    discs = []
    for number, lying in position.tokens.items():
        where = on_spare if lying is None else grounds[lying]
        if where is not None:
            discs.append(_disc(made, number, where, rng))
    for slab in _by_distance(camera, discs):
        lay(image, camera, slab, slant)
    feet: list[tuple[str, tuple[float, float, float]]] = []
    shared: dict[int | None, int] = {}
    for colour, standing in position.wizards.items():
        where = on_spare if standing is None else grounds[standing]
        if where is not None:
            beside = shared.get(standing, 0)
            shared[standing] = beside + 1
            spread = 0.05 if beside == 0 else 0.2
            x, y = np.asarray(where[0]) + np.clip(rng.normal(0, spread, 2), -0.25, 0.25)
            on_disc = where[1] + (0.05 if standing in position.tokens.values() else 0.0)
            feet.append((colour, (float(x), float(y), on_disc)))
    for colour, foot in sorted(feet, key=lambda each: -camera.distance(each[1])):
        stand(image, camera, foot, made.paints[colour], slant, made.pawn)
    return spare_slab


def _tiles(
    rng: np.random.Generator, made: _Print, tiles: Sequence[str], origin: tuple[float, float], pushed: Floats
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
    made: _Print, openings: str, number: int, centre: tuple[float, float], angle: float, ground: float
) -> Slab:
    """Return a loose tile; "" lies face down."""
    if openings:
        shape = SHAPES[openings]
        face = tile_picture(shape, made.look, made.seed * 64 + number)
        quarters = next(q for q in range(4) if turned(shape, q) == openings)
        face = np.ascontiguousarray(np.rot90(face, -quarters))
    else:
        face = np.full((96, 96, 3), made.look.rim, np.uint8)
    return Slab(face, centre, made.tile, ground, ground + made.tile_thick, made.look.edge, angle)


def _disc(made: _Print, number: int, where: tuple[tuple[float, float], float], rng: np.random.Generator) -> Slab:
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
    rng: np.random.Generator, camera: Camera, made: _Print, origin: tuple[float, float], thick: float
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
    camera: Camera,
    rng: np.random.Generator,
    made: _Print,
    position: Position,
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
            lay(image, camera, _disc(made, number, ((3.5 + x, 3.5 + y), -thick), rng), slant)
    paint = tuple(int(value) for value in rng.integers(40, 220, 3))
    for _ in range(int(rng.integers(0, 10))):
        side, out, along = int(rng.integers(4)), reach + float(rng.uniform(0.2, 2.5)), float(rng.uniform(-3.5, 3.5))
        x, y = [(along, -out), (out, along), (along, out), (-out, along)][side]
        if spare is None or np.hypot(3.5 + x - spare[0], 3.5 + y - spare[1]) > 1.4:
            reach_x, reach_y = 0.5 * np.cos(along), 0.5 * np.sin(along)
            ends = [[3.5 + x + k * reach_x, 3.5 + y + k * reach_y, 0.04 - thick] for k in (-1, 1)]
            draw_stick(image, camera, ends, 0.09, (paint[0], paint[1], paint[2]), slant)


def _draw_other_game(image: Image, camera: Camera, rng: np.random.Generator, made: _Print, slant: Floats) -> None:
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


def _cover(image: Image, camera: Camera, rng: np.random.Generator, slant: Floats) -> frozenset[int]:
    """Draw one or two arms that reach over the board, and return the places that they cover."""
    hidden: frozenset[int] = frozenset()
    for _ in range(1 + (rng.random() < 0.25)):
        for _ in range(_TRIES):
            palm = (*(float(value) for value in rng.uniform(0.5, 6.5, 2)), float(rng.uniform(0.8, 2.0)))
            inwards = float(np.degrees(np.arctan2(3.5 - palm[0], palm[1] - 3.5))) + float(rng.normal(0, 30))
            drawn = image.copy()
            closed = bool(rng.random() < 0.5)
            cover = reach_over(drawn, camera, int(rng.integers(4000)), palm, inwards, closed, slant)
            found = _covered(camera, camera.bent(cover))
            if found:
                image[:] = drawn
                hidden |= found
                break
    return hidden


def _covered(camera: Camera, cover: Image) -> frozenset[int]:
    """Return the places of which a mask in px covers more than a small part."""
    steps = (np.arange(6) + 0.5) / 6
    dx, dy = (grid.ravel() for grid in np.meshgrid(steps, steps))
    hidden = []
    for place in range(PLACES):
        points = np.c_[place % SIZE + dx, place // SIZE + dy, np.zeros(36)]
        x, y = np.round(camera.project(points)).astype(int).T
        inside = (x >= 0) & (x < cover.shape[1]) & (y >= 0) & (y < cover.shape[0])
        if (cover[y[inside], x[inside]] > 127).sum() > _COVERED * 36:
            hidden.append(place)
    return frozenset(hidden)


def _outside(camera: Camera) -> frozenset[int]:
    """Return the places whose middle lies beyond the picture's edge."""
    middles = [[place % SIZE + 0.5, place // SIZE + 0.5, 0.0] for place in range(PLACES)]
    pixels = camera.project(middles)
    inside = ((pixels >= 0) & (pixels < camera.size)).all(axis=1)
    return frozenset(int(place) for place in np.flatnonzero(~inside))


def _by_distance(camera: Camera, slabs: Sequence[Slab]) -> list[Slab]:
    """Return slabs in the order of drawing, the farthest first."""
    return sorted(slabs, key=lambda slab: -camera.distance((*slab.centre, slab.top)))


def _box(points: Floats) -> Box:
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))


def tokens_in_order(seed: int, print_: str, light: Light = "day", tilt: float = 20.0) -> Image:
    """Return a picture of the 21 tokens in three rows of seven, in the order of their numbers, for enrolment."""
    rng = np.random.default_rng([seed, 0x21])
    made = replace(_print(rng, "standin", seed, print_), drift=1.0)
    camera = _camera(rng, tilt, float(rng.uniform(-10, 10)), (1280, 720), -1.5, "board")
    slant = _slant(rng)
    image = ground_picture(int(rng.integers(1 << 20)), camera, 0.0)
    for index, number in enumerate(NUMBERS):
        centre = (index % 7 * 0.9 + 0.8, index // 7 * 1.1 + 2.4)
        lay(image, camera, _disc(made, number, (centre, 0.0), rng), slant)
    return photographed(image, camera, light, rng)
