"""Piece/sign classifier: a small network that classifies a box in a hand by likelihood maps of its surroundings.

Its input holds no colours as such, only their offsets from the painted piece's, the likelihoods under the enrolled
kinds and the sizes of these kinds, so that a network trained on synthetic games transfers to any printed game.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.detector import CLOSE_PX_PER_MM
from vision.detector.compilation import compiled
from vision.kind_colours import NO_PIECE, KindColours
from vision.painted_and_printed_kinds import is_printed
from vision.readings import Box

WEIGHTS = Path(__file__).parent / "likeness.onnx"
"""Weights of the network, ONNX."""
SIDE_PX = 40
"""Side of the square input around the centre of a box, px of the hand's crop: 25 mm."""
PLANES = 13
"""Number of input planes, in this order: the colours' offsets from the painted piece's (3); log likelihood of the
painted piece; its ratio to "no piece"; the box; other boxes; a disc as large as a painted piece; log likelihood of
the sign; its ratio to the painted piece; its ratio to "no piece"; the best other sign's ratio to the painted
piece; a disc as large as the sign."""
SIGN_PLANES = slice(8, PLANES)
"""Planes that describe the sign."""
OUTCOMES = ("nothing", "painted", "sign", "other")
"""Names of the classes."""
NOTHING, PAINTED, SIGN, OTHER = range(len(OUTCOMES))
"""Indices of the classes: no piece, a painted piece, the sign in question, another sign."""
OUTPUTS = len(OUTCOMES) + 1
"""Number of outputs: the log probability of each class, and the logarithm of the expected number of hidden
pieces."""
HIDES = OUTPUTS - 1
"""Index of the output for hidden pieces: those at least a quarter visible that have no box of their own and lie
nearest to this box."""
NOWHERE = -3.0
"""Lower bound of all planes, and the value of the planes of a kind that is not enrolled; its negative is the upper
bound."""
_BATCH = 8
"""Inputs per inference request; the last batch is padded, so that the network is compiled for one size."""
_STREAMS = 2
"""Number of batches processed in parallel."""
_OFFSET_SCALE = np.array([1.5, 4.0, 4.0], np.float32)
"""Scale of each channel of the colours' offset, so that all planes have a similar range."""
_FIT_OFFSET = 3.0
"""Offset added to a single log likelihood before scaling, nats."""
_FIT_SCALE = 4.0
"""Divisor of log likelihoods in the planes, nats."""


InputPlanes = Mapping[str, NDArray[np.float32]]
"""Input of the classifier for each box of a hand, (boxes, planes, 40, 40), by the sign to compare with."""


