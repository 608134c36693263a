"""Count pieces in a mask by fitting the outlines of enrolled specimens in all orientations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pieces.samples import CROP_PX_PER_MM, PieceSamples, Specimen
from vision.boards.layout_beam_search import best_layouts, sum_probabilities
from vision.boards.rectified import Layer, Mask

PX_PER_MM = 1.0
"""Scale at which outlines are fitted."""

_MAX_OUTLINES = 6
"""Maximum number of specimens whose outlines are used."""
_ORIENTATIONS = 12
"""Number of orientations of each outline."""
_MIN_COVER = 0.15
"""Minimum mean evidence (-1 to 1) of an outline to be tried."""
_MAX_TRIED = 240
"""Maximum number of placed outlines in the search."""
_OUTLINES_PER_PLACE = 6
"""Number of outlines tried at each position."""
_STEP_PX = 2
"""Step of positions, px."""
_STARTS = 6
"""Number of first pieces beside which others are placed greedily."""
_MAX_BESIDE = 5
"""Maximum number of pieces placed beside a first one."""
_OVERLAP_PENALTY = 1.0
"""Penalty of pixels shared by two pieces, relative to unexplained pixels."""
_SHARPNESS = 9.0
"""Log likelihood per explained piece area."""
_PIECE_PENALTY = 0.12
"""Penalty of each piece, as a share of its area."""


@dataclass(frozen=True, eq=False)
class PieceOutlines:
    """Outlines of one kind's specimens in all orientations, as masks."""

    masks: Layer
    """One mask per specimen and orientation, all of one size, (n, height, width)."""
    area: float
    """Typical area of a piece, px."""

    @classmethod
    def of(cls, samples: PieceSamples) -> PieceOutlines:
        """Build the masks from a kind's enrolled specimens."""
        chosen = _spread_by_size(samples.specimens)
        masks = np.stack(
            [
                _rotated_mask(specimen, 360.0 * k / _ORIENTATIONS)
                for specimen in chosen
                for k in range(_ORIENTATIONS)
            ]
        )
        _, rows, columns = np.nonzero(masks)
        middle = masks.shape[1] // 2
        reach = int(np.abs(np.concatenate([rows, columns]) - middle).max(initial=1))
        inner = slice(middle - reach, middle + reach + 1)
        return cls(masks[:, inner, inner], float(np.median(masks.sum(axis=(1, 2)))))

    def count(self, there: Mask) -> tuple[dict[int, float], float]:
        """Return the probability of each number of pieces in a mask, and the share of it that they explain, 0..1.

        there: pixels that show pieces, at PX_PER_MM. The share is that of the most probable number.
        """
        half = self.masks.shape[1] // 2
        evidence = np.pad(np.where(there, 1.0, -1.0).astype(np.float32), half + 2, constant_values=-1.0)
        rows, columns = np.nonzero(evidence > 0)
        some = (rows % _STEP_PX == 0) & (columns % _STEP_PX == 0)
        rows, columns = rows[some], columns[some]
        if not len(rows):
            return {0: 1.0}, 0.0
        gains = self._gains(evidence, rows, columns)
        tries = _candidate_placements(gains, rows, columns, evidence.shape)
        for first in tries[:: max(1, len(tries) // _STARTS)]:
            tries = tries + self._neighbours(first, evidence, rows, columns)
        ranked = sorted(
            ((float(gains[place, number]), number, place) for place, number in set(tries)), reverse=True
        )
        chosen = [one for one in ranked if one[0] > _MIN_COVER * self.area][:_MAX_TRIED]
        if not chosen:
            return {0: 1.0}, 0.0
        laid = np.zeros((len(chosen), *evidence.shape), np.float32)
        for layer, (_, number, place) in zip(laid, chosen, strict=True):
            row, column = rows[place], columns[place]
            layer[row - half : row + half + 1, column - half : column + half + 1] = self.masks[number]
        pixels = laid.reshape(len(chosen), -1)
        lost = (pixels * (np.maximum(evidence, 0.0).reshape(-1) + _OVERLAP_PENALTY)) @ pixels.T
        explained = np.array([one[0] for one in chosen]) - _PIECE_PENALTY * self.area
        _, numbers, scores = best_layouts(np.ones(len(chosen), np.int64), explained, lost.astype(np.float64))
        chances = sum_probabilities(numbers, scores / self.area, _SHARPNESS)
        best = max(chances, key=lambda number: chances[number])
        share = (float(scores[numbers == best].max()) + _PIECE_PENALTY * self.area * best) / np.count_nonzero(there)
        return chances, max(0.0, share)

    def _gains(self, evidence: Layer, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Layer:
        """Return how much evidence each of the n outlines explains at each position, (positions, n).

        evidence: -1 to 1 at each pixel. rows, columns: centres of the positions.
        """
        half = self.masks.shape[1] // 2
        around = np.lib.stride_tricks.sliding_window_view(evidence, self.masks.shape[1:])
        flat = self.masks.reshape(len(self.masks), -1)
        return np.asarray(around[rows - half, columns - half].reshape(len(rows), -1) @ flat.T)

    def _neighbours(
        self, first: tuple[int, int], evidence: Layer, rows: NDArray[np.int64], columns: NDArray[np.int64]
    ) -> list[tuple[int, int]]:
        """Return pieces placed greedily beside a first one: indices of position and outline of each.

        Each is placed where it explains most of the remaining evidence. They are needed because, where pieces
        touch, the single outline that explains most often lies between two of them. first: position and outline
        (both indices) of the first piece.
        """
        half = self.masks.shape[1] // 2
        left, (place, number) = evidence.copy(), first
        found = list[tuple[int, int]]()
        for _ in range(_MAX_BESIDE):
            row, column = rows[place], columns[place]
            part = left[row - half : row + half + 1, column - half : column + half + 1]
            part -= self.masks[number] * (np.maximum(part, 0.0) + _OVERLAP_PENALTY)
            gains = self._gains(left, rows, columns)
            place, number = (int(k) for k in np.unravel_index(int(gains.argmax()), gains.shape))
            if gains[place, number] < _MIN_COVER * self.area:
                break
            found.append((place, number))
        return found


def _candidate_placements(
    gains: Layer, rows: NDArray[np.int64], columns: NDArray[np.int64], shape: tuple[int, ...]
) -> list[tuple[int, int]]:
    """Return the best outlines at each local maximum: indices of position and outline.

    gains: evidence explained, (positions, outlines). shape: of the evidence, px.
    """
    best = np.full((shape[0] // _STEP_PX + 1, shape[1] // _STEP_PX + 1), -1e6, np.float32)
    best[rows // _STEP_PX, columns // _STEP_PX] = gains.max(axis=1)
    highest = cv2.dilate(best, np.ones((3, 3), np.uint8))[rows // _STEP_PX, columns // _STEP_PX]
    order = np.argsort(-gains, axis=1)[:, :_OUTLINES_PER_PLACE]
    return [
        (int(k), int(number)) for k in np.flatnonzero(gains.max(axis=1) >= highest - 1e-3) for number in order[k]
    ]


def _spread_by_size(specimens: Sequence[Specimen]) -> list[Specimen]:
    """Return some specimens whose sizes are evenly spread, so that both flat and upright pieces are among them."""
    order = sorted(specimens, key=lambda specimen: specimen.area_mm2)
    steps = np.unique(np.linspace(0, len(order) - 1, min(len(order), _MAX_OUTLINES)).round().astype(int))
    return [order[step] for step in steps]


def _rotated_mask(specimen: Specimen, degrees: float) -> NDArray[np.float32]:
    """Return a specimen's mask of 0 and 1 at PX_PER_MM, rotated about its centroid, in a square."""
    mask = (specimen.crop[..., 3] > 127).astype(np.float32)
    rows, columns = np.nonzero(mask)
    middle = (float(columns.mean()), float(rows.mean())) if len(rows) else (28.0, 28.0)
    size = 2 * round(15 * PX_PER_MM) + 1
    matrix = cv2.getRotationMatrix2D(middle, degrees, PX_PER_MM / CROP_PX_PER_MM)
    matrix[0, 2] += size / 2 - 0.5 - middle[0]
    matrix[1, 2] += size / 2 - 0.5 - middle[1]
    soft = cv2.GaussianBlur(mask, (0, 0), 0.4 * CROP_PX_PER_MM / PX_PER_MM)
    return (cv2.warpAffine(soft, matrix, (size, size), flags=cv2.INTER_LINEAR) > 0.5).astype(np.float32)
