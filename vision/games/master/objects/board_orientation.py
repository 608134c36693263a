"""Orientation of the board in the picture, and conversion of readings by quarter turns.

The pattern of the fixed tiles is the same after a quarter turn; only the start rings show the orientation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.readings import SIZE, STARTS, WizardReading

MIN_ORIENTATION_PROBABILITY: Final = 0.98
"""Minimum probability of an orientation that counts as known."""
_LETTERS: Final = "TRBL"
"""Letters of a tile's sides, clockwise from the top."""
_MAX_LOG_ODDS: Final = 6.0
"""Bound of the log odds of one ring: a wizard or disc on it may look like another ring."""
_NETWORK_WEIGHT: Final = 0.5
"""Weight of the network's log odds, fitted on pictures that were not used for training."""
_COST_WEIGHT: Final = 0.4
"""Weight of the deviation of the rings' colours, fitted on the same pictures."""

TurnProbabilities = tuple[float, float, float, float]
"""Probability of 0, 1, 2 and 3 clockwise quarter turns from the picture's frame to the board's."""


def turned_place(place: int, quarter_turns: int) -> int:
    """Return the place, 0..48, to which a place moves when the board is turned by clockwise quarter turns."""
    row, column = divmod(place, SIZE)
    for _ in range(quarter_turns % 4):
        row, column = column, SIZE - 1 - row
    return SIZE * row + column


def turned_openings(openings: str, quarter_turns: int) -> str:
    """Return the openings of a tile, as letters of its open sides, after clockwise quarter turns."""
    turned = {_LETTERS[(_LETTERS.index(letter) + quarter_turns) % 4] for letter in openings}
    return "".join(letter for letter in _LETTERS if letter in turned)


def turned_wizard(wizard: WizardReading, quarter_turns: int) -> WizardReading:
    """Return a wizard's reading with its places moved by clockwise quarter turns; its box, in px, is kept."""

    def there(place: int | None) -> int | None:
        return None if place is None else turned_place(place, quarter_turns)

    places = {there(place): probability for place, probability in wizard.places.items()}
    return replace(wizard, place=there(wizard.place), places=places)


def turn_probabilities(
    rings: NDArray[np.float32], costs: Sequence[float] = (0.0, 0.0, 0.0, 0.0)
) -> TurnProbabilities:
    """Return the probability of 0, 1, 2 and 3 clockwise quarter turns from the picture's frame to the board's.

    rings: log odds of a ring of each colour on each place in the picture's frame, (7, 7, 4); colours as in
    `STARTS`. costs: deviation of the rings' colours from the usual ones in each orientation (`RingColours.cost`).
    """
    evidence = np.clip(rings.reshape(SIZE * SIZE, len(STARTS)), -_MAX_LOG_ODDS, _MAX_LOG_ODDS)
    logs = np.zeros(4)
    for turns in range(4):
        for colour, start in enumerate(STARTS.values()):
            logs[turns] += evidence[turned_place(start, -turns), colour]
    logs = _NETWORK_WEIGHT * logs - _COST_WEIGHT * np.array(costs)
    weights = np.exp(logs - logs.max())
    zero, one, two, three = (float(weight) for weight in weights / weights.sum())
    return zero, one, two, three
