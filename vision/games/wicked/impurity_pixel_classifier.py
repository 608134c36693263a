"""Classify the pixels of impurity tiles in a view of the table, and measure the tiles' apparent sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light.light_field import linear
from calibration.pieces.samples import CROP_PX, CROP_PX_PER_MM, Specimen
from calibration.plane import Image
from calibration.profile import TableProfile
from vision import colour
from vision.boards.piece_colours import piece_colour_models
from vision.boards.rectified import Layer, Mask
from vision.colour import Colours

PX_PER_MM = 1.0
"""Scale of the views in which tiles are detected."""
_MIN_TILE_SHARE = 0.3
"""Share of tiles around a pixel from which the table's colour is measured farther away."""
_SURROUNDINGS_MM = 61
"""Window of the median that estimates the table below a tile."""
_COARSER = 4
"""Downscaling of that median."""
_GROUND = np.array([0.24, 0.08, 0.075], np.float32)
"""Maximum standard deviation of the table's colour."""
_DEEPEST_SHADOW = 0.6
"""Depth of the deepest shadow, intensity."""
_MIN_CERTAIN_GROUND = 3.9
"""Minimum log density under the table of pixels that are not compared with tiles."""
_PIECE_MM = 9.0
"""Window over which kinds are compared, mm: about one piece."""
_MAX_RIVAL_EVIDENCE = 0.5
"""Maximum mean log likelihood ratio of another kind against a tile."""
_FLOOR = -6.0
"""Minimum log density of a pixel."""
_MIN_OWN_SHARE = 0.5
"""Share of certain tile pixels from which all pixels of a patch count as tile."""
_MIN_DOUBTFUL_SHARE = 0.25
"""Share of certain tile pixels from which all pixels of a patch may be tile."""
_DOUBTFUL = 0.6
"""Probability of the pixels of such a patch: enough for a disc to be found, too little for it to be counted."""
_OTHER_DENSITY = -2.0
"""Log density of any other object beside a board, and of blurred gaps between tiles."""
_BEYOND_MM = 12.5
"""Distance from a specimen's centre beyond which its crop shows bare table."""
_MAX_RADIUS_SPREAD = 0.2
"""Maximum range of the specimens' radii, relative to their median, that agree."""
_MIN_AGREEING = 3
"""Minimum number of agreeing specimens for the tile's radius to be their median."""
_MIN_RADIUS_RATIO = 0.75
"""Minimum ratio of a specimen's apparent to its enrolled radius, where fewer agree; a rim is easily lost."""
_MAX_RADIUS_RATIO = 1.7
"""Maximum ratio of these radii."""
_MAX_ELONGATION = 1.3
"""Maximum ratio of the sides of a single tile's box."""
_MIN_FILLED = 0.65
"""Minimum share of its box that a single tile fills."""


