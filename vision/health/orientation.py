"""Detect that a camera's picture is turned or mirrored compared with a known picture of the table. Pure."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.cameras.turned import Turn
from vision.health.still import Grey, Small, StillTable

_SAME_SHAPE: tuple[Turn, ...] = (Turn(), Turn(2), Turn(0, mirrored=True), Turn(2, mirrored=True))
_OTHER_SHAPE: tuple[Turn, ...] = (Turn(1), Turn(3), Turn(1, mirrored=True), Turn(3, mirrored=True))
_SHIFT = 20
"""Pixels of the small picture (320 wide) by which a camera may have moved besides."""
_ANGLES = tuple(float(angle) for angle in np.arange(-6.0, 6.1, 0.75))
"""Degrees by which a camera may have turned besides."""
_LEAST_KNOWN, _MOST_KNOWN = 0.4, 0.25
"""Share of the table's pattern that is known again the right way round, and at most in any other. On simulated
tables with everything on them it is 0.52 at least, and 0.13 at most."""
_LEAST_CORRELATION, _LEAST_RATIO = (0.1, 0.13), (2.5, 1.75)
"""Correlation of the pictures' local contrast the right way round, and how many times that of any other way it is,
with the camera in its place and moved. In its place it is 0.11 at least, against 0.10 at most."""


def correcting_turn(known: Image, now: Image, *, moved: bool = False) -> Turn | None:
    """Return the turn that makes a picture show the table as it was known; None where it does or nothing tells.

    known: the table as it was; now: as it is, both BGR. Things may have been laid on it or taken away since. The
    picture may be turned by 180 degrees or mirrored; where its width is the known one's height, it may lie on its
    side. moved: the camera may hang some centimetres and degrees off its old place besides; takes half a second.
    """
    height, width = known.shape[:2]
    if now.shape[:2] == (height, width):
        turns = _SAME_SHAPE
    elif now.shape[:2] == (width, height):
        turns = _OTHER_SHAPE
    else:
        return None
    table = StillTable.of(known)
    pictures = [Small.of(np.ascontiguousarray(turn.of(now))) for turn in turns]
    shares = [table.change(picture).known for picture in pictures]
    best = int(np.argmax(shares))
    if shares[best] >= _LEAST_KNOWN and all(share <= _MOST_KNOWN for share in np.delete(shares, best)):
        return None if turns[best] == Turn() else turns[best]
    angles = _ANGLES if moved else (0.0,)
    least, ratio = _LEAST_CORRELATION[moved], _LEAST_RATIO[moved]
    templates = [_template(table.first, angle) for angle in angles]
    correlations = [max(_correlation(picture, template) for template in templates) for picture in pictures]
    best = int(np.argmax(correlations))
    if turns[best] == Turn() or correlations[best] < max(least, ratio * max(np.delete(correlations, best))):
        return None
    return turns[best]


def _template(known: Small, angle: float) -> Grey:
    """Return the middle of the known picture's local contrast, turned by so many degrees."""
    height, width = known.even.shape
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle, 1.0)
    turned = cv2.warpAffine(known.even, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(turned[_SHIFT:-_SHIFT, _SHIFT:-_SHIFT], np.uint8)


def _correlation(now: Small, template: Grey) -> float:
    return float(cv2.matchTemplate(now.even, template, cv2.TM_CCOEFF_NORMED).max())
