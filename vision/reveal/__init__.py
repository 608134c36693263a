"""Reveal reader: detect hands, classify them as open or closed, and count the pieces in them."""

from __future__ import annotations

from vision.reveal.answers import DOUBTFUL_BELOW
from vision.reveal.reader import QuickHand, RevealReader

__all__ = ["DOUBTFUL_BELOW", "QuickHand", "RevealReader"]
