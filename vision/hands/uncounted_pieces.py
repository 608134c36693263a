"""Detect hands that may hold more than the pieces that are counted in them: their readings need confirmation."""

from __future__ import annotations

from vision.hands.hand_detection import FoundHand
from vision.readings import Box

_MAX_CUT_GAP = 0.03
"""Maximum distance of a cut-off hand's box from the picture's edge, as a share of the box's longer side. Boxes are
exact to about 0.02; of 498 whole hands of 32 held-out sessions the nearest is 0.16 away."""


def may_hold_more(hand: FoundHand, picture_size: tuple[int, int]) -> bool:
    """Return whether a hand may hold pieces that are not counted.

    That is where the picture cuts the hand off, and where pieces lie beside it as in another hand. picture_size:
    width and height, px.
    """
    return hand.pieces_beside or _is_cut_off(hand.box, picture_size)


def _is_cut_off(box: Box, picture_size: tuple[int, int]) -> bool:
    """Return whether a box ends at the edge of the picture. picture_size: width and height, px."""
    x, y, width, height = box
    gap = min(x, y, picture_size[0] - x - width, picture_size[1] - y - height)
    return gap < _MAX_CUT_GAP * max(width, height)
