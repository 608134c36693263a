"""Appearance features of enrolled specimens, and distances between them."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.samples import PieceSamples, Specimen

Embedding = NDArray[np.float32]
"""(13,) float32: the first COLOURS values describe colour, the others the outline, in units of typical spread."""

_QUANTILES = (0.1, 0.5, 0.9)
"""Quantiles of a specimen's CIELAB pixels that describe its colours."""
COLOURS = 3 * len(_QUANTILES)
"""Number of values of an embedding that describe colour: each quantile of L, a and b."""
_LIGHTNESS_UNIT = 9.0
"""Typical spread of one object's CIELAB L between pictures under one lamp."""
_HUE_UNIT = 6.0
"""Typical spread of one object's CIELAB a and b between pictures under one lamp."""
_SIZE_UNIT_MM = 1.3
"""Difference in size that counts as one unit, mm."""
_SHAPE_UNIT = 0.15
"""Difference in convexity (area over hull area) that counts as one unit."""


def embedding(specimen: Specimen) -> Embedding:
    """Return a specimen's appearance features, (13,), in units of their typical spread.

    Quantiles of its CIELAB pixels distinguish plain from printed specimens; then follow the square root of its
    area, its longer and shorter side, and its convexity. All are invariant to rotation.
    """
    levels = np.quantile(specimen.pixels, _QUANTILES, axis=0) / (_LIGHTNESS_UNIT, _HUE_UNIT, _HUE_UNIT)
    mask = (specimen.crop[..., 3] > 127).astype(np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.contourArea(cv2.convexHull(np.concatenate(contours))) if contours else 0.0
    filled = np.count_nonzero(mask) / max(hull, 1.0)
    sizes = np.array([np.sqrt(specimen.area_mm2), *specimen.size_mm]) / _SIZE_UNIT_MM
    return np.concatenate([levels.T.reshape(-1), sizes, [filled / _SHAPE_UNIT]]).astype(np.float32)


def distance_to_kind(specimens: Sequence[Specimen], samples: PieceSamples) -> float:
    """Return the distance of specimens from an enrolled kind; below 1 they are probably of that kind.

    For each specimen: the distance to the nearest enrolled one, by colour or by size, whichever is larger. The
    median of these is returned.
    """
    known = np.stack([embedding(specimen) for specimen in samples.specimens])
    return float(np.median([_distance_to_nearest(embedding(specimen), known) for specimen in specimens]))


def _distance_to_nearest(own: Embedding, known: NDArray[np.float32]) -> float:
    """Return the distance of an embedding to the nearest of the known ones, (n, 13)."""
    apart = np.abs(known - own)
    colour = np.sqrt(np.mean(apart[:, :COLOURS].reshape(-1, 3, len(_QUANTILES)) ** 2, axis=2).sum(axis=1))
    # Lying and standing specimens differ in outline, not much in area.
    size = apart[:, COLOURS]
    return float(np.maximum(colour, size).min())
