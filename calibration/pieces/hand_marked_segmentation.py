"""Segments pieces that a person marked in a picture with boxes or points, on any background.

Where the empty table is known and bare around a piece, the piece is segmented by its difference from it. Elsewhere,
colours common in the boxes and rare around them are the kind's: colour histograms of both are compared, and refined
with the segmented pieces. Each piece may lie on another background.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import EnrolError
from calibration.pieces.foreground import (
    MIN_DIFFERENCE,
    EmptyTable,
    core,
    difference,
    foreground_mask,
    palette_of,
    to_lab,
)
from calibration.pieces.samples import MOST_SPECIMENS
from calibration.pieces.segmentation import PX_PER_MM, Mask, SegmentedObject, object_of_mask
from calibration.plane import Image, Region, TablePlane
from calibration.translatable import say

Box = tuple[float, float, float, float]
"""x, y, width and height in px of the picture, x and y of the upper left corner."""
Spot = tuple[float, float]
"""x and y in px of the picture: somewhere on a piece."""

_MAX_SIDE_MM = 80.0
"""Longest side of a box on the table, mm."""
_MIN_SIDE_PX = 4.0
"""Shortest side of a box, px."""
_MARGIN_MM = 6.0
"""Width of the background sampled round a box, mm."""
_MAX_REACH_MM = 13.0
"""Largest distance of a piece's outline from its marked point, mm."""
_SURE_MM = 1.5
"""Radius round a marked point that certainly belongs to the piece, mm."""
_ITERATIONS = 4
"""Iterations of segmentation and colour models."""
_MIN_FILL = 0.1
"""Smallest fraction of its box that a piece fills; below it the piece was taken for background."""
_MAX_FILL = 0.97
"""Largest fraction of its box that a piece fills; above it background was taken for the piece."""
_MAX_FILL_OF_REACH = 0.7
"""The same for a circle searched round a marked point."""
_MIN_AREA_MM2 = 15.0
"""Smallest area of a piece, mm²."""
_BINS = 12
"""Bins of the colour histogram along CIELAB a and b."""
_MIN_KNOWN_FRACTION = 0.95
"""Fraction of a patch in which the empty table must be known."""
_MAX_NEW_FRACTION = 0.3
"""Largest fraction of a patch's background that may be covered by other objects."""
_MIN_NEARER = 2.0
"""CIELAB units by which a colour must be nearer to the pieces than to the background."""
_SHADES = (1.0, 0.7, 0.45)
"""Shares of its light that the ground has in shadow."""


def find_in_boxes(
    image: Image, plane: TablePlane, boxes: Sequence[Box], table: EmptyTable | None = None
) -> tuple[SegmentedObject, ...]:
    """Return the segmented pieces of boxes in a BGR picture of this plane, in the order of the boxes.

    All boxes hold pieces of one kind. Boxes of adjacent pieces help: the inside of another box does not count as
    background. table: the empty table registered to the picture. A box in which piece and background cannot be
    separated is left out. Raises EnrolError for an invalid box, one outside the picture or far larger than a piece,
    and when all boxes are left out.
    """
    for box in boxes:
        _check_box(box, image, plane)
    corners = [np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]) for x, y, w, h in boxes]
    return _segment_pieces([plane.to_table(four) for four in corners], [], image, plane, table)


def find_at_points(
    image: Image, plane: TablePlane, spots: Sequence[Spot], table: EmptyTable | None = None
) -> tuple[SegmentedObject, ...]:
    """Return the segmented pieces at points, px, of a BGR picture of this plane; else as `find_in_boxes`."""
    height, width = image.shape[:2]
    for x, y in spots:
        if not (0 <= x < width and 0 <= y < height):
            raise EnrolError(
                say(
                    "The point {x},{y} lies outside the picture of {width}×{height} px: correct it.",
                    x=f"{x:g}",
                    y=f"{y:g}",
                    width=width,
                    height=height,
                )
            )
    centres = plane.to_table(np.array(spots, np.float64).reshape(-1, 2))
    if not np.isfinite(centres).all():
        raise EnrolError(say("A marked point lies above the table's horizon: mark pieces that lie on the table."))
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = _MAX_REACH_MM * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return _segment_pieces([centre + ring for centre in centres], list(centres), image, plane, table)


