"""Detects a wizard of a given paint on a single place: a small network on an upright crop of that place.

It was trained on random boards (`models/maze_pawns`) with paints of any hue and figures of any shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.colour import Colours
from vision.detector.compilation import compiled
from vision.games.master.objects.top_views import COLOUR_SCALE, FieldView
from vision.games.master.objects.wizards.upright_crops import (
    crop,
    crop_transform,
    input_planes,
    median_colour,
    similarities,
)

WEIGHTS: Final = Path(__file__).parent / "pawns.onnx"
"""Weights of the network, ONNX."""
WIZARD, PAWN = 0, 1
"""Indices of the outputs: log odds of a wizard of the given paint, and of a pawn of any paint (training only)."""


class PawnNetwork:
    """The pawn network, loaded once for any number of crops."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        self._request: Any = compiled(weights).create_infer_request()
        self._lock = Lock()

    def detect(self, views: Sequence[FieldView], paints: Colours, places: Sequence[int]) -> NDArray[np.float64]:
        """Return log odds of a wizard of each paint on each place, (49 or 50, 4); -inf on places not examined.

        views: of the field, then of the spare, if found. paints: log-opponent colours, (4, 3). places: indices of
        those to examine; 49 is the spare.
        """
        middle = median_colour(views[0])
        relative = np.asarray((paints - middle) * COLOUR_SCALE, np.float32)
        planes = list[NDArray[np.float32]]()
        for place in places:
            view, own = (views[0], place) if place < views[0].tiles ** 2 else (views[1], 0)
            planes += _planes(view, own, middle, relative)
        with self._lock:
            found = np.array(self._request.infer(np.stack(planes))[0], np.float64)
        shown = np.full((sum(view.tiles**2 for view in views), len(paints)), -np.inf)
        shown[places] = found[:, WIZARD].reshape(len(places), len(paints))
        return shown


@cache
def shipped_pawn_network() -> PawnNetwork:
    """Return the pawn network with the shipped weights, which the first call loads."""
    return PawnNetwork()


def _planes(view: FieldView, place: int, middle: Colours, paints: Colours) -> list[NDArray[np.float32]]:
    """Return the network's input for one place of a view, one array (PLANES, side, side) for each paint.

    middle: median colour of the field's view (`median_colour`). paints: relative to it and scaled by
    `COLOUR_SCALE`.
    """
    to_view, lean = crop_transform(view, place, view.camera)
    colours = np.asarray((colour.of_view(crop(view.image, to_view)) - middle) * COLOUR_SCALE, np.float32)
    alike = similarities(colours, paints)
    return [input_planes(colours, alike, wizard, lean) for wizard in range(len(paints))]
