"""Detect a rotated or mirrored camera picture by comparison with an earlier picture of the table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.cameras.frame import Image
from vision.cameras.orientation_correction import Orientation
from vision.health.change_from_table_at_rest import Downscaled, Grey, StillTable

_SAME_SHAPE = tuple(Orientation(quarters, mirrored) for mirrored in (False, True) for quarters in (0, 2))
"""Candidate corrections of a picture with the known picture's shape."""
_OTHER_SHAPE = tuple(Orientation(quarters, mirrored) for mirrored in (False, True) for quarters in (1, 3))
"""Candidate corrections of a picture on its side."""
_MAX_SHIFT_PX = 20
"""Maximum additional shift of the camera, px of the downscaled picture (320 wide)."""
_ANGLES = tuple(float(angle) for angle in np.arange(-6.0, 6.1, 0.75))
"""Candidate additional rotations of the camera, degrees."""
_MIN_KNOWN = 0.4
"""Minimum recognised share of the table's pattern in the right orientation; measured on full simulated tables: 0.52
or more."""
_MAX_OTHER_KNOWN = 0.25
"""Maximum recognised share in any other orientation; measured on full simulated tables: 0.13 or less."""
_MIN_CORRELATION = (0.1, 0.13)
"""Minimum correlation of local contrast in the right orientation, with the camera in place and moved; in place it
is at least 0.11, against at most 0.10 in any other."""
_MIN_RATIO = (2.5, 1.75)
"""Minimum ratio of that correlation to that of any other orientation, with the camera in place and moved."""


def correcting_turn(known: Image, now: Image, *, moved: bool = False) -> Orientation | None:
    """Return the correction that turns a picture upright; None if it is upright already, or if that is undecidable.

    known, now: earlier, upright picture and current picture of the table, BGR; objects may have been added or
    removed. Pictures of the same size are tested for mirroring and half a turn; with width and height swapped, for
    mirroring and a quarter turn either way. moved: also search for small movements of the camera (centimetres,
    degrees); takes half a second.
    """
    height, width = known.shape[:2]
    if now.shape[:2] == (height, width):
        turns = _SAME_SHAPE
    elif now.shape[:2] == (width, height):
        turns = _OTHER_SHAPE
    else:
        return None
    table = StillTable.of(known)
    pictures = [Downscaled.of(np.ascontiguousarray(turn.apply(now))) for turn in turns]
    shares = [table.change(picture).known for picture in pictures]
    best = int(np.argmax(shares))
    if shares[best] >= _MIN_KNOWN and all(share <= _MAX_OTHER_KNOWN for share in np.delete(shares, best)):
        return None if turns[best] == Orientation() else turns[best]
    angles = _ANGLES if moved else (0.0,)
    least, ratio = _MIN_CORRELATION[moved], _MIN_RATIO[moved]
    templates = [_template(table.first, angle) for angle in angles]
    correlations = [max(_correlation(picture, template) for template in templates) for picture in pictures]
    best = int(np.argmax(correlations))
    if turns[best] == Orientation() or correlations[best] < max(least, ratio * max(np.delete(correlations, best))):
        return None
    return turns[best]


def _template(known: Downscaled, angle: float) -> Grey:
    """Return the central part of a picture's local contrast, rotated by `angle` degrees counterclockwise."""
    height, width = known.light_invariant.shape
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), angle, 1.0)
    turned = cv2.warpAffine(known.light_invariant, matrix, (width, height), borderMode=cv2.BORDER_REFLECT)
    return np.asarray(turned[_MAX_SHIFT_PX:-_MAX_SHIFT_PX, _MAX_SHIFT_PX:-_MAX_SHIFT_PX], np.uint8)


def _correlation(now: Downscaled, template: Grey) -> float:
    """Return the highest correlation (-1..1) of a template with a picture's local contrast, over all shifts."""
    return float(cv2.matchTemplate(now.light_invariant, template, cv2.TM_CCOEFF_NORMED).max())
