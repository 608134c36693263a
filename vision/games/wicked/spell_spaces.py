"""Count the search pieces on each spell space of a personal board."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.alignment import PX_PER_MM, AlignedBoard
from calibration.games.wicked.kit import SPELLS, Spell
from calibration.pieces.samples import PieceSamples
from calibration.profile import TableProfile
from calibration.translatable import either, say
from vision import colour
from vision.boards import outline_counting
from vision.boards.outline_counting import PieceOutlines
from vision.boards.piece_colours import piece_colour_models
from vision.boards.rectified import Layer, Mask, RectifiedBoard
from vision.games.wicked.confirmation_reasons import bounding_box
from vision.games.wicked.readings import SpaceReading
from vision.readings import Box

MIN_CONFIDENCE = 0.97
"""Minimum confidence in a number that needs no confirmation."""
_MARGIN_MM = 6.0
"""Margin around a space."""
_MIN_VISIBLE_SHARE = 0.98
"""Minimum visible share of a space."""
_MAX_BLOWN_SHARE = 0.12
"""Maximum overexposed share of a space."""
_MIN_SHARE = 0.25
"""Minimum area of pieces, as a share of one piece."""
_MIN_AGREEING = 0.67
"""Minimum share of the piece pixels that pieces explain."""
_MIN_AREA_PER_PIECE = 0.7
"""Minimum area per counted piece, in outlines."""
_MAX_AREA_PER_PIECE = 1.75
"""Maximum area per counted piece, in outlines; a piece's sides add to its outline."""
_MAX_PLAIN_HUE = 0.16
"""Maximum hue difference of bare print, lit or in shadow."""
_MIN_PLAIN_SHARE = 0.15
"""Minimum share of bare print in a space to measure the light there."""
_MAX_GREY_CHROMA = 0.23
"""Chroma below which pieces are detected by darkness instead of hue."""
_MIN_PIECE_HUE = 0.36
"""Minimum position of a piece pixel's hue on the line from the print's hue (0) to the piece's (1)."""
_MIN_POSSIBLE_HUE = 0.2
"""Minimum position of a possible piece pixel on that line: varnish that reflects the lamp has less hue."""
_MAX_UNCOUNTED = 0.5
"""Maximum area of an uncounted patch of possible piece pixels, in pieces."""
_MAX_UNCOUNTED_SUM = 0.6
"""Maximum total area of uncounted pixels, in pieces."""
_SHADED_HUE = 0.15
"""Minimum position on that line of a piece's shaded side."""
_SHADED_DEPTH = 0.2
"""Minimum darkening (log) of a piece's shaded side."""
_MAX_SHADED = 0.06
"""Maximum area of a shaded side without a counted piece, in pieces."""
_SIDE_PX = 7
"""Diameter of the dilation that covers a piece's sides and blurred edges, px."""
_MIN_WASHED = 0.4
"""Share of white pixels in a space from which light may have washed out pieces."""
_MAX_WASHED_UNCOUNTED = 0.08
"""Maximum area of an uncounted patch in such a space, in pieces."""
_MIN_BLACK_DEPTH = 0.8
"""Darkening (log) from which a pixel certainly is a black piece."""
_POSSIBLE_DEPTH = 0.3
"""Intensity difference (log) of a pixel that may be a black piece."""
_HUE_DEPTH = 3.0
"""Darkening (log) added per unit of hue shift towards a black piece's hue."""
_MAX_HUE_SHIFT = 0.3
"""Maximum hue shift that counts as darkening."""
_MIN_SHADE_DEPTH = 0.25
"""Minimum depth of a shadow (log)."""
_MAX_SHADE_DEPTH = 0.7
"""Maximum depth of a shadow (log)."""
_MIN_SHADE_PX = 90
"""Minimum area of a shadow whose depth is measured."""
_MAX_AREA_RATIO = 1.3
"""Maximum ratio of a kind's area to the median: search pieces of all kinds have similar sizes."""

_Window = tuple[slice, slice]


