"""Bands of lamp flicker: brightness that a rolling shutter varies over the rows (or columns) of a picture."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Gains = NDArray[np.float64]
"""Brightness ratio of two pictures, by row (height, 1) or by column (1, width)."""

_CYCLES = np.arange(0.5, 12.01, 0.25)
"""Candidate numbers of bands in a picture: mains flicker shows 1 to 8, dimmed LED lamps more."""
_LEVEL_OFFSET = 8.0
"""Grey levels added to both pictures, against noise in the dark."""
_MAX_APERIODIC = 0.3
"""Maximum share of a profile's variance that the periodic fit leaves unexplained, if all of the profile is
flicker."""
_MIN_OUTLIER_RATIO = 3.0
"""Multiples of the median deviation beyond which a row is an outlier."""


def band_gains(one: NDArray[np.floating], other: NDArray[np.floating]) -> tuple[Gains, Gains]:
    """Return the brightness ratio of `other` to `one` by row (height, 1), and by column (1, width).

    one, other: grey pictures (height, width) of the same scene. The ratio is returned whole if its smooth and
    periodic parts explain most of it; otherwise only these parts are.
    """
    ratio = np.log((other + _LEVEL_OFFSET) / (one + _LEVEL_OFFSET))
    rows, columns = np.median(ratio[:, ::3], axis=1), np.median(ratio[::3], axis=0)
    return np.exp(_fit(rows))[:, None], np.exp(_fit(columns))[None, :]


def amplitude(gains: Gains) -> float:
    """Return the amplitude of flicker bands, as a share of the brightness. gains: from `band_gains`."""
    low, high = np.percentile(gains, (2, 98))
    return float(high - low) / 2.0


def with_bands(image: NDArray[np.uint8], gains: Gains) -> NDArray[np.uint8]:
    """Return a copy of a picture (height, width, 3) multiplied by flicker bands. gains: by row, or by column."""
    return np.asarray(np.clip((image + _LEVEL_OFFSET) * gains[..., None] - _LEVEL_OFFSET + 0.5, 0, 255), np.uint8)


def _fit(profile: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a robust fit (n,) of offset, slope and one wave to a profile of log brightness ratios (n,).

    If that wave explains most of the profile, the profile itself is returned: a lamp's light need not be
    sinusoidal.
    """
    bases = _bases(len(profile))
    fits = np.einsum("kni,n->ki", bases, profile)
    basis = bases[int(np.argmax(np.sum(fits**2, axis=1)))]
    off = np.abs(profile - basis @ (basis.T @ profile))
    kept = off <= _MIN_OUTLIER_RATIO * np.median(off) + 1e-6
    fitted = basis @ np.linalg.lstsq(basis[kept], profile[kept], rcond=None)[0]
    left = float(np.var(profile - fitted))
    return np.asarray(profile if left < _MAX_APERIODIC * float(np.var(profile)) else fitted, np.float64)


@lru_cache(maxsize=8)
def _bases(size: int) -> NDArray[np.float64]:
    """Return an orthonormal basis for each number of `_CYCLES`, (cycles, size, 6).

    Its functions are offset, slope, sine and cosine of a wave, and those of its first overtone.
    """
    x = np.linspace(0.0, 1.0, size)
    bases = []
    for cycles in _CYCLES:
        phase = 2.0 * np.pi * cycles * x
        waves = [np.ones(size), x - 0.5, np.cos(phase), np.sin(phase), np.cos(2 * phase), np.sin(2 * phase)]
        bases.append(np.linalg.qr(np.stack(waves, axis=1))[0])
    return np.stack(bases)
