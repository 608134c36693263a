"""Path-traced crowds of wizards, rectified with random errors like drawn boards."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.maze_objects.random_scenes import (
    CORNER_ERROR,
    DISC,
    FIELD,
    MIN_VISIBLE,
    PAWN,
    RINGS,
    WIZARDS,
    measured_camera,
)
from models.path_tracing.maze_jobs import OTHER, CrowdTruth, MazeJob, rendered_crowd_jobs
from vision.cameras.simulated.array_types import Floats, Image, as_floats
from vision.games.master.objects.object_network import COLOURS, PRESENCES
from vision.games.master.objects.top_views import FieldView, view_of
from vision.games.master.readings import SIZE

_SMALLEST: Final = 0.65
"""Smallest random scale of a picture."""
_COMPRESSED: Final = 0.4
"""Fraction of pictures that are compressed as JPEG again."""


@dataclass(frozen=True, eq=False)
class RenderedCrowd:
    """A path-traced board with many wizards, as rendered."""

    image: Image
    """BGR."""
    job: MazeJob
    """Render job: what the picture shows."""
    corners: Floats
    """Corners of the field, px, (4, 2)."""
    truth: CrowdTruth
    """Position of the camera, and visible fractions of the objects."""


@dataclass(frozen=True, eq=False)
class CrowdView:
    """A path-traced crowd in rectified top view, with the objects on each of its 49 places."""

    view: FieldView
    """Top view, rectified with slightly wrong corners."""
    camera: Floats
    """Position of the camera as measured, in tiles."""
    present: Image
    """Whether each kind of object is on each place, (10, 49), as in `ObjectScene`."""
    weight: Image
    """Whether that is visible enough to be learned from, (10, 49)."""


def rendered_crowds(folder: Path) -> list[RenderedCrowd]:
    """Return the crowds rendered in a folder, by seed. Raises FileNotFoundError if there are none."""
    found = []
    for seed, made in rendered_crowd_jobs(folder).items():
        image = cv2.imread(str(folder / f"{seed}.jpg"))
        if made.crowd is not None and image is not None:
            found.append(
                RenderedCrowd(np.asarray(image, np.uint8), made.job, np.array(made.truth.corners), made.crowd)
            )
    return found


def crowd_view(crowd: RenderedCrowd, rng: np.random.Generator) -> CrowdView:
    """Return a board with a crowd in top view, rectified at a random scale and with slightly wrong corners."""
    image, scale = crowd.image, float(rng.uniform(_SMALLEST, 1.0))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if rng.random() < _COMPRESSED:
        _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])
        small = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    errors = rng.normal(0, CORNER_ERROR, (4, 2))
    wrong = as_floats(cv2.getPerspectiveTransform((FIELD + errors).astype(np.float32), FIELD))
    ratio = np.array(small.shape[1::-1]) / image.shape[1::-1]
    # A pixel's centre keeps its place in the picture when the scale changes.
    target = ((crowd.corners + 0.5) * ratio - 0.5).astype(np.float32)
    homography = as_floats(cv2.getPerspectiveTransform(FIELD, target)) @ np.linalg.inv(wrong)
    view = view_of(small, homography)
    camera = measured_camera(np.array(crowd.truth.camera), rng)
    return CrowdView(view, camera, *_labels(crowd.job, crowd.truth))


def _labels(job: MazeJob, truth: CrowdTruth) -> tuple[Image, Image]:
    """Return presence and weight in training of each kind of object on each place, as in `ObjectScene`."""
    present = np.zeros((PRESENCES, SIZE**2), np.uint8)
    weight = np.ones((PRESENCES, SIZE**2), np.uint8)
    for (_, place), visible in zip(job.tokens, truth.visible_discs, strict=True):
        present[DISC, place], weight[DISC, place] = 1, visible >= MIN_VISIBLE
    for (colour, place), visible in zip(job.starts, truth.visible_rings, strict=True):
        ring = RINGS.start + COLOURS.index(colour)
        present[ring, place], weight[ring, place] = 1, visible >= MIN_VISIBLE
    for (colour, place), visible in zip(job.wizards, truth.visible_wizards, strict=True):
        shown = visible >= MIN_VISIBLE
        if colour != OTHER:
            wizard = WIZARDS.start + COLOURS.index(colour)
            present[wizard, place], weight[wizard, place] = 1, shown
        # A place with two pawns is learned from as soon as one of them is visible.
        weight[PAWN, place] = shown or (present[PAWN, place] and weight[PAWN, place])
        present[PAWN, place] = 1
    return present, weight