class SpaceReader:
    """Counter of the search pieces in the spell spaces of boards, with a profile's enrolled pieces."""

    def __init__(self, profile: TableProfile) -> None:
        """Build the colour models and outlines of the search pieces enrolled in a profile."""
        self._models = {
            kind: model for kind, model in piece_colour_models(profile).items() if kind.startswith("search:")
        }
        self._outlines_by_kind = _outlines_by_kind({kind: profile.pieces[kind] for kind in self._models})
        self._hues = {
            kind: colour.of_light(colour.light_of_lab(profile.pieces[kind].pixels))[:, 1:].mean(axis=0)
            for kind in self._models
        }

    def read(self, laid: RectifiedBoard, aligned: AlignedBoard, grow: float) -> tuple[SpaceReading, ...]:
        """Return the readings of both spell spaces of a board.

        laid, aligned: the board, rectified, and its alignment in the examined picture. grow: px of the given
        picture per px of the examined one.
        """
        return tuple(self._read_space(laid, aligned, spell, grow) for spell in SPELLS)

    def _read_space(self, laid: RectifiedBoard, aligned: AlignedBoard, spell: Spell, grow: float) -> SpaceReading:
        """Return the reading of one spell space, see `read`."""
        space = laid.board.layout.spaces[spell]
        half_width, half_height = space.width / 2, space.height / 2
        left, top = laid.spot_px((space.x - half_width, space.y + half_height))
        right, bottom = laid.spot_px((space.x + half_width, space.y - half_height))
        margin = _MARGIN_MM * PX_PER_MM
        rows = slice(max(0, round(top - margin)), round(bottom + margin) + 1)
        columns = slice(max(0, round(left - margin)), round(right + margin) + 1)
        ring = [
            (space.x + u * half_width, space.y + v * half_height) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        box = bounding_box(np.array(ring), aligned, grow)
        window = (rows, columns)
        if laid.seen[window].mean() < _MIN_VISIBLE_SHARE or laid.blown[window].mean() > _MAX_BLOWN_SHARE:
            return SpaceReading(spell, 0, 0.5, box, say("a part of it is hidden, or it reflects light"))
        kind = self._kind_in(laid, window)
        if kind is None:
            why = say("no search pieces are enrolled, so they cannot be counted")
            return SpaceReading(spell, 0, 0.5, box, why)
        inner = (left - columns.start, top - rows.start, right - columns.start, bottom - rows.start)
        outlines = self._outlines_by_kind[kind]
        there, possible, shaded = self._masks(laid, window, kind)
        there, beside = _in_space(there, inner), there
        chances, agreeing, area = _count(there, outlines)
        counted = there if max(chances, key=lambda number: chances[number]) else np.zeros_like(there)
        piece = outlines.area * (PX_PER_MM / outline_counting.PX_PER_MM) ** 2
        washed = float(laid.white[window].mean()) > _MIN_WASHED
        unclear = (
            _largest_uncounted(counted, possible, inner)
            > (_MAX_WASHED_UNCOUNTED if washed else _MAX_UNCOUNTED) * piece
        )
        # Of black pieces every dark pixel is possible, shadows included.
        unclear |= (
            not self._is_grey(kind) and _uncounted_area(counted, possible, inner) > _MAX_UNCOUNTED_SUM * piece
        )
        unclear |= _largest_shaded(counted | (beside & ~there), shaded, inner) > _MAX_SHADED * piece
        return _reading(spell, chances, agreeing, area, unclear, box)

    def _is_grey(self, kind: str) -> bool:
        """Return whether pieces of a kind have so little hue that they are detected by darkness."""
        return float(np.hypot(*self._hues[kind])) < _MAX_GREY_CHROMA

    def _kind_in(self, laid: RectifiedBoard, window: _Window) -> str | None:
        """Return the kind of the pieces in a space; None where no search pieces are enrolled.

        It is that of the board's player (ruling W8), or, for a board that is not named after a player's colour, the
        most probable one.
        """
        own = f"search:{laid.board.id}"
        if own in self._models or not self._models:
            return own if self._models else None
        colours = laid.colours[window].reshape(-1, 3)
        alike = {kind: float(np.percentile(model.log_density(colours), 90)) for kind, model in self._models.items()}
        return max(alike, key=lambda kind: alike[kind])

    def _masks(self, laid: RectifiedBoard, window: _Window, kind: str) -> tuple[Mask, Mask, Mask]:
        """Return three masks of a space: pieces of a kind, possible pieces, and shaded sides of pieces.

        The last one is empty for a grey kind.
        """
        own = laid.own[window]
        off = np.asarray(cv2.blur(laid.colours[window], (3, 3)), np.float32) - own
        # The paper between the pieces measures the local light better than the whole board.
        plain = np.abs(off[..., 1:]).max(axis=2) < _MAX_PLAIN_HUE
        if plain.mean() > _MIN_PLAIN_SHARE:
            off = off - np.median(off[plain], axis=0)
        way = self._hues[kind] - np.median(own[..., 1:].reshape(-1, 2), axis=0)
        if self._is_grey(kind):
            # Varnish that reflects the lamp is hardly darker than a shadow, but a shadow keeps the print's hue.
            aside = np.clip(off[..., 1:] @ (way / max(1e-6, float(np.hypot(*way)))), 0.0, _MAX_HUE_SHIFT)
            depth = np.asarray(off[..., 0] - _HUE_DEPTH * aside, np.float32)
            there = _opened(depth < _black_threshold(depth))
            return there, _opened(np.abs(off[..., 0]) > _POSSIBLE_DEPTH), np.zeros_like(there)
        along = off[..., 1:] @ (way / max(1e-6, float(way @ way)))
        shaded = (along > _SHADED_HUE) & (off[..., 0] < -_SHADED_DEPTH)
        return _opened(along > _MIN_PIECE_HUE), _opened(along > _MIN_POSSIBLE_HUE), np.asarray(shaded, np.bool_)


def _black_threshold(depth: Layer) -> float:
    """Return the log darkening from which a pixel is a black piece: halfway between shadow and certain pieces.

    depth: log intensity relative to the print, below 0 where darker. The result is below 0, too.
    """
    black = depth < -_MIN_BLACK_DEPTH
    if not black.any():
        return -_MIN_BLACK_DEPTH
    shade = (depth < -_MIN_SHADE_DEPTH) & (depth > -_MAX_SHADE_DEPTH)
    shade = cv2.morphologyEx(shade.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0
    shadow = float(np.median(depth[shade])) if np.count_nonzero(shade) > _MIN_SHADE_PX else 0.0
    return (float(np.median(depth[black])) + shadow) / 2


def _largest_uncounted(there: Mask, possible: Mask, inner: Box) -> float:
    """Return the area (px) of the largest patch of possible piece pixels in a space without a counted piece.

    there: pixels of counted pieces. possible: pixels of possible pieces. inner: the space, px of the masks. Patches
    that touch the edge of the masks are left out: they are shadows from beside the space.
    """
    _, labels, stats, _ = cv2.connectedComponentsWithStats(_in_space(possible, inner).astype(np.uint8))
    rim = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    known = np.union1d(np.union1d(labels[there], rim), 0)
    return float(np.delete(stats[:, cv2.CC_STAT_AREA], known).max(initial=0))


def _uncounted_area(there: Mask, possible: Mask, inner: Box) -> float:
    """Return the total area (px) of possible piece pixels in a space away from counted pieces.

    there, possible, inner: see `_largest_uncounted`.
    """
    near = cv2.dilate(there.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return float(np.count_nonzero(_in_space(possible, inner) & ~near))


def _largest_shaded(pieces: Mask, shaded: Mask, inner: Box) -> float:
    """Return the area (px) of the largest patch in a space that may be the shaded side of an uncounted piece.

    pieces: pixels of counted pieces. shaded: pixels that look like shaded sides. inner: the space, px of the masks.
    """
    near = cv2.dilate(pieces.astype(np.uint8), np.ones((_SIDE_PX, _SIDE_PX), np.uint8)) > 0
    _, _, stats, _ = cv2.connectedComponentsWithStats(_in_space(shaded & ~near, inner).astype(np.uint8))
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0))


def _outlines_by_kind(pieces: Mapping[str, PieceSamples]) -> dict[str, PieceOutlines]:
    """Return each kind's outlines; a kind whose enrolled area is implausible gets those of all plausible kinds."""
    if not pieces:
        return {}
    typical = float(np.median([samples.area_mm2 for samples in pieces.values()]))
    sound = {
        kind: samples
        for kind, samples in pieces.items()
        if 1 / _MAX_AREA_RATIO < samples.area_mm2 / typical < _MAX_AREA_RATIO
    }
    known = sound or pieces
    others = PieceSamples(tuple(one for samples in known.values() for one in samples.specimens))
    return {kind: PieceOutlines.of(known.get(kind, others)) for kind in pieces}


def _opened(mask: Mask) -> Mask:
    """Return a mask without specks of less than 3 × 3 px."""
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    return np.asarray(opened > 0, np.bool_)


def _in_space(there: Mask, inner: Box) -> Mask:
    """Return a mask of those patches whose centre is in a space. inner: left, top, right, bottom of the space."""
    left, top, right, bottom = inner
    _, labels, _, centres = cv2.connectedComponentsWithStats(there.astype(np.uint8), connectivity=4)
    keep = np.array([left < u < right and top < v < bottom for u, v in centres])
    keep[0] = False
    return np.asarray(keep[labels], np.bool_)


def _count(there: Mask, outlines: PieceOutlines) -> tuple[dict[int, float], float, float]:
    """Return the probability of each number of pieces, the share of the mask that they explain, and its area.

    The share is 0..1; the area is in outlines of a piece. there: pixels of pieces.
    """
    shrink = outline_counting.PX_PER_MM / PX_PER_MM
    soft = cv2.resize(there.astype(np.float32), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    small: NDArray[np.bool_] = np.asarray(soft > 0.5)
    if np.count_nonzero(small) < _MIN_SHARE * outlines.area:
        return {0: 0.999}, 1.0, 0.0
    return *outlines.count(small), float(np.count_nonzero(small)) / outlines.area


def _reading(
    spell: Spell, chances: Mapping[int, float], agreeing: float, area: float, unclear: bool, box: Box
) -> SpaceReading:
    """Return the reading of a space.

    chances, agreeing, area: from `_count`. unclear: whether it needs confirmation in any case. box: of the space,
    px of the given picture.
    """
    order = sorted(chances, key=lambda number: -chances[number])
    best, confidence = order[0], chances[order[0]]
    others = tuple((n, round(chances[n], 4)) for n in order[1:4] if chances[n] > 0.01)
    why = ""
    odd = best > 0 and not _MIN_AREA_PER_PIECE < area / best < _MAX_AREA_PER_PIECE
    if agreeing < _MIN_AGREEING or odd or unclear:
        why = say("the pieces there cannot be counted clearly: spread them out")
    elif confidence < MIN_CONFIDENCE:
        why = say("{numbers} pieces: lay them apart", numbers=either([str(n) for n in order[:2]]))
    return SpaceReading(spell, best, min(confidence, 0.5) if why else confidence, box, why, others)
