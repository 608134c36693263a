"""How many pieces mark each spell of a board."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_alignment import PX_PER_MM, AlignedBoard
from calibration.personal_boards import SPELLS, SpellName
from calibration.profile import TableProfile
from calibration.samples import PieceSamples
from calibration.wording import either, say
from vision.board_readings import SpaceReading
from vision.boards import heaps
from vision.boards.doubts import box_of
from vision.boards.heaps import Outlines
from vision.boards.laid import LaidBoard, Layer, Mask
from vision.boards.pieces import models_of
from vision.readings import Box
from vision.reveal import colour

SURE = 0.97
"""Numbers that are less sure than this are asked about."""
_MARGIN_MM = 6.0
_LEAST_SEEN, _MOST_BLOWN = 0.98, 0.12
_LEAST_SHARE, _LEAST_AGREEING = 0.25, 0.67
"""Share of a piece that is no speck; share of what lies there that pieces must explain."""
_LEAST_EACH, _MOST_EACH = 0.7, 1.75
"""What a piece with its sides covers of the print, in outlines: other areas are of more pieces, or of fewer."""
_PLAIN, _LEAST_PLAIN = 0.16, 0.15
"""Hues nearer to the print's than this are its own, or a shadow on it, where they cover so much of a space."""
_GREY_HUE, _LEAST_HUE = 0.23, 0.36
"""Pieces nearer to grey are known by darkness, others by how far from the print's hue towards theirs pixels are."""
_PERHAPS_HUE, _MOST_MORE, _MOST_ROUND = 0.2, 0.5, 0.6
"""How far towards a piece's hue all is that may be one; how much of a piece may be left that is not counted, in one
patch of its own and in all: a piece whose varnish mirrors the lamp has less of its hue."""
_SHADED_HUE, _SHADED, _MOST_SHADED = 0.15, 0.2, 0.06
"""What is so far towards a piece's hue and so much darker (log) is a piece's dark side. So much of a piece may be
seen of that where nothing is counted: of one that mirrors the lamp there is nothing else."""
_ASIDE_PX = 7
"""Half of this from a piece its own sides and blurred edges end."""
_WASHED, _MOST_WASHED = 0.4, 0.08
"""From so much white in a space on the light has washed out pieces there, too: whatever else shows is a part of
one, and only so much of a piece may be left of it that is not counted."""
_DARK, _PERHAPS = 0.8, 0.3
"""How much darker (log) than the print black pieces surely are; how different all is that may be one."""
_ASIDE, _MOST_ASIDE = 3.0, 0.3
"""How much darker (log) a pixel counts for being nearer to a black piece's hue than the print is, up to so much."""
_LIGHT_SHADE, _DEEP_SHADE, _LEAST_SHADE_PX = 0.25, 0.7, 90
"""How much darker shadows are, and how large one is at least that is measured."""
_ALIKE = 1.3
"""Search pieces of all kinds are about as large: a kind whose size is farther off was not seen as it is."""

_Window = tuple[slice, slice]


