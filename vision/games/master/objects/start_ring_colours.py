"""Measures the colours of the four start rings, as evidence of the orientation and of the wizards' paints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.colour import Colours
from vision.games.master.objects.board_orientation import turned_place
from vision.games.master.objects.top_views import MARGIN, TILE_PX, FieldView
from vision.games.master.readings import FIXED, SIZE, STARTS

_USUAL_PAINTS: Final = ((45, 42, 185), (84, 132, 184), (165, 92, 42), (228, 232, 234))
"""Usual colours of the rings, BGR, in the order of `STARTS`; only the differences between them count."""
_RADII: Final = np.arange(0.12, 0.42, 0.02)
"""Radii that are tried, in tiles; all four rings of a board have the same."""
_SATURATIONS: Final = (0.35, 0.5, 0.7, 0.85, 1.0, 1.2)
"""Saturations that are tried, relative to the usual colours: a thin ring blurs with the path around it."""
_SATURATION_SPREAD: Final = 0.5
"""Standard deviation of the logarithm of the saturation."""
_MIDDLE: Final = 0.08
"""Half width of the part in the middle of a ring that shows whether a wizard stands there, in tiles."""
_MIDDLE_SPREADS: Final = np.array([0.5, 0.16, 0.14], np.float32)
"""Standard deviations of log-opponent colours: a wizard's from its paint, a path's from other paths. Chosen; what
they lack is in the fitted weight of the ratio (`wizard_reading`)."""
_MAX_RATIO: Final = 5.0
"""Bound of the size of the log likelihood ratio of paint and path."""
_ANGLES: Final = 48
"""Number of samples along a ring."""
_SPREADS: Final = np.array([0.45, 0.16, 0.12], np.float32)
"""Standard deviations of a ring's log-opponent colour about its usual one, once the light is estimated."""
_MAX_COST: Final = 9.0
"""Bound of the cost of one ring, since something may stand on it."""
_UNEVEN: Final = 6.0
"""Weight in the cost of the mean deviation along a ring: a ring has one colour, the print of a tile several."""


@dataclass(frozen=True, eq=False)
class RingColours:
    """Colours of the rings, if the board has one of the four orientations."""

    cost: float
    """Deviation from the usual colours, as twice a negative log likelihood."""
    paints: Colours
    """Log-opponent colours of red, brown, blue and white in this picture's light, (4, 3)."""
    places: tuple[int, ...]
    """Place of each ring in the view's frame, in the order of `STARTS`."""


def ring_colours(view: FieldView) -> tuple[RingColours, ...]:
    """Return the start rings' colours as measured in a top view, once for each possible orientation of the board.

    The four orientations are 0 to 3 clockwise quarter turns from the view's frame to the board's.
    """
    usual = colour.of_view(np.array([_USUAL_PAINTS], np.uint8))[0]
    starts = list(STARTS.values())
    samples = {place: _samples(view, place) for place in starts}
    found = []
    for turns in range(4):
        places = [turned_place(start, -turns) for start in starts]
        medians = np.stack([samples[place][0] for place in places], axis=1)
        uneven = np.stack([samples[place][1] for place in places], axis=1)
        best, paints = float("inf"), usual
        for saturation in _SATURATIONS:
            expected = usual * (1.0, saturation, saturation)
            offsets = np.median(medians - expected, axis=1, keepdims=True)
            away = (((medians - expected - offsets) / _SPREADS) ** 2).sum(axis=2) + _UNEVEN * uneven
            costs = np.minimum(away, _MAX_COST).sum(axis=1) + (np.log(saturation) / _SATURATION_SPREAD) ** 2
            radius = int(costs.argmin())
            if costs[radius] < best:
                best = float(costs[radius])
                # What stands on a ring hides its paint; then the usual one in this light is taken. A wizard's paint
                # is purer than that of a thin ring.
                shown = (away[radius] < _MAX_COST / 2)[:, None]
                purer = np.sqrt(saturation)
                own = (medians[radius] - offsets[radius]) / (1.0, purer, purer)
                paints = np.where(shown, own, usual) + offsets[radius]
        found.append(RingColours(best, paints.astype(np.float32), tuple(places)))
    return tuple(found)


def filled_rings(view: FieldView, rings: RingColours) -> NDArray[np.float64]:
    """Return the log likelihood ratio that a ring's middle shows its wizard's paint rather than path, (4,).

    Positive where a wizard stands on its own ring. The colour of paths is the median of those in the middle of the
    other fixed tiles, on which no token lies.
    """
    middles = {place: _median_around_middle(view, place) for place in FIXED}
    shown = np.stack([middles.pop(place) for place in rings.places])
    path = np.median(list(middles.values()), axis=0)

    def cost(expected: Colours) -> NDArray[np.float64]:
        away = ((shown - expected) / _MIDDLE_SPREADS) ** 2
        return np.asarray(np.minimum(away.sum(axis=1), 2 * _MAX_RATIO), np.float64)

    return np.asarray(0.5 * (cost(path) - cost(rings.paints)), np.float64)


def _median_around_middle(view: FieldView, place: int) -> Colours:
    """Return the median log-opponent colour near the middle of a place, (3,)."""
    x, y = (round(value) for value in _middle(place))
    reach = round(_MIDDLE * TILE_PX)
    part = view.colours[y - reach : y + reach + 1, x - reach : x + reach + 1]
    return np.asarray(np.median(part.reshape(-1, 3), axis=0), np.float32)


def _middle(place: int) -> tuple[float, float]:
    """Return the middle (x, y) of a place, px of the view."""
    return (MARGIN + place % SIZE + 0.5) * TILE_PX - 0.5, (MARGIN + place // SIZE + 0.5) * TILE_PX - 0.5


def _samples(view: FieldView, place: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the median colour along circles around a place's middle, (radii, 3), and its mean deviation, (radii,).

    Colours are log-opponent. The deviation is that of the colours along a circle from their median.
    """
    angle = np.arange(_ANGLES) * (2 * np.pi / _ANGLES)
    radius = _RADII[:, None] * TILE_PX
    left, top = _middle(place)
    x, y = left + radius * np.cos(angle), top + radius * np.sin(angle)
    round_it = cv2.remap(view.colours, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    medians = np.median(round_it, axis=1)
    uneven = np.abs(round_it - medians[:, None]).mean(axis=(1, 2))
    return np.asarray(medians, np.float32), np.asarray(uneven, np.float32)