class PieceSignModel(Protocol):
    """Interface of the piece/sign classifier; training replaces it by a recorder of the inputs."""

    def classify(self, views: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the outputs (n, OUTPUTS) for the inputs of n boxes, (n, PLANES, 40, 40).

        They are the log probabilities of `OUTCOMES` and the logarithm of the expected number of hidden pieces
        (`HIDES`).
        """


class PieceSignClassifier:
    """Piece/sign classifier on a trained network. Not thread-safe."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        self._compiled: Any = compiled(weights, (_BATCH, PLANES, SIDE_PX, SIDE_PX), streams=_STREAMS)
        self._requests: list[Any] = []

    def classify(self, views: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the outputs (n, OUTPUTS) for the inputs of n boxes, (n, PLANES, 40, 40).

        They are the log probabilities of `OUTCOMES` and the logarithm of the expected number of hidden pieces
        (`HIDES`).
        """
        batches = [views[start : start + _BATCH] for start in range(0, len(views), _BATCH)]
        if batches and len(batches[-1]) < _BATCH:
            last, batches[-1] = batches[-1], np.zeros((_BATCH, *views.shape[1:]), np.float32)
            batches[-1][: len(last)] = last
        while len(self._requests) < len(batches):
            self._requests.append(self._compiled.create_infer_request())
        running = self._requests[: len(batches)]
        for request, batch in zip(running, batches, strict=True):
            # Not copied: the inputs of five hands are several megabytes.
            request.start_async({0: batch}, share_inputs=True)
        for request in running:
            request.wait()
        raw = np.concatenate([np.array(request.get_output_tensor(0).data, np.float32) for request in running])
        raw = raw[: len(views)]
        outcomes = raw[:, :HIDES]
        top = outcomes.max(axis=1, keepdims=True)
        chances = outcomes - top - np.log(np.exp(outcomes - top).sum(axis=1, keepdims=True))
        return np.asarray(np.hstack([chances, raw[:, HIDES:]]), np.float32)


def input_planes(
    colours: Colours,
    boxes: Sequence[Box],
    scores: Sequence[float],
    painted_kind: str | None,
    models: Mapping[str, KindColours],
    areas: Mapping[str, float],
) -> InputPlanes:
    """Return the classifier's input for the boxes of a hand, (boxes, PLANES, 40, 40), by sign to compare with.

    The key is "" if no sign is enrolled. Returns {} without boxes, a painted kind, or a colour model of NO_PIECE.
    colours: crop of the hand, (height, width, 3). boxes: px of the crop. scores: detector scores of the boxes,
    0..1. painted_kind: kind of painted piece that fits the boxes best. models: colour model of each kind and of
    NO_PIECE. areas: area of the smallest rectangle around each kind as enrolled, mm², where known.
    """
    if painted_kind is None or NO_PIECE not in models or not boxes:
        return {}
    rows, columns = _windows(boxes, colours.shape)
    needed = np.zeros(colours.shape[:2], np.bool_)
    for of_rows, of_columns in zip(rows, columns, strict=True):
        needed[of_rows[0] : of_rows[-1] + 1, of_columns[0] : of_columns[-1] + 1] = True
    pixels = colours[needed]
    signs = [kind for kind in models if is_printed(kind)]
    fits = {kind: models[kind].log_density(pixels) for kind in (painted_kind, NO_PIECE, *signs)}
    number = np.zeros(colours.shape[:2], np.intp)
    number[needed] = np.arange(len(pixels))
    at = number[rows[:, :, None], columns[:, None, :]]
    planes = np.empty((max(1, len(signs)), len(boxes), PLANES, SIDE_PX, SIDE_PX), np.float32)
    common = [
        *((pixels - models[painted_kind].mean) * _OFFSET_SCALE).T,
        (fits[painted_kind] + _FIT_OFFSET) / _FIT_SCALE,
        (fits[painted_kind] - fits[NO_PIECE]) / _FIT_SCALE,
    ]
    for plane, values in enumerate(common):
        planes[:, :, plane] = np.take(_bounded(values), at)
    beside = len(common) + 2
    planes[:, :, len(common) : beside] = _box_planes(boxes, scores, rows, columns)
    planes[:, :, beside] = _size_plane(areas.get(painted_kind))
    planes[:, :, SIGN_PLANES] = NOWHERE
    for index, sign in enumerate(signs):
        others = [fits[other] for other in signs if other != sign]
        rival = (
            np.max(others, axis=0) - fits[painted_kind]
            if others
            else np.full(len(pixels), NOWHERE * _FIT_SCALE, np.float32)
        )
        own = [fits[sign] + _FIT_OFFSET, fits[sign] - fits[painted_kind], fits[sign] - fits[NO_PIECE], rival]
        for plane, values in enumerate(own, SIGN_PLANES.start):
            planes[index, :, plane] = np.take(_bounded(values / _FIT_SCALE), at)
        planes[index, :, -1] = _size_plane(areas.get(sign))
    return dict(zip(signs or [""], planes, strict=True))


def _size_plane(area: float | None) -> NDArray[np.float32]:
    """Return a plane (40, 40) of zeros with a disc of ones. area: of the disc, mm²; None: a plane of NOWHERE."""
    if area is None:
        return np.full((SIDE_PX, SIDE_PX), NOWHERE, np.float32)
    steps = np.arange(SIDE_PX) - SIDE_PX // 2
    return np.asarray(np.hypot(steps, steps[:, None]) < CLOSE_PX_PER_MM * math.sqrt(area / math.pi), np.float32)


def _bounded(values: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.clip(values, NOWHERE, -NOWHERE), np.float32)


def _windows(boxes: Sequence[Box], shape: tuple[int, ...]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return row and column indices, (boxes, 40) each, of the square around each box's centre, clamped to the crop.

    shape: of the crop.
    """
    sides = np.array(boxes, np.float64).reshape(-1, 4)
    steps = np.arange(SIDE_PX) - SIDE_PX // 2
    middle = np.round(sides[:, :2] + sides[:, 2:] / 2).astype(np.intp)
    columns = np.clip(middle[:, :1] + steps, 0, shape[1] - 1)
    return np.clip(middle[:, 1:] + steps, 0, shape[0] - 1), columns


def _box_planes(
    boxes: Sequence[Box], scores: Sequence[float], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Return two planes for each box, (boxes, 2, 40, 40): its own area (0 or 1), and the other boxes' scores.

    rows, columns: from `_windows`.
    """
    places = np.zeros((len(boxes), 2, SIDE_PX, SIDE_PX), np.float32)
    for index, ((x, y, width, height), score) in enumerate(zip(boxes, scores, strict=True)):
        inside = ((rows >= y) & (rows <= y + height))[:, :, None] & ((columns >= x) & (columns <= x + width))[
            :, None
        ]
        places[index, 0] = inside[index]
        inside[index] = False
        np.maximum(places[:, 1], np.float32(score), out=places[:, 1], where=inside)
    return places
