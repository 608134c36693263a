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
"""Maximum saturation of a grey picture: compression leaves differences of one or two grey levels."""
_MAX_SHARE = 0.25
"""Maximum saturation of a grey picture as a fraction of the calibration picture's: a table may be grey itself."""
_MAX_COLOURLESS = 0.003
"""Maximum saturation of a picture without any colour: even the noise of a colour camera exceeds it."""
_NO_COLOURS: Final = say(
    "The picture has no colours, as from a camera in night mode: switch that off and take it again."
)


def saturation(image: Image) -> float | None:
    """Return the saturation of a BGR picture: mean range of the channels, as a fraction of the mean level.

    None if the picture is too dark to measure.
    """
    pixels = image[::_STEP_PX, ::_STEP_PX]
    level = float(pixels.mean())
    if level < _MIN_LEVEL:
        return None
    blue, green, red = np.moveaxis(pixels, 2, 0)
    high, low = np.maximum(np.maximum(blue, green), red), np.minimum(np.minimum(blue, green), red)
    return float((high - low).mean()) / level


def is_grey(image: Image, known: float | None) -> bool:
    """Return whether a BGR picture has lost its colours, compared with the calibration picture.

    known: saturation of the calibration picture; without one, the result is False.
    """
    if known is None:
        return False
    found = saturation(image)
    return found is not None and found < _MAX_GREY and found < _MAX_SHARE * known


def refuse_grey(image: Image, known: float | None) -> None:
    """Raise PictureError if a BGR picture is far less saturated than that of the calibration.

    known: saturation of that picture; None: nothing is refused.
    """
    if is_grey(image, known):
        raise PictureError(_NO_COLOURS)


def refuse_colourless(image: Image) -> None:
    """Raise PictureError if a BGR picture has no colours at all; needs no calibration picture."""
    found = saturation(image)
    if found is not None and found < _MAX_COLOURLESS:
        raise PictureError(_NO_COLOURS)
