"""Great oracle cards: which tokens lie on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import REFERENCE_PX_PER_MM, EnrolledCard
from calibration.light import linear
from calibration.plane import Image
from vision.boards.laid import Layer, Mask, fit_gain, in_sight, least, round_mean
from vision.card_index import on_dark
from vision.reveal import colour
from vision.reveal.kinds import KindColours

_PX_PER_MM = 1.0
_FINER = 1.6
"""Pictures that are so many times finer are made softer first: a warp alone would pick single pixels."""
_RIM_MM = 9.0
"""So far over a card's edge a token may lie that belongs to it."""
_CORE = 0.85
"""Share of a token's radius that is looked at: its rim is blurred."""
_PRINT = np.array([0.14, 0.06, 0.05], np.float32)
"""How far print may be off in intensity and hue, as the standard deviation of one pixel."""
_TABLE = np.array([0.35, 0.16, 0.15], np.float32)
"""The same for the table on which a card lies: a green one is no green token at its corner."""
_SHARP, _COARSEST = 0.55, 0.3
"""A picture is as soft as this many of its own pixels, of which there are not fewer a mm."""
_FLOOR = -6.0
_LEAST_DENSITY = -2.6
"""Mean log density a pixel of what may be a token at all."""
_LEAST, _SURE = -1.0, 3.0
"""How much likelier (log density a pixel) a disc is under a token than under the card's own print: below the first
there is none, above the second there surely is one. It may lie on a gem of its own colour."""
_MOST_ALIKE = 3.3
"""Where the print itself is likelier than this no token can be."""
_APART, _MOST_TOKENS = 0.8, 4
_WHITE = 247


@dataclass(frozen=True, slots=True)
class TokenOnCard:
    """A token on a card: its kind, where (mm right of and above the card's middle), how surely it is one."""

    kind: str
    at: tuple[float, float]
    confidence: float


def prepare(card: EnrolledCard, scale: float) -> None:
    """Learn the print of a card that will be seen at about this scale, px/mm, so that `tokens_on` need not."""
    _enrolled(card, _rounded(scale))


def tokens_on(
    image: Image,
    card: EnrolledCard,
    corners: NDArray[np.float64],
    models: Mapping[str, KindColours],
    token_mm: float,
) -> tuple[tuple[TokenOnCard, ...], float]:
    """Find the tokens on a card of a BGR picture, surest first, and the share of the card that the picture shows.

    corners: the card's in px, clockwise from its own upper left.
    """
    width, height = card.size_mm
    size = (round((width + 2 * _RIM_MM) * _PX_PER_MM), round((height + 2 * _RIM_MM) * _PX_PER_MM))
    inner = np.array([(0, 0), (width, 0), (width, height), (0, height)]) + _RIM_MM
    scale = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (width * height)))
    image, corners = _part(image, corners, scale)
    card_px = (inner * _PX_PER_MM - 0.5).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(card_px, corners.astype(np.float32)), np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags), np.uint8)
    seen = in_sight(image, matrix, size)
    own, on_card = _enrolled(card, _rounded(scale))
    share_seen = float(seen[on_card].mean())
    light = linear(view)
    gain = fit_gain(light, own, on_card & seen & (least(view) < _WHITE))
    colours = colour.of_light(light * gain)
    # Strong light makes print no lighter than white, so that its hue changes, too.
    empty = _emptiness(colours, colour.of_light(np.minimum(own, gain)), seen, on_card)
    disc = round_mean(_CORE * token_mm / 2 * _PX_PER_MM)
    likely_empty = _mean(empty, disc)
    may_lie = on_card & (likely_empty < _MOST_ALIKE)
    if not may_lie.any():
        return (), share_seen
    # Most of a card lies bare: only what a token may cover is compared with tokens.
    there = (cv2.dilate(may_lie.astype(np.uint8), (disc > 0).astype(np.uint8)) > 0) & seen
    pixels = colours[there]
    stack: list[Layer] = []
    for model in models.values():
        density = np.full(seen.shape, _FLOOR, np.float32)
        density[there] = np.maximum(model.log_density(pixels), _FLOOR)
        likely = _mean(density, disc)
        stack.append(np.where(may_lie & (likely > _LEAST_DENSITY), likely - likely_empty, -np.inf))
    return _peaks(tuple(models), np.stack(stack), token_mm, (width, height)), share_seen


def _rounded(scale: float) -> float:
    return round(min(max(scale, _COARSEST), _PX_PER_MM), 1)


def _part(image: Image, corners: NDArray[np.float64], scale: float) -> tuple[Image, NDArray[np.float64]]:
    """Cut out what a card and its rim cover, soft where the picture is far finer than what it is compared with."""
    reach = int(np.ceil(_RIM_MM * scale)) + 8
    x, y, width, height = cv2.boundingRect(corners.astype(np.float32))
    left, top = max(0, x - reach), max(0, y - reach)
    part = image[top : y + height + reach, left : x + width + reach]
    if not part.size:
        return image, corners
    if scale > _FINER * _PX_PER_MM:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.35 * scale / _PX_PER_MM), np.uint8)
    return part, corners - (left, top)


def _emptiness(colours: Layer, print_: Layer, seen: Mask, on_card: Mask) -> Layer:
    """Give each pixel's log density under its card's print, which may lie a pixel off, or the table beside it."""
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
    return np.asarray(np.where(seen, density, 0.0), np.float32)  # no token is told where nothing is seen


def _mean(layer: Layer, disc: Layer) -> Layer:
    return np.asarray(cv2.filter2D(layer, -1, disc, borderType=cv2.BORDER_REPLICATE), np.float32)


def _peaks(
    kinds: Sequence[str], stack: Layer, token_mm: float, size_mm: tuple[float, float]
) -> tuple[TokenOnCard, ...]:
    """Choose tokens one by one, the likeliest first. stack: (kinds, height, width), -inf where none can lie."""
    found: list[TokenOnCard] = []
    radius = _APART * token_mm * _PX_PER_MM
    rows, columns = np.mgrid[0 : stack.shape[1], 0 : stack.shape[2]]
    while len(found) < _MOST_TOKENS:
        kind, row, column = np.unravel_index(int(np.argmax(stack)), stack.shape)
        likelier = float(stack[kind, row, column])
        if likelier < _LEAST:
            break
        sure = min(1.0, (likelier - _LEAST) / (_SURE - _LEAST))
        at = (
            (int(column) + 0.5) / _PX_PER_MM - _RIM_MM - size_mm[0] / 2,
            size_mm[1] / 2 + _RIM_MM - (int(row) + 0.5) / _PX_PER_MM,
        )
        found.append(TokenOnCard(kinds[int(kind)], at, 0.5 + 0.4995 * sure))
        stack[:, np.hypot(rows - row, columns - column) < radius] = -np.inf
    return tuple(found)


@lru_cache(maxsize=256)
def _enrolled(card: EnrolledCard, scale: float) -> tuple[NDArray[np.float32], Mask]:
    """Give a card's linear picture with its rim of nothing, as seen at `scale` px/mm, and where the card is."""
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