class TileModel:
    """Pixel classifier of a table's impurity tiles.

    radii_mm: apparent radius of a tile in the classified view, by the tile's points.
    """

    def __init__(self, profile: TableProfile) -> None:
        """Fit colour models and tile radii to a profile's enrolled specimens."""
        self._models = piece_colour_models(profile)
        kinds = {value: f"impurity:{value}" for value in (1, 3) if f"impurity:{value}" in profile.pieces}
        self._kinds = tuple(kinds.values())
        self.radii_mm: Mapping[int, float] = {
            value: self._typical_radius(profile.pieces[kind].specimens) for value, kind in kinds.items()
        }

    def _typical_radius(self, specimens: Sequence[Specimen]) -> float:
        """Return a tile's typical radius (mm) in the output of `chances`, measured on its enrolled specimens."""
        enrolled = float(np.median([np.sqrt(specimen.area_mm2 / np.pi) for specimen in specimens]))
        seen = [self._apparent_radius(specimen) for specimen in specimens]
        alone = [radius for radius in seen if 0 < radius < _BEYOND_MM]
        if len(alone) >= _MIN_AGREEING and np.ptp(alone) < _MAX_RADIUS_SPREAD * np.median(alone):
            # Specimens enrolled by their print alone may all look much larger here.
            return float(np.median(alone))
        likely = [radius for radius in alone if _MIN_RADIUS_RATIO < radius / enrolled < _MAX_RADIUS_RATIO]
        return float(np.median(likely)) if likely else enrolled

    def _apparent_radius(self, specimen: Specimen) -> float:
        """Return the radius (mm) of the disc that `chances` finds in a specimen's crop, 0 if it finds none."""
        colours, mask = specimen.crop[..., :3], specimen.crop[..., 3] > 127
        core = cv2.erode(mask.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        own = colour.light_of_lab(specimen.pixels).mean(axis=0)
        gain = own / np.maximum(
            linear(np.asarray(colours[core if core.any() else mask][None], np.uint8))[0].mean(axis=0), 1e-4
        )
        side = round(CROP_PX / CROP_PX_PER_MM * PX_PER_MM)
        view = np.asarray(cv2.resize(colours, (side, side), interpolation=cv2.INTER_AREA), np.uint8)
        rows, columns = np.mgrid[:side, :side] - (side - 1) / 2
        table = np.hypot(rows, columns) > _BEYOND_MM * PX_PER_MM
        everywhere = np.ones(table.shape, np.bool_)
        chances = self.chances(view, np.broadcast_to(gain, view.shape).astype(np.float32), everywhere, table)
        _, labels, stats, _ = cv2.connectedComponentsWithStats((chances > 0.5).astype(np.uint8))
        if len(stats) < 2:
            return 0.0
        largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
        tile = (labels == largest).astype(np.uint8)
        contours, _ = cv2.findContours(tile, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        area = np.count_nonzero(cv2.drawContours(tile, contours, -1, 1, cv2.FILLED))
        width, height = int(stats[largest][cv2.CC_STAT_WIDTH]), int(stats[largest][cv2.CC_STAT_HEIGHT])
        alone = max(width, height) < _MAX_ELONGATION * min(width, height) and area > _MIN_FILLED * width * height
        return float(np.sqrt(area / np.pi)) / PX_PER_MM if alone else 0.0

    def chances(self, view: Image, gain: NDArray[np.float32], free: Mask, table: Mask) -> Layer:
        """Return the probability that each pixel shows an impurity tile, (height, width).

        view: BGR at PX_PER_MM. gain: factor that normalises the view's light, (height, width, 3). free: mask of the
        pixels that may be a tile. table: mask of the pixels that are taken to show the bare table.
        """
        some = table[::3, ::3]
        typical = np.median(view[::3, ::3][some], axis=0) if some.any() else np.zeros(3)
        # A single pixel, resized: NumPy takes much longer to fill three channels.
        bare = cv2.resize(typical.astype(np.uint8)[None, None], view.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        cv2.copyTo(view, table.astype(np.uint8), bare)
        coarse = cv2.resize(bare, None, fx=1 / _COARSER, fy=1 / _COARSER, interpolation=cv2.INTER_AREA)
        around = cv2.medianBlur(coarse, _SURROUNDINGS_MM // _COARSER | 1)
        ground = colour.of_view(np.asarray(cv2.resize(around, (view.shape[1], view.shape[0])), np.uint8))
        light = linear(view)
        under = _ground_density(colour.of_view(view), ground, table)
        there = free & (under < _MIN_CERTAIN_GROUND)
        chances = np.zeros(free.shape, np.float32)
        pixels = colour.of_light(light[there] * gain[there])
        if not len(pixels):
            return chances
        tile = np.logaddexp.reduce([self._models[kind].log_density(pixels) for kind in self._kinds])
        rest = np.maximum(under[there], _OTHER_DENSITY)
        chances[there] = 1 / (1 + np.exp(np.clip(rest - tile, -30, 30)))
        likely = np.asarray(chances > 0.5)
        if likely.any():
            # Single pixels of a tile's print may match another piece; a whole tile does not.
            x, y, width, height = cv2.boundingRect(likely.astype(np.uint8))
            window = (slice(y, y + height), slice(x, x + width))
            some = likely[window]
            lit = colour.of_light(light[window][some] * gain[window][some])
            others = [
                _local_means(model.log_density(lit), some)
                for kind, model in self._models.items()
                if kind not in self._kinds
            ]
            if others:
                best = _local_means(tile[likely[there]], some)
                own = np.zeros(likely.shape, np.bool_)
                own[likely] = best > np.max(others, axis=0) - _MAX_RIVAL_EVIDENCE
                whole, doubtful = _extended_to_patches(own, likely)
                chances[likely & ~whole] = 0.0
                chances[doubtful] = _DOUBTFUL
        filled = cv2.morphologyEx(chances, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        return np.asarray(np.where(free, filled, 0.0), np.float32)


def large_heaps(chances: Layer) -> Mask:
    """Return a mask of heaps so large that they hide most of the table around them; empty if there are none.

    chances: probability that each pixel shows a tile.
    """
    there = (chances > 0.5).astype(np.uint8)
    window = (_SURROUNDINGS_MM, _SURROUNDINGS_MM)
    if float(cv2.boxFilter(there.astype(np.float32), -1, window).max()) < _MIN_TILE_SHARE:
        return np.zeros(chances.shape, np.bool_)
    whole = cv2.morphologyEx(there, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.morphologyEx(whole, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8)) > 0)


def _local_means(density: NDArray[np.float32], there: Mask) -> NDArray[np.float32]:
    """Return the local mean of a log density at each true pixel of a mask, (n,).

    density: log density at these pixels, (n,). there: the mask.
    """
    layer = np.zeros(there.shape, np.float32)
    layer[there] = np.maximum(density, _FLOOR)
    size = (round(_PIECE_MM * PX_PER_MM) | 1,) * 2
    near = cv2.boxFilter(layer, -1, size) / np.maximum(cv2.boxFilter(there.astype(np.float32), -1, size), 1e-6)
    return np.asarray(near[there], np.float32)


def _extended_to_patches(own: Mask, there: Mask) -> tuple[Mask, Mask]:
    """Return two masks: of certain tile pixels and all pixels of patches that mostly consist of them; of patches
    that may be tiles, since a smaller share of their pixels is certain.

    own: mask of certain tile pixels. there: mask of the patches.
    """
    count, labels = cv2.connectedComponents(there.astype(np.uint8))
    share = np.bincount(labels[own], minlength=count) / np.maximum(np.bincount(labels.ravel(), minlength=count), 1)
    doubtful = there & ((share > _MIN_DOUBTFUL_SHARE) & (share <= _MIN_OWN_SHARE))[labels]
    return np.asarray(own | (there & (share > _MIN_OWN_SHARE)[labels]), np.bool_), doubtful


def _ground_density(colours: Colours, ground: Colours, table: Mask) -> Layer:
    """Return each pixel's log density under the colours of the bare table, lit or in shadow, (height, width).

    colours: of the view. ground: colours of the table, estimated at each pixel. table: pixels that show the bare
    table.
    """
    off = colours - ground
    some = np.abs(off[::3, ::3][table[::3, ::3]])
    spread = 1.7 * np.median(some, axis=0) if len(some) else _GROUND
    spread = np.clip(spread, _GROUND / 3, _GROUND).astype(np.float32)
    off[..., 0] -= np.clip(off[..., 0], -_DEEPEST_SHADOW, 0.0)
    depth = float(np.log(spread).sum()) + 2.757
    return np.asarray(-0.5 * colour.squared(off, spread) - depth, np.float32)
