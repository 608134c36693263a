"""Reads the numbers of discs: candidates are compared with the faces of all tokens and assigned jointly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.assignment import assignment_marginals
from vision.games.master.numbers import STRANGER, number_log_likelihoods
from vision.games.master.readings import NUMBERS, TokenReading
from vision.games.master.token_faces import TokenFaces
from vision.games.master.views import TILE_PX, FieldView
from vision.readings import Box

MIN_CONFIDENCE: Final = 0.98
"""Confidence from which a disc needs no confirmation."""
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
    likelihoods = _log_likelihoods(views, candidates, faces)
    presence = np.clip([one.probability for one in candidates], 1e-4, 1 - 1e-4)
    # Three explanations: a token of the game, some other disc, no disc at all; an empty tile resembles none.
    none = STRANGER + np.logaddexp(0.0, np.log((1 - presence) / presence))
    marginals = assignment_marginals(likelihoods, none)
    found = []
    for candidate, probabilities in zip(candidates, marginals, strict=True):
        confidence = float(probabilities.max())
        if max(confidence, candidate.probability) < _MIN_REPORTED:
            continue
        found.append(
            TokenReading(
                number=NUMBERS[int(probabilities.argmax())],
                place=candidate.place,
                confidence=confidence,
                doubtful=confidence < MIN_CONFIDENCE,
                probabilities={
                    number: round(float(p), 6) for number, p in zip(NUMBERS, probabilities, strict=True) if p > 1e-6
                },
                box=_box(views[candidate.view], candidate),
            )
        )
    return tuple(found)


def _log_likelihoods(
    views: Sequence[FieldView], candidates: Sequence[DiscCandidate], faces: TokenFaces
) -> NDArray[np.float64]:
    """Return the log likelihood of each number for each candidate, (candidates, 21)."""
    logs = np.zeros((len(candidates), len(NUMBERS)))
    for number, view in enumerate(views):
        own = [index for index, one in enumerate(candidates) if one.view == number]
        circles = np.array([(candidates[index].x, candidates[index].y, candidates[index].radius) for index in own])
        if own:
            logs[own] = number_log_likelihoods(view.colours, circles, faces, TILE_PX / view.picture_px)
    return logs


def _box(view: FieldView, candidate: DiscCandidate) -> Box:
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    rim = np.stack(
        [candidate.x + candidate.radius * np.cos(angles), candidate.y + candidate.radius * np.sin(angles)]
    )
    points = view.to_picture(rim.T)
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
