"""Kinds of pieces that hands hold: whether paint or print distinguishes them, from the kits of all games."""

from __future__ import annotations

from functools import cache

from calibration.game_kit import PieceGroup
from calibration.games import kits


@cache
def _group_in_hands(kind: str) -> PieceGroup | None:
    """Return the group of a kind in any game's kit if its pieces are held in hands, else None."""
    groups = (kit.group_of(kind) for kit in kits())
    return next((group for group in groups if group is not None and group.in_hands), None)


def is_painted(kind: str) -> bool:
    """Return whether hands hold this kind, and its paint distinguishes it from others of its group."""
    group = _group_in_hands(kind)
    return group is not None and not group.printed


def is_printed(kind: str) -> bool:
    """Return whether hands hold this kind, and its print distinguishes it from others of its group."""
    group = _group_in_hands(kind)
    return group is not None and group.printed
