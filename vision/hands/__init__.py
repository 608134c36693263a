"""Hand reader: detect hands, classify them as open or closed, and count the pieces in them."""

from __future__ import annotations

from vision.hands.hand_contents_reader import HandReader, QuickHand
from vision.hands.seat_readings import DOUBTFUL_BELOW

__all__ = ["DOUBTFUL_BELOW", "HandReader", "QuickHand"]
