"""Training examples from path-traced crowds: rectified like drawn boards, several times with other errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.maze_objects.scene import (
    CORNER_ERROR,
    DISC,
    FIELD,
    MIN_VISIBLE,
    PAWN,
    RINGS,
    WIZARDS,
    Example,
    measured_camera,
)
from models.path_tracing.maze_orders import OTHER, CrowdTruth, MazeOrder, rendered_mazes
from vision.cameras.simulated.arrays import Floats, Image, as_floats
from vision.games.master.objects.object_network import COLOURS, PRESENCES, input_image
from vision.games.master.objects.views import view_of
from vision.games.master.readings import SIZE

_SMALLEST: Final = 0.65
"""Least scale at which a picture is shown."""
_COMPRESSED: Final = 0.4
"""Fraction of examples that are compressed as JPEG again."""


def traced_examples(folder: Path, versions: int, seed: int = 0) -> list[Example]:
    """Return examples of the rendered crowds of a folder, `versions` of each picture with different random errors.

    Raises FileNotFoundError if nothing is rendered in the folder.
    """
    found = list(_rendered(folder))
    if not found:
        raise FileNotFoundError(f"No crowd is rendered in {folder}: run `make traced-crowds`.")
    return [
        crowd_example(image, order, corners, truth, np.random.default_rng([seed, order.seed, version]))
        for image, order, corners, truth in found
        for version in range(versions)
    ]


def _rendered(folder: Path) -> Iterator[tuple[Image, MazeOrder, Floats, CrowdTruth]]:
    """Yield picture, order, corners of the field (4, 2) and ground truth of each crowd of a folder."""
    for seed, made in sorted(rendered_mazes(folder).items()):
        image = cv2.imread(str(folder / f"{seed}.jpg"))
        if made.crowd is not None and image is not None:
            yield np.asarray(image, np.uint8), made.order, np.array(made.truth.corners), made.crowd


def crowd_example(
    image: Image, order: MazeOrder, corners: Floats, truth: CrowdTruth, rng: np.random.Generator
) -> Example:
    """Return a crowd as an example: at a random scale, from corners that are a little wrong.

    image: BGR. corners: of the field, px, (4, 2).
    """
    scale = float(rng.uniform(_SMALLEST, 1.0))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < _COMPRESSED:
        _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])
        small = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    errors = rng.normal(0, CORNER_ERROR, (4, 2))
    wrong = as_floats(cv2.getPerspectiveTransform((FIELD + errors).astype(np.float32), FIELD))
    ratio = np.array(small.shape[1::-1]) / image.shape[1::-1]
    # A pixel's centre keeps its place in the picture when the scale changes.
    target = ((corners + 0.5) * ratio - 0.5).astype(np.float32)
    homography = as_floats(cv2.getPerspectiveTransform(FIELD, target)) @ np.linalg.inv(wrong)
    present, weight, discs = _labels(order, truth)
    grid = (SIZE, SIZE)
    return Example(
        input_image(view_of(small, homography)),
        measured_camera(np.array(truth.camera), rng),
        present.reshape(PRESENCES, *grid),
        weight.reshape(PRESENCES, *grid),
        discs.reshape(3, *grid),
    )


def _labels(order: MazeOrder, truth: CrowdTruth) -> tuple[Image, Image, Floats]:
    """Return presence and weight, (10, 49), and circles of the discs, (3, 49), as in `Scene`."""
    present = np.zeros((PRESENCES, SIZE**2), np.uint8)
    weight = np.ones((PRESENCES, SIZE**2), np.uint8)
    discs = np.zeros((3, SIZE**2))
    for (_, place), circle, visible in zip(order.tokens, truth.discs, truth.visible_discs, strict=True):
        present[DISC, place], weight[DISC, place] = 1, visible >= MIN_VISIBLE
        row, column = divmod(place, SIZE)
        discs[:, place] = np.array(circle) - (column + 0.5, row + 0.5, 0)
    for (colour, place), visible in zip(order.starts, truth.visible_rings, strict=True):
        ring = RINGS.start + COLOURS.index(colour)
        present[ring, place], weight[ring, place] = 1, visible >= MIN_VISIBLE
    for (colour, place), visible in zip(order.wizards, truth.visible_wizards, strict=True):
        shown = visible >= MIN_VISIBLE
        if colour != OTHER:
            wizard = WIZARDS.start + COLOURS.index(colour)
            present[wizard, place], weight[wizard, place] = 1, shown
        # A place with two pawns is learned from as soon as one of them is visible.
        weight[PAWN, place] = shown or (present[PAWN, place] and weight[PAWN, place])
        present[PAWN, place] = 1
    return present, weight, discs
