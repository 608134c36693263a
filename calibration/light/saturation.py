"""Detects pictures without colours, as from a camera in night mode: pieces cannot be recognised in them."""

from __future__ import annotations

from typing import Final

import numpy as np

from calibration.errors import PictureError
from calibration.plane import Image
from calibration.translatable import say

_STEP_PX = 8
"""Distance between sampled pixels, px."""
_MIN_LEVEL = 14.0
"""Mean grey level below which a picture is too dark to have colours."""
_MAX_GREY = 0.01
"""Saturation of a grey picture at most: a grey level or two between the channels, left by compression."""
_MAX_SHARE = 0.25
"""Share of the calibrated table's saturation that a grey picture keeps at most: a table may be grey itself."""
_MAX_COLOURLESS = 0.003
"""Saturation of a picture without any colour at most, whatever it shows: no colour camera's noise is so grey."""
_NO_COLOURS: Final = say(
    "The picture has no colours, as from a camera in night mode: switch that off and take it again."
)


def saturation(image: Image) -> float | None:
    """Return the average difference between the channels of a BGR picture, as a fraction of its brightness.

    None for a picture that is too dark to measure.
    """
    pixels = image[::_STEP_PX, ::_STEP_PX]
    level = float(pixels.mean())
    if level < _MIN_LEVEL:
        return None
    blue, green, red = np.moveaxis(pixels, 2, 0)
    high, low = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    return float((high - low).mean()) / level


def is_grey(image: Image, known: float | None) -> bool:
    """Return whether a BGR picture has lost its colours. known: saturation of the calibration picture, if any."""
    if known is None:
        return False
    found = saturation(image)
    return found is not None and found < _MAX_GREY and found < _MAX_SHARE * known


def refuse_grey(image: Image, known: float | None) -> None:
    """Raise PictureError for a BGR picture that has lost its colours. known: as for `is_grey`."""
    if is_grey(image, known):
        raise PictureError(_NO_COLOURS)


def refuse_colourless(image: Image) -> None:
    """Raise PictureError for a picture without any colour, whatever it shows."""
    found = saturation(image)
    if found is not None and found < _MAX_COLOURLESS:
        raise PictureError(_NO_COLOURS)
