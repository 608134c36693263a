"""Enrol a card from a camera picture in which it lies in the middle of the table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from calibration.camera.sheet import in_sight
from calibration.cards.deck import CARD_MM, EnrolledCard, EnrolledDeck, as_reference
from calibration.cards.outline import PX_PER_MM, GroundDistance, RotatedRectangle
from calibration.errors import EnrolError
from calibration.game_kit import TILE, Picture
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from calibration.translatable import say

MIDDLE = Region(-150.0, -150.0, 150.0, 150.0)
"""Part of the table where a card is enrolled, the sheet's place, table mm."""
_SAME_SIZE_MM = 4.0
"""Tolerance within which a measured card has a known size, mm."""
_MIN_EDGES = 0.25
"""Share of a card's outline across which a picture changes clearly, however the table is patterned."""


def enrol_card(profile: TableProfile, card: EnrolledCard, image: Image) -> TableProfile:
    """Return the profile with a card whose picture is cut out of a BGR picture of the table.

    The card lies alone in the middle of the table, its upper edge away from seat 0. `card` brings id, kind and
    values; its own picture is not used. A card with the same id is replaced. Raises EnrolError when no single card
    is found there, ProfileError for a picture that differs in size from those of the calibration.
    """
    taken = replace(card, picture=cut_out_card(profile, image, card.kind == TILE))
    deck = profile.deck or EnrolledDeck("my deck")
    return replace(profile, deck=deck.with_cards([taken]))


def cut_out_card(profile: TableProfile, image: Image, tile: bool = False) -> Picture:
    """Return the reference picture of the card, or tile, in the middle of a BGR picture.

    Raises as `enrol_card` does.
    """
    if profile.plane is None:
        raise EnrolError(say("This table is not calibrated yet: run `companion calibrate` first."))
    plane = profile.plane.fitting(image)
    if in_sight(image):
        raise EnrolError(say("The calibration sheet is still on the table: remove it and take the picture again."))
    cards = () if profile.deck is None else profile.deck.cards.values()
    known = {card.size_mm for card in cards if card.kind != TILE}
    return card_picture(image, plane, profile.background, tile=tile, sizes_mm=known)


def card_picture(
    image: Image,
    plane: TablePlane,
    empty: Image | None,
    *,
    tile: bool = False,
    sizes_mm: Iterable[tuple[float, float]] = (),
) -> Picture:
    """Return the card in the middle of a BGR picture, cut out, upright, at the reference scale.

    empty: a picture of the same table without the card, if there is one. tile: search for a tile, not a card.
    sizes_mm: further sizes (width, height) that a card may have besides CARD_MM. Raises EnrolError when no
    single card is found.
    """
    view = plane.rectify(image, PX_PER_MM, MIDDLE)
    seen = plane.rectify(np.full((*image.shape[:2], 1), 255, np.uint8), PX_PER_MM, MIDDLE) == 255
    known = [CARD_MM, *(size for size in sorted(sizes_mm) if not _same_size(size, CARD_MM))]
    ground = GroundDistance.of(view, seen)
    if ground is None:
        raise EnrolError(say("The middle of the table is not in the picture: move the camera and calibrate again."))
    either_way = [*known, *((height, width) for width, height in known)]
    box = ground.find_tile() if tile else ground.find(either_way)
    if box is None and empty is not None and empty.shape == image.shape:
        # A pattern on the table may hide the card's edges, so the picture is compared with the empty table.
        there = GroundDistance.of(view, seen, plane.rectify(empty, PX_PER_MM, MIDDLE))
        if there is not None:
            box = there.find_tile() if tile else there.find(either_way)
        # A wrong picture of the empty table has edges that are not in this one.
        if box is not None and ground.edge_fraction(box) < _MIN_EDGES:
            box = None
    if box is None:
        rough = ground.rough_size()
        if rough is None:
            raise EnrolError(
                say(
                    "No card is found in the middle of the picture: lay one card there, its upper edge pointing "
                    "away from seat 0."
                )
            )
        raise EnrolError(
            say(
                "The object in the middle is not a single card (about {rough}×{rough2} mm): lay one card there "
                "alone, its upper edge pointing away from seat 0.",
                rough=f"{rough[0]:.0f}",
                rough2=f"{rough[1]:.0f}",
            )
        )
    size = next((size for size in known if not tile and _same_size(size, box.size_mm)), box.size_mm)
    return as_reference(_upright_crop(view, replace(box, size_mm=size)), (round(size[0]), round(size[1])))


def _same_size(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two sizes (width, height), mm, differ by less than _SAME_SIZE_MM."""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) < _SAME_SIZE_MM


def _upright_crop(view: Image, box: RotatedRectangle) -> Image:
    """Return the part of a top view inside a rectangle, rotated upright."""
    cos, sin = math.cos(math.radians(box.turn)), math.sin(math.radians(box.turn))
    width, height = (round(side * PX_PER_MM) for side in box.size_mm)
    x, y = (width - 1) / 2, (height - 1) / 2
    u, v = box.centre
    matrix = np.array([[cos, -sin, u - cos * x + sin * y], [sin, cos, v - sin * x - cos * y]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(view, matrix, (width, height), flags=flags), np.uint8)
