"""Foreground segmentation on a table whose empty picture is known.

Works on two aligned pictures of one place, frame and empty table: top views of one plane, or camera pictures of one
camera. The empty table is registered to the frame and relit first, so a nudge of a pixel or two and a changed
exposure, white balance or an even shadow have no effect.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear, srgb_levels
from calibration.plane import Image

Mask = NDArray[np.bool_]

MIN_DIFFERENCE = 6.0
"""CIELAB units: smaller differences are noise of the sensor and of the compression."""
_NOISE_FACTOR = 6.0
"""A difference must exceed this multiple of the frame's own noise."""
_MAX_SHIFT_PX = 5.0
"""Largest shift between frame and empty table that is corrected, px."""
_SLACK_AFTER_SHIFT_PX = 2
"""`EmptyTable.slack_px` after a shift, px."""
_MIN_GAIN_OF_SHIFT = 0.97
"""Largest ratio of differences after and before a shift for which it is applied; resampling blurs edges."""
_SAMPLE_STEP_PX = 6
"""Distance between the samples of the relighting fit, px."""
_FIT_ITERATIONS = 6
"""Iterations of the robust fit."""
_LIGHT_FLOOR = 0.004
"""Linear light (0..1) added before logarithms, so that dark pixels weigh little."""
_MIN_KNOWN_SAMPLES = 50
"""Fewest samples of known table from which a fit is made."""
_SHADOW_CHROMA_SINE = 0.156
"""Shadow keeps the direction of the table's linear light within 9 degrees."""
_MAX_SHADOW_SHARE = 0.97
"""Largest fraction of the table's light in a shadow."""
_EDGE_STEP_PX = 2
"""Offset at which neighbouring colours of the table's pattern are compared, px."""
_MIN_COLOURED_RATIO = 0.6
"""Ratio of foreground area in other hues to that in the table's from which the latter counts as shadow."""
_MAX_BLACK_TO_SHADOW = 0.6
"""Largest ratio of a black object's light to that of its shadow."""
_MAX_BLACK_TO_TABLE = 0.2
"""Largest fraction of the table's light on a black object without a visible shadow."""
_DARK_NOISE = 0.002
"""Noise of linear light (0..1) in dark pixels."""
_NOISE_SIGMA_PX = 1.0
"""Standard deviation of the Gaussian filter against noise, px."""
_RIM_PX = 3
"""Distance by which an object's outline may be moved, px."""
_MAX_COLOURS = 4
"""Largest number of colours of an object's palette."""
_MAX_PALETTE_PX = 2000
"""Largest number of pixels that a palette is computed from."""
_SHADOW_STEPS = 5
"""Number of light levels between full light and full shadow."""
_MIN_CORE_FRACTION = 0.2
"""Smallest area fraction of a mask's eroded core."""
_MIN_THING_PX = 40
"""Smallest area of an object, px: ten square millimetres at 2 px/mm, smaller than any piece."""


@dataclass(frozen=True, eq=False)
class EmptyTable:
    """A picture of the empty table from the same place as a frame."""

    picture: Image
    """BGR (height, width, 3)."""
    known: Mask
    """(height, width), True where the picture shows the bare table."""
    slack_px: int = 1
    """Largest distance of edges of its pattern from those in the frame, px."""


def matched(frame: Image, empty: EmptyTable) -> EmptyTable:
    """Return the empty table aligned with a BGR frame of the same size and adapted to its light."""
    if not _enough_known(empty.known):
        return empty
    relit = EmptyTable(_relit(frame, empty.picture, empty.known), empty.known)
    shifted = _registered(frame, relit)
    if shifted is relit:
        return relit
    return replace(shifted, picture=_relit(frame, shifted.picture, shifted.known))


def difference(frame: Image, empty: EmptyTable) -> NDArray[np.float32]:
    """Return the CIELAB difference, (height, width), of a BGR frame from an empty table; 0 where that is unknown.

    empty: aligned with the frame and in its light, from `matched`.

    Edges of the table's own pattern move by a fraction of a pixel between two pictures, so each colour is compared
    with the range of colours that the empty table has nearby.
    """
    lab, ground = to_lab(frame), to_lab(empty.picture)
    kernel = np.ones((2 * empty.slack_px + 1,) * 2, np.uint8)
    low, high = cv2.erode(ground, kernel), cv2.dilate(ground, kernel)
    outside = np.maximum(lab - high, 0) + np.maximum(low - lab, 0)
    return np.where(empty.known, np.linalg.norm(outside, axis=2), 0).astype(np.float32)


