"""Shadow detection on a table: light of the table's own colour, only darker."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear
from calibration.plane import Image

_MAX_SHADOW_SINE = 0.156
"""Largest deviation of a shadow's light from the table's: sine of 9 degrees."""
_MAX_CORE_SINE = 0.42
"""Largest deviation of a black object's light from the table's: sine of 25 degrees."""
_DARK_NOISE = 0.002
"""Noise of linear light (0..1) in dark pixels."""
_POOLED_PX = 5
"""Side of the window over which hue deviations are averaged, px."""
_MAX_SHADOW_HUE_SINE = 0.05
"""Median hue deviation of the shadow above which two hues are not separated: sine of 3 degrees."""
_MIN_OBJECT_HUE_SINE = 0.1
"""Median hue deviation of the object below which they are not separated: sine of 6 degrees."""
_MIN_HUE_SHARE = 0.1
"""Smallest fraction of the pixels in either hue."""
_MAX_CORE_RATIO = 0.4
"""Largest ratio of light between object and shadow where the object has a dark core."""
_MAX_TONE_RATIO = 0.6
"""Largest ratio where they are separated by tone alone."""

Mask = NDArray[np.bool_]


def shadow_mask(view: Image, table: Image, changed: Mask, least_px: float, smoothing_px: float) -> Mask:
    """Return the mask of shadow pixels of a view: they have the table's hue and are darker.

    view, table: BGR (height, width, 3), with and without objects. changed: mask of their difference. least_px:
    smaller patches are ignored. smoothing_px: standard deviation of the Gaussian filter on the view.

    The linear light of each pixel is compared with the table's: in shadow it has the same direction and is shorter.
    The same holds for a black object on a grey table: where a patch has a much darker core, or all of a patch would
    be removed, only its lighter part counts as shadow.
    """
    smooth = np.asarray(cv2.GaussianBlur(view, (0, 0), smoothing_px), np.uint8)
    light, ground = linear(smooth), linear(table)
    share = np.sum(light * ground, axis=2) / (np.sum(ground**2, axis=2) + 1e-6)
    length = np.linalg.norm(light, axis=2)
    off = light - share[..., None] * ground
    aside = np.linalg.norm(off, axis=2)
    alike = (aside < _MAX_SHADOW_SINE * length + _DARK_NOISE) & (share < 0.97) & changed
    other = _of_another_hue(off / (length + _DARK_NOISE)[..., None], alike, least_px)
    nearly = aside < _MAX_CORE_SINE * length + _DARK_NOISE
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
    shadow = np.asarray(alike, np.bool_)
    for label in range(1, count):
        left, top, width, height, pixels = stats[label]
        if pixels < least_px:
            continue
        window = (slice(top, top + height), slice(left, left + width))
        patch = labels[window] == label
        lit, own = share[window], patch & ~alike[window]
        enough = np.count_nonzero(own) >= least_px
        if not enough and np.count_nonzero(own | (other[window] & patch)) >= least_px:
            shadow[window][patch & other[window]] = False
            continue
        if not enough:
            split = _two_tones(lit[patch])
        elif np.count_nonzero(nearly[window] & own) > 0.6 * np.count_nonzero(own):
            split = _separating_level(lit[own], lit[patch & alike[window]], _MAX_CORE_RATIO)
        else:
            continue
        if split is None and not enough:
            shadow[window][patch] = False
        elif split is not None:
            shadow[window][patch] = (alike[window] & (lit > split))[patch] if enough else (lit > split)[patch]
    return shadow


def _of_another_hue(off: NDArray[np.float32], alike: Mask, least_px: float) -> Mask:
    """Return which of the candidate shadow pixels belong to an object of nearly the table's hue.

    off: deviation of the direction of each pixel's linear light from the table's, (height, width, 3); alike:
    candidates. Under one lamp all shadows have one hue. Where the candidates have two, only those nearer the
    table's are shadow.
    """
    shares = alike.astype(np.float32)
    near = cv2.blur(off * shares[..., None], (_POOLED_PX, _POOLED_PX))
    around = cv2.blur(shares, (_POOLED_PX, _POOLED_PX))
    away = np.linalg.norm(near, axis=2) / np.maximum(around, 1e-3)
    levels = np.clip(away[alike] * 1000, 0, 255).astype(np.uint8)
    nothing = np.zeros(alike.shape, np.bool_)
    if len(levels) < least_px:
        return nothing
    split, _ = cv2.threshold(levels.reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    low, high = levels[levels <= split], levels[levels > split]
    if min(len(low), len(high)) < _MIN_HUE_SHARE * len(levels):
        return nothing
    if np.median(low) > 1000 * _MAX_SHADOW_HUE_SINE or np.median(high) < 1000 * _MIN_OBJECT_HUE_SINE:
        return nothing
    return np.asarray(alike & (away * 1000 > split), np.bool_)


def _two_tones(shares: NDArray[np.float32]) -> float | None:
    """Return the threshold (Otsu) between an object's dark pixels and its lighter shadow; None for one tone.

    shares: light of each pixel as a fraction of the bare table's.
    """
    levels = np.clip(shares * 255, 0, 255).astype(np.uint8)
    split, _ = cv2.threshold(levels.reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return (
        split / 255
        if _separating_level(levels[levels <= split], levels[levels > split], _MAX_TONE_RATIO) is not None
        else None
    )


def _separating_level(darker: NDArray[Any], lighter: NDArray[Any], most: float) -> float | None:
    """Return the level of light that separates an object's pixels from those of its lighter shadow.

    None where the median of the darker ones is above `most` times that of the lighter ones.
    """
    if not len(darker) or not len(lighter):
        return None
    dark, light = float(np.median(darker)), float(np.median(lighter))
    # A shadow is darkest next to its object: only pixels nearly as dark as the object belong to it.
    return min(float(np.sqrt(max(dark, 1e-3) * light)), 1.5 * dark) if dark < most * light else None
