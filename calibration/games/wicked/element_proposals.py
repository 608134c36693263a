"""Proposes the elements shown on a card from its colours, for a person to check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.game_kit import Picture

Element = Literal["red", "green", "blue", "yellow", "white", "promotion", "colour_change"]
"""What half a corridor card can show."""

_HUES = {"red": 30.0, "yellow": 88.0, "green": 145.0, "blue": 268.0}
"""Hue angles in CIELAB, degrees, of the four element colours as printers make them."""
_MAX_COLOUR_DISTANCE = 34.0
"""Largest CIELAB distance of a pixel from the element colour that it is assigned to."""
_MIN_CHROMA = 24.0
"""Smallest CIELAB chroma of a coloured element's pixel."""
_MAX_WHITE_CHROMA = 14.0
"""Largest CIELAB chroma of a white element's pixel."""
_MIN_WHITE_LIGHTNESS = 72.0
"""Smallest CIELAB lightness of a white element's pixel."""
_GROUND_PERCENT = 60.0
"""Percentile of chroma in a card half that represents its background."""
_ABOVE_GROUND = 8.0
"""CIELAB chroma by which an element must exceed that background."""
_MIN_SHARE = 0.03
"""Smallest area fraction of a proposed element."""
_MIN_OF_LARGEST = 0.5
"""Smallest ratio to the largest element's area."""
_RIM = 0.08
"""Fraction of width and height left out at each border."""


@dataclass(frozen=True)
class ElementProposal:
    """Proposed elements of a card, largest area first; empty when uncertain."""

    upper: tuple[str, ...]
    """In the upper half."""
    lower: tuple[str, ...]
    """In the lower half."""


def propose(picture: Picture) -> ElementProposal:
    """Return the elements proposed for the two halves of a card's reference picture.

    A colour that both halves show alike is taken for the card's background. Promotions and changes of colour have
    no colour of their own and are never proposed.
    """
    upper, lower = _colour_fractions(picture, 0), _colour_fractions(picture, 1)
    return ElementProposal(_proposed_elements(upper, lower), _proposed_elements(lower, upper))


def _proposed_elements(own: dict[str, float], other: dict[str, float]) -> tuple[str, ...]:
    """Return at most two elements of a half, largest area first.

    own, other: area fraction of each element's colour in this half and in the other one.
    """
    # A frame or ground in an element's colour is in both halves alike.
    standing_out = {name: share - 0.7 * other[name] for name, share in own.items()}
    both = {name: share for name, share in own.items() if share >= _MIN_SHARE}
    largest = max(both.values(), default=0.0)
    chosen = [
        name
        for name, share in both.items()
        if share >= _MIN_OF_LARGEST * largest and (standing_out[name] > 0.15 * share or len(both) == 1)
    ]
    return tuple(sorted(chosen, key=lambda name: -own[name]))[:2]


def _colour_fractions(picture: Picture, half: int) -> dict[str, float]:
    """Return the fraction of a half's area in each element's colour. half: 0 is the upper one, 1 the lower."""
    height, width = picture.shape[:2]
    rim_y, rim_x = round(_RIM * height), round(_RIM * width)
    rows = slice(rim_y, height // 2) if half == 0 else slice(height // 2, height - rim_y)
    part = picture[rows, rim_x : width - rim_x]
    lab = cv2.cvtColor(cv2.GaussianBlur(part[..., :3], (0, 0), 1.5).astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    lightness, chroma = lab[..., 0], np.hypot(lab[..., 1], lab[..., 2])
    hue = np.degrees(np.arctan2(lab[..., 2], lab[..., 1])) % 360
    seen = part[..., 3] > 127
    # A card's ground may be tinted: an element is more colourful than most of its card.
    least = max(_MIN_CHROMA, float(np.percentile(chroma, _GROUND_PERCENT)) + _ABOVE_GROUND)
    shares = {}
    for name, angle in _HUES.items():
        away: NDArray[np.float32] = np.abs((hue - angle + 180) % 360 - 180)
        shares[name] = float((seen & (chroma > least) & (away < _MAX_COLOUR_DISTANCE)).mean())
    bright = max(_MIN_WHITE_LIGHTNESS, float(np.percentile(lightness, 99)) - 12)
    shares["white"] = float((seen & (lightness > bright) & (chroma < _MAX_WHITE_CHROMA)).mean())
    return shares
