"""Measured confusion between the enrolled kinds under the light of enrolment.

Each specimen is augmented many times: brighter or darker, in warmer or cooler light, whole or partly hidden.
It is classified by the other specimens; the error rate is the confusion. A specimen is left out of its own
kind's model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.samples import PieceSamples, Specimen
from calibration.translatable import say

Floats = NDArray[np.float64]

MIN_REPORTED_ERROR = 0.02
"""Error rate from which two kinds are reported as confusable."""
_VARIANTS = 24
"""Augmented variants of each specimen."""
_MAX_SPECIMENS = 8
"""Largest number of specimens of a kind that are used."""
_PIXELS = 160
"""Pixels sampled from each variant."""
_EXPOSURE_SPREAD = 0.12
"""Standard deviation of the log of the light's strength."""
_TINT_SPREAD = 0.04
"""Standard deviation of the log of its blue and red against green."""
_MIN_VISIBLE_FRACTION = 0.3
"""Smallest visible fraction of a partly hidden variant."""
_INDEPENDENT = 5.0
"""Effective number of independent pixels of a piece, whose pixels are strongly correlated."""
_LOG_AREA_SPREAD = 0.16
"""Standard deviation of the log of areas of one kind."""
_CELLS = np.array([16, 40, 40])
"""Number of histogram cells along L, a and b."""
_LOW, _CELL = np.array([0.0, -100.0, -100.0]), np.array([6.5, 5.0, 5.0])
"""Lowest L, a and b of the histogram, and a cell's size, CIELAB units."""
_PROBABILITY_FLOOR = 1e-6
"""Probability added to every colour cell."""


@dataclass(frozen=True)
class Confusable:
    """Two kinds that are confused with each other."""

    one: str
    """Id of a kind."""
    other: str
    """Id of a kind."""
    whole: float
    """Error rate 0..1, in the worse direction, of fully visible pieces."""
    hidden: float
    """The same of partly hidden pieces, whose size is unknown."""
    advice: str
    """One line on what to do."""


@dataclass(frozen=True)
class Separability:
    """Confusion matrices (kinds, kinds) of rates 0..1: rows true, columns predicted."""

    kinds: tuple[str, ...]
    """Ids of the kinds, in the order of rows and columns."""
    whole: Floats
    """Of fully visible pieces."""
    hidden: Floats
    """Of partly hidden ones, by colour alone."""
    confusable: tuple[Confusable, ...]
    """Pairs whose error rate is reported."""

    @property
    def worst(self) -> float:
        """Return the error rate of the kind that is confused most when fully visible."""
        return float((1 - np.diag(self.whole)).max()) if len(self.kinds) else 0.0


def measure(pieces: Mapping[str, PieceSamples]) -> Separability:
    """Return how often each enrolled kind would be taken for each other one; deterministic."""
    kinds = tuple(pieces)
    rng = np.random.default_rng(len(kinds))
    shown = {kind: _evenly_chosen(pieces[kind].specimens) for kind in kinds}
    memories = {kind: [_colour_histogram(specimen.pixels) for specimen in shown[kind]] for kind in kinds}
    total = {kind: np.sum(memories[kind], axis=0) for kind in kinds}
    logs = {kind: _log_density(total[kind]) for kind in kinds}
    areas = {kind: np.log([specimen.area_mm2 for specimen in pieces[kind].specimens]) for kind in kinds}
    taken = np.zeros((2, len(kinds), len(kinds)))
    for row, kind in enumerate(kinds):
        for number, specimen in enumerate(shown[kind]):
            alone = len(shown[kind]) == 1
            own = logs[kind] if alone else _log_density(total[kind] - memories[kind][number])
            looks = np.stack([own if other == kind else logs[other] for other in kinds])
            whole, hidden = _augmented_cells(specimen, rng)
            by_size = np.array([_size_log_likelihood(specimen, areas[other]) for other in kinds])
            _add_winners(taken[0, row], looks[:, whole].mean(axis=2) * _INDEPENDENT + by_size[:, None])
            _add_winners(taken[1, row], looks[:, hidden].mean(axis=2) * _INDEPENDENT)
    shares = taken / np.maximum(1.0, taken.sum(axis=2, keepdims=True))
    return Separability(kinds, shares[0], shares[1], _confusable_pairs(pieces, shares[0], shares[1]))


def _evenly_chosen(specimens: tuple[Specimen, ...]) -> list[Specimen]:
    """Return at most _MAX_SPECIMENS specimens, evenly from oldest to newest."""
    chosen = np.unique(np.linspace(0, len(specimens) - 1, min(len(specimens), _MAX_SPECIMENS)).astype(int))
    return [specimens[i] for i in chosen]


