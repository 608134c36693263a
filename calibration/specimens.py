"""Find the loose things that lie near the middle of the table, whatever they are.

Works on the top view of the middle (2 px/mm). A thing is what differs in colour from the table around it by much
more than the table's own texture does; its shadow, which is the table's colour only darker, is not part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.light import linear
from calibration.plane import Image, Region, TablePlane

PX_PER_MM = 2.0
MIDDLE = Region(-190.0, -190.0, 190.0, 190.0)
"""Where specimens are looked for: round the place where the sheet lay."""

LEAST_AREA_MM2, MOST_AREA_MM2 = 40.0, 700.0
MOST_SIDE_MM = 36.0
_SURROUNDINGS_MM = 24.0
_LEAST_DIFFERENCE = 9.0
_TEXTURE_FACTOR = 5.0
_SHADOW_ANGLE_DEG = 9.0

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Find:
    """One thing found and its measures.

    mask: (height, width) bool, a top view of `region` at PX_PER_MM. size_mm: longer and shorter side of the
    smallest rectangle round it; centre_mm: that rectangle's centre on the table.
    """

    mask: Mask
    region: Region
    size_mm: tuple[float, float]
    area_mm2: float
    centre_mm: tuple[float, float]


def find_things(image: Image, plane: TablePlane) -> tuple[Find, ...]:
    """Find the things near the middle of a BGR picture of this plane, largest first.

    One picture is enough: the surroundings of each place stand for the table under it.
    """
    view = plane.rectify(image, PX_PER_MM, MIDDLE)
    seen = _seen(plane)
    table = _surroundings(view)
    difference = _difference(view, table)
    mask = (difference > _LEAST_DIFFERENCE) & seen
    mask &= ~_shadow(view, table, mask)
    opened = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    contours, _ = cv2.findContours(
        _half_height(np.asarray(closed, np.uint8), difference), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    measured = (_measure(np.asarray(contour, np.int32)) for contour in contours)
    finds = [find for find in measured if find is not None]
    return tuple(sorted(finds, key=lambda find: -find.area_mm2))


def find_of_mask(mask: Mask, region: Region, least_mm2: float, most_mm2: float) -> Find | None:
    """Measure the one thing that a mask shows, a top view of a region at PX_PER_MM; None when it is too odd."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    area = int(np.count_nonzero(mask)) / PX_PER_MM**2
    if not contours or not least_mm2 <= area <= most_mm2:
        return None
    (u, v), (width, height), _ = cv2.minAreaRect(np.concatenate(contours))
    # The rectangle runs through the middles of the outermost pixels: half of each still belongs to the thing.
    longer, shorter = (max(width, height) + 1) / PX_PER_MM, (min(width, height) + 1) / PX_PER_MM
    x, y = region.to_mm((u, v), PX_PER_MM)
    return Find(mask, region, (longer, shorter), area, (float(x), float(y)))


def _seen(plane: TablePlane) -> Mask:
    width, height = plane.image_size
    inside = plane.rectify(np.full((height, width, 1), 255, np.uint8), PX_PER_MM, MIDDLE)
    eroded = cv2.erode(inside, np.ones((9, 9), np.uint8))
    return np.asarray(eroded == 255, np.bool_)


