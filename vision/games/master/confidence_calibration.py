"""Calibrates confidences of tiles; constants are fitted on random boards (`models.maze_sides.confidence_fit`)."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

MIN_CONFIDENCE: Final = 0.98
"""Minimum confidence at which a tile, token, wizard or formula card needs no confirmation."""
TEMPERATURE: Final = 0.96
"""Divisor of the network's logits in a picture without any loss on its known sides."""
LOSS_WEIGHT: Final = 2.5
"""Increase of the divisor for each unit of a picture's mean loss on its known sides."""

SPARE_TEMPERATURE: Final = 3.0
"""Further divisor of the spare's logits: its corners are less exact, and it may be another object of its size."""


def calibrated(logits: NDArray[np.float64], loss: float) -> NDArray[np.float64]:
    """Return the logits that sides are open, divided by a temperature that grows with `loss`.

    loss: mean logistic loss of the sides of fixed tiles in the same picture, whose openings are known
    (`known_loss`).
    """
    return logits / (TEMPERATURE + LOSS_WEIGHT * loss)
