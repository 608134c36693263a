"""Log likelihoods of numbers: faces of tokens compared with circles of a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.colour import Colours
from vision.games.master.objects.tokens.token_faces import TokenFaces, normalised, polar_views
from vision.games.master.readings import NUMBERS

_STEP: Final = 0.11
"""Distance of the centres that are tried, in radii."""
SCALES: Final = (0.93, 1.0, 1.07)
"""Radii that are tried, as factors."""
_SHARPNESS: Final = 26.0
"""Weight of a correlation's logarithm: half the number of independent details of a face."""
_STRANGER: Final = 0.5
"""Correlation of a disc with its best face at which a disc of another game is as probable."""
STRANGER: Final = -_SHARPNESS * math.log(1 - _STRANGER)
"""Log likelihood of a disc that is none of the tokens, nats."""


def number_log_likelihoods(
    colours: Colours,
    circles: NDArray[np.float64],
    faces: TokenFaces,
    magnification: float = 1.0,
    scales: Sequence[float] = SCALES,
) -> NDArray[np.float64]:
    """Return the log likelihood of each number for each circle, (n, 21), up to a constant; numbers as in `NUMBERS`.

    colours: log-opponent colours. circles: (n, 3) centre and radius, px of `colours`, tried with small shifts and
    `scales`. magnification: px of `colours` per px of the camera's picture, which decides how soft faces are.
    """
    if not len(circles):
        return np.zeros((0, len(NUMBERS)))
    tries = [(dx * _STEP, dy * _STEP, s) for dx in (-1, 0, 1) for dy in (-1, 0, 1) for s in scales]
    shifts = np.array(tries)
    x, y, radius = circles.T[..., None]
    tried = np.stack([x + radius * shifts[:, 0], y + radius * shifts[:, 1], radius * shifts[:, 2]], axis=-1)
    polar = normalised(polar_views(colours, tried.reshape(-1, 3)))
    compared = faces.compare(polar, float(np.median(circles[:, 2])) / magnification)
    best = compared.reshape(len(circles), len(tries), -1).max(axis=1)
    owners = np.array(faces.numbers)
    by_number = np.stack([best[:, owners == number].max(axis=1) for number in NUMBERS], axis=1)
    return np.asarray(-_SHARPNESS * np.log(np.maximum(1 - by_number, 0.02)), np.float64)