def _histogram_cells(pixels: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return the index of the histogram cell of each CIELAB colour (…, 3)."""
    at = np.clip(((pixels - _LOW) / _CELL).astype(np.int64), 0, _CELLS - 1)
    return np.asarray((at[..., 0] * _CELLS[1] + at[..., 1]) * _CELLS[2] + at[..., 2], np.int64)


def _colour_histogram(pixels: NDArray[np.float32]) -> Floats:
    """Return a specimen's smoothed CIELAB histogram, flattened and normalised to sum one."""
    counts = np.bincount(_histogram_cells(pixels), minlength=int(np.prod(_CELLS))).astype(np.float64)
    layers = [np.asarray(layer, np.float64) for layer in counts.reshape(_CELLS)]
    hues = np.stack([cv2.GaussianBlur(layer, (0, 0), 1.2).reshape(-1) for layer in layers])
    # Lightness varies most between pictures.
    cube = np.asarray(cv2.GaussianBlur(hues, (1, 7), 1.3), np.float64)
    return cube.reshape(-1) / max(float(cube.sum()), 1e-9)


def _log_density(histogram: Floats) -> Floats:
    """Return the log probability of each cell of a histogram."""
    return np.asarray(np.log(histogram / max(histogram.sum(), 1e-9) + _PROBABILITY_FLOOR), np.float64)


def _augmented_cells(specimen: Specimen, rng: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return two arrays of histogram cells (variants, pixels) in varied light: whole, and partly hidden."""
    linear = cv2.cvtColor(specimen.pixels[None], cv2.COLOR_Lab2LBGR)[0]
    gains = np.exp(
        rng.normal(0, _EXPOSURE_SPREAD, (_VARIANTS, 1, 1)) + rng.normal(0, _TINT_SPREAD, (_VARIANTS, 1, 3))
    )
    lit = np.clip(linear[None] * gains, 0, 1.5).astype(np.float32)
    cells = _histogram_cells(np.asarray(cv2.cvtColor(lit, cv2.COLOR_LBGR2Lab), np.float32))
    count = cells.shape[1]
    whole = cells[:, rng.integers(count, size=_PIXELS)]
    # Pixels lie column by column: a run of them is a strip of the piece.
    strips = []
    for own in cells:
        length = max(1, round(count * float(rng.uniform(_MIN_VISIBLE_FRACTION, 1.0))))
        start = int(rng.integers(count - length + 1))
        strips.append(own[start : start + length][rng.integers(length, size=_PIXELS)])
    return whole, np.stack(strips)


def _size_log_likelihood(specimen: Specimen, log_areas: Floats) -> float:
    """Return the log likelihood of a specimen's area, given the log areas of a kind, up to a constant."""
    off = (np.log(specimen.area_mm2) - np.median(log_areas)) / _LOG_AREA_SPREAD
    return float(-0.5 * off * off)


def _add_winners(row: Floats, scores: Floats) -> None:
    """Add to a row of counts, in place, how often each kind has the highest score. scores: (kinds, variants)."""
    np.add.at(row, np.argmax(scores, axis=0), 1.0)


def _confusable_pairs(pieces: Mapping[str, PieceSamples], whole: Floats, hidden: Floats) -> tuple[Confusable, ...]:
    """Return the pairs of kinds whose error rate is reported, worst first.

    whole, hidden: confusion matrices of fully visible and of partly hidden pieces, as in `Separability`.
    """
    kinds = list(pieces)
    found = []
    for i, one in enumerate(kinds):
        for j in range(i + 1, len(kinds)):
            seen, part = max(whole[i, j], whole[j, i]), max(hidden[i, j], hidden[j, i])
            if max(seen, part) >= MIN_REPORTED_ERROR:
                advice = _advice(pieces[one], pieces[kinds[j]], float(seen))
                found.append(Confusable(one, kinds[j], float(seen), float(part), advice))
    return tuple(sorted(found, key=lambda pair: (-pair.whole, -pair.hidden)))


def _advice(one: PieceSamples, other: PieceSamples, whole: float) -> str:
    """Return one line on how to distinguish two kinds better. whole: their error rate when fully visible."""
    if whole < MIN_REPORTED_ERROR:
        return say("they differ in size only: make sure that no piece hides another")
    if min(len(one.specimens), len(other.specimens)) < 4:
        return say("show one more picture of each, with the pieces turned")
    lightness, a, b = np.abs(one.mean - other.mean)
    if max(one.mean[0], other.mean[0]) < 35:
        return say("both are dark: more light on the table, or a longer exposure")
    if lightness > 1.5 * max(a, b):
        return say("they differ in lightness only: more even light, without hard shadows")
    if max(a, b) < 15:
        return say("too similar in colour under this light: use a whiter lamp, then enrol both with --replace")
    return say("show one more picture of each where the light differs: by the window, under the lamp")
