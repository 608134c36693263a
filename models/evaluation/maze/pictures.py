"""Synthetic pictures of the maze with ground truth: many looks, cameras, lights and situations."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal, get_args

import numpy as np

from models.evaluation.maze.game_drawing import disc, draw_game, draw_other_game, random_print
from models.evaluation.maze.random_positions import PLACES, MazePosition, random_position
from models.evaluation.maze.renderer import (
    Floats,
    Image,
    Light,
    PinholeCamera,
    ground_picture,
    lay,
    photographed,
    reach_over,
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

`cut_off`: the picture's edge cuts up to a third of one outer row; `forgotten`: a token or wizard was left on the
spare; `foreign_tile`: a loose tile lies face down; `no_board`: an empty table, or the board of another game.
"""
SITUATIONS: Final[tuple[Situation, ...]] = get_args(Situation)

_STATES: Final[dict[Situation, MazeState]] = {
    "covered": "covered", "half_out": "covered", "half_pushed": "half_pushed", "no_board": "no_board",
    "two_boards": "no_board",
}  # fmt: skip # short pairs
"""States of the situations that are not "board"."""
_MIN_COVERED_FRACTION: Final = 0.12
"""Covered fraction of a tile from which on it counts as covered."""
_TRIES: Final = 60
"""Number of random positions of an arm until one covers a tile."""


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
    made = random_print(rng, look, seed, tokens)
    camera = _camera(rng, tilt, turn, size, made.rim, situation)
    slant = _slant(rng)
    thick = float(rng.uniform(0.04, 0.1))
    image = ground_picture(int(rng.integers(1 << 20)), camera, -thick)
    if situation == "no_board":
        draw_other_game(image, camera, rng, made, slant)
        return photographed(image, camera, light, rng), MazeTruth("no_board")
    if situation == "two_boards":
        apart = SIZE / 2 + made.rim + 0.6
        for side in (-1, 1):
            draw_game(image, camera, rng, made, random_position(rng), slant, thick, (side * apart, 0.0))
        return photographed(image, camera, light, rng), MazeTruth("no_board")
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
        made,
        position,
        slant,
        thick,
        half_pushed=situation == "half_pushed",
        spare_hidden=situation == "spare_hidden",
    )
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


def _slant(rng: np.random.Generator) -> Floats:
    """Return where the shadow of a point falls for each unit of height."""
    azimuth, elevation = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(35, 75))
    return np.asarray([np.cos(azimuth), np.sin(azimuth)] / np.tan(elevation), np.float64)


def _camera(
    rng: np.random.Generator, tilt: float, turn: float, size: tuple[int, int], rim: float, situation: Situation
) -> PinholeCamera:
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
    """Return a position in which a token or a wizard was left on the spare."""
    if position.tokens and rng.random() < 0.5:
        number = int(rng.choice(list(position.tokens)))
        return replace(position, tokens={**position.tokens, number: None})
    colour = str(rng.choice(list(position.wizards)))
    return replace(position, wizards={**position.wizards, colour: None})


def _cover(image: Image, camera: PinholeCamera, rng: np.random.Generator, slant: Floats) -> frozenset[int]:
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


def _covered(camera: PinholeCamera, cover: Image) -> frozenset[int]:
    """Return the places of which a mask in px covers more than a small part."""
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


def _outside(camera: PinholeCamera) -> frozenset[int]:
    """Return the places whose middle lies beyond the picture's edge."""
    middles = [[place % SIZE + 0.5, place // SIZE + 0.5, 0.0] for place in range(PLACES)]
    pixels = camera.project(middles)
    inside = ((pixels >= 0) & (pixels < camera.size)).all(axis=1)
    return frozenset(int(place) for place in np.flatnonzero(~inside))


def _box(points: Floats) -> Box:
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))


def tokens_in_order(seed: int, print_: str, light: Light = "day", tilt: float = 20.0) -> Image:
    """Return a picture of the 21 tokens in three rows of seven, in the order of their numbers, for enrolment."""
    rng = np.random.default_rng([seed, 0x21])
    made = replace(random_print(rng, "standin", seed, print_), drift=1.0)
    camera = _camera(rng, tilt, float(rng.uniform(-10, 10)), (1280, 720), -1.5, "board")
    slant = _slant(rng)
    image = ground_picture(int(rng.integers(1 << 20)), camera, 0.0)
    for index, number in enumerate(NUMBERS):
        centre = (index % 7 * 0.9 + 0.8, index // 7 * 1.1 + 2.4)
        lay(image, camera, disc(made, number, (centre, 0.0), rng), slant)
    return photographed(image, camera, light, rng)
