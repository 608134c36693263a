"""Computes log likelihoods of the tokens' numbers by comparison of circles in a picture with the tokens' faces."""

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
"""Distance between the centres that are tried, in radii."""
SCALES: Final = (0.93, 1.0, 1.07)
"""Factors on the radius that are tried."""
_SHARPNESS: Final = 26.0
"""Factor from a correlation's logarithm to a log likelihood: half the number of independent details of a face."""
_STRANGER: Final = 0.5
"""Correlation with the best face at which a disc is as probably a token as a disc of another game."""
STRANGER: Final = -_SHARPNESS * math.log(1 - _STRANGER)
"""Log likelihood of a disc that is none of the tokens, nats."""


def number_log_likelihoods(
    colours: Colours,
    circles: NDArray[np.float64],
    faces: TokenFaces,
    magnification: float = 1.0,
    scales: Sequence[float] = SCALES,
) -> NDArray[np.float64]:
    """Return the log likelihood of each of `NUMBERS` for each circle, (n, 21), up to a constant.

    colours: log-opponent colours of a picture. circles: (n, 3), x, y and radius, px of that picture; small shifts
    and factors on the radius (`scales`) are tried. magnification: px of that picture per px of the camera's, by
    which the faces' blur is chosen.
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
