"""Detection of grey pictures, as of a camera in night mode, in which no kind of piece can be read."""

from __future__ import annotations

import numpy as np

from calibration.errors import PictureError
from calibration.plane import Image
from calibration.wording import say

_STEP_PX = 8
"""Distance between sampled pixels, px."""
_MIN_LEVEL = 14.0
"""Mean grey level below which a picture is too dark to have colours."""
_MAX_GREY = 0.01
"""Saturation of a grey picture at most: a grey level or two between the channels, left by compression."""
_MAX_SHARE = 0.25
"""Share of the calibrated table's saturation that a grey picture keeps at most: a table may be grey itself."""
_MAX_COLOURLESS = 0.003
"""Largest saturation of a grey picture; the noise of any colour camera exceeds it."""


def saturation(image: Image) -> float | None:
    """Return how far the channels of a BGR picture lie apart on average, as a share of its brightness.

    None for a picture that is too dark for it.
    """
    pixels = image[::_STEP_PX, ::_STEP_PX]
    level = float(pixels.mean())
    if level < _MIN_LEVEL:
        return None
    blue, green, red = np.moveaxis(pixels, 2, 0)
    high, low = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    return float((high - low).mean()) / level


def is_grey(image: Image, known: float | None) -> bool:
    """Return whether a BGR picture has lost its colours. known: the calibrated table's saturation, None before."""
    found = saturation(image)
    if found is None:
        return False
    if known is None:
        return found < _MAX_COLOURLESS
    return found < _MAX_GREY and found < _MAX_SHARE * known


def refuse_grey(image: Image, known: float | None) -> None:
    """Raise PictureError for a picture that has lost its colours. known: saturation of the calibrated table."""
    if is_grey(image, known):
        raise PictureError(
            say("The picture has no colours, as from a camera in night mode: switch that off and take it again.")
        )
