"""Which card lies where: every enrolled card anywhere on the table, from one picture.

Local features vote for where each card would lie and how it is turned (the scale is known from the calibration);
each likely place is then laid straight and compared with every enrolled card, so that a card is only named when it
looks like that one and clearly less like any other.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards import TILE_ID
from calibration.errors import ProfileError
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from vision.card_index import PX_PER_MM, CardIndex, Features, features, look
from vision.readings import CardReading, CardsReading, Point
from vision.ring import clockwise_from, slots

RING_MM = 185.0
"""Corridor cards whose centre is nearer to the tile's than this belong to the ring."""

_FEATURES_PER_SQUARE_DM = 36
_MOST_DISTANCE = 72
_LEAST_VOTES = 4
_CELL_MM = 10.0
_LEAST_LIKENESS = 0.45
_CERTAIN_LIKENESS = 0.60
_CERTAIN_MARGIN = 0.15


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: centre in table mm, turn in degrees clockwise (0: its upper edge towards +y)."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class _Guess:
    card: int
    place: Place
    votes: float


@dataclass(frozen=True, slots=True)
class _Find:
    card: int
    place: Place
    likeness: float
    margin: float


class CardReader:
    """Reads cards with one profile's plane and enrolled deck."""

    def __init__(self, profile: TableProfile) -> None:
        """Prepare the deck. Raises ProfileError for a profile without plane or without cards."""
        if profile.plane is None:
            raise ProfileError("This table is not calibrated yet: run `companion calibrate` first.")
        if profile.deck is None or not profile.deck.cards:
            raise ProfileError("No card is enrolled yet: run `companion enrol card` first.")
        self._plane = profile.plane
        self._index = CardIndex.of(profile.deck)
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING)
        self._matcher.add([self._index.features.descriptors])

    def read(self, image: Image, region: Region | None = None, ring: int | None = None) -> CardsReading:
        """Name the cards of a BGR picture (calibrated size), surest first.

        region: the part of the table (mm) to search, all that is seen when None. ring: how many corridor cards
        lie round the tile, where it is known. A card back becomes card=None. Raises ProfileError when the
        picture has another size than the calibrated one.
        """
        start = time.perf_counter()
        plane = self._plane.fitting(image)
        region = region or plane.region()
        view = plane.rectify(image, PX_PER_MM, region)
        finds = self._finds(view, region)
        readings = self._readings(finds, plane, ring)
        return CardsReading(readings, 1000 * (time.perf_counter() - start))

    def _finds(self, view: Image, region: Region) -> list[_Find]:
        grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), np.uint8)
        area = (region.right - region.left) * (region.top - region.bottom) / 10_000
        seen = features(grey, round(_FEATURES_PER_SQUARE_DM * area))
        if len(seen.points) == 0:
            return []
        finds: list[_Find] = []
        for guess in _vote(seen, self._matches(seen), self._index, region):
            if any(_overlap(guess, find, self._index) for find in finds):
                continue
            find = self._verify(view, region, guess)
            if find is not None and not any(_overlap(find, other, self._index) for other in finds):
                finds.append(find)
        return sorted(finds, key=lambda find: -find.likeness)

    def _matches(self, seen: Features) -> NDArray[np.int64]:
        """Pair each feature seen with its nearest enrolled ones: rows (seen, enrolled, distance)."""
        pairs = self._matcher.knnMatch(seen.descriptors, k=2)
        rows = [
            (match.queryIdx, match.trainIdx, int(match.distance))
            for near in pairs
            for match in near
            if match.distance <= _MOST_DISTANCE
        ]
        return np.array(rows, np.int64).reshape(-1, 3)

    def _verify(self, view: Image, region: Region, guess: _Guess) -> _Find | None:
        """Shift and turn a guess a little until it looks most like its card; then ask which card it looks like."""
        index = self._index
        best = guess.place
        likeness = -1.0
        for reach, turn in ((2.5, 4.0), (1.2, 2.0), (0.6, 1.0)):
            tries = [
                Place(best.x + dx, best.y + dy, best.angle + da)
                for dx, dy, da in (
                    (0, 0, 0), (reach, 0, 0), (-reach, 0, 0), (0, reach, 0), (0, -reach, 0), (0, 0, turn), (0, 0, -turn)
                )
            ]  # fmt: skip
            values = [
                float(self._look_at(view, region, place, guess.card) @ index.looks[guess.card]) for place in tries
            ]
            likeness, best = max(zip(values, tries, strict=True), key=lambda pair: pair[0])
            if likeness < 0.25:
                return None
        alike = self._look_at(view, region, best, guess.card)
        same_size = np.abs(index.sizes - index.sizes[guess.card]).max(axis=1) < 3.0
        scores = np.where(same_size, index.looks @ alike, -1.0)
        # Laid the other way round it could be another card still.
        upside_down = self._look_at(view, region, replace(best, angle=best.angle + 180.0), guess.card)
        others = np.where(same_size, np.maximum(scores, index.looks @ upside_down), -1.0)
        others[guess.card] = -1.0
        likeness = float(scores[guess.card])
        if likeness < _LEAST_LIKENESS or others.max() >= likeness:
            return None
        return _Find(guess.card, best, likeness, likeness - max(0.0, float(others.max())))

    def _look_at(self, view: Image, region: Region, place: Place, card: int) -> NDArray[np.float32]:
        width, height = self._index.sizes[card]
        return look(_straight(view, region, place, width, height))

    def _readings(self, finds: Sequence[_Find], plane: TablePlane, ring: int | None) -> tuple[CardReading, ...]:
        cards = self._index.cards
        tile = next((find for find in finds if cards[find.card].id == TILE_ID), None)
        in_ring: dict[int, int] = {}
        if tile is not None:
            around = [
                number
                for number, find in enumerate(finds)
                if (cards[find.card].kind == "corridor" or cards[find.card].id == "back:corridor")
                and math.hypot(find.place.x - tile.place.x, find.place.y - tile.place.y) < RING_MM
            ]
            centre = (tile.place.x, tile.place.y)
            angles = [
                clockwise_from(tile.place.angle, centre, (finds[number].place.x, finds[number].place.y))
                for number in around
            ]
            in_ring = dict(zip(around, slots(angles, ring), strict=True))
        return tuple(
            CardReading(
                None if cards[find.card].kind == "back" else cards[find.card].id,
                _confidence(find),
                _corners(find.place, self._index.sizes[find.card], plane),
                in_ring.get(number),
            )
            for number, find in enumerate(finds)
        )


