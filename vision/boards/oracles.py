"""Great oracle cards: which tokens lie on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import REFERENCE_PX_PER_MM, EnrolledCard
from calibration.light import linear
from calibration.plane import Image
from vision.boards.laid import Layer, Mask, fit_gain, least, round_mean
from vision.card_index import on_dark
from vision.reveal import colour
from vision.reveal.kinds import KindColours

_PX_PER_MM = 1.25
_RIM_MM = 9.0
"""So far over a card's edge a token may lie that belongs to it."""
_CORE = 0.72
_LEAST_DENSITY, _SURE_DENSITY = -2.6, -1.2
"""Mean log density a pixel of a token: below the first there is none, above the second it is one surely."""
_FLOOR = -6.0
_LEAST_CHANGED, _SECOND_CHANGED, _SURE_CHANGED = 0.35, 0.2, 0.6
"""Share of a token's disc that must look unlike the card's print: it may lie on a gem of its own colour. Less does
where another token lies on the card already."""
_OFF = np.array([0.35, 0.16, 0.15], np.float32)
_APART, _MOST_TRIES, _MOST_TOKENS = 0.8, 400, 4
_HIDDEN = 250


@dataclass(frozen=True, slots=True)
class TokenOnCard:
    """A token on a card: its kind, where (mm right of and above the card's middle), how surely it is one."""

    kind: str
    at: tuple[float, float]
    confidence: float


def prepare(cards: Iterable[EnrolledCard]) -> None:
    """Learn now what the first picture of a card would wait for."""
    for card in cards:
        _enrolled(card)


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
    matrix = cv2.getPerspectiveTransform((inner * _PX_PER_MM - 0.5).astype(np.float32), corners.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = np.asarray(cv2.warpPerspective(image, matrix, size, flags=flags), np.uint8)
    whole = cv2.warpPerspective(np.full(image.shape[:2], 255, np.uint8), matrix, size, flags=flags)
    seen: Mask = np.asarray(whole >= _HIDDEN)
    own, on_card = _enrolled(card)
    light = linear(view)
    gain = fit_gain(light, own, on_card & seen & (least(view) < 247))
    colours, print_ = colour.of_light(light * gain), colour.of_light(own)
    changed = np.where(on_card, _changed(colours, print_), _beside(colours, seen & ~on_card))
    disc = round_mean(_CORE * token_mm / 2 * _PX_PER_MM)
    share: Layer = np.asarray(
        cv2.filter2D(changed.astype(np.float32), -1, disc, borderType=cv2.BORDER_REPLICATE), np.float32
    )
    share_seen = float(seen[on_card].mean())
    if share[on_card].max() <= _LEAST_CHANGED:
        return (), share_seen
    # Most of a card lies bare: only what a token may cover is compared with tokens.
    near = cv2.dilate((on_card & (share > _SECOND_CHANGED)).astype(np.uint8), (disc > 0).astype(np.uint8)) > 0
    there = near & seen
    pixels = colours[there]
    layers: dict[str, Layer] = {}
    for kind, model in models.items():
        density = np.full(seen.shape, _FLOOR, np.float32)
        density[there] = np.maximum(model.log_density(pixels), _FLOOR)
        mean = cv2.filter2D(density, -1, disc, borderType=cv2.BORDER_REPLICATE)
        layers[kind] = np.asarray(mean, np.float32)
    return _peaks(layers, share, on_card, token_mm, (width, height)), share_seen


def _peaks(
    layers: Mapping[str, Layer], share: Layer, on_card: Mask, token_mm: float, size_mm: tuple[float, float]
) -> tuple[TokenOnCard, ...]:
    allowed = on_card & (share > _SECOND_CHANGED)
    found: list[TokenOnCard] = []
    kinds = list(layers)
    stack = np.stack([np.where(allowed, layers[kind], -np.inf) for kind in kinds])
    radius = _APART * token_mm * _PX_PER_MM
    rows, columns = np.mgrid[0 : share.shape[0], 0 : share.shape[1]]
    for _ in range(_MOST_TRIES):
        kind, row, column = np.unravel_index(int(np.argmax(stack)), stack.shape)
        density = float(stack[kind, row, column])
        if density < _LEAST_DENSITY:
            break
        if len(found) != 1 and share[row, column] <= _LEAST_CHANGED:
            stack[:, row, column] = -np.inf
            continue
        if len(found) == _MOST_TOKENS:
            break
        sure = min(1.0, (density - _LEAST_DENSITY) / (_SURE_DENSITY - _LEAST_DENSITY))
        sure *= float(np.clip((share[row, column] - _LEAST_CHANGED) / (_SURE_CHANGED - _LEAST_CHANGED), 0, 1))
        at = (
            (int(column) + 0.5) / _PX_PER_MM - _RIM_MM - size_mm[0] / 2,
            size_mm[1] / 2 + _RIM_MM - (int(row) + 0.5) / _PX_PER_MM,
        )
        found.append(TokenOnCard(kinds[int(kind)], at, 0.5 + 0.4995 * sure))
        stack[:, np.hypot(rows - row, columns - column) < radius] = -np.inf
    return tuple(found)


def _changed(colours: Layer, own: Layer) -> Mask:
    kernel = np.ones((5, 5), np.uint8)
    low, high = cv2.erode(own, kernel), cv2.dilate(own, kernel)
    off = np.maximum(low - colours, 0.0) + np.maximum(colours - high, 0.0)
    return np.asarray(colour.squared(off, _OFF) > 1.0, np.bool_)


def _beside(colours: Layer, table: Mask) -> Mask:
    """Tell which pixels are not of the table on which a card lies: a green one is no green token at its corner."""
    some = colours[::2, ::2][table[::2, ::2]]
    typical = np.median(some, axis=0) if len(some) else np.zeros(3)
    return np.asarray(colour.squared(colours - typical.astype(np.float32), _OFF) > 1.0, np.bool_)


@lru_cache(maxsize=64)
def _enrolled(card: EnrolledCard) -> tuple[NDArray[np.float32], Mask]:
    """Give a card's linear picture with its rim of nothing, and where the card is."""
    soft = cv2.GaussianBlur(on_dark(card.picture), (0, 0), 0.5 * REFERENCE_PX_PER_MM / _PX_PER_MM)
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
