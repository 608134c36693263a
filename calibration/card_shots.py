"""Learn one card from a camera picture in which it lies in the middle of the table."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import CARD_MM, EnrolledCard, EnrolledDeck, Picture, as_reference
from calibration.errors import EnrolError
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from calibration.sheet import in_sight
from calibration.specimens import colour_difference

PX_PER_MM = 2.0
MIDDLE = Region(-150.0, -150.0, 150.0, 150.0)
_LEAST_DIFFERENCE = 10.0
_LEAST_SIDE_MM, _MOST_SIDE_MM = 35.0, 140.0
_USUAL_SIZE_MM = 4.0
"""A card measured this close to the usual size has the usual size."""
_EDGES, _STRONG_PERCENT = (0.0, 0.2, 0.35, 0.5), 97.0
"""Where a card's edge may be: at these parts of a strong difference, which the card itself makes (it fills a
sixteenth of the view)."""
_LEAST_FILL = {False: 0.88, True: 0.65}
"""Share of its rectangle that a thing fills; the tile (True) is a hexagon."""


def enrol_card(profile: TableProfile, card: EnrolledCard, image: Image) -> TableProfile:
    """Give the profile with a card learned from a BGR picture of its size.

    The card lies alone in the middle of the table, its upper edge away from seat 0. `card` brings id, kind and
    definition; its picture is replaced by what the camera sees. A card with a known id takes the older one's
    place. Raises EnrolError when no single card is seen there, ProfileError for a picture of another size.
    """
    taken = replace(card, picture=look_at_card(profile, image, card.kind == "tile"))
    deck = profile.deck or EnrolledDeck("my deck")
    return replace(profile, deck=deck.with_cards([taken]))


def look_at_card(profile: TableProfile, image: Image, tile: bool = False) -> Picture:
    """Give the card, or the tile, that lies alone in the middle of a BGR picture; raises as `enrol_card` does."""
    if profile.plane is None:
        raise EnrolError("This table is not calibrated yet: run `companion calibrate` first.")
    plane = profile.plane.fitting(image)
    if in_sight(image):
        raise EnrolError("The calibration sheet still lies there: put it away and take the picture again.")
    return card_picture(image, plane, profile.background, _LEAST_FILL[tile])


def card_picture(image: Image, plane: TablePlane, empty: Image | None, least_fill: float = 0.88) -> Picture:
    """Cut the card in the middle out of a picture, upright, at the reference scale.

    empty: the same table without it, where one is known; least_fill: share of its rectangle that it must fill.
    Raises EnrolError when there is none.
    """
    view = plane.rectify(image, PX_PER_MM, MIDDLE)
    known = empty is not None and empty.shape == image.shape
    table = plane.rectify(empty, PX_PER_MM, MIDDLE) if known and empty is not None else _rim_colour(view)
    outline = _outline(colour_difference(view, table, by_rim=True))
    (u, v), (width, height), turn = cv2.minAreaRect(outline)
    # The card's up is the side nearest to the table's away: turns by right angles until within 45 degrees.
    while turn > 45.0:
        turn, width, height = turn - 90.0, height, width
    while turn <= -45.0:
        turn, width, height = turn + 90.0, height, width
    size_mm = (width / PX_PER_MM, height / PX_PER_MM)
    fill = cv2.contourArea(outline) / max(1.0, width * height)
    if fill < least_fill or not all(_LEAST_SIDE_MM < side < _MOST_SIDE_MM for side in size_mm):
        raise EnrolError(
            f"What lies in the middle is no single card (about {size_mm[0]:.0f}×{size_mm[1]:.0f} mm): "
            "lay one card alone there, its upper edge away from seat 0."
        )
    if max(abs(side - usual) for side, usual in zip(size_mm, CARD_MM, strict=True)) < _USUAL_SIZE_MM:
        size_mm = CARD_MM
    return as_reference(_cut(view, (u, v), turn, (width, height)), (round(size_mm[0]), round(size_mm[1])))


def _rim_colour(view: Image) -> Image:
    rim = np.concatenate([view[:30].reshape(-1, 3), view[-30:].reshape(-1, 3)])
    return np.broadcast_to(np.median(rim, axis=0).astype(np.uint8), view.shape).copy()


def _outline(difference: NDArray[np.float32]) -> NDArray[np.int32]:
    """Give the hull of the largest different patch near the middle, (n, 1, 2) px.

    Its shadow differs from the table, too, and so does a table that is known only roughly where the sheet lay. So
    where the patch has not a card's usual size, its edge is looked for where the difference is clearer.
    """
    least = max(_LEAST_DIFFERENCE, 2.0 * float(np.median(difference)))
    strong = float(np.percentile(difference, _STRONG_PERCENT))
    hulls = [_hull(difference, max(least, edge * strong)) for edge in _EDGES]
    usual = next((hull for hull in hulls if hull is not None and _has_usual_size(hull)), None)
    outline = hulls[0] if usual is None else usual
    if outline is None:
        raise EnrolError(
            "No card found in the middle of the picture: lay one card there, its upper edge away from seat 0."
        )
    return outline


def _has_usual_size(hull: NDArray[np.int32]) -> bool:
    _, sides, _ = cv2.minAreaRect(hull)
    measured = sorted(side / PX_PER_MM for side in sides)
    return all(abs(side - usual) < _USUAL_SIZE_MM for side, usual in zip(measured, CARD_MM, strict=True))


def _hull(difference: NDArray[np.float32], least: float) -> NDArray[np.int32] | None:
    mask = (difference > least).astype(np.uint8)
    closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((13, 13), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    middle = difference.shape[1] / 2, difference.shape[0] / 2
    hulls = [cv2.convexHull(contour) for contour in contours]
    near = [hull for hull in hulls if cv2.pointPolygonTest(hull, middle, True) > -40 * PX_PER_MM]
    large = [hull for hull in near if cv2.contourArea(hull) > (_LEAST_SIDE_MM * PX_PER_MM) ** 2]
    return np.asarray(max(large, key=cv2.contourArea), np.int32) if large else None


def _cut(view: Image, centre: tuple[float, float], turn: float, size: tuple[float, float]) -> Image:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    width, height = round(size[0]), round(size[1])
    x, y = (width - 1) / 2, (height - 1) / 2
    matrix = np.array([[cos, -sin, centre[0] - cos * x + sin * y], [sin, cos, centre[1] - sin * x - cos * y]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(view, matrix, (width, height), flags=flags), np.uint8)