def _vote(seen: Features, matches: NDArray[np.int64], index: CardIndex, region: Region) -> list[_Guess]:
    """Let each pair say where its card's centre would lie and how it is turned; gather pairs that agree."""
    if len(matches) == 0:
        return []
    here = region.to_mm(seen.points[matches[:, 0]], PX_PER_MM)
    there = index.features.points[matches[:, 1]]
    owner = index.owners[matches[:, 1]]
    turn = (seen.angles[matches[:, 0]] - index.features.angles[matches[:, 1]]) % 360.0
    radians = np.radians(turn)
    cos, sin = np.cos(radians), np.sin(radians)
    # Card coordinates run right and down, the table's right and up; turns are clockwise.
    offset = np.stack([there[:, 0] * cos - there[:, 1] * sin, -(there[:, 0] * sin + there[:, 1] * cos)], axis=1)
    centre = here - offset
    weight = 1.0 - matches[:, 2] / (2.0 * _MOST_DISTANCE)
    cells = np.floor(np.column_stack([centre / _CELL_MM, turn / 20.0])).astype(np.int64)
    keys = np.column_stack([owner, cells])
    unique, which = np.unique(keys, axis=0, return_inverse=True)
    which = which.reshape(-1)
    totals = np.bincount(which, weights=weight)
    guesses = []
    for cell in np.argsort(-totals)[:400]:
        if totals[cell] < 1.0:
            break
        card = int(unique[cell, 0])
        own = owner == card
        middle = np.median(centre[which == cell], axis=0)
        direction = _mean_angle(turn[which == cell])
        for _ in range(2):
            near = own & (np.abs(centre - middle).max(axis=1) < 1.2 * _CELL_MM)
            near &= np.abs((turn - direction + 180.0) % 360.0 - 180.0) < 22.0
            if not near.any():
                break
            middle = np.average(centre[near], axis=0, weights=weight[near])
            direction = _mean_angle(turn[near])
        votes = len(np.unique(matches[near, 0]))
        if votes >= _LEAST_VOTES:
            place = _fit(here[near], there[near], middle, direction)
            guesses.append(_Guess(card, place, float(weight[near].sum())))
    return sorted(guesses, key=lambda guess: -guess.votes)