class SpaceReader:
    """Counts the pieces in spell spaces with a profile's enrolled pieces."""

    def __init__(self, profile: TableProfile) -> None:
        """Learn the pieces."""
        self._models = {kind: model for kind, model in models_of(profile).items() if kind.startswith("search:")}
        self._outlines = _outlines({kind: profile.pieces[kind] for kind in self._models})
        self._hues = {
            kind: colour.of_light(colour.of_lab(profile.pieces[kind].pixels))[:, 1:].mean(axis=0)
            for kind in self._models
        }

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
        ring = [
            (space.x + u * half_width, space.y + v * half_height) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        box = box_of(np.array(ring), aligned, grow)
        window = (rows, columns)
        if laid.seen[window].mean() < _LEAST_SEEN or laid.blown[window].mean() > _MOST_BLOWN:
            return SpaceReading(spell, 0, 0.5, box, say("it is not seen whole, or light is reflected on it"))
        kind = self._kind(laid, window)
        if kind is None:
            why = say("no search pieces are enrolled, so that they cannot be counted")
            return SpaceReading(spell, 0, 0.5, box, why)
        inner = (left - columns.start, top - rows.start, right - columns.start, bottom - rows.start)
        outlines = self._outlines[kind]
        there, perhaps, shaded = self._masks(laid, window, kind)
        there, beside = _in_space(there, inner), there
        chances, agreeing, area = _counted(there, outlines)
        counted = there if max(chances, key=lambda number: chances[number]) else np.zeros_like(there)
        piece = outlines.area * (PX_PER_MM / heaps.PX_PER_MM) ** 2
        washed = float(laid.white[window].mean()) > _WASHED
        unclear = _more(counted, perhaps, inner) > (_MOST_WASHED if washed else _MOST_MORE) * piece
        # Of black pieces all that is dark is one perhaps, their shadows, too.
        unclear |= not self._grey(kind) and _round(counted, perhaps, inner) > _MOST_ROUND * piece
        unclear |= _aside(counted | (beside & ~there), shaded, inner) > _MOST_SHADED * piece
        return _reading(spell, chances, agreeing, area, unclear, box)

    def _grey(self, kind: str) -> bool:
        return float(np.hypot(*self._hues[kind])) < _GREY_HUE

    def _kind(self, laid: LaidBoard, window: _Window) -> str | None:
        """Tell whose pieces lie there: a board's own (W8), or the likeliest where a board is named otherwise."""
        own = f"search:{laid.board.id}"
        if own in self._models or not self._models:
            return own if self._models else None
        colours = laid.colours[window].reshape(-1, 3)
        alike = {kind: float(np.percentile(model.log_density(colours), 90)) for kind, model in self._models.items()}
        return max(alike, key=lambda kind: alike[kind])

    def _masks(self, laid: LaidBoard, window: _Window, kind: str) -> tuple[Mask, Mask, Mask]:
        """Tell where pieces of a kind lie, where some may lie that light or a shadow makes hard to see, and where
        their dark sides are (not told of black ones)."""
        own = laid.own[window]
        off = np.asarray(cv2.blur(laid.colours[window], (3, 3)), np.float32) - own
        # The paper between the pieces tells the light there better than all of the board does.
        plain = np.abs(off[..., 1:]).max(axis=2) < _PLAIN
        if plain.mean() > _LEAST_PLAIN:
            off = off - np.median(off[plain], axis=0)
        way = self._hues[kind] - np.median(own[..., 1:].reshape(-1, 2), axis=0)
        if self._grey(kind):
            # Varnish that mirrors the lamp is hardly darker than a shadow, but a shadow keeps the print's hue.
            aside = np.clip(off[..., 1:] @ (way / max(1e-6, float(np.hypot(*way)))), 0.0, _MOST_ASIDE)
            depth = np.asarray(off[..., 0] - _ASIDE * aside, np.float32)
            there = _opened(depth < _darkness(depth))
            return there, _opened(np.abs(off[..., 0]) > _PERHAPS), np.zeros_like(there)
        along = off[..., 1:] @ (way / max(1e-6, float(way @ way)))
        shaded = (along > _SHADED_HUE) & (off[..., 0] < -_SHADED)
        return _opened(along > _LEAST_HUE), _opened(along > _PERHAPS_HUE), np.asarray(shaded, np.bool_)


def _darkness(depth: Layer) -> float:
    """Give how dark a black piece is at least: half way between what surely is one and the shadow it throws."""
    black = depth < -_DARK
    if not black.any():
        return -_DARK
    shade = (depth < -_LIGHT_SHADE) & (depth > -_DEEP_SHADE)
    shade = cv2.morphologyEx(shade.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0
    shadow = float(np.median(depth[shade])) if np.count_nonzero(shade) > _LEAST_SHADE_PX else 0.0
    return (float(np.median(depth[black])) + shadow) / 2


def _more(there: Mask, perhaps: Mask, inner: Box) -> float:
    """Give the area, px, of what may be further pieces: patches that lie in a space and hold none that was found.

    Those that reach the edge of what is looked at are shadows that fall into the space from beside it.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(_in_space(perhaps, inner).astype(np.uint8))
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    known = np.union1d(np.union1d(labels[there], rim), 0)
    return float(np.delete(stats[:, cv2.CC_STAT_AREA], known).max(initial=0))


def _round(there: Mask, perhaps: Mask, inner: Box) -> float:
    """Give the area, px, of all that may be a part of pieces beside what was counted."""
    near = cv2.dilate(there.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return float(np.count_nonzero(_in_space(perhaps, inner) & ~near))


def _aside(pieces: Mask, shaded: Mask, inner: Box) -> float:
    """Give the area, px, of the largest dark side in a space that belongs to none of some pieces."""
    near = cv2.dilate(pieces.astype(np.uint8), np.ones((_ASIDE_PX, _ASIDE_PX), np.uint8)) > 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(_in_space(shaded & ~near, inner).astype(np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _outlines(pieces: Mapping[str, PieceSamples]) -> dict[str, Outlines]:
    """Learn the outlines of each kind; of one that was shown in part, or with its shadow, those of all others."""
    if not pieces:
        return {}
    typical = float(np.median([samples.area_mm2 for samples in pieces.values()]))
    sound = {kind: samples for kind, samples in pieces.items() if 1 / _ALIKE < samples.area_mm2 / typical < _ALIKE}
    known = sound or pieces
    others = PieceSamples(tuple(one for samples in known.values() for one in samples.specimens))
    return {kind: Outlines.of(known.get(kind, others)) for kind in pieces}


def _opened(mask: Mask) -> Mask:
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened > 0, np.bool_)


def _in_space(there: Mask, inner: Box) -> Mask:
    """Keep the patches whose middle lies in a space (left, top, right, bottom), not in the margin round it."""
    left, top, right, bottom = inner
    _, labels, _, centres = cv2.connectedComponentsWithStats(there.astype(np.uint8), connectivity=4)
    keep = np.array([left < u < right and top < v < bottom for u, v in centres])
    keep[0] = False
    return np.asarray(keep[labels], np.bool_)


def _counted(there: Mask, outlines: Outlines) -> tuple[dict[int, float], float, float]:
    """Tell the chance of each number of pieces, how well they explain what lies there, 0..1, and its area."""
    shrink = heaps.PX_PER_MM / PX_PER_MM
    soft = cv2.resize(there.astype(np.float32), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    small: NDArray[np.bool_] = np.asarray(soft > 0.5)
    if np.count_nonzero(small) < _LEAST_SHARE * outlines.area:
        return {0: 0.999}, 1.0, 0.0
    return *outlines.count(small), float(np.count_nonzero(small)) / outlines.area


def _reading(
    spell: SpellName, chances: Mapping[int, float], agreeing: float, area: float, unclear: bool, box: Box
) -> SpaceReading:
    order = sorted(chances, key=lambda number: -chances[number])
    best, confidence = order[0], chances[order[0]]
    others = tuple((n, round(chances[n], 4)) for n in order[1:4] if chances[n] > 0.01)
    why = ""
    odd = best > 0 and not _LEAST_EACH < area / best < _MOST_EACH
    if agreeing < _LEAST_AGREEING or odd or unclear:
        why = say("what lies there is hard to tell: spread it out")
    elif confidence < SURE:
        why = say("{numbers} pieces: lay them apart", numbers=either([str(n) for n in order[:2]]))
    return SpaceReading(spell, best, min(confidence, 0.5) if why else confidence, box, why, others)
