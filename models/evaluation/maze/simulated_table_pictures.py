"""Pictures of Master Labyrinth on the simulated table (`vision.cameras.simulated`), with ground truth.

They complement `models.evaluation.maze.synthetic_pictures`: another renderer, and positions that occur in games of
bots.
"""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from companion.adapters.master.bots.choices import turn_moves
from companion.adapters.master.bots.scenes import scene
from companion.games.master.components import COLOURS, TOKENS
from companion.games.master.maze import letters
from companion.games.master.rules.engine import apply
from companion.games.master.rules.setup import MasterSetup, new_game
from companion.games.master.state import TAKEN, MasterState
from models.evaluation.maze.renderer import Image
from models.evaluation.maze.truth import MazeTruth
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.camera_projection import CameraProjection
from vision.games.master.readings import SIZE
from vision.games.master.simulated_components import LOOK
from vision.games.master.simulated_layout import BOARD_HEIGHT, TILE_MM

_MOST_TURNS = 60
"""Largest number of turns that the bots have made before the picture."""


def table_picture(seed: int) -> tuple[Image, MazeTruth]:
    """Return a picture (BGR, uint8) of a game that bots have begun, and its ground truth; camera and light vary."""
    rng = random.Random(f"table {seed}")
    state = _random_game(rng)
    look = _random_look(seed, rng)
    image = Renderer(look, {}, game="master").render(scene(state), seed)
    half = SIZE * TILE_MM / 2
    field = np.array(
        [[x, y, BOARD_HEIGHT] for x, y in ((-half, half), (half, half), (half, -half), (-half, -half))]
    )
    if state.maze is None:
        raise ValueError("No board is laid in this state.")
    truth = MazeTruth(
        state="board",
        tiles=tuple(letters(tile) for tile in state.maze.tiles()),
        spare=letters(state.maze.spare),
        tokens={number: place for number, place in zip(TOKENS, state.tokens, strict=True) if place != TAKEN},
        wizards={player.colour: place for player, place in zip(state.players, state.wizards, strict=True)},
        corners=tuple((float(x), float(y)) for x, y in CameraProjection(look).project(field)),
    )
    return image, truth


def _random_game(rng: random.Random) -> MasterState:
    """Return the state of a new game after a random number of turns by bots, before the next turn."""
    colours = rng.sample(COLOURS, rng.randint(2, 4))
    state = new_game(colours, MasterSetup(seed=rng.randrange(1 << 32)))
    for _ in range(rng.randint(0, _MOST_TURNS)):
        before = state
        for move in turn_moves(state, rng):
            state = apply(state, move)
        if state.phase != "shift":
            return before
    return state


def _random_look(seed: int, rng: random.Random) -> Look:
    """Return a random table top and light, and a camera pose near that of the simulated table (`LOOK`)."""
    return replace(
        Look.from_seed(seed),
        height=LOOK.height * rng.uniform(0.9, 1.15),
        tilt=rng.uniform(0.0, 25.0),
        yaw=rng.uniform(-15.0, 15.0),
        aim=(rng.uniform(-20.0, 20.0), rng.uniform(-15.0, 15.0)),
    )