def _fit(
    here: NDArray[np.float64], there: NDArray[np.float64], middle: NDArray[np.float64], direction: float
) -> Place:
    """Turn and shift the card's points onto the table's (least squares, no scaling) where they span enough."""
    down_up = there * (1.0, -1.0)
    mean_there, mean_here = down_up.mean(axis=0), here.mean(axis=0)
    a, b = down_up - mean_there, here - mean_here
    if np.sqrt((a**2).sum(axis=1).mean()) < 8.0:
        return Place(float(middle[0]), float(middle[1]), direction)
    counter_clockwise = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    cos, sin = math.cos(counter_clockwise), math.sin(counter_clockwise)
    x = mean_here[0] - (cos * mean_there[0] - sin * mean_there[1])
    y = mean_here[1] - (sin * mean_there[0] + cos * mean_there[1])
    return Place(float(x), float(y), -math.degrees(counter_clockwise) % 360.0)


def _mean_angle(degrees: NDArray[np.float64]) -> float:
    radians = np.radians(degrees)
    return math.degrees(math.atan2(float(np.sin(radians).mean()), float(np.cos(radians).mean()))) % 360.0


def _overlap(one: _Guess | _Find, other: _Find, index: CardIndex) -> bool:
    """Tell whether two cards would lie on the same spot: their centres nearer than half a card's width."""
    reach = 0.5 * min(index.sizes[one.card].min(), index.sizes[other.card].min())
    return math.hypot(one.place.x - other.place.x, one.place.y - other.place.y) < reach


def _straight(view: Image, region: Region, place: Place, width: float, height: float) -> Image:
    """Cut a card out of the top view, upright, at the top view's scale."""
    u, v = region.to_pixels((place.x, place.y), PX_PER_MM)
    size = (round(width * PX_PER_MM), round(height * PX_PER_MM))
    cos, sin = math.cos(math.radians(place.angle)), math.sin(math.radians(place.angle))
    middle_x, middle_y = (size[0] - 1) / 2, (size[1] - 1) / 2
    matrix = np.array(
        [[cos, -sin, u - cos * middle_x + sin * middle_y], [sin, cos, v - sin * middle_x - cos * middle_y]]
    )
    cut = cv2.warpAffine(
        view, matrix, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


def _corners(place: Place, size: NDArray[np.float64], plane: TablePlane) -> tuple[Point, Point, Point, Point]:
    cos, sin = math.cos(math.radians(place.angle)), math.sin(math.radians(place.angle))
    half_width, half_height = size / 2
    corners = []
    for right, up in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        x, y = right * half_width, up * half_height
        corners.append((place.x + x * cos + y * sin, place.y - x * sin + y * cos))
    a, b, c, d = ((float(x), float(y)) for x, y in plane.to_image(corners))
    return a, b, c, d


def _confidence(find: _Find) -> float:
    """Turn likeness and margin over the runner-up into a probability; both must be good for a high one."""
    likeness = (find.likeness - _CERTAIN_LIKENESS) / 0.06
    margin = (find.margin - _CERTAIN_MARGIN) / 0.04
    return round(1.0 / (1.0 + math.exp(-min(likeness, margin, 6.0) - 1.0)), 4)
