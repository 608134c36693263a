"""Names of the kinds of loose pieces."""

from __future__ import annotations

PIECE_KINDS: tuple[str, ...] = (
    *(f"search:{colour}" for colour in ("purple", "green", "red", "black", "yellow")),
    *(f"sign:{sign}" for sign in ("witch", "soul")),
    *(f"token:{colour}" for colour in ("red", "green", "blue", "yellow")),
    *(f"impurity:{value}" for value in ("1", "3")),
)
"""Everything that `enrol pieces` can learn."""


def in_hands(kind: str) -> bool:
    """Return whether players hold pieces of a kind behind their screens; others lie on and beside boards."""
    return kind.startswith(("search:", "sign:"))
