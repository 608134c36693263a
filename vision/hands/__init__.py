"""Reveal reader: detect hands, classify them as open or closed, and count the pieces in them."""

from __future__ import annotations

from vision.hands.answers import DOUBTFUL_BELOW
from vision.hands.reader import QuickHand, RevealReader

__all__ = ["DOUBTFUL_BELOW", "QuickHand", "RevealReader"]
