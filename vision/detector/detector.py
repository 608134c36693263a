"""What the detector sees and says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from vision.readings import Box

Label = Literal["open", "closed", "piece", "token", "card", "loose"]
LABELS: tuple[Label, ...] = ("open", "closed", "piece", "token", "card", "loose")
"""An open hand, a closed hand, a piece held in a hand, a token, a card, a piece that lies on the table."""

CROP_PX = 256
"""Crops are squares of this many pixels."""
CLOSE_PX_PER_MM = 1.6
"""Scale of the crops in which pieces, tokens and loose pieces are found, at the height of palms."""
WIDE_PX_PER_MM = 0.33
"""Scale of the pictures in which hands and cards are found."""


@dataclass(frozen=True, slots=True)
class Detection:
    """One thing found: what, its box (x, y, width, height) in pixels of the crop, and the network's score 0..1."""

    label: Label
    box: Box
    score: float
