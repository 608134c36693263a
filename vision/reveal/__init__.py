"""Reads a reveal: hands, open or closed, and the pieces that lie in them."""

from __future__ import annotations

from vision.reveal.reader import DOUBTFUL_BELOW, HandSeen, RevealReader

__all__ = ["DOUBTFUL_BELOW", "HandSeen", "RevealReader"]
