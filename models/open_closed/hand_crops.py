"""Training crops of the open/closed classifier: hands over synthetic tables, path-traced hands, and photographs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector.hand_photographs import STATES, framed, photograph_files
from models.detector.random_pieces import PieceSet, random_piece_set
from models.detector.scenes import (
    ordinary_scene,
    session_look,
    training_ground,
    with_darkest_pieces,
    with_random_light,
    with_tone_curve,
)
from models.evaluation.scenes.synthetic_sessions import as_sent
from models.path_tracing.hand_crops import rendered_hands
from models.synthetic_hand_reveals import card_faces
from models.training_example_files import make_missing, read, write
from vision.cameras.simulated import Renderer
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.cameras.simulated.table_surfaces import draw
from vision.detector.open_closed_classifier import SIDE_PX, hand_patch
from vision.hands.palm_height_scale import PALM_HEIGHT_MM

FIRST_SEED = 8_000_000
"""Smallest seed of training tables."""
SCENES = 6
"""Scenes per table."""
FIRST_TUNING_SEED = 8_100_000
"""Smallest seed of fine-tuning tables."""
_TUNING_SCENES = 3
"""Scenes per fine-tuning table."""
_GROUNDS_A_SCENE = 4
"""Number of grounds and lights per fine-tuning scene: a ground renders faster than hands."""
KEPT_PX = 104
"""Side of stored crops, px; larger than the network's input, for random shifts and rotations."""
_CLOSED_FRACTION = 0.5
"""Fraction of hands that are closed."""
_COUNTS = (0.35, 0.13, 0.13, 0.12, 0.1, 0.07, 0.06, 0.04)
"""Probability of each number of pieces in a hand, from 0; many are empty, because fists are confused with empty
hands."""
_PHOTOGRAPH_PX = 84
"""Longer side of a photographed hand, px: about 170 mm."""
_FISTS_AGAIN = 3
"""Repetitions of each path-traced fist per epoch, because they are rare."""


@dataclass(frozen=True, slots=True)
class HandPatches:
    """Training examples: crops of hands, and whether each is open."""

    hands: NDArray[np.uint8]
    """Crops, BGR uint8, (n, 104, 104, 3)."""
    opened: NDArray[np.bool_]
    """Whether each hand is open, (n,)."""


def make(folder: Path, tables: int, processes: int | None = None, first: int = FIRST_SEED) -> list[Path]:
    """Write crops of hands over random tables, one file per table, and return the files; existing ones are kept.

    tables: number of tables. first: seed of the first table; from `FIRST_TUNING_SEED` on, each scene is drawn on
    several table tops.
    """
    files = [folder / f"{first + number}.npz" for number in range(tables)]
    make_missing(files, _make_one, "Drawing hands", processes)
    return files


def load(files: Sequence[Path]) -> HandPatches:
    """Read and concatenate the examples in files."""
    seen, opened = read(files, ("hands", "opened"))
    return HandPatches(np.asarray(seen, np.uint8), np.asarray(opened, bool))


def concatenate(several: Sequence[HandPatches]) -> HandPatches:
    """Concatenate examples."""
    return HandPatches(np.concatenate([of.hands for of in several]), np.concatenate([of.opened for of in several]))


def _make_one(file: Path) -> None:
    """Draw the hands over one table and write their crops; the file's name is the seed."""
    cv2.setNumThreads(1)
    seed = int(file.stem)
    patches = tuning_patches(seed) if seed >= FIRST_TUNING_SEED else table_patches(seed)
    write(file, hands=patches.hands, opened=patches.opened)


def table_patches(seed: int) -> HandPatches:
    """Return crops of the hands over a random table, about half of them closed."""
    rng = np.random.default_rng([seed, 0x0FE4])
    made = random_piece_set(rng)
    other_light = bool(rng.random() < 0.6)
    look = session_look(seed)
    renderer = Renderer(look, {**card_faces(seed), **made.faces}, made.solids)
    scale = _palm_px_per_mm(renderer)
    coded = bool(rng.random() < 0.5)
    hands, opened = [], []
    for number in range(SCENES):
        scene = _with_filled_hands(rng, ordinary_scene(rng, made), made)
        image, truth = renderer.render_with_truth(
            with_darkest_pieces(rng, scene, made) if other_light else scene, 100 + number
        )
        image = with_tone_curve(image, seed) if other_light else image
        image = as_sent(image) if coded else image
        hands += [hand_patch(image, hand.box, scale, KEPT_PX) for hand in truth.hands]
        opened += [hand.state == "open" for hand in truth.hands]
    return HandPatches(np.array(hands, np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3), np.array(opened, bool))


