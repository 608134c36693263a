"""Labels, scales and output of the detector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.readings import Box

Label = Literal["open", "closed", "piece", "token", "card", "loose"]
LABELS: tuple[Label, ...] = ("open", "closed", "piece", "token", "card", "loose")
"""open, closed: hands; piece: in a hand; token; card; loose: piece on the table."""

CROP_PX = 256
"""Side of a square crop."""
CLOSE_PX_PER_MM = 1.6
"""Scale, at palm height, of the crops in which pieces, tokens and loose pieces are detected."""
WIDE_PX_PER_MM = 0.33
"""Scale of the pictures in which hands and cards are detected."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One detected object."""

    label: Label
    """Class of the object."""
    box: Box
    """Box (x, y, width, height), px of the crop."""
    score: float
    """Score of the network, 0..1."""
