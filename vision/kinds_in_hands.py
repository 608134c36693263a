"""Which kinds of pieces hands hold, and whether paint or print distinguishes them, as the games' kits define it."""

from __future__ import annotations

from functools import cache

from calibration.games import kits
from calibration.kit import PieceGroup


@cache
def _group_in_hands(kind: str) -> PieceGroup | None:
    groups = (kit.group_of(kind) for kit in kits())
    return next((group for group in groups if group is not None and group.in_hands), None)


def is_painted(kind: str) -> bool:
    """Return whether hands hold a kind that its paint distinguishes from others of its group."""
    group = _group_in_hands(kind)
    return group is not None and not group.printed


def is_printed(kind: str) -> bool:
    """Return whether hands hold a kind that its print distinguishes from others of its group."""
    group = _group_in_hands(kind)
    return group is not None and group.printed
