"""Detect tokens on great oracle cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards.deck import REFERENCE_PX_PER_MM, EnrolledCard
from calibration.light.light_field import linear
from calibration.plane import Image
from vision import colour
from vision.boards.rectified import Layer, Mask, channel_min, disc_kernel, fit_gain, inside_picture
from vision.cards.search_index import on_dark
from vision.kind_colours import KindColours

_PX_PER_MM = 1.0
"""Scale of the rectified card."""
_MIN_FINER = 1.6
"""Minimum ratio of the picture's scale from which it is blurred before the warp, against aliasing."""
_RIM_MM = 9.0
"""Distance beyond a card's edge in which its tokens may lie."""
_CORE = 0.85
"""Share of a token's radius that is evaluated: its rim is blurred."""
_PRINT = np.array([0.14, 0.06, 0.05], np.float32)
"""Standard deviation of a print pixel in intensity and hue."""
_TABLE = np.array([0.35, 0.16, 0.15], np.float32)
"""Standard deviation of a table pixel beside the card, so that a green table is no green token."""
_SHARP = 0.55
"""Standard deviation of a picture's blur, in its own pixels."""
_MIN_SCALE = 0.3
"""Minimum scale of a picture, px/mm."""
_FLOOR = -6.0
"""Minimum log density of a pixel."""
_MIN_TOKEN_DENSITY = -2.6
"""Minimum mean log density per pixel of a possible token."""
_MIN_EVIDENCE = -1.0
"""Minimum log density ratio per pixel of a token against the card's own print; below 0 for one on a gem of its
colour."""
_MIN_CERTAIN_EVIDENCE = 3.0
"""Ratio from which a token is certain."""
_MAX_PRINT_DENSITY = 3.3
"""Maximum mean log density of the print where a token can be."""
_SEPARATION = 0.8
"""Minimum distance between two tokens, in token diameters."""
_MAX_TOKENS = 4
"""Maximum number of tokens on a card."""
_MIN_BLOWN_LEVEL = 247
"""Minimum level of all channels of an overexposed pixel."""


@dataclass(frozen=True, slots=True)
class TokenOnCard:
    """A token on a card."""

    kind: str
    """Kind of the token."""
    at: tuple[float, float]
    """Position, mm right of and above the card's centre."""
    confidence: float
    """Probability that it is a token, 0..1."""


def cache_print(card: EnrolledCard, scale: float) -> None:
    """Compute and cache a card's print as a camera at this scale (px/mm) shows it, for `tokens_on`."""
    _enrolled_print(card, _rounded(scale))


def tokens_on(
    image: Image,
    card: EnrolledCard,
    corners: NDArray[np.float64],
    models: Mapping[str, KindColours],
    token_mm: float,
) -> tuple[tuple[TokenOnCard, ...], float]:
    """Return the tokens on a card in a BGR picture, most certain first, and the visible share of the card, 0..1.

    corners: of the card in px, clockwise from its own top left, (4, 2). models: colour model of each kind of token.
    token_mm: diameter of a token.
    """
    width, height = card.size_mm
    size = (round((width + 2 * _RIM_MM) * _PX_PER_MM), round((height + 2 * _RIM_MM) * _PX_PER_MM))
    inner = np.array([(0, 0), (width, 0), (width, height), (0, height)]) + _RIM_MM
    scale = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (width * height)))
    image, corners = _cut_around(image, corners, scale)
    card_px = (inner * _PX_PER_MM - 0.5).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(card_px, corners.astype(np.float32)), np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags), np.uint8)
    seen = inside_picture(image, matrix, size)
    own, on_card = _enrolled_print(card, _rounded(scale))
    share_seen = float(seen[on_card].mean())
    light = linear(view)
    gain = fit_gain(light, own, on_card & seen & (channel_min(view) < _MIN_BLOWN_LEVEL))
    colours = colour.of_light(light * gain)
    # Strong light makes print no lighter than white, which shifts its hue.
    empty = _bare_density(colours, colour.of_light(np.minimum(own, gain)), seen, on_card)
    disc = disc_kernel(_CORE * token_mm / 2 * _PX_PER_MM)
    likely_empty = _disc_means(empty, disc)
    may_lie = on_card & (likely_empty < _MAX_PRINT_DENSITY)
    if not may_lie.any():
        return (), share_seen
    # Most of a card is bare: only possible token positions are compared with tokens.
    there = (cv2.dilate(may_lie.astype(np.uint8), (disc > 0).astype(np.uint8)) > 0) & seen
    pixels = colours[there]
    stack: list[Layer] = []
    for model in models.values():
        density = np.full(seen.shape, _FLOOR, np.float32)
        density[there] = np.maximum(model.log_density(pixels), _FLOOR)
        likely = _disc_means(density, disc)
        stack.append(np.where(may_lie & (likely > _MIN_TOKEN_DENSITY), likely - likely_empty, -np.inf))
    return _select_tokens(tuple(models), np.stack(stack), token_mm, (width, height)), share_seen