def _surroundings(view: Image) -> Image:
    """Give the table as it looks around each place: a median over a window much wider than a piece."""
    # The median at quarter scale costs little, and grain finer than that is not wanted anyway.
    quarter = cv2.resize(view, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    window = round(2 * _SURROUNDINGS_MM * PX_PER_MM * 0.25) | 1
    size = (view.shape[1], view.shape[0])
    return np.asarray(cv2.resize(cv2.medianBlur(quarter, window), size, interpolation=cv2.INTER_LINEAR), np.uint8)


def colour_difference(view: Image, empty: Image, *, by_rim: bool = False) -> NDArray[np.float32]:
    """Give the CIELAB distance between two top views of one place, the second at the first's exposure.

    by_rim: compare exposures at the outer fifth only, where something large lies in the middle.
    """
    around = np.ones(view.shape[:2], bool)
    if by_rim:
        height, width = view.shape[:2]
        around[height // 5 : -(height // 5), width // 5 : -(width // 5)] = False
    some = (slice(None, None, 3), slice(None, None, 3))  # enough for a median
    bright, dark = (np.median(picture[some][around[some]] + 1.0, axis=0) for picture in (view, empty))
    exposed = np.clip(empty * (bright / dark), 0, 255).astype(np.uint8)
    return np.asarray(np.linalg.norm(_lab(view) - _lab(exposed), axis=2), np.float32)


def _lab(picture: Image) -> NDArray[np.float32]:
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.5 * PX_PER_MM)
    return np.asarray(cv2.cvtColor(smooth.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def _difference(view: Image, table: Image) -> NDArray[np.float32]:
    """Tell how far the picture differs from the table, (height, width): CIELAB distance, less for rough textures.

    Texture is measured per channel as the spread of the differences themselves, of which things lying about
    are a small part (median absolute deviation).
    """
    difference = _lab(view) - _lab(table)
    spread = 1.4826 * np.median(np.abs(difference - np.median(difference, axis=(0, 1))), axis=(0, 1))
    weight = np.minimum(1.0, _LEAST_DIFFERENCE / (_TEXTURE_FACTOR * spread + 1e-6))
    return np.asarray(np.linalg.norm(difference * weight, axis=2), np.float32)


def _half_height(mask: NDArray[np.uint8], difference: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Draw each thing's edge where the difference is half of its own: lens and smoothing spread it outwards."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    result = np.zeros_like(mask)
    for label in range(1, count):
        left, top, width, height, _ = stats[label]
        window = (slice(top, top + height), slice(left, left + width))
        own = labels[window] == label
        half = 0.5 * np.percentile(difference[window][own], 80)
        result[window] |= (own & (difference[window] > half)).astype(np.uint8)
    closed = cv2.morphologyEx(result, cv2.MORPH_CLOSE, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    return np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)


def _shadow(view: Image, table: Image, thing: Mask) -> Mask:
    """Tell which of the different pixels are the table's colour, only darker.

    Each pixel's linear light is compared with the table's: in shadow it points the same way and is shorter. Where
    a thing itself is a darker table colour (black on grey), all of it would go: then only the lighter part of
    each dark patch is taken for shadow.
    """
    smooth = np.asarray(cv2.GaussianBlur(view, (0, 0), 0.5 * PX_PER_MM), np.uint8)
    light, ground = linear(smooth), linear(table)
    dot = np.sum(light * ground, axis=2)
    ground_length = np.linalg.norm(ground, axis=2) + 1e-4
    share = dot / ground_length**2
    cosine = dot / (ground_length * (np.linalg.norm(light, axis=2) + 1e-4))
    alike = np.asarray((cosine > np.cos(np.radians(_SHADOW_ANGLE_DEG))) & (share < 0.97) & thing, np.bool_)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thing.astype(np.uint8))
    shadow = alike.copy()
    for label in range(1, count):
        left, top, width, height, pixels = stats[label]
        window = (slice(top, top + height), slice(left, left + width))
        patch = labels[window] == label
        own = int(np.count_nonzero(patch & ~alike[window])) / PX_PER_MM**2
        if own >= LEAST_AREA_MM2 or pixels / PX_PER_MM**2 < LEAST_AREA_MM2:
            continue
        shares = np.clip(share[window] * 255, 0, 255).astype(np.uint8)
        inside = shares[patch]
        split, _ = cv2.threshold(inside.reshape(-1, 1), 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        darker, lighter = inside[inside <= split], inside[inside > split]
        two_tone = len(lighter) > 0 and np.median(darker) < 0.6 * np.median(lighter)
        shadow[window][patch] = (inside > split) if two_tone else False
    return shadow


def _measure(contour: NDArray[np.int32]) -> Find | None:
    left, top, width, height = cv2.boundingRect(contour)
    mask = np.zeros((height, width), np.uint8)
    cv2.drawContours(mask, [contour], -1, 1, cv2.FILLED, offset=(-left, -top))
    (x, y), (right, bottom) = (MIDDLE.to_mm(at, PX_PER_MM) for at in ((left, top), (left + width, top + height)))
    region = Region(float(x), float(bottom), float(right), float(y))
    find = find_of_mask(mask.astype(bool), region, LEAST_AREA_MM2, MOST_AREA_MM2)
    if find is None or find.size_mm[0] > MOST_SIDE_MM or find.size_mm[0] > 3.5 * find.size_mm[1]:
        return None
    return find


def outlines(finds: Sequence[Find], plane: TablePlane, margin_mm: float) -> list[tuple[tuple[float, float], ...]]:
    """Give an outline (px) round each thing with a margin, which also takes in its shadow."""
    angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    result = []
    for find in finds:
        around = np.array(find.centre_mm) + (find.size_mm[0] / 2 + margin_mm) * ring
        result.append(tuple((float(x), float(y)) for x, y in plane.to_image(around)))
    return result
