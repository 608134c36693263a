"""Detect that a camera's picture is turned or mirrored compared with a known picture of the table. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.plane import TablePlane
from vision.cameras.frame import Image
from vision.cameras.turned import Turn
from vision.health.refinding import refind
from vision.health.still import Small, StillTable

_SAME_SHAPE: tuple[Turn, ...] = (Turn(2), Turn(0, mirrored=True), Turn(2, mirrored=True))
_OTHER_SHAPE: tuple[Turn, ...] = (Turn(1), Turn(3), Turn(1, mirrored=True), Turn(3, mirrored=True))
_SHIFT = 14
"""Pixels of the small picture (320 wide) by which a camera may have moved besides."""
_LEAST_KNOWN, _MOST_KNOWN_AS_IT_IS = 0.4, 0.25
"""Share of the table's pattern that is known again in the picture put right, and at most otherwise. On simulated
tables with everything on them it is 0.52 at least the right way round, and 0.13 at most in any other."""
_LEAST_CORRELATION, _LEAST_RATIO = 0.1, 2.5
"""The same for the correlation of the pictures' local contrast: 0.11 at least, and 0.10 at most."""


@dataclass(frozen=True, slots=True)
class _Match:
    known: float
    correlation: float


def correcting_turn(known: Image, now: Image, plane: TablePlane | None = None) -> Turn | None:
    """Return the turn that makes a picture show the table as it was known; None where it does or nothing tells.

    known: the table as it was; now: as it is, both BGR. Things may have been laid on it or taken away since. The
    picture may be turned by 180 degrees or mirrored; where its width is the known one's height, it may lie on its
    side. plane: of the known picture; with it a camera that was moved, too, is found, which takes a second.
    """
    height, width = known.shape[:2]
    if now.shape[:2] == (height, width):
        as_it_is, turns = _match(known, now), _SAME_SHAPE
    elif now.shape[:2] == (width, height):
        as_it_is, turns = _Match(0.0, 0.0), _OTHER_SHAPE
    else:
        return None
    if as_it_is.known >= _LEAST_KNOWN:
        return None
    matches = [_match(known, turn.of(now)) for turn in turns]
    best = max(range(len(turns)), key=lambda k: (matches[k].known, matches[k].correlation))
    others = [as_it_is, *matches[:best], *matches[best + 1 :]]
    if _is_right(matches[best], others):
        return turns[best]
    if plane is None or refind(plane, known, now) is not None:
        return None
    found = [turn for turn in turns if refind(plane, known, np.ascontiguousarray(turn.of(now))) is not None]
    return found[0] if len(found) == 1 else None


def _is_right(match: _Match, others: Sequence[_Match]) -> bool:
    if match.known >= _LEAST_KNOWN and max(other.known for other in others) <= _MOST_KNOWN_AS_IT_IS:
        return True
    most = max(other.correlation for other in others)
    return match.correlation >= max(_LEAST_CORRELATION, _LEAST_RATIO * most)


def _match(known: Image, now: Image) -> _Match:
    small, small_now = Small.of(known), Small.of(np.ascontiguousarray(now))
    share = StillTable(small, small).change(small_now).known
    inner = small.even[_SHIFT:-_SHIFT, _SHIFT:-_SHIFT]
    correlations = cv2.matchTemplate(small_now.even, inner, cv2.TM_CCOEFF_NORMED)
    return _Match(share, float(correlations.max()))
