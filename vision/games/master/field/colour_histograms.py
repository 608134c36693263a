"""Colour histograms of regions of a picture, to compute which colours are typical of one region."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image

_BIN: Final = np.array([20, 8, 8])
"""Width of a bin in lightness, a and b of 8-bit CIELAB."""
_BINS: Final = (13, 32, 32)
"""Number of bins in lightness, a and b."""
_RARE: Final = 1e-6
"""Share that is added to every bin, so that none is 0."""


def colour_bins(image: Image) -> NDArray[np.intp]:
    """Return the flat index of the histogram bin of each pixel of a BGR picture, shape (height, width)."""
    lab = cv2.cvtColor(cv2.GaussianBlur(image, (0, 0), 1), cv2.COLOR_BGR2LAB).astype(np.intp)
    lightness, red, yellow = (lab // _BIN).transpose(2, 0, 1)
    return np.asarray((lightness * _BINS[1] + red) * _BINS[2] + yellow, np.intp)


def histogram(bins: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the smoothed share of pixels in each bin, (13, 32, 32), never 0. bins: bin index by pixel, (n,)."""
    counts = np.bincount(bins, minlength=int(np.prod(_BINS))).reshape(_BINS).astype(np.float64)
    soft = cv2.GaussianBlur(counts.transpose(1, 2, 0), (3, 3), 0.7).transpose(2, 0, 1)
    return np.asarray(soft / max(1.0, counts.sum()) + _RARE, np.float64)
