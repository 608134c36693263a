"""Reads a reveal: hands, open or closed, and the pieces that lie in them."""

from __future__ import annotations

from vision.reveal.answers import DOUBTFUL_BELOW
from vision.reveal.reader import HandSeen, RevealReader

__all__ = ["DOUBTFUL_BELOW", "HandSeen", "RevealReader"]
