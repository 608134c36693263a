"""How many search pieces a patch is: laid out with the enrolled pieces' own outlines, turned in every way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.samples import CROP_PX_PER_MM, PieceSamples, Specimen
from vision.boards.explaining import chances_of, ways
from vision.boards.laid import Layer, Mask

PX_PER_MM = 1.0
"""Scale at which outlines are laid on patches."""

_MOST_OUTLINES, _TURNS = 6, 12
_LEAST_COVER = 0.15
"""Mean evidence, -1 to 1, of an outline that is worth trying."""
_MOST_TRIED, _EACH_PLACE, _STEP = 240, 6, 2
_STARTS, _MOST_BESIDE = 6, 5
"""From so many first pieces others are laid, so many at most."""
_OVERLAP = 1.0
"""How much worse pixels are that two pieces share than pixels that none explains."""
_SHARPNESS = 9.0
"""Natural logarithms a piece's area: by so much less likely is a number that explains so much less."""
_EACH = 0.12
"""What a piece must explain, as a share of its area, to be worth telling one more."""


@dataclass(frozen=True, eq=False)
class Outlines:
    """One kind's outlines as masks of one size (n, height, width), and the typical area of a piece, px."""

    masks: Layer
    area: float

    @classmethod
    def of(cls, samples: PieceSamples) -> Outlines:
        """Learn the outlines of a kind's newest specimens."""
        chosen = _unlike(samples.specimens)
        masks = np.stack([_turned(specimen, 360.0 * k / _TURNS) for specimen in chosen for k in range(_TURNS)])
        _, rows, columns = np.nonzero(masks)
        middle = masks.shape[1] // 2
        reach = int(np.abs(np.concatenate([rows, columns]) - middle).max(initial=1))
        inner = slice(middle - reach, middle + reach + 1)
        return cls(masks[:, inner, inner], float(np.median(masks.sum(axis=(1, 2)))))

    def count(self, there: Mask) -> tuple[dict[int, float], float]:
        """Tell the chance of each number of pieces in a mask at PX_PER_MM, and how well they explain it, 0..1."""
        half = self.masks.shape[1] // 2
        evidence = np.pad(np.where(there, 1.0, -1.0).astype(np.float32), half + 2, constant_values=-1.0)
        rows, columns = np.nonzero(evidence > 0)
        some = (rows % _STEP == 0) & (columns % _STEP == 0)
        rows, columns = rows[some], columns[some]
        if not len(rows):
            return {0: 1.0}, 0.0
        gains = self._gains(evidence, rows, columns)
        tries = _worth_trying(gains, rows, columns, evidence.shape)
        for first in tries[:: max(1, len(tries) // _STARTS)]:
            tries = tries + self._beside(first, evidence, rows, columns)
        told = sorted(((float(gains[place, number]), number, place) for place, number in set(tries)), reverse=True)
        chosen = [one for one in told if one[0] > _LEAST_COVER * self.area][:_MOST_TRIED]
        if not chosen:
            return {0: 1.0}, 0.0
        laid = np.zeros((len(chosen), *evidence.shape), np.float32)
        for layer, (_, number, place) in zip(laid, chosen, strict=True):
            row, column = rows[place], columns[place]
            layer[row - half : row + half + 1, column - half : column + half + 1] = self.masks[number]
        pixels = laid.reshape(len(chosen), -1)
        lost = (pixels * (np.maximum(evidence, 0.0).reshape(-1) + _OVERLAP)) @ pixels.T
        explained = np.array([one[0] for one in chosen]) - _EACH * self.area
        _, numbers, scores = ways(np.ones(len(chosen), np.int64), explained, lost.astype(np.float64))
        chances = chances_of(numbers, scores / self.area, _SHARPNESS)
        best = max(chances, key=lambda number: chances[number])
        share = (float(scores[numbers == best].max()) + _EACH * self.area * best) / np.count_nonzero(there)
        return chances, max(0.0, share)

    def _gains(self, evidence: Layer, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Layer:
        """Give what each outline explains at each place, (places, n)."""
        half = self.masks.shape[1] // 2
        around = np.lib.stride_tricks.sliding_window_view(evidence, self.masks.shape[1:])
        flat = self.masks.reshape(len(self.masks), -1)
        return np.asarray(around[rows - half, columns - half].reshape(len(rows), -1) @ flat.T)

    def _beside(
        self, first: tuple[int, int], evidence: Layer, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> list[tuple[int, int]]:
        """Lay pieces beside a first one (place, outline), one by one, each where it explains most of the rest.

        Where pieces touch, the place that explains most on its own is often none in which a piece lies.
        """
        half = self.masks.shape[1] // 2
        left, (place, number) = evidence.copy(), first
        found = list[tuple[int, int]]()
        for _ in range(_MOST_BESIDE):
            row, column = rows[place], columns[place]
            part = left[row - half : row + half + 1, column - half : column + half + 1]
            part -= self.masks[number] * (np.maximum(part, 0.0) + _OVERLAP)
            gains = self._gains(left, rows, columns)
            place, number = (int(k) for k in np.unravel_index(int(gains.argmax()), gains.shape))
            if gains[place, number] < _LEAST_COVER * self.area:
                break
            found.append((place, number))
        return found


def _worth_trying(
    gains: Layer, rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, ...]
) -> list[tuple[int, int]]:
    """Choose places and outlines worth trying: where the best outline explains no less than all round."""
    best = np.full((shape[0] // _STEP + 1, shape[1] // _STEP + 1), -1e6, np.float32)
    best[rows // _STEP, columns // _STEP] = gains.max(axis=1)
    highest = cv2.dilate(best, np.ones((3, 3), np.uint8))[rows // _STEP, columns // _STEP]
    order = np.argsort(-gains, axis=1)[:, :_EACH_PLACE]
    return [
        (int(k), int(number)) for k in np.flatnonzero(gains.max(axis=1) >= highest - 1e-3) for number in order[k]
    ]


def _unlike(specimens: Sequence[Specimen]) -> list[Specimen]:
    """Choose specimens of as different sizes as there are: lying ones and standing ones."""
    order = sorted(specimens, key=lambda specimen: specimen.area_mm2)
    steps = np.unique(np.linspace(0, len(order) - 1, min(len(order), _MOST_OUTLINES)).round().astype(int))
    return [order[step] for step in steps]


def _turned(specimen: Specimen, degrees: float) -> NDArray[np.float32]:
    mask = (specimen.crop[..., 3] > 127).astype(np.float32)
    rows, columns = np.nonzero(mask)
    middle = (float(columns.mean()), float(rows.mean())) if len(rows) else (28.0, 28.0)
    size = 2 * round(15 * PX_PER_MM) + 1
    matrix = cv2.getRotationMatrix2D(middle, degrees, PX_PER_MM / CROP_PX_PER_MM)
    matrix[0, 2] += size / 2 - 0.5 - middle[0]
    matrix[1, 2] += size / 2 - 0.5 - middle[1]
    soft = cv2.GaussianBlur(mask, (0, 0), 0.4 * CROP_PX_PER_MM / PX_PER_MM)
    return (cv2.warpAffine(soft, matrix, (size, size), flags=cv2.INTER_LINEAR) > 0.5).astype(np.float32)