def _check_box(box: Box, image: Image, plane: TablePlane) -> None:
    """Raise EnrolError for a box that is invalid, outside the picture or far larger than a piece."""
    x, y, w, h = box
    height, width = image.shape[:2]
    corners = ",".join(f"{value:g}" for value in box)
    if not (np.isfinite(box).all() and min(w, h) >= _MIN_SIDE_PX):
        raise EnrolError(
            say(
                "{box} is not a valid box: write it as x,y,width,height in pixels, at least 4 wide and high.",
                box=corners,
            )
        )
    if x < -1 or y < -1 or x + w > width + 1 or y + h > height + 1:
        raise EnrolError(
            say(
                "The box {box} lies outside the picture of {width}×{height} px: correct it.",
                box=corners,
                width=width,
                height=height,
            )
        )
    on_table = plane.to_table(np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]]))
    if not np.isfinite(on_table).all() or np.ptp(on_table, axis=0).max() > _MAX_SIDE_MM:
        raise EnrolError(say("The box {box} is larger than any piece: draw it round one piece.", box=corners))


def _segment_pieces(
    outlines_mm: Sequence[NDArray[np.float64]],
    sure_mm: Sequence[NDArray[np.float64]],
    image: Image,
    plane: TablePlane,
    table: EmptyTable | None,
) -> tuple[SegmentedObject, ...]:
    """Return the segmented pieces inside outlines, (n, 2) mm each, without those that cannot be separated.

    sure_mm: a point on each piece, or none for boxes. Raises EnrolError for none or too many of them.
    """
    if not outlines_mm:
        raise EnrolError(say("No piece is marked: mark at least one with a box or a point."))
    if len(outlines_mm) > MOST_SPECIMENS:
        raise EnrolError(
            say(
                "More than {most_specimens} pieces are marked in one picture: mark fewer.",
                most_specimens=MOST_SPECIMENS,
            )
        )
    regions = [_region_round(outline) for outline in outlines_mm]
    views = [plane.rectify(image, PX_PER_MM, region) for region in regions]
    inside = [_hull_mask(region, [outline]) for region, outline in zip(regions, outlines_mm, strict=True)]
    # Nearby pieces of the same kind would add their own colour to the background model.
    grounds = [~_hull_mask(region, outlines_mm) for region in regions]
    sure = [_disc_mask(region, spot) for region, spot in zip(regions, sure_mm, strict=True)] if sure_mm else inside
    tables = [_table_under(table, plane, region) for region in regions]
    masks = _foreground_masks(views, tables, inside, grounds)
    if masks is None:
        masks = _refined_masks(
            views, _separate_by_colour([_colour_cells(view) for view in views], inside, grounds, sure), grounds
        )
    finds = []
    for region, mask, own, spot in zip(regions, masks, inside, sure, strict=True):
        part = _main_component(mask, spot if sure_mm else None)
        share = float(part.sum()) / max(1.0, float(own.sum()))
        if _MIN_FILL <= share <= (_MAX_FILL_OF_REACH if sure_mm else _MAX_FILL):
            find = object_of_mask(part, region, least_mm2=_MIN_AREA_MM2, most_mm2=_MAX_SIDE_MM**2)
            finds += [] if find is None else [find]
    if not finds:
        raise EnrolError(
            say(
                "The marked pieces cannot be separated from the background: draw the boxes closely round them, or "
                "lay them on a plain table."
            )
        )
    return tuple(finds)


