"""Reads the numbers of discs: candidates are compared with the faces of all tokens and assigned jointly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.games.master.assignment import assignment_marginals
from vision.games.master.readings import TokenReading
from vision.games.master.token_faces import TokenFaces, normalised, polar_views
from vision.games.master.views import TILE_PX, FieldView
from vision.readings import Box

MIN_CONFIDENCE: Final = 0.98
"""Confidence from which a disc needs no confirmation."""
_STEP: Final = 0.03
"""Distance of the centres that are tried, in tiles."""
_SCALES: Final = (0.93, 1.0, 1.07)
"""Radii that are tried, as factors."""
_SHARPNESS: Final = 26.0
"""Weight of a correlation's logarithm: half the number of independent details of a face."""
_STRANGER: Final = 0.5
"""Correlation of a disc with its best face at which a disc of another game is as probable."""
_MIN_REPORTED: Final = 0.3
"""Least probability that a disc lies on a place for it to be reported."""


@dataclass(frozen=True, slots=True)
class DiscCandidate:
    """A place on which a disc may lie."""

    place: int | None
    """Place; None for the spare."""
    view: int
    """Index of its view among those passed on."""
    x: float
    """Centre, px of the view."""
    y: float
    """Centre, px of the view."""
    radius: float
    """Radius, px of the view."""
    probability: float
    """Probability that a disc lies there, before its face is compared."""


def read_tokens(
    views: Sequence[FieldView], candidates: Sequence[DiscCandidate], faces: TokenFaces
) -> tuple[TokenReading, ...]:
    """Return the discs among candidates with their numbers, each number once at most."""
    if not candidates:
        return ()
    scores = _correlations(views, candidates, faces)
    numbers = sorted(set(faces.numbers))
    owners = np.array(faces.numbers)
    best = np.stack([scores[:, owners == number].max(axis=1) for number in numbers], axis=1)
    likelihoods = -_SHARPNESS * np.log(np.maximum(1 - best, 0.02))
    stranger = -_SHARPNESS * math.log(1 - _STRANGER)
    presence = np.clip([one.probability for one in candidates], 1e-4, 1 - 1e-4)
    # Three explanations: a token of the game, some other disc, no disc at all; an empty tile resembles none.
    none = np.logaddexp(stranger, np.log((1 - presence) / presence) + stranger)
    marginals = assignment_marginals(likelihoods, none)
    found = []
    for candidate, probabilities in zip(candidates, marginals, strict=True):
        confidence = float(probabilities.max())
        if max(confidence, candidate.probability) < _MIN_REPORTED:
            continue
        found.append(
            TokenReading(
                number=numbers[int(probabilities.argmax())],
                place=candidate.place,
                confidence=confidence,
                doubtful=confidence < MIN_CONFIDENCE,
                probabilities={
                    number: round(float(p), 6) for number, p in zip(numbers, probabilities, strict=True) if p > 1e-6
                },
                box=_box(views[candidate.view], candidate),
            )
        )
    return tuple(found)


def _correlations(
    views: Sequence[FieldView], candidates: Sequence[DiscCandidate], faces: TokenFaces
) -> NDArray[np.float32]:
    """Return the highest correlation of each candidate with each face, over small shifts and scales."""
    shift = _STEP * TILE_PX
    tries = [(dx * shift, dy * shift, s) for dx in (-1, 0, 1) for dy in (-1, 0, 1) for s in _SCALES]
    scores = np.zeros((len(candidates), len(faces.numbers)), np.float32)
    for number, view in enumerate(views):
        own = [index for index, one in enumerate(candidates) if one.view == number]
        if not own:
            continue
        circles = np.array(
            [
                (candidates[index].x + dx, candidates[index].y + dy, candidates[index].radius * scale)
                for index in own
                for dx, dy, scale in tries
            ]
        )
        polar = normalised(polar_views(view.colours, circles))
        radius = float(np.median([candidates[index].radius for index in own]))
        compared = faces.compare(polar, radius * view.picture_px / TILE_PX)
        scores[own] = compared.reshape(len(own), len(tries), -1).max(axis=1)
    return scores


def _box(view: FieldView, candidate: DiscCandidate) -> Box:
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rim = np.stack(
        [candidate.x + candidate.radius * np.cos(angles), candidate.y + candidate.radius * np.sin(angles)]
    )
    points = view.to_picture(rim.T)
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def colours_around(colours: Colours, x: float, y: float, radius: float) -> Colours:
    """Return the colours of the pixels within a radius, (n, 3)."""
    rows, columns = np.ogrid[: colours.shape[0], : colours.shape[1]]
    return colours[np.hypot(columns - x, rows - y) <= radius]
