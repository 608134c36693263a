"""Reads the discs on the board: circles are compared with the faces of all tokens and assigned jointly."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.objects.assignment import assignment_marginals
from vision.games.master.objects.disc_search import RADII, common_radius, search_circles
from vision.games.master.objects.numbers import number_log_likelihoods
from vision.games.master.objects.object_network import TileObjects
from vision.games.master.objects.token_faces import TokenFaces
from vision.games.master.objects.views import TILE_PX, FieldView
from vision.games.master.readings import NUMBERS, SIZE, TokenReading
from vision.readings import Box

MIN_CONFIDENCE: Final = 0.98
"""Confidence from which a disc needs no confirmation."""
_MIN_VOTES: Final = 0.2
"""Least share of a circle's rim that shows an edge, for its face to be compared."""
_MIN_LOG_ODDS: Final = -2.0
"""Log odds of the network from which a face is compared whatever its rim shows."""
_PRESENCE: Final = (-7.0, -3.1, 0.3, 0.97)
"""Log odds of a token: offset, and weights of votes, of the best face's log likelihood, of the network's log odds;
fitted on pictures (`models.evaluation.maze.discs`) of looks that are not held out."""
_STRANGER_LOG_ODDS: Final = 2.0
"""Log odds of the network from which a disc without a known face is reported as doubtful."""
_TEMPERATURE: Final = 2.5
"""Divisor of log likelihoods of numbers, fitted likewise."""
_MIN_REPORTED: Final = 0.3
"""Least probability that a disc lies on a place for it to be reported."""


def read_tokens(
    views: Sequence[FieldView], objects: Sequence[TileObjects], faces: TokenFaces
) -> tuple[tuple[TokenReading, ...], NDArray[np.float64]]:
    """Return the discs on the field, and on the spare where its view follows; each number occurs once at most.

    Also return the circles of those on the field that are certain, (n, 3): centre and radius, px of its view.
    """
    searched = [search_circles(view) for view in views]
    size = common_radius(views[0], searched[0], faces)
    radius = float(RADII[size] * TILE_PX)
    circles = np.concatenate([of[:, size] for of in searched])
    network = np.concatenate([of.disc.reshape(-1) for of in objects]).astype(np.float64)
    kept = np.flatnonzero((circles[:, 2] >= _MIN_VOTES) | (network >= _MIN_LOG_ODDS))
    logs = np.zeros((len(kept), len(NUMBERS)))
    for index, view in enumerate(views):
        own = kept >= SIZE**2 if index else kept < SIZE**2
        tried = np.c_[circles[kept[own], :2], np.full(own.sum(), radius)]
        logs[own] = number_log_likelihoods(view.colours, tried, faces, TILE_PX / view.picture_px)
    offset, votes_weight, face_weight, network_weight = _PRESENCE
    evidence = offset + votes_weight * circles[kept, 2] + network_weight * np.clip(network[kept], -6.0, 6.0)
    evidence += face_weight * logs.max(axis=1, initial=-np.inf)
    scaled = logs / _TEMPERATURE
    # Scaled so that, before numbers are shared out, a disc is a token with these log odds.
    total = scaled.max(axis=1, initial=-np.inf)
    total = total + np.log(np.exp(scaled - total[:, None]).sum(axis=1))
    marginals = assignment_marginals(scaled, total - evidence)
    found, certain = [], []
    for index, probabilities in zip(kept.tolist(), marginals, strict=True):
        confidence = float(probabilities.max())
        if float(probabilities.sum()) < _MIN_REPORTED and network[index] < _STRANGER_LOG_ODDS:
            continue
        view = views[int(index >= SIZE**2)]
        if confidence >= MIN_CONFIDENCE and index < SIZE**2:
            certain.append((*circles[index, :2], radius))
        found.append(
            TokenReading(
                number=NUMBERS[int(probabilities.argmax())],
                place=index if index < SIZE**2 else None,
                confidence=confidence,
                doubtful=confidence < MIN_CONFIDENCE,
                probabilities={
                    number: round(float(p), 6) for number, p in zip(NUMBERS, probabilities, strict=True) if p > 1e-6
                },
                box=_box(view, circles[index, :2], radius),
            )
        )
    return tuple(found), np.array(certain).reshape(-1, 3)


def _box(view: FieldView, centre: NDArray[np.float64], radius: float) -> Box:
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    points = view.to_picture(centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