def _table_under(table: EmptyTable | None, plane: TablePlane, region: Region) -> EmptyTable | None:
    """Return the empty table in the top view of a region; None where it is unknown."""
    if table is None:
        return None
    known = plane.rectify(np.dstack([table.known.astype(np.uint8) * 255]), PX_PER_MM, region) == 255
    return replace(table, picture=plane.rectify(table.picture, PX_PER_MM, region), known=known)


def _foreground_masks(
    views: Sequence[Image], tables: Sequence[EmptyTable | None], inside: Sequence[Mask], grounds: Sequence[Mask]
) -> list[Mask] | None:
    """Return the foreground mask of each view; None if the empty table under any of them is unknown or covered.

    inside: where a piece may be; grounds: certain background.
    """
    width = max(view.shape[1] for view in views)
    frame, picture, differs = [], [], []
    for view, table, own, ground in zip(views, tables, inside, grounds, strict=True):
        if table is None or table.known[own | ground].mean() < _MIN_KNOWN_FRACTION:
            return None
        apart = difference(view, table)
        if np.mean(apart[ground] > 2 * MIN_DIFFERENCE) > _MAX_NEW_FRACTION:
            return None
        # All patches are segmented as one picture: pieces and shadows have the same tones in all of them.
        side = ((0, 0), (0, width - view.shape[1]))
        frame.append(np.pad(view, (*side, (0, 0)), mode="edge"))
        picture.append(np.pad(table.picture, (*side, (0, 0)), mode="edge"))
        differs.append(np.pad(np.where(own, apart, 0), side))
    apart = np.concatenate(differs).astype(np.float32)
    whole = EmptyTable(np.concatenate(picture), np.ones(apart.shape, np.bool_))
    new = foreground_mask(np.concatenate(frame), whole, apart, one_kind=True)
    parts = np.split(new, np.cumsum([view.shape[0] for view in views])[:-1])
    return [part[:, : own.shape[1]] & own for part, own in zip(parts, inside, strict=True)]


def _refined_masks(views: Sequence[Image], masks: Sequence[Mask], grounds: Sequence[Mask]) -> list[Mask]:
    """Return the masks with their outlines refined by the colours of pieces and background, lit or in shadow."""
    labs = [to_lab(view) for view in views]
    cores = [lab[core(mask)] for lab, mask in zip(labs, masks, strict=True) if mask.any()]
    if not cores:
        return list(masks)
    paint = palette_of(np.concatenate(cores))
    result = []
    for lab, mask, ground in zip(labs, masks, grounds, strict=True):
        around = palette_of(lab[ground]) if ground.any() else paint + 100
        lit = cv2.cvtColor(around[None], cv2.COLOR_Lab2LBGR)
        shaded = [cv2.cvtColor(lit * np.float32(share), cv2.COLOR_LBGR2Lab)[0] for share in _SHADES]
        nearer = _colour_distance(lab, np.concatenate(shaded)) - _colour_distance(lab, paint)
        result.append(mask & (cv2.GaussianBlur(nearer, (0, 0), 0.8) > _MIN_NEARER))
    return result


