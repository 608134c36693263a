"""What a box in a hand looks like through the eyes of this table: how like wood, sign or skin each pixel is.

A small network looks at these views. It sees no colours as such, only how far they are off from the wood's, how
likely the kinds enrolled here make them, and how large these kinds are: so what it learned from made-up games holds
for others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.detector import CLOSE_PX_PER_MM
from vision.detector.network import loaded
from vision.readings import Box
from vision.reveal.colour import Colours
from vision.reveal.kinds import REST, KindColours

WEIGHTS = Path(__file__).parent / "likeness.onnx"
SIDE_PX = 40
"""A view is a square of so many px of the hand's crop round the middle of a box: 25 mm."""
PLANES = 13
"""Of a view: three of the colours' offset from the wood's; how well the wood fits, and how much better than the
rest; the box; other boxes; how large a piece of the wood is; how well the sign fits, how much better than the wood,
than the rest; how much better another sign fits than the wood; and how large the sign is."""
SIGN_PLANES = slice(8, PLANES)
"""Those that tell of the sign."""
OUTCOMES = ("nothing", "search", "sign", "other")
NOTHING, SEARCH, SIGN, OTHER = range(len(OUTCOMES))
"""What a box shows: no piece, a search piece, the sign that is asked for, another one."""
TOLD = len(OUTCOMES) + 1
HIDES = TOLD - 1
"""What is told of a view: the log probability of each outcome, and the logarithm of how many pieces on average, of
which a quarter or more is in sight, have no box of their own and lie nearest to this one."""
NOWHERE = -3.0
"""Stands in the planes of a sign, or of a size, for one that was not enrolled; no plane tells more than this or its
opposite."""
_AT_ONCE = 8
"""Views are looked at in multiples of this: for each number of them memory is laid out anew."""
_STRENGTH = np.array([1.5, 4.0, 4.0], np.float32)
"""Colours' offsets from the wood's are told so many times as large: all planes tell about as much."""
_FITS, _PER = 3.0, 4.0
"""Log likelihoods are told in fours, those of one thing above minus three."""


class Teller(Protocol):
    """Tells what views show."""

    def tell(self, views: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give what is `TOLD` of each view, (views, 5)."""


class Likeness:
    """The network, loaded for play. Not to be shared between threads."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights of an ONNX file. Raises RuntimeError when they cannot be used."""
        _, core, model = loaded(weights)
        model.reshape([-1, PLANES, SIDE_PX, SIDE_PX])
        self._compiled: Any = core.compile_model(model, "CPU")

    def tell(self, views: NDArray[np.float32]) -> NDArray[np.float32]:
        """Give what is `TOLD` of each view, (views, 5)."""
        filled = np.zeros((math.ceil(len(views) / _AT_ONCE) * _AT_ONCE, *views.shape[1:]), np.float32)
        filled[: len(views)] = views
        raw = np.asarray(self._compiled(filled)[0], np.float32)[: len(views)]
        outcomes = raw[:, :HIDES]
        top = outcomes.max(axis=1, keepdims=True)
        chances = outcomes - top - np.log(np.exp(outcomes - top).sum(axis=1, keepdims=True))
        return np.asarray(np.hstack([chances, raw[:, HIDES:]]), np.float32)


def views(
    colours: Colours,
    boxes: Sequence[Box],
    scores: Sequence[float],
    wood: str | None,
    models: Mapping[str, KindColours],
    areas: Mapping[str, float],
) -> dict[str, NDArray[np.float32]]:
    """Give by sign the views of each box of a crop, (boxes, planes, 40, 40); by "" where no sign is enrolled.

    colours: (height, width, 3); scores: of the boxes; wood: the search piece that they fit best; models: how each
    kind looks here, and REST; areas: of the smallest rectangle round each kind as enrolled, mm², where known. Empty
    where there is nothing to compare with.
    """
    if wood is None or REST not in models or not boxes:
        return {}
    rows, columns = _windows(boxes, colours.shape)
    looked_at = np.zeros(colours.shape[:2], np.bool_)
    for of_rows, of_columns in zip(rows, columns, strict=True):
        looked_at[of_rows[0] : of_rows[-1] + 1, of_columns[0] : of_columns[-1] + 1] = True
    pixels = colours[looked_at]
    signs = [kind for kind in models if kind.startswith("sign:")]
    fits = {kind: models[kind].log_density(pixels) for kind in (wood, REST, *signs)}
    number = np.zeros(colours.shape[:2], np.intp)
    number[looked_at] = np.arange(len(pixels))
    at = number[rows[:, :, None], columns[:, None, :]]
    seen = np.empty((max(1, len(signs)), len(boxes), PLANES, SIDE_PX, SIDE_PX), np.float32)
    common = [
        *((pixels - models[wood].mean) * _STRENGTH).T,
        (fits[wood] + _FITS) / _PER,
        (fits[wood] - fits[REST]) / _PER,
    ]
    for plane, values in enumerate(common):
        seen[:, :, plane] = np.take(_bounded(values), at)
    beside = len(common) + 2
    seen[:, :, len(common) : beside] = _places(boxes, scores, rows, columns)
    seen[:, :, beside] = _size(areas.get(wood))
    seen[:, :, SIGN_PLANES] = NOWHERE
    for index, sign in enumerate(signs):
        others = [fits[other] for other in signs if other != sign]
        rival = np.max(others, axis=0) - fits[wood] if others else np.full(len(pixels), NOWHERE * _PER, np.float32)
        own = [fits[sign] + _FITS, fits[sign] - fits[wood], fits[sign] - fits[REST], rival]
        for plane, values in enumerate(own, SIGN_PLANES.start):
            seen[index, :, plane] = np.take(_bounded(values / _PER), at)
        seen[index, :, -1] = _size(areas.get(sign))
    return dict(zip(signs or [""], seen, strict=True))


def _size(area: float | None) -> NDArray[np.float32]:
    """Draw a disc in the middle of a view, as large as the smallest rectangle round a kind (mm²): (40, 40)."""
    if area is None:
        return np.full((SIDE_PX, SIDE_PX), NOWHERE, np.float32)
    steps = np.arange(SIDE_PX) - SIDE_PX // 2
    return np.asarray(np.hypot(steps, steps[:, None]) < CLOSE_PX_PER_MM * math.sqrt(area / math.pi), np.float32)


def _bounded(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.clip(values, NOWHERE, -NOWHERE), np.float32)


def _windows(boxes: Sequence[Box], shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the rows and columns that each box's view shows, (boxes, 40); beyond the crop its edge is seen on."""
    sides = np.array(boxes, np.float64).reshape(-1, 4)
    steps = np.arange(SIDE_PX) - SIDE_PX // 2
    middle = np.round(sides[:, :2] + sides[:, 2:] / 2).astype(np.intp)
    columns = np.clip(middle[:, :1] + steps, 0, shape[1] - 1)
    return np.clip(middle[:, 1:] + steps, 0, shape[0] - 1), columns


def _places(
    boxes: Sequence[Box], scores: Sequence[float], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Tell where in each view its own box lies, and where others do, as surely as found: (boxes, 2, side, side)."""
    places = np.zeros((len(boxes), 2, SIDE_PX, SIDE_PX), np.float32)
    for index, ((x, y, width, height), score) in enumerate(zip(boxes, scores, strict=True)):
        inside = ((rows >= y) & (rows <= y + height))[:, :, None] & ((columns >= x) & (columns <= x + width))[
            :, None
        ]
        places[index, 0] = inside[index]
        inside[index] = False
        np.maximum(places[:, 1], np.float32(score), out=places[:, 1], where=inside)
    return places
