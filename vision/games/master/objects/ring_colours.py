"""Measures the colours of the four start rings: how the board lies, and the wizards' paints in this light."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.colour import Colours
from vision.games.master.objects.orientation import turned_place
from vision.games.master.objects.views import MARGIN, TILE_PX, FieldView
from vision.games.master.readings import SIZE, STARTS

_USUAL_PAINTS: Final = ((45, 42, 185), (84, 132, 184), (165, 92, 42), (228, 232, 234))
"""Usual colours of the rings, BGR, in the order of `STARTS`; only their differences count."""
_RADII: Final = (0.13, 0.17, 0.21, 0.25, 0.29, 0.34, 0.39)
"""Radii at which a ring may be, in tiles."""
_ANGLES: Final = 48
"""Samples round a ring."""
_SPREADS: Final = np.array([0.45, 0.16, 0.12], np.float32)
"""Standard deviations of a ring's colour about its usual one, in the light of all rings."""
_MAX_COST: Final = 9.0
"""Largest cost of one ring: something may stand on it."""
_UNEVEN: Final = 6.0
"""Cost of a deviation of 1 round a ring: a ring has one colour, a tile's print has several."""


@dataclass(frozen=True, eq=False)
class RingColours:
    """Colours of the rings under the hypothesis of one orientation."""

    cost: float
    """Deviation from the usual colours; half of it is a log likelihood."""
    paints: Colours
    """Log-opponent colours of red, brown, blue and white in this picture's light, (4, 3)."""


def ring_colours(view: FieldView) -> tuple[RingColours, ...]:
    """Return the best explanation of the rings for 0, 1, 2 and 3 clockwise quarter turns to the board's frame."""
    usual = colour.of_view(np.array([_USUAL_PAINTS], np.uint8))[0]
    starts = list(STARTS.values())
    samples = {place: _samples(view, place) for place in starts}
    choice = np.array(list(product(range(len(_RADII)), repeat=len(starts))))
    found = []
    for turns in range(4):
        places = [turned_place(start, -turns) for start in starts]
        medians = np.stack([samples[place][0] for place in places])
        uneven = np.stack([samples[place][1] for place in places])
        rows = np.arange(len(starts))
        seen = medians[rows, choice]
        offset = np.median(seen - usual, axis=1, keepdims=True)
        away = (((seen - usual - offset) / _SPREADS) ** 2).sum(axis=2) + _UNEVEN * uneven[rows, choice]
        cost = np.minimum(away, _MAX_COST).sum(axis=1)
        best = int(cost.argmin())
        # What stands on a ring hides its paint; then the usual one in this light is taken.
        shown = (away[best] < _MAX_COST / 2)[:, None]
        paints = np.where(shown, seen[best], usual + offset[best]).astype(np.float32)
        found.append(RingColours(float(cost[best]), paints))
    return tuple(found)


def _middle(place: int) -> tuple[float, float]:
    return (MARGIN + place % SIZE + 0.5) * TILE_PX - 0.5, (MARGIN + place // SIZE + 0.5) * TILE_PX - 0.5


def _samples(view: FieldView, place: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the median colour round circles of each radius, (radii, 3), and its mean deviation, (radii,)."""
    angle = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    radius = np.array(_RADII)[:, None] * TILE_PX
    left, top = _middle(place)
    x, y = left + radius * np.cos(angle), top + radius * np.sin(angle)
    round_it = cv2.remap(view.colours, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    medians = np.median(round_it, axis=1)
    uneven = np.abs(round_it - medians[:, None]).mean(axis=(1, 2))
    return np.asarray(medians, np.float32), np.asarray(uneven, np.float32)