def _rounded(scale: float) -> float:
    """Return a scale (px/mm) limited to 0.3..1 and rounded, so that similar ones share a cache entry."""
    return round(min(max(scale, _MIN_SCALE), _PX_PER_MM), 1)


def _cut_around(image: Image, corners: NDArray[np.float64], scale: float) -> tuple[Image, NDArray[np.float64]]:
    """Return the part of a picture around a card, blurred against aliasing, and the card's corners in that part.

    scale: of the picture at the card, px/mm.
    """
    reach = int(np.ceil(_RIM_MM * scale)) + 8
    x, y, width, height = cv2.boundingRect(corners.astype(np.float32))
    left, top = max(0, x - reach), max(0, y - reach)
    part = image[top : y + height + reach, left : x + width + reach]
    if not part.size:
        return image, corners
    if scale > _MIN_FINER * _PX_PER_MM:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.35 * scale / _PX_PER_MM), np.uint8)
    return part, corners - (left, top)


def _bare_density(colours: Layer, print_: Layer, seen: Mask, on_card: Mask) -> Layer:
    """Return each pixel's log density without a token: under the card's print, or under the table beside it.

    colours, print_: log-opponent colours of the picture and of the card's print. seen: pixels inside the picture;
    outside, the density is 0. on_card: pixels of the card. The print may be displaced by up to one pixel.
    """
    height, width = on_card.shape
    padded = cv2.copyMakeBorder(print_, 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    off = np.full(on_card.shape, np.inf, np.float32)
    for v, u in np.ndindex(3, 3):
        off = np.minimum(off, colour.squared(colours - padded[v : v + height, u : u + width], _PRINT))
    beside = seen & ~on_card
    some = colours[::2, ::2][beside[::2, ::2]]
    table = np.median(some, axis=0).astype(np.float32) if len(some) else np.zeros(3, np.float32)
    off = np.where(on_card, off, colour.squared(colours - table, _TABLE))
    density = np.maximum(-0.5 * off - float(np.log(_PRINT).sum()) - 2.757, _FLOOR)
    return np.asarray(np.where(seen, density, 0.0), np.float32)  # no token is reported outside the picture


def _disc_means(layer: Layer, disc: Layer) -> Layer:
    """Return the mean of a layer over a disc around each pixel. disc: from `disc_kernel`."""
    return np.asarray(cv2.filter2D(layer, -1, disc, borderType=cv2.BORDER_REPLICATE), np.float32)


def _select_tokens(
    kinds: Sequence[str], stack: Layer, token_mm: float, size_mm: tuple[float, float]
) -> tuple[TokenOnCard, ...]:
    """Return tokens selected greedily, strongest first. The stack is changed in place.

    stack: log density ratio of a token of each kind at each pixel, (kinds, height, width); -inf where impossible.
    size_mm: width and height of the card.
    """
    found: list[TokenOnCard] = []
    radius = _SEPARATION * token_mm * _PX_PER_MM
    rows, columns = np.mgrid[0 : stack.shape[1], 0 : stack.shape[2]]
    while len(found) < _MAX_TOKENS:
        kind, row, column = np.unravel_index(int(np.argmax(stack)), stack.shape)
        evidence = float(stack[kind, row, column])
        if evidence < _MIN_EVIDENCE:
            break
        certainty = min(1.0, (evidence - _MIN_EVIDENCE) / (_MIN_CERTAIN_EVIDENCE - _MIN_EVIDENCE))
        at = (
            (int(column) + 0.5) / _PX_PER_MM - _RIM_MM - size_mm[0] / 2,
            size_mm[1] / 2 + _RIM_MM - (int(row) + 0.5) / _PX_PER_MM,
        )
        found.append(TokenOnCard(kinds[int(kind)], at, 0.5 + 0.4995 * certainty))
        stack[:, np.hypot(rows - row, columns - column) < radius] = -np.inf
    return tuple(found)


@lru_cache(maxsize=256)
def _enrolled_print(card: EnrolledCard, scale: float) -> tuple[NDArray[np.float32], Mask]:
    """Return a card's enrolled picture in linear light, with a grey rim around it, and a mask of the card.

    scale: px/mm of the picture to whose sharpness it is blurred.
    """
    soft = cv2.GaussianBlur(on_dark(card.picture), (0, 0), _SHARP / scale * REFERENCE_PX_PER_MM)
    width, height = card.size_mm
    size = (round((width + 2 * _RIM_MM) * _PX_PER_MM), round((height + 2 * _RIM_MM) * _PX_PER_MM))
    inner = (round(width * _PX_PER_MM), round(height * _PX_PER_MM))
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    small = cv2.resize(soft, inner, interpolation=cv2.INTER_AREA)
    picture = np.full((size[1], size[0], 3), 60, np.uint8)
    picture[top : top + inner[1], left : left + inner[0]] = small
    there = np.zeros((size[1], size[0]), bool)
    there[top + 1 : top + inner[1] - 1, left + 1 : left + inner[0] - 1] = True
    return linear(picture), there
