"""Render jobs of hands for Blender: which hand to render, and which random pieces fall into it.

Blender's Python module needs an older NumPy than the project. So `models/path_tracing/render_hands.py` runs on its
own and reads the jobs from a file.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.detector.random_pieces import random_piece_set
from models.detector.scenes import training_ground
from models.evaluation.scenes.held_out_parameters import checked_seed
from models.evaluation.scenes.held_out_parameters import random_pieces as random_held_out_pieces
from models.synthetic_hand_reveals import SEARCHES, SIGNS
from vision.cameras.frame import Image
from vision.cameras.simulated.hands.arm_pictures import hands
from vision.cameras.simulated.solids import Solid
from vision.cameras.simulated.table_surfaces import Ground, draw
from vision.games.wicked.simulated_components import standin_faces
from vision.games.wicked.simulated_piece_shapes import solid

FIRST_SEED = 4_000_000
"""Seed of the first training picture."""
FIRST_HELD_OUT_SEED = 700_000
"""Seed of the first held-out picture."""
FIRST_GROWN_SEED = 7_000_000
"""Seed of the first training picture of generated hands."""
FIRST_GROWN_HELD_OUT_SEED = 750_000
"""Seed of the first held-out picture of generated hands."""
_COUNT_PROBABILITIES = (0.05, 0.07, 0.09, 0.12, 0.14, 0.14, 0.14, 0.11, 0.09, 0.05)
"""Probabilities of 0, 1, 2, … pieces in a hand."""
_SIGNS_HELD_OUT = 0.25
"""Probability of each sign in a held-out hand."""
_SIGNS_TRAINED = 0.13
"""Probability of each sign in a training hand."""
_THICKER = (1.0, 1.4)
"""Range of factors on the thickness of pieces in generated hands."""
GROUND_MM = 360
"""Side of the square of table top below a hand, mm: as much as the camera can show."""
_ON_GROUNDS = 0.8
"""Fraction of hands over a ground of the simulated table; the others are over a noise texture."""
_CLOSED_FRACTION = 0.12
"""Fraction of training hands of the catalogue that are closed and empty."""
_GROWN_CLOSED_FRACTION = 0.4
"""Fraction of generated training hands that are closed and empty."""


@dataclass(frozen=True, slots=True)
class PieceSpecification:
    """A piece to render: an extruded outline."""

    outline: tuple[tuple[float, float], ...]
    """Corners, mm."""
    thickness: float
    """Thickness, mm."""
    paint: tuple[int, int, int]
    """BGR."""
    face: str | None
    """File of its printed face (BGRA), None without."""


@dataclass(frozen=True, slots=True)
class HandJob:
    """One picture of a hand to render."""

    seed: int
    """Seed of the picture."""
    hand: dict[str, Any]
    """Entry of the hand in the catalogue, or parameters of a generated one."""
    pieces: tuple[PieceSpecification, ...]
    """Pieces that fall into the hand."""
    ground: str | None = None
    """File of the ground below the hand; None for a noise texture."""


def write(
    folder: Path,
    first: int,
    number: int,
    *,
    held_out: bool = False,
    grown: bool = False,
    signs: float | None = None,
) -> None:
    """Write the render jobs of some pictures (`specs.json`), and the printed faces and table tops that they name.

    first: seed of the first picture. number: of pictures. held_out: use shapes and hands that are in no training
    set. grown: use generated hands (`models.path_tracing.procedural_hands`) instead of the catalogue's. signs:
    probability of each sign in a hand; None: the default.
    """
    for name in ("faces", "grounds"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    make_job = _grown_job if grown else _catalogue_job
    usual = _SIGNS_HELD_OUT if held_out else _SIGNS_TRAINED
    often = usual if signs is None else signs
    jobs = [
        replace(make_job(folder, seed, held_out, often), ground=_write_ground(folder, seed, held_out))
        for seed in range(first, first + number)
    ]
    (folder / "specs.json").write_text(json.dumps([asdict(job) for job in jobs]), "utf-8")


def _catalogue_job(folder: Path, seed: int, held_out: bool, often: float) -> HandJob:
    """Return the job of one picture with a catalogue hand, and write its faces. often: probability of each sign."""
    rng = np.random.default_rng([seed, 0x7A])
    # A separate generator keeps all other random choices unchanged.
    if not held_out and np.random.default_rng([seed, 0x7F]).random() < _CLOSED_FRACTION:
        fists = [hand for hand in hands("many") if hand["state"] == "closed"]
        return HandJob(seed, fists[int(rng.integers(len(fists)))], ())
    opened = [hand for hand in hands("held out" if held_out else "many") if hand["state"] == "open"]
    hand = opened[int(rng.integers(len(opened)))]
    return HandJob(seed, hand, _random_pieces(folder, seed, rng, held_out, often))


def _grown_job(folder: Path, seed: int, held_out: bool, often: float) -> HandJob:
    """Return the job of one picture with a generated hand, and write its faces. often: probability of each sign."""
    rng = np.random.default_rng([seed, 0x7A])
    if rng.random() < _GROWN_CLOSED_FRACTION and not held_out:
        return HandJob(seed, {"grown": True, "state": "closed"}, ())
    return HandJob(
        seed, {"grown": True, "state": "open"}, _random_pieces(folder, seed, rng, held_out, often, _THICKER)
    )


def _random_pieces(
    folder: Path,
    seed: int,
    rng: np.random.Generator,
    held_out: bool,
    often: float,
    thicker: tuple[float, float] | None = None,
) -> tuple[PieceSpecification, ...]:
    """Return the pieces of a hand: a random number of one kind, and each sign with probability `often`.

    Writes the files of their printed faces. thicker: range of factors on the thickness; None: unchanged.
    """
    count = int(rng.choice(len(_COUNT_PROBABILITIES), p=_COUNT_PROBABILITIES))
    solids, faces, kinds, signs = _held_out_kinds(seed) if held_out else _trained_kinds(rng)
    kind = str(rng.choice(kinds))
    times = 1.0 if thicker is None else float(rng.uniform(*thicker))
    solids = {**solids, kind: replace(solids[kind], thickness=solids[kind].thickness * times)}
    held = [kind] * count + [sign for sign in signs if rng.random() < often]
    return tuple(_specify_piece(folder, seed, solids[kind], faces.get(kind)) for kind in held)


def _write_ground(folder: Path, seed: int, held_out: bool) -> str | None:
    """Write a picture of a random table top for most hands, and return its file name; None for the others.

    The picture is a square of `GROUND_MM` at 1 px/mm.
    """
    rng = np.random.default_rng([seed, 0x6A0D])
    if rng.random() > _ON_GROUNDS:
        return None
    top = draw(Ground.from_seed(checked_seed(seed)) if held_out else training_ground(rng))
    y, x = (int(rng.integers(side // 4, side * 3 // 4 - GROUND_MM)) for side in top.shape[:2])
    name = f"grounds/{seed}.jpg"
    cv2.imwrite(str(folder / name), top[y : y + GROUND_MM, x : x + GROUND_MM], [cv2.IMWRITE_JPEG_QUALITY, 90])
    return name


Kinds = tuple[dict[str, Solid], dict[str, Image], list[str], list[str]]
"""Solids and printed faces (BGRA) by kind, kinds of search pieces, and kinds of signs."""


def _trained_kinds(rng: np.random.Generator) -> Kinds:
    """Return solids, faces, kinds of search pieces and kinds of signs of a random game, for training."""
    made = random_piece_set(rng)
    return made.solids, made.faces, list(made.pieces), list(made.signs)


def _held_out_kinds(seed: int) -> Kinds:
    """Return solids, faces, kinds of search pieces and kinds of signs that occur in no training set."""
    made = random_held_out_pieces(seed)
    kinds, signs = list(SEARCHES), list(SIGNS)
    solids = {kind: made.solids.get(kind) or solid(kind) for kind in (*kinds, *signs)}
    return solids, {**standin_faces(), **made.faces}, kinds, signs


def _specify_piece(folder: Path, seed: int, of: Solid, face: Image | None) -> PieceSpecification:
    """Return the specification of a piece; write the file of its printed face (BGRA) if it has one."""
    name = None
    if of.printed and face is not None:
        name = f"faces/{seed}-{of.kind.replace(':', '_')}.png"
        cv2.imwrite(str(folder / name), face)
    return PieceSpecification(of.outline, of.thickness, of.paint, name)