def tuning_patches(seed: int) -> HandPatches:
    """Return crops of the hands over a random table, each scene drawn on several table tops in several lights."""
    rng = np.random.default_rng([seed, 0x0FE5])
    made, look = random_piece_set(rng), session_look(seed)
    renderer = Renderer(look, {**card_faces(seed), **made.faces}, made.solids)
    scale = _palm_px_per_mm(renderer)
    coded = bool(rng.random() < 0.5)
    hands, opened = [], []
    for number in range(_TUNING_SCENES):
        scene = _with_filled_hands(rng, ordinary_scene(rng, made), made)
        for variant in range(_GROUNDS_A_SCENE):
            if number or variant:
                renderer = renderer.with_table_top(draw(training_ground(rng)), with_random_light(look, rng))
            image, truth = renderer.render_with_truth(scene, 100 + number * _GROUNDS_A_SCENE + variant)
            image = with_tone_curve(image, int(rng.integers(1 << 30))) if rng.random() < 0.5 else image
            image = as_sent(image) if coded else image
            hands += [hand_patch(image, hand.box, scale, KEPT_PX) for hand in truth.hands]
            opened += [hand.state == "open" for hand in truth.hands]
    return HandPatches(np.array(hands, np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3), np.array(opened, bool))


def _palm_px_per_mm(renderer: Renderer) -> float:
    """Return the scale at palm height in the middle of the table, px/mm."""
    ends = renderer.view.project(np.array([[-50.0, 0, PALM_HEIGHT_MM], [50.0, 0, PALM_HEIGHT_MM]]))
    return float(np.hypot(*(ends[1] - ends[0]))) / 100


def _with_filled_hands(rng: np.random.Generator, scene: Scene, made: PieceSet) -> Scene:
    """Return a scene in which about half of the hands are closed, and the others hold random pieces."""

    def filled(hand: HandOnTable) -> HandOnTable:
        if rng.random() < _CLOSED_FRACTION:
            return replace(hand, openness=0.0, pieces=())
        count = int(rng.choice(len(_COUNTS), p=_COUNTS))
        return replace(hand, openness=1.0, pieces=(str(rng.choice(made.pieces)),) * count)

    return replace(scene, hands=tuple(map(filled, scene.hands)))


def path_traced_patches(folder: Path) -> HandPatches:
    """Return the path-traced hands in a folder (`models.path_tracing`) as crops; the rare fists are repeated."""
    orders = json.loads((folder / "specs.json").read_text("utf-8"))
    state = {int(order["seed"]): order["hand"]["state"] for order in orders}
    beyond = (KEPT_PX - SIDE_PX) // 2
    hands, opened = [], []
    for seed, picture, _ in rendered_hands(folder):
        small = cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA)
        hand = cv2.copyMakeBorder(small, beyond, beyond, beyond, beyond, cv2.BORDER_REPLICATE)
        times = 1 if state[seed] == "open" else _FISTS_AGAIN
        hands += [hand] * times
        opened += [state[seed] == "open"] * times
    return HandPatches(np.array(hands, np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3), np.array(opened, bool))


def photographed_patches(folder: Path) -> HandPatches:
    """Return the training photographs of hands in a folder (`models.detector.hand_photographs`) as crops."""
    hands, opened = [], []
    for state, label in STATES.items():
        for file in photograph_files(folder, state, held_out=False):
            photo = cv2.imread(str(file))
            if photo is not None:
                hands.append(framed(np.asarray(photo, np.uint8), _PHOTOGRAPH_PX, KEPT_PX))
                opened.append(label == "open")
    return HandPatches(np.array(hands, np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3), np.array(opened, bool))
