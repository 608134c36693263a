"""How many pieces mark each spell of a board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_alignment import PX_PER_MM, AlignedBoard
from calibration.personal_boards import SPELLS, SpellName
from calibration.profile import TableProfile
from calibration.wording import either, say
from vision.board_readings import SpaceReading
from vision.boards.doubts import box_of
from vision.boards.laid import LaidBoard
from vision.boards.pieces import PieceMap, kind_map, measures_of, models_of
from vision.boards.strange import changed
from vision.count_things import Mask, number_in
from vision.readings import Box

SURE = 0.93
"""Numbers that are less sure than this are asked about."""
_MARGIN_MM = 6.0
_PLAIN_HUE = 0.55
"""Spaces are plain: grey pieces are told from shadows by smaller differences of hue than those of print."""
_GREY = 12.0
"""Kinds whose mean colour is nearer to grey than this (CIELAB) have no hue to be known by."""
_CORE_MM = 2.6
"""Pieces that touch come apart when so much is taken off all round."""
_CORES = np.log([0.84, 0.12, 0.04])
"""How often there are as many cores as pieces, one more or fewer, or farther off."""
_LEAST_SEEN, _MOST_BLOWN = 0.98, 0.12
_MOST_UNLIKE = 4.5
_LEAST_SHARE, _LEAST_CORE_PX = 0.25, 5
_LARGER = 1.0
"""How much larger, along a line, pieces look on a board than where they were enrolled."""


class SpaceReader:
    """Counts the pieces in spell spaces with a profile's enrolled pieces."""

    def __init__(self, profile: TableProfile) -> None:
        """Learn the pieces."""
        # Whatever else lies there has no business on a spell's space; its colours might be a search piece's.
        self._models = {kind: model for kind, model in models_of(profile).items() if kind.startswith("search:")}
        self._measures = measures_of(profile, self._models)
        means = {kind: profile.pieces[kind].mean for kind in self._models}
        self._grey = np.array([np.hypot(mean[1], mean[2]) < _GREY for mean in means.values()], np.bool_)

    def read(self, laid: LaidBoard, aligned: AlignedBoard, grow: float) -> tuple[SpaceReading, ...]:
        """Read both spaces of a laid board."""
        return tuple(self._space(laid, aligned, spell, grow) for spell in SPELLS)

    def _space(self, laid: LaidBoard, aligned: AlignedBoard, spell: SpellName, grow: float) -> SpaceReading:
        space = laid.board.layout.space(spell)
        half_width, half_height = space.width / 2, space.height / 2
        left, top = laid.spot_px((space.x - half_width, space.y + half_height))
        right, bottom = laid.spot_px((space.x + half_width, space.y - half_height))
        margin = _MARGIN_MM * PX_PER_MM
        rows = slice(max(0, round(top - margin)), round(bottom + margin) + 1)
        columns = slice(max(0, round(left - margin)), round(right + margin) + 1)
        window = (rows, columns)
        ring = [
            (space.x + u * half_width, space.y + v * half_height) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        box = box_of(np.array(ring), aligned, grow)
        if laid.seen[window].mean() < _LEAST_SEEN or laid.blown[window].mean() > _MOST_BLOWN:
            return SpaceReading(spell, 0, 0.5, box, say("it is not seen whole, or light is reflected on it"))
        clearly, inside = changed(laid, window), changed(laid, window, _PLAIN_HUE)
        inside = cv2.morphologyEx(inside.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
        if not inside.any() or not self._models:
            why = "" if self._models else say("no search pieces are enrolled, so that they cannot be counted")
            return SpaceReading(spell, 0, 0.999 if self._models else 0.5, box, why)
        seen = kind_map(np.asarray(cv2.blur(laid.colours[window], (3, 3)), np.float32), inside, self._models)
        middle = ((left + right) / 2 - columns.start, (top + bottom) / 2 - rows.start)
        half = ((right - left) / 2, (bottom - top) / 2)
        heaps = [
            heap
            for mask, at in _parts((seen.posterior.sum(axis=0) > 0.5) & (clearly | self._greyish(seen)))
            if _inside(mask, at, middle, half) and (heap := self._heap(seen, mask, at)) is not None
        ]
        return _reading(spell, heaps, box)

    def _greyish(self, seen: PieceMap) -> NDArray[np.bool_]:
        """Tell where a pixel is likeliest of a kind without a hue: only there shadows and pieces are much alike."""
        return np.asarray(self._grey[seen.posterior.argmax(axis=0)], np.bool_)

    def _heap(self, seen: PieceMap, mask: Mask, at: tuple[int, int]) -> _Heap | None:
        """Tell how many pieces a patch is, and how unlike the enrolled ones; None for a speck."""
        window = seen.densities[:, at[0] : at[0] + mask.shape[0], at[1] : at[1] + mask.shape[1]][:, mask > 0]
        means = window.mean(axis=1)
        best = int(np.argmax(means))
        own = self._measures[seen.kinds[best]]
        if np.count_nonzero(mask) < _LEAST_SHARE * own.area * PX_PER_MM**2:
            return None
        chances, _ = number_in(mask, own, PX_PER_MM * _LARGER)
        cores = _cores(mask)
        apart = np.array([min(2, abs(cores - number)) for number in range(1, len(chances) + 1)])
        weights = np.array(chances) * np.exp(_CORES[apart])
        return _Heap(tuple((weights / weights.sum()).tolist()), float(own.typical - means[best]))


@dataclass(frozen=True, slots=True)
class _Heap:
    """Touching pieces: the chance of each number from 1, and how unlike the enrolled ones they look."""

    chances: tuple[float, ...]
    unlike: float


def _cores(mask: Mask) -> int:
    """Count the parts that are left of a heap when its rim is taken off: arms and ears go with it."""
    reach = 2 * round(_CORE_MM * PX_PER_MM) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    core = cv2.erode(np.pad(mask, 1), kernel)
    count, _, stats, _ = cv2.connectedComponentsWithStats(core)
    return max(1, sum(int(stats[label][cv2.CC_STAT_AREA]) >= _LEAST_CORE_PX for label in range(1, count)))


def _parts(there: NDArray[np.bool_]) -> Iterator[tuple[Mask, tuple[int, int]]]:
    """Give each connected part of a mask, cut out, and its first row and column."""
    opened = cv2.morphologyEx(there.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=4)
    for label in range(1, count):
        left, top, width, height = (int(value) for value in stats[label][:4])
        yield (labels[top : top + height, left : left + width] == label).astype(np.uint8), (top, left)


def _inside(mask: Mask, at: tuple[int, int], middle: tuple[float, float], half: tuple[float, float]) -> bool:
    """Tell whether most of a part lies in the space, not in the margin or on a neighbour."""
    rows, columns = np.nonzero(mask)
    u, v = columns.mean() + at[1] - middle[0], rows.mean() + at[0] - middle[1]
    return bool(abs(u) < half[0] and abs(v) < half[1])


def _reading(spell: SpellName, heaps: list[_Heap], box: Box) -> SpaceReading:
    chances = {0: 1.0}
    for heap in heaps:
        sums: dict[int, float] = {}
        for before, chance in chances.items():
            for more, own in enumerate(heap.chances, start=1):
                sums[before + more] = sums.get(before + more, 0.0) + chance * own
        chances = {number: chance for number, chance in sums.items() if chance > 1e-4}
    total = sum(chances.values())
    order = sorted(chances, key=lambda n: -chances[n])
    best, confidence = order[0], chances[order[0]] / total
    others = tuple((n, round(chances[n] / total, 4)) for n in order[1:4] if chances[n] / total > 0.01)
    why = ""
    if any(heap.unlike > _MOST_UNLIKE for heap in heaps):
        why = say("what lies there is hard to tell: spread it out")
    elif confidence < SURE:
        why = say("{numbers} pieces: lay them apart", numbers=either([str(n) for n in order[:2]]))
    return SpaceReading(spell, best, min(confidence, 0.5) if why else confidence, box, why, others)