def _colour_distance(lab: NDArray[np.float32], colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the CIELAB distance of each pixel from the nearest of some colours, (n, 3)."""
    return np.asarray(np.linalg.norm(lab[:, :, None] - colours, axis=3).min(axis=2), np.float32)


def _region_round(outline: NDArray[np.float64]) -> Region:
    """Return the region of the table round an outline, (n, 2) mm, with a margin."""
    # On the grid of whole millimetres, so that a mask's pixels have round places.
    left, bottom = np.floor(outline.min(axis=0) - _MARGIN_MM)
    right, top = np.ceil(outline.max(axis=0) + _MARGIN_MM)
    return Region(float(left), float(bottom), float(right), float(top))


def _hull_mask(region: Region, outlines_mm: Sequence[NDArray[np.float64]]) -> Mask:
    """Return the mask of a region inside the convex hulls of some outlines, (n, 2) mm each."""
    width, height = region.size(PX_PER_MM)
    mask = np.zeros((height, width), np.uint8)
    for outline in outlines_mm:
        hull = np.round(region.to_pixels(outline, PX_PER_MM)).astype(np.int32)
        cv2.fillConvexPoly(mask, np.asarray(cv2.convexHull(hull), np.int32), 1)
    return mask.astype(bool)


def _disc_mask(region: Region, spot_mm: NDArray[np.float64]) -> Mask:
    """Return the mask of a region's pixels that certainly belong to the piece at a point, mm."""
    width, height = region.size(PX_PER_MM)
    mask = np.zeros((height, width), np.uint8)
    u, v = (round(float(value)) for value in region.to_pixels(spot_mm, PX_PER_MM))
    cv2.circle(mask, (u, v), round(_SURE_MM * PX_PER_MM), 1, cv2.FILLED)
    return mask.astype(bool)


def _separate_by_colour(
    cells: Sequence[NDArray[np.int64]], inside: Sequence[Mask], grounds: Sequence[Mask], sure: Sequence[Mask]
) -> list[Mask]:
    """Return the mask of the piece in each view, separated from the background by colour.

    cells: colour cell of each pixel; inside: where the piece may be; grounds: certain background; sure: pixels from
    which the kind's colours are initialised.
    """
    around = _histogram(np.concatenate([own[ground] for own, ground in zip(cells, grounds, strict=True)]))
    near = [0.5 * _histogram(own[ground]) + 0.5 * around for own, ground in zip(cells, grounds, strict=True)]
    masks = list(sure)
    for _ in range(_ITERATIONS):
        kind = _histogram(np.concatenate([own[mask] for own, mask in zip(cells, masks, strict=True)]))
        masks = []
        for own, ground, may_be in zip(cells, near, inside, strict=True):
            odds = np.log(kind / ground).astype(np.float32)[own]
            masks.append(np.asarray(may_be & (cv2.GaussianBlur(odds, (0, 0), 0.8) > 0), np.bool_))
        if not any(mask.any() for mask in masks):
            break
    return masks


def _colour_cells(view: Image) -> NDArray[np.int64]:
    """Return the index of each pixel's cell in the colour histogram."""
    lab = cv2.cvtColor(cv2.GaussianBlur(view, (0, 0), 0.8), cv2.COLOR_BGR2Lab).astype(np.int64)
    light, a, b = (lab[..., channel] for channel in range(3))
    # Hue and saturation are finer than lightness: 6 units of a and b, 32 of L.
    cells = np.clip((np.stack([a, b], axis=-1) - 92) // 6, 0, _BINS - 1)
    return np.asarray((light // 32) * _BINS * _BINS + cells[..., 0] * _BINS + cells[..., 1], np.int64)


def _histogram(cells: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the smoothed histogram of colour cells, flat; it sums to about one."""
    counts = np.bincount(cells.reshape(-1), minlength=8 * _BINS * _BINS).astype(np.float64)
    # Neighbouring cells share: a few hundred pixels do not fill a histogram.
    cube = counts.reshape(8, _BINS, _BINS)
    soft = np.stack([cv2.GaussianBlur(layer, (0, 0), 0.8) for layer in cube])
    soft = 0.7 * soft + 0.15 * (np.roll(soft, 1, axis=0) + np.roll(soft, -1, axis=0))
    return np.asarray((soft / max(1.0, counts.sum()) + 1e-4).reshape(-1), np.float64)


def _main_component(mask: Mask, spot: Mask | None) -> Mask:
    """Return one connected part of a mask, with holes (glints) filled.

    spot: mask round a marked point, whose part is returned; the largest part when None.
    """
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    best, most = np.zeros(mask.shape, np.bool_), 0
    for contour in contours:
        part = np.zeros(mask.shape, np.uint8)
        cv2.drawContours(part, [contour], -1, 1, cv2.FILLED)
        weight = int(np.count_nonzero(part if spot is None else part.astype(bool) & spot))
        if weight > most:
            best, most = part.astype(bool), weight
    return best