def threshold(differences: NDArray[np.float32], known: Mask) -> float:
    """Return the CIELAB difference above which a pixel is foreground, from the noise of the known part.

    differences: from `difference`; known: mask. Infinity where too little is known.
    """
    if not _enough_known(known):
        return float("inf")
    # Most of the table is bare: the median is noise alone.
    noise = float(np.median(differences[known]))
    return max(MIN_DIFFERENCE, _NOISE_FACTOR * noise)


def foreground(frame: Image, empty: Image, known: Mask | None = None) -> Mask:
    """Return the mask of foreground pixels of a BGR frame: they differ from the empty table and are no shadow.

    frame, empty: (height, width, 3) uint8, the same place of the same camera; known: (height, width), where `empty`
    shows the bare table, everywhere when None. Pixels whose table is not known are never foreground.
    """
    everywhere = np.ones(frame.shape[:2], np.bool_)
    table = matched(frame, EmptyTable(empty, everywhere if known is None else known))
    return foreground_mask(frame, table, difference(frame, table), one_kind=False)


def foreground_mask(frame: Image, table: EmptyTable, differs: NDArray[np.float32], *, one_kind: bool) -> Mask:
    """Return the mask of foreground pixels, as `foreground` does, for a table that is matched already.

    differs: what `difference` returns for it. one_kind: all objects have the same colours, which helps to find
    their outlines.
    """
    new = _solid(differs > threshold(differs, table.known))
    if not new.any():
        return new
    same_hue, share = _table_hue_and_brightness(frame, table.picture)
    darker = new & same_hue & (share < _MAX_SHADOW_SHARE)
    umbra, split = _shadow_levels(share[darker], int(np.count_nonzero(_solid(new & ~darker))))
    things = _solid(new & ~(darker & (share > split)))
    return refine_outlines(things, frame, table, umbra, one_kind=one_kind)


def _solid(mask: Mask) -> Mask:
    """Return a mask with specks removed and small gaps filled."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return np.asarray(closed > 0, np.bool_)


def _table_hue_and_brightness(frame: Image, table: Image) -> tuple[Mask, NDArray[np.float32]]:
    """Return the mask of pixels of the table's own hue, and their brightness as a fraction of the table's.

    In shadow the vector of linear light has the table's direction and is shorter. Near an edge of the table's
    pattern the colours on both sides of it count.
    """
    light = linear(_denoised(frame))
    length = np.linalg.norm(light, axis=2)
    best = np.full(length.shape, np.inf, np.float32)
    share = np.zeros(length.shape, np.float32)
    smooth = _denoised(table)
    for x, y in ((0, 0), (_EDGE_STEP_PX, 0), (-_EDGE_STEP_PX, 0), (0, _EDGE_STEP_PX), (0, -_EDGE_STEP_PX)):
        ground = linear(np.roll(smooth, (y, x), axis=(0, 1)))
        part = np.sum(light * ground, axis=2) / (np.sum(ground**2, axis=2) + 1e-6)
        aside = np.linalg.norm(light - part[..., None] * ground, axis=2)
        closer = aside < best
        best = np.where(closer, aside, best)
        share = np.where(closer, part, share)
    return np.asarray(best < _SHADOW_CHROMA_SINE * length + _DARK_NOISE, np.bool_), share


def _shadow_levels(shares: NDArray[np.float32], coloured_px: int) -> tuple[float, float]:
    """Return two fractions of the table's light: the one in full shadow, and the smallest that may be shadow.

    shares: fractions of light of all darker pixels of the table's hue; coloured_px: number of pixels of
    other hues that differ from the table.
    """
    if not len(shares):
        return 1.0, 0.0
    levels = np.clip(shares * 255, 0, 255).astype(np.uint8).reshape(-1, 1)
    cut, _ = cv2.threshold(levels, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    darker, lighter = (levels[part] / 255 for part in (levels <= cut, levels > cut))
    if coloured_px > _MIN_COLOURED_RATIO * len(shares) or not len(darker) or not len(lighter):
        # Things have colours of their own, so what has the table's is shadow.
        umbra = float(np.quantile(shares, 0.3))
        return umbra, 0.5 * umbra
    dark, light = float(np.median(darker)), float(np.median(lighter))
    if dark < _MAX_BLACK_TO_SHADOW * light:
        umbra = float(np.quantile(lighter, 0.3))
        return umbra, min(float(np.sqrt(max(dark, 1e-3) * umbra)), 1.6 * dark)
    return dark, _MAX_BLACK_TO_TABLE


def to_lab(picture: Image) -> NDArray[np.float32]:
    """Return a BGR picture as slightly smoothed CIELAB (height, width, 3)."""
    smooth = cv2.GaussianBlur(picture, (0, 0), _NOISE_SIGMA_PX).astype(np.float32) / 255
    return np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2Lab), np.float32)


def _denoised(picture: Image) -> Image:
    """Return a picture slightly smoothed against noise."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _NOISE_SIGMA_PX), np.uint8)


