"""Synthetic pictures of the maze with ground truth, in many looks, cameras, lights and situations.

Lengths and frame as in `models.evaluation.maze.renderer`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, get_args

import numpy as np

from models.evaluation.maze.game_drawing import draw_game, draw_other_game, random_style, token_slab
from models.evaluation.maze.random_positions import PLACES, MazePosition, random_position
from models.evaluation.maze.renderer import (
    Floats,
    Image,
    Light,
    PinholeCamera,
    draw_arm,
    draw_slab,
    ground_picture,
    simulate_camera,
)
from models.evaluation.maze.truth import MazeTruth
from vision.games.master.readings import FIXED, NUMBERS, SIZE, MazeState
from vision.readings import Box

__all__ = ["LIGHTS", "SITUATIONS", "Light", "Situation", "picture", "tokens_in_order"]

LIGHTS: Final[tuple[Light, ...]] = get_args(Light)
Situation = Literal[
    "board", "spare_hidden", "cut_off", "forgotten", "foreign_tile", "covered", "half_pushed", "half_out",
    "no_board", "two_boards",
]  # fmt: skip # a list of names
"""What the picture shows.

`board`: the whole board with its spare tile; `spare_hidden`: no spare tile; `cut_off`: the picture's edge cuts up
to a third of an outer row or column; `forgotten`: a token or wizard was left on the spare; `foreign_tile`: a loose
tile lies face down; `covered`: an arm covers tiles; `half_pushed`: the spare is part of the way in; `half_out`: the
picture's edge cuts off about half of the board; `no_board`: an empty table, or the board of another game;
`two_boards`: two games side by side.
"""
SITUATIONS: Final[tuple[Situation, ...]] = get_args(Situation)

_STATES: Final[dict[Situation, MazeState]] = {
    "covered": "covered", "half_out": "covered", "half_pushed": "half_pushed", "no_board": "no_board",
    "two_boards": "no_board",
}  # fmt: skip # short pairs
"""True state of each situation whose state is not "board"."""
_MIN_COVERED_FRACTION: Final = 0.12
"""Covered fraction of a tile from which on it counts as covered."""
_TRIES: Final = 60
"""Maximum number of random positions of an arm that are tried until one covers a tile."""


def picture(
    seed: int,
    look: str = "standin",
    light: Light = "day",
    situation: Situation = "board",
    size: tuple[int, int] = (1280, 720),
    tilt: float | None = None,
    turn: float | None = None,
    tokens: str | None = None,
    position: MazePosition | None = None,
) -> tuple[Image, MazeTruth]:
    """Return a synthetic picture (BGR, uint8) and its ground truth; equal arguments give equal pictures.

    look: of `LOOKS`; size: width and height, px; tilt: angle of the optical axis from straight down, degrees,
    0..45; turn: rotation of the board in the picture, degrees; tokens: their print, of `PRINTS`; position: what
    lies on the board. Each of the last four is random if None, except that the stand-in's board has its own tokens.
    """
    rng = np.random.default_rng([seed, 0x3A2E])
    tilt = float(rng.uniform(0, 45)) if tilt is None else tilt
    turn = float(rng.uniform(0, 360)) if turn is None else turn
    if situation in ("cut_off", "half_out"):
        turn = round(turn / 90) * 90 + float(rng.uniform(-3, 3))
    style = random_style(rng, look, seed, tokens)
    camera = _random_camera(rng, tilt, turn, size, style.rim, situation)
    shadow_shift = _random_shadow_shift(rng)
    board_thickness = float(rng.uniform(0.04, 0.1))
    image = ground_picture(int(rng.integers(1 << 20)), camera, -board_thickness)
    if situation == "no_board":
        draw_other_game(image, camera, rng, style, shadow_shift)
        return simulate_camera(image, camera, light, rng), MazeTruth("no_board")
    if situation == "two_boards":
        apart = SIZE / 2 + style.rim + 0.6
        for side in (-1, 1):
            draw_game(
                image, camera, rng, style, random_position(rng), shadow_shift, board_thickness, (side * apart, 0.0)
            )
        return simulate_camera(image, camera, light, rng), MazeTruth("no_board")
    position = random_position(rng) if position is None else position
    if situation == "forgotten":
        position = _with_forgotten(position, rng)
    if situation == "foreign_tile":
        foreign = int(rng.choice([place for place in range(PLACES) if place not in FIXED]))
        position = replace(position, tiles=(*position.tiles[:foreign], "", *position.tiles[foreign + 1 :]))
    spare = draw_game(
        image,
        camera,
        rng,
        style,
        position,
        shadow_shift,
        board_thickness,
        half_pushed=situation == "half_pushed",
        spare_hidden=situation == "spare_hidden",
    )
    hidden = _places_outside(camera)
    if situation == "covered":
        hidden |= _draw_arms(image, camera, rng, shadow_shift)
    box = None if spare is None else _bounding_box(camera.project(spare.outline(spare.top)))
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
    return simulate_camera(image, camera, light, rng), truth


_FIELD: Final = ((0.0, 0.0, 0.0), (7.0, 0.0, 0.0), (7.0, 7.0, 0.0), (0.0, 7.0, 0.0))
"""Corners (x, y, height) of the 7 × 7 field, tiles, clockwise from the outer corner of place 0."""


def _random_shadow_shift(rng: np.random.Generator) -> Floats:
    """Return a random offset (x, y) of a point's shadow from the point, per unit of the point's height."""
    azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(35, 75))
    return np.asarray([np.cos(azimuth), np.sin(azimuth)] / np.tan(elevation), np.float64)


def _random_camera(
    rng: np.random.Generator, tilt: float, turn: float, size: tuple[int, int], rim: float, situation: Situation
) -> PinholeCamera:
    """Return a random camera that shows the whole board, or as much of it as the situation requires.

    tilt, turn: as in `picture`; size: width and height of the picture, px; rim: width of the board's rim, tiles.
    """
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
        camera = PinholeCamera(rotation, np.array([0, 0, distance]), focal, size, k1)
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
    return PinholeCamera(rotation, np.array([shift[0], shift[1], distance]), focal, size, k1)


def _with_forgotten(position: MazePosition, rng: np.random.Generator) -> MazePosition:
    """Return a copy of a position in which a random token or wizard was left on the spare."""
    if position.tokens and rng.random() < 0.5:
        number = int(rng.choice(list(position.tokens)))
        return replace(position, tokens={**position.tokens, number: None})
    colour = str(rng.choice(list(position.wizards)))
    return replace(position, wizards={**position.wizards, colour: None})


def _draw_arms(
    image: Image, camera: PinholeCamera, rng: np.random.Generator, shadow_shift: Floats
) -> frozenset[int]:
    """Draw one or two arms over the board on a picture in place, and return the places that they cover."""
    hidden: frozenset[int] = frozenset()
    for _ in range(1 + (rng.random() < 0.25)):
        for _ in range(_TRIES):
            palm = (*(float(value) for value in rng.uniform(0.5, 6.5, 2)), float(rng.uniform(0.8, 2.0)))
            inwards = float(np.degrees(np.arctan2(3.5 - palm[0], palm[1] - 3.5))) + float(rng.normal(0, 30))
            drawn = image.copy()
            closed = bool(rng.random() < 0.5)
            cover = draw_arm(drawn, camera, int(rng.integers(4000)), palm, inwards, closed, shadow_shift)
            found = _covered_places(camera, camera.distort(cover))
            if found:
                image[:] = drawn
                hidden |= found
                break
    return hidden


def _covered_places(camera: PinholeCamera, cover: Image) -> frozenset[int]:
    """Return the places of which a mask (0..255, in px of the picture) covers more than `_MIN_COVERED_FRACTION`."""
    steps = (np.arange(6) + 0.5) / 6
    dx, dy = (grid.ravel() for grid in np.meshgrid(steps, steps))
    hidden = []
    for place in range(PLACES):
        points = np.c_[place % SIZE + dx, place // SIZE + dy, np.zeros(36)]
        x, y = np.round(camera.project(points)).astype(int).T
        inside = (x >= 0) & (x < cover.shape[1]) & (y >= 0) & (y < cover.shape[0])
        if (cover[y[inside], x[inside]] > 127).sum() > _MIN_COVERED_FRACTION * 36:
            hidden.append(place)
    return frozenset(hidden)


def _places_outside(camera: PinholeCamera) -> frozenset[int]:
    """Return the places whose middle lies beyond the picture's edge."""
    middles = [[place % SIZE + 0.5, place // SIZE + 0.5, 0.0] for place in range(PLACES)]
    pixels = camera.project(middles)
    inside = ((pixels >= 0) & (pixels < camera.size)).all(axis=1)
    return frozenset(int(place) for place in np.flatnonzero(~inside))


def _bounding_box(points: Floats) -> Box:
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))


def tokens_in_order(seed: int, print_: str, light: Light = "day", tilt: float = 20.0, *, columns: int = 7) -> Image:
    """Return a picture of the 21 tokens in three rows, in the order of their numbers, for enrolment.

    print_: of the tokens, of `PRINTS`; tilt: angle of the optical axis from straight down, degrees; columns: tokens
    of a whole row, 7 or 8.
    """
    rng = np.random.default_rng([seed, 0x21])
    style = replace(random_style(rng, "standin", seed, print_), drift=1.0)
    camera = _random_camera(rng, tilt, float(rng.uniform(-10, 10)), (1280, 720), -1.5, "board")
    shadow_shift = _random_shadow_shift(rng)
    image = ground_picture(int(rng.integers(1 << 20)), camera, 0.0)
    for index, number in enumerate(NUMBERS):
        row, column = divmod(index, columns)
        centre = (column * 6.3 / columns + 0.8, row * 1.1 + 2.4)
        draw_slab(image, camera, token_slab(style, number, (centre, 0.0), rng), shadow_shift)
    return simulate_camera(image, camera, light, rng)
