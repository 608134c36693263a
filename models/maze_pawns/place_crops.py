"""Training examples of single places: upright crops from drawn and path-traced boards, with the wizards there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.maze_objects.random_scenes import DISC, PAWN, RINGS, WIZARDS, measured_camera, random_scene
from models.maze_pawns.path_traced_crowds import CrowdView, crowd_view, rendered_crowds
from models.training_example_files import make_missing, read, write
from vision.cameras.simulated.array_types import Floats, Image
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.objects.start_ring_colours import ring_colours
from vision.games.master.objects.top_views import COLOUR_SCALE, FieldView
from vision.games.master.objects.wizards.upright_crops import CROP_PX, crop, crop_transform, median_colour
from vision.games.master.readings import SIZE, STARTS

ZOOM: Final = 4 / 3
"""Scale of a stored crop relative to the network's input."""
BORDER: Final = 8
"""Margin on each side of a stored crop, px, so that it can be shifted at random."""
STORED_PX: Final = round(CROP_PX * ZOOM) + 2 * BORDER
"""Side of a stored crop, px."""
SCENES_PER_FILE: Final = 100
"""Drawn boards in each file."""
_MAX_OTHERS: Final = (5, 4, 4, 4)
"""Largest number of places without a wizard that are taken from a board: with a disc, with a ring, next to a
wizard, and any others."""


@dataclass(frozen=True, eq=False)
class Places:
    """Examples of many places, as arrays along the first axis."""

    image: NDArray[np.uint8]
    """BGR, (n, STORED_PX, STORED_PX, 3)."""
    levels: NDArray[np.float32]
    """Median colour of the board, (n, 3)."""
    paints: NDArray[np.float32]
    """Colours of the wizards' paints as measured on the start rings, relative to `median_colour`, (n, 4, 3)."""
    lean: NDArray[np.float32]
    """Tangent of the angle between line of sight and straight down at each place, (n,)."""
    present: NDArray[np.uint8]
    """Whether a wizard of each colour, and last a pawn of any colour, stands there, (n, 5)."""
    weight: NDArray[np.uint8]
    """Whether that is visible enough to be learned from, (n, 5)."""


_NAMES: Final = tuple(one.name for one in fields(Places))


def load_drawn_places(folder: Path, files: int, processes: int | None = None) -> Places:
    """Return examples of places on randomly drawn boards. Missing files are created, existing ones are read.

    folder, files: folder and number of the files.
    """
    targets = [folder / f"{number:04}.npz" for number in range(files)]
    make_missing(targets, _make_one, "Drawing boards", processes)
    return Places(*(np.asarray(of) for of in read(targets, _NAMES)))


def _make_one(file: Path) -> None:
    """Draw the boards of one file and write their places; the file's number is their seed."""
    cv2.setNumThreads(1)
    first = int(file.stem) * SCENES_PER_FILE
    made = concatenate([drawn_places(np.random.default_rng([first + k, 0x9A])) for k in range(SCENES_PER_FILE)])
    write(file, **{name: getattr(made, name) for name in _NAMES})


def drawn_places(rng: np.random.Generator) -> Places:
    """Return examples of places on one randomly drawn board."""
    scene = random_scene(rng)
    camera = measured_camera(scene.camera, rng)
    return _select_places(scene.view, camera, scene.present, scene.weight, rng)


def load_traced_places(folders: Sequence[Path], versions: int) -> Places:
    """Return examples of places on the path-traced boards with crowds in some folders.

    versions: number of times that each picture is used, with different random errors. Raises FileNotFoundError if
    nothing is rendered in a folder.
    """
    return concatenate(list(_iterate_traced_places(folders, versions)))


def _iterate_traced_places(folders: Sequence[Path], versions: int) -> Iterator[Places]:
    """Yield the examples of each path-traced board, once per version."""
    for folder in folders:
        for crowd in rendered_crowds(folder):
            for version in range(versions):
                rng = np.random.default_rng([version, crowd.job.seed, 0x9B])
                yield traced_places(crowd_view(crowd, rng), rng)


def traced_places(shown: CrowdView, rng: np.random.Generator) -> Places:
    """Return examples of places on one path-traced board."""
    return _select_places(shown.view, shown.camera, shown.present, shown.weight, rng)


def concatenate(many: Sequence[Places]) -> Places:
    """Concatenate examples."""
    return Places(*(np.concatenate([getattr(one, name) for one in many]) for name in _NAMES))


def _select_places(
    view: FieldView, camera: Floats, present: Image, weight: Image, rng: np.random.Generator
) -> Places:
    """Return examples of all places with a pawn, and of some without one.

    view: top view of the board. camera: position, in tiles. present, weight: as in `ObjectScene`.
    """
    standing = present[PAWN] > 0
    near = np.zeros((SIZE + 2, SIZE + 2), bool)
    grid = standing.reshape(SIZE, SIZE)
    for row in range(3):
        for column in range(3):
            near[row : row + SIZE, column : column + SIZE] |= grid
    kinds = (present[DISC] > 0, present[RINGS].any(axis=0), near[1:-1, 1:-1].ravel(), np.ones(SIZE**2, bool))
    taken = set(np.flatnonzero(standing).tolist())
    for kind, most in zip(kinds, _MAX_OTHERS, strict=True):
        taken |= set(rng.permutation(np.flatnonzero(kind & ~standing))[:most].tolist())
    chosen = sorted(taken)
    middle = median_colour(view)
    paints = (ring_colours(view)[_quarter_turns(present)].paints - middle) * COLOUR_SCALE
    eye = (float(camera[0]), float(camera[1]), float(camera[2]))
    made = [crop_transform(view, place, eye, ZOOM, BORDER) for place in chosen]
    labels: list[Any] = [np.vstack([of[WIZARDS], of[PAWN : PAWN + 1]])[:, chosen].T for of in (present, weight)]
    return Places(
        np.stack([crop(view.image, to_view, STORED_PX) for to_view, _ in made]),
        np.repeat(middle[None], len(chosen), 0),
        np.repeat(paints[None].astype(np.float32), len(chosen), 0),
        np.array([lean for _, lean in made], np.float32),
        *labels,
    )


def _quarter_turns(present: Image) -> int:
    """Return the clockwise quarter turns from the picture's frame to the board's, computed from the start rings.

    present: whether each kind of object is on each place, (10, 49), as in `ObjectScene`.
    """
    places = present[RINGS].argmax(axis=1).tolist()
    starts = list(STARTS.values())
    return next(turns for turns in range(4) if [turned_place(place, turns) for place in places] == starts)