def _enough_known(known: Mask) -> bool:
    """Return whether enough of the table is known for a fit."""
    return int(np.count_nonzero(known)) >= _MIN_KNOWN_SAMPLES * _SAMPLE_STEP_PX**2


def _relit(frame: Image, empty: Image, known: Mask) -> Image:
    """Return the empty table under the frame's light: a smooth gain for each channel, fitted robustly.

    The gain's logarithm is a second-order polynomial of the position. Objects cover a small part of the table and
    get no weight.
    """
    height, width = known.shape
    some = (slice(_SAMPLE_STEP_PX // 2, None, _SAMPLE_STEP_PX),) * 2
    sure = known[some]
    y, x = np.mgrid[0:height, 0:width][:, some[0], some[1]].astype(np.float64)
    terms = _polynomial_terms(x[sure] / width - 0.5, y[sure] / height - 0.5)
    now, then = (
        cv2.blur(linear(picture), (_SAMPLE_STEP_PX, _SAMPLE_STEP_PX))[some][sure] for picture in (frame, empty)
    )
    ratios = np.log((now + _LIGHT_FLOOR) / (then + _LIGHT_FLOOR))
    gains = np.empty((height, width, 3), np.float32)
    grid = _polynomial_terms(*np.meshgrid(np.arange(width) / width - 0.5, np.arange(height) / height - 0.5))
    for channel in range(3):
        ratio = ratios[:, channel].astype(np.float64)
        weights = _biweight(ratio - np.median(ratio))
        for _ in range(_FIT_ITERATIONS):
            weighted = terms * weights[:, None]
            # A weak ridge towards a uniform gain stabilises places without samples.
            ridge = 1e-3 * len(ratio) * np.diag([0, 1, 1, 1, 1, 1])
            factors = np.linalg.solve(weighted.T @ terms + ridge, weighted.T @ ratio)
            weights = _biweight(ratio - terms @ factors)
        gains[..., channel] = np.exp(np.clip(grid @ factors, -1.5, 1.5))
    return np.asarray(np.clip(np.round(srgb_levels(linear(empty) * gains)), 0, 255), np.uint8)


def _polynomial_terms(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the terms of a second-order polynomial of two coordinates, (…, 6)."""
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def _biweight(residuals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return Tukey's biweights of residuals, scaled by the median absolute residual."""
    scale = 6 * max(float(np.median(np.abs(residuals))), 0.01)
    return np.asarray(np.clip(1 - (residuals / scale) ** 2, 0, None) ** 2, np.float64)


def _registered(frame: Image, empty: EmptyTable) -> EmptyTable:
    """Return the empty table shifted so that its pattern aligns with the frame's; unchanged where that fails."""
    now, then = _grey(frame), _grey(empty.picture)
    # New and unknown pixels must not bias the registration: only similar pixels are used.
    apart = np.abs(now - then)
    alike = empty.known & (apart < max(12.0, 8 * float(np.median(apart[empty.known]))))
    alike = cv2.erode(alike.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    shift = _shift(now, then, alike)
    if not 0.1 < float(np.hypot(*shift)) < _MAX_SHIFT_PX:
        return empty
    place = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    size = (then.shape[1], then.shape[0])
    moved = cv2.warpAffine(then, place, size, borderMode=cv2.BORDER_REPLICATE)
    if np.mean(np.abs(now - moved)[alike]) > _MIN_GAIN_OF_SHIFT * np.mean(apart[alike]):
        return empty
    picture = cv2.warpAffine(empty.picture, place, size, borderMode=cv2.BORDER_REPLICATE)
    known = cv2.warpAffine(empty.known.astype(np.uint8) * 255, place, size) == 255
    return EmptyTable(np.asarray(picture, np.uint8), np.asarray(known, np.bool_), _SLACK_AFTER_SHIFT_PX)


def _grey(picture: Image) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(_denoised(picture), cv2.COLOR_BGR2GRAY), np.float32)


def _shift(now: NDArray[np.float32], then: NDArray[np.float32], alike: Mask) -> tuple[float, float]:
    """Return the shift (x, y) px that moves `then` onto `now`, by Gauss-Newton on the pixels that are alike."""
    at = np.zeros(2)
    size = (then.shape[1], then.shape[0])
    for _ in range(6):
        place = np.array([[1, 0, at[0]], [0, 1, at[1]]])
        moved = cv2.warpAffine(then, place, size, borderMode=cv2.BORDER_REPLICATE)
        gradients = (cv2.Sobel(moved, cv2.CV_32F, *order, ksize=3, scale=1 / 8) for order in ((1, 0), (0, 1)))
        jacobian = np.stack([gradient[alike] for gradient in gradients], axis=1).astype(np.float64)
        normal = jacobian.T @ jacobian
        if len(jacobian) < _MIN_KNOWN_SAMPLES or np.linalg.cond(normal) > 1e4:
            return 0.0, 0.0
        step = np.linalg.solve(normal, jacobian.T @ (moved - now)[alike])
        at += step
        if float(np.hypot(*step)) < 0.02:
            break
    return float(at[0]), float(at[1])


def refine_outlines(things: Mask, frame: Image, table: EmptyTable, umbra: float, *, one_kind: bool) -> Mask:
    """Return a mask of objects with their outlines refined.

    Lens and smoothing blur an object outwards. Its outline is moved to where a pixel's colour is closer to the
    object's own colours than to the table's, lit or in shadow. umbra: the fraction of light in full shadow;
    one_kind: as in `foreground_mask`.
    """
    rim = 2 * _RIM_PX + 1
    grown = cv2.dilate(things.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (rim, rim)))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown)
    result = np.zeros_like(grown)
    lab = to_lab(frame)
    light = linear(_denoised(table.picture))
    shares = np.linspace(1.0, min(umbra, 1.0), _SHADOW_STEPS) if umbra < _MAX_SHADOW_SHARE else np.ones(1)
    palette = palette_of(lab[core(things)]) if one_kind and things.any() else None
    for label in range(1, count):
        left, top, width, height, _ = stats[label]
        window = (slice(top, top + height), slice(left, left + width))
        part = labels[window] == label
        colours = palette_of(lab[window][core(things[window] & part)]) if palette is None else palette
        seen, under = lab[window], light[window]
        to_thing = np.linalg.norm(seen[:, :, None] - colours, axis=3).min(axis=2)
        lit = [cv2.cvtColor(under * np.float32(share), cv2.COLOR_LBGR2Lab) for share in shares]
        to_table = np.min([np.linalg.norm(seen - ground, axis=2) for ground in lit], axis=0)
        nearer = cv2.GaussianBlur(to_table - to_thing, (0, 0), _NOISE_SIGMA_PX)
        result[window][part & (nearer > 0)] = 1
    return _without_specks(_solid(result > 0))


def _without_specks(mask: Mask) -> Mask:
    """Return a mask without components smaller than any piece."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    return np.asarray(mask & (stats[labels, cv2.CC_STAT_AREA] >= _MIN_THING_PX), np.bool_)


def core(mask: Mask) -> Mask:
    """Return a mask without the blended pixels at its edge; the mask itself where hardly anything would remain."""
    for side in (7, 5):
        inside = cv2.erode(mask.astype(np.uint8), np.ones((side, side), np.uint8)) > 0
        if np.count_nonzero(inside) > _MIN_CORE_FRACTION * np.count_nonzero(mask):
            return np.asarray(inside, np.bool_)
    return mask


def palette_of(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the palette (n, 3), at most `_MAX_COLOURS` cluster centres, of CIELAB pixels (m, 3)."""
    some = np.ascontiguousarray(pixels[:: max(1, len(pixels) // _MAX_PALETTE_PX)], np.float32)
    if len(some) <= 2 * _MAX_COLOURS:
        return some
    cv2.setRNGSeed(0)  # the same picture gives the same things
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
    start = np.zeros((len(some), 1), np.int32)
    return np.asarray(cv2.kmeans(some, _MAX_COLOURS, start, criteria, 1, cv2.KMEANS_PP_CENTERS)[2], np.float32)
