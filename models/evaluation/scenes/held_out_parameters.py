"""Definition of what is held out from training: seeds, hands, grounds (table tops) and pieces.

Training draws everything from seeds of FIRST_TRAINING_SEED and above, and uses no hand whose index in the
hands' catalogue is a multiple of five (the cast "training" of the simulated table). Evaluation uses smaller
seeds, only the other hands (the cast "held out") and objects of other shapes
(`models.evaluation.scenes.held_out_shapes`). So the networks were trained on none of the lamps, cameras, tables,
paints, shapes, people and arrangements of evaluation. Of the grounds, four kinds (HELD_OUT_GROUNDS) are in no
training set at all; the others are drawn from smaller seeds, so that their colours, grain and layout are new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from companion.games.wicked.components import PLAYER_COLOURS
from models.evaluation.scenes.held_out_shapes import print_of, silhouette
from models.synthetic_hand_reveals import SIGNS
from vision.cameras.frame import Image
from vision.cameras.simulated import Look
from vision.cameras.simulated.solids import Solid
from vision.cameras.simulated.table_surfaces import KINDS, Ground, Kind, Playmat
from vision.games.wicked.simulated_piece_shapes import solid

FIRST_TRAINING_SEED = 1_000_000
"""Smallest seed of training data."""
HELD_OUT_GROUNDS: Final[tuple[Kind, ...]] = ("herringbone", "tartan", "terrazzo", "hexagons")
"""Kinds of ground that training never draws."""
TRAINING_GROUNDS: Final[tuple[Kind, ...]] = tuple(kind for kind in KINDS if kind not in HELD_OUT_GROUNDS)
"""Kinds of ground that training draws."""
PLAYMAT: Final = "playmat"
"""Name of the ground that is a playmat on a wooden table."""
GROUNDS: Final[tuple[str, ...]] = (
    "wood", "planks", "veneer", "checks", "stripes", "dots", "flowers", "paisley", "lace", "tiles", "newspaper",
    PLAYMAT, *HELD_OUT_GROUNDS,
)  # fmt: skip # a list of names
"""The sixteen grounds of evaluation; the playmat lies on wood."""
NAMES: Final[tuple[str, ...]] = (*GROUNDS, *(kind for kind in KINDS if kind not in GROUNDS))
"""Names that `ground` accepts."""
TOKENS = ("token:red", "token:green", "token:blue", "token:yellow")
"""Kinds of the soul fragment tokens."""


@dataclass(frozen=True, slots=True)
class HeldOutPieces:
    """Shapes and prints of the pieces of one held-out session; kinds that are missing use the stand-in set."""

    solids: dict[str, Solid]
    """Solid of each kind."""
    faces: dict[str, Image]
    """Printed face (BGRA) of each kind that has one."""


def checked_seed(seed: int) -> int:
    """Return a held-out seed unchanged. Raises ValueError for one that belongs to training or is negative."""
    if not 0 <= seed < FIRST_TRAINING_SEED:
        raise ValueError(f"Seed {seed} is not held out: training starts at {FIRST_TRAINING_SEED}.")
    return seed


def look(seed: int, ground: Ground | None = None) -> Look:
    """Return the random camera, light and table of a held-out session.

    The camera is 0.8 to 1.1 m high, so that a piece is 10 to 17 px wide. ground: table top; None: plain wood, felt
    or stone.
    """
    rng = np.random.default_rng([checked_seed(seed), 0x4E1D])
    hfov = float(rng.uniform(62, 78))
    height = float(np.clip(rng.uniform(620, 780) / np.tan(np.radians(hfov / 2)), 800, 1100))
    harsh = rng.random() < 0.3
    return replace(
        Look.from_seed(seed),
        hfov=hfov,
        height=height,
        tilt=float(rng.uniform(0, 14)),
        yaw=float(rng.uniform(-5, 5)),
        aim=(float(rng.uniform(-25, 25)), float(rng.uniform(-25, 15))),
        light_elevation=float(rng.uniform(30, 78)),
        ambient=float(rng.uniform(0.25, 0.42) if harsh else rng.uniform(0.42, 0.68)),
        exposure=float(rng.uniform(0.8, 1.25)),
        gloss=float(rng.uniform(0.1, 0.6)) if rng.random() < 0.5 else 0.0,
        cast="held out",
        ground=ground,
    )


def ground(name: str, seed: int, angle: float) -> Ground:
    """Return a random held-out table top. name: of NAMES. angle: of its grain or pattern, degrees clockwise."""
    kind: Kind = "wood" if name == PLAYMAT else next(kind for kind in KINDS if kind == name)
    drawn = replace(Ground.from_seed(checked_seed(seed), kinds=(kind,)), angle=angle, playmat=None)
    if name != PLAYMAT:
        return drawn
    rng = np.random.default_rng([seed, 0x3A7])
    size = (float(rng.uniform(520, 950)), float(rng.uniform(360, 560)))
    return replace(drawn, playmat=Playmat(seed, size, angle=float(rng.normal(0, 2))))


def random_pieces(seed: int) -> HeldOutPieces:
    """Return the pieces of a held-out session: a random shape and shade per kind, and printed faces of some signs.

    One session in four uses the stand-in set: both mappings are empty.
    """
    rng = np.random.default_rng([checked_seed(seed), 0x7415])
    if seed % 4 == 0:
        return HeldOutPieces({}, {})
    size = float(rng.uniform(13.5, 17.0))
    solids = {}
    for colour in PLAYER_COLOURS:
        kind = f"search:{colour}"
        own = size * float(rng.uniform(0.94, 1.06))
        thickness = own * float(rng.uniform(0.4, 0.6))
        solids[kind] = Solid(kind, silhouette(rng, own), thickness, _random_shade(rng, solid(kind).paint))
    faces = {}
    for kind in SIGNS:
        solids[kind] = replace(solid(kind), thickness=float(rng.uniform(2, 6)))
        if rng.random() < 0.5:
            faces[kind] = print_of(rng)
    return HeldOutPieces(solids, faces)


def _random_shade(rng: np.random.Generator, paint: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return a random shade of a paint (BGR, 0..255)."""
    hue, saturation, value = (int(v) for v in cv2.cvtColor(np.array([[paint]], np.uint8), cv2.COLOR_BGR2HSV)[0, 0])
    mixed = (
        (hue + round(rng.normal(0, 4))) % 180,
        int(np.clip(saturation * rng.uniform(0.75, 1.2), 0, 255)),
        int(np.clip(value * rng.uniform(0.8, 1.2), 20, 250)),
    )
    blue, green, red = (int(v) for v in cv2.cvtColor(np.array([[mixed]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0])
    return blue, green, red
