"""Shapes of the stand-in set's loose pieces on the simulated table: wooden animals and printed discs."""

from __future__ import annotations

from functools import cache

from calibration.games.wicked.art import IMPURITY, SIGN, TOKEN
from vision.cameras.simulated.solids import Solid, disc, rounded

_OUTLINES: dict[str, tuple[tuple[float, float], ...]] = {
    # wolf: head thrown back, bushy tail
    "purple": (
        (-7, -7), (-4, -7), (-3.6, -2.6), (1.2, -2.6), (1.8, -7), (4.6, -7), (4.6, -0.6), (5.2, 2.2), (8, 5.2),
        (6.2, 5.8), (5.2, 8), (3.6, 6), (1.6, 5.2), (0.4, 2.4), (-3.4, 2), (-6, 4.6), (-8, 4), (-7.4, 0.6),
        (-6.8, -2),
    ),
    # rabbit: two long ears, round back
    "green": (
        (-6.4, -7.4), (4.6, -7.4), (5.4, -5), (3.6, -2), (6.4, 0.4), (6.2, 3), (4.4, 4), (5.4, 8.2), (3.2, 8.4),
        (2.2, 4.6), (1.4, 8.6), (-0.8, 8), (0.2, 3.4), (-1.4, 1.2), (-5, 0), (-7.2, -3), (-8, -5.4),
    ),
    # eagle: spread wings
    "red": (
        (0, 7.6), (2, 6), (2, 3.6), (5, 5.6), (8.4, 4.4), (7.4, 1), (5.2, -1.4), (2.6, -2.4), (3.6, -6.6),
        (0, -5.4), (-3.6, -6.6), (-2.6, -2.4), (-5.2, -1.4), (-7.4, 1), (-8.4, 4.4), (-5, 5.6), (-2, 3.6), (-2, 6),
    ),
    # cat: sitting, pointed ears, tail round its feet
    "black": (
        (-5, -8), (7.4, -8), (7.8, -5.8), (4.6, -5.4), (5, -1), (2.6, 2), (3.6, 4), (3.8, 8.2), (1.4, 6.6),
        (-1.2, 6.6), (-3.6, 8.2), (-3.6, 4), (-2.2, 1.6), (-4, -2), (-4.2, -5.6),
    ),
    # sheep: woolly and broad
    "yellow": (
        (-5.6, -6.6), (-3.4, -6.6), (-3.2, -4), (2, -4), (2.2, -6.6), (4.6, -6.6), (5, -2.6), (6, -0.6), (8.2, 0.6),
        (8, 3), (6.2, 4.4), (3.6, 4), (2.6, 6), (-0.6, 5.2), (-3.4, 6), (-5.4, 4.4), (-7.6, 3.6), (-7.2, 1),
        (-8, -1.2), (-6, -2.8),
    ),
}  # fmt: skip # a table of outlines
"""Outline of each player's search piece, mm from its centre, y up, within a square of about 16 mm."""
_PAINT: dict[str, tuple[int, int, int]] = {
    "purple": (150, 58, 104),
    "green": (62, 132, 46),
    "red": (42, 44, 192),
    "black": (50, 46, 46),
    "yellow": (46, 184, 232),
}
"""Paint of search pieces, BGR."""
_TOKEN_PAINT: dict[str, tuple[int, int, int]] = {
    "red": (52, 50, 196),
    "green": (84, 150, 60),
    "blue": (186, 104, 48),
    "yellow": (60, 190, 232),
}
"""Paint of tokens, BGR."""
_SIGN_SIDE: dict[str, tuple[int, int, int]] = {"witch": (92, 60, 70), "soul": (214, 228, 236)}
"""Colour of the sides of signs, BGR."""


@cache
def solid(kind: str) -> Solid:
    """Return the 3D shape and paint of a loose piece by its kind, such as `search:green`.

    Raises KeyError for a kind that does not exist.
    """
    family, _, name = kind.partition(":")
    if family == "search":
        return Solid(kind, rounded(_OUTLINES[name]), 8.0, _PAINT[name])
    if family == "sign":
        return Solid(kind, disc(SIGN / 2), 5.0, _SIGN_SIDE[name], True)
    if family == "token":
        return Solid(kind, disc(TOKEN / 2), 4.0, _TOKEN_PAINT[name], True)
    if family == "impurity":
        return Solid(kind, disc(IMPURITY[int(name)] / 2), 2.2, (58, 40, 60), True)
    raise KeyError(kind)
