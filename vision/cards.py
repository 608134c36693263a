"""Which card lies where: every enrolled card anywhere on the table, from one picture.

Local features vote for where each card would lie and how it is turned (the scale is known from the calibration);
each likely place is then laid straight and compared with every enrolled card, so that a card is only named when it
looks like that one and clearly less like any other.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards import TILE_ID
from calibration.errors import ProfileError
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from vision.card_index import LARGE_MM2, PX_PER_MM, CardIndex, Features, features, look, soften, turned_round
from vision.readings import CardReading, CardsReading, Point
from vision.ring import clockwise_from, slots

RING_MM = 185.0
"""Corridor cards whose centre is nearer to the tile's than this belong to the ring."""

_FEATURES_PER_SQUARE_DM, _FEATURES_MORE = 12, 250
"""How many local features are looked for: more where little is searched, lest the tile alone takes them all."""
_SHARES = (0.4, 1.0)
"""What so much of the features finds need not be compared with the rest of them."""
_MOST_CONTRAST, _CONTRAST_CELLS = 2.0, (8, 8)
_MOST_DISTANCE = 72
_LEAST_VOTES = 4
_CELL_MM, _CELL_DEG = 10.0, 20.0
_LEAST_TOTAL, _MOST_CELLS = 1.6, 300
_HOPELESS, _LEAST_LIKENESS = 0.2, 0.45
_MOST_STEPS, _MOST_STEP_MM, _MOST_STEP_DEG, _SETTLED = 4, 4.0, 8.0, 0.02
"""So many steps a guess is shifted at most, so far and turned so much in one; less than this share needs none."""
_CERTAIN_LIKENESS = 0.60
_CERTAIN_MARGIN = 0.15
_SURELY_THERE = 0.5


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: centre in table mm, turn in degrees clockwise (0: its upper edge towards +y)."""

    x: float
    y: float
    angle: float

    def moved(self, right: float, down: float, turn: float) -> Place:
        """Give the place so many mm to the card's own right and down, turned by so many degrees clockwise."""
        x, y, _ = (_on_table(self) @ (right, down, 1.0)).tolist()
        return Place(x, y, self.angle + turn)


@dataclass(frozen=True, slots=True)
class Lying:
    """Something enrolled that lies there: its name in the deck (`back:small` … for backs), where, how sure."""

    id: str
    place: Place
    confidence: float
    corners: tuple[Point, Point, Point, Point]


@dataclass(frozen=True, eq=False)
class Searched:
    """A part of the table (mm) in a BGR picture of a plane, and its local features, clearest first.

    soft: the picture without its lens's distortion, prepared for looks.
    """

    soft: Image
    plane: TablePlane
    region: Region
    features: Features

    @classmethod
    def of(
        cls, image: Image, plane: TablePlane, region: Region, features_per_dm2: int, *, evened: bool = False
    ) -> Searched:
        """Find so many local features. evened: also where the light is so dim that print hardly shows."""
        # Most of a table is never compared with any card: only grey is laid straight all over. Cards are looked at
        # in the picture itself.
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        view = plane.rectify(grey, PX_PER_MM, region)
        if evened:
            view = np.asarray(cv2.createCLAHE(_MOST_CONTRAST, _CONTRAST_CELLS).apply(view), np.uint8)
        soft = soften(plane.unbent(image), _typical_scale(plane, region))
        return cls(soft, plane, region, features(view, _number(region, features_per_dm2)))

    def beside(self, things: Iterable[Lying]) -> Searched:
        """Leave out the features on things that surely lie there: what is looked for next is no part of them."""
        taken = np.zeros(self.region.size(PX_PER_MM)[::-1], np.uint8)
        for thing in things:
            if thing.confidence > _SURELY_THERE:
                there = self.region.to_pixels(self.plane.to_table(thing.corners), PX_PER_MM)
                cv2.fillConvexPoly(taken, np.round(there).astype(np.int32), 1)
        columns, rows = np.round(self.features.points).astype(np.int64).T
        return replace(self, features=self.features.chosen(taken[rows, columns] == 0))

    def clearest(self, features_per_dm2: float) -> Features:
        """Give only so many of the features."""
        return self.features.first(_number(self.region, features_per_dm2))


def _number(region: Region, features_per_dm2: float) -> int:
    area = (region.right - region.left) * (region.top - region.bottom) / 10_000
    return round(features_per_dm2 * area) + _FEATURES_MORE


@dataclass(frozen=True, slots=True)
class _Guess:
    card: int
    place: Place


@dataclass(frozen=True, slots=True)
class _Find:
    card: int
    place: Place
    likeness: float
    margin: float


class CardReader:
    """Reads cards with one profile's plane and enrolled deck."""

    def __init__(self, profile: TableProfile, features_per_dm2: int = _FEATURES_PER_SQUARE_DM) -> None:
        """Prepare the deck. Raises ProfileError for a profile without plane or without cards.

        features_per_dm2: how many local features are looked for; more find faint print, and cost more time.
        """
        if profile.plane is None:
            raise ProfileError("This table is not calibrated yet: run `companion calibrate` first.")
        if profile.deck is None or not profile.deck.cards:
            raise ProfileError("No card is enrolled yet: run `companion enrol card` first.")
        self._plane = profile.plane
        self._index = CardIndex.of(profile.deck)
        self.features_per_dm2 = features_per_dm2

    def read(self, image: Image, region: Region | None = None, ring: int | None = None) -> CardsReading:
        """Name the cards of a BGR picture (calibrated size), surest first.

        region: the part of the table (mm) to search, all that is seen when None. ring: how many corridor cards
        lie round the tile, where it is known. A card back becomes card=None. Raises ProfileError when the
        picture has another size than the calibrated one.
        """
        start = time.perf_counter()
        plane = self._plane.fitting(image)
        searched = Searched.of(image, plane, region or plane.region(), self.features_per_dm2)
        finds = self._finds(searched, self.features_per_dm2)
        readings = self._readings(finds, plane, ring)
        return CardsReading(readings, 1000 * (time.perf_counter() - start))

    def lying(self, searched: Searched, features_per_dm2: int | None = None) -> tuple[Lying, ...]:
        """Name all that is enrolled and lies in a picture that was searched, backs by their own names.

        features_per_dm2: how many of its features count, else as many as the reader looks for.
        """
        finds = self._finds(searched, features_per_dm2 or self.features_per_dm2)
        return tuple(self._lying(find, searched.plane) for find in finds)

    def _lying(self, find: _Find, plane: TablePlane) -> Lying:
        corners = _corners(find.place, self._index.sizes[find.card], plane)
        return Lying(self._index.cards[find.card].id, find.place, _confidence(find), corners)

    def _finds(self, searched: Searched, features_per_dm2: int) -> list[_Find]:
        """Find what lies there, likest first: with the clearest features, then with all those on nothing found."""
        finds: list[_Find] = []
        for share in _SHARES:
            left = searched.beside([self._lying(find, searched.plane) for find in finds])
            self._add(finds, left, left.clearest(share * features_per_dm2))
        return sorted(finds, key=lambda find: -find.likeness)

    def _add(self, finds: list[_Find], searched: Searched, seen: Features) -> None:
        """Add to what was found what else some features tell of."""
        if len(seen.points) == 0:
            return
        ballot = _Ballot.of(seen, self._matches(seen), self._index, searched.region)
        for cell in ballot.cells():
            if any(_near(ballot.rough_place(cell), find.place) for find in finds):
                continue
            guess = ballot.guess(cell)
            find = None if guess is None else self._verify(searched, guess)
            if find is not None and not any(_near(find.place, other.place) for other in finds):
                finds.append(find)

    def _matches(self, seen: Features) -> NDArray[np.int64]:
        """Pair each feature seen with its nearest enrolled one: rows (seen, enrolled, distance)."""
        nearest, distances = self._index.nearest(seen.descriptors)
        table = np.column_stack([np.arange(len(nearest)), nearest, distances])
        return np.asarray(table[distances <= _MOST_DISTANCE], np.int64)

    def _verify(self, searched: Searched, guess: _Guess) -> _Find | None:
        """Shift and turn a guess a little until it looks most like its card; then ask which card it looks like."""
        index = self._index
        own, pull = index.looks[guess.card], index.pulls[guess.card]
        best, row = guess.place, self._look(searched, guess)
        likeness = float(row @ own)
        if likeness < _HOPELESS:
            return None
        for _ in range(_MOST_STEPS):
            right, down, turn = (pull @ (own - row)).tolist()
            far = max(math.hypot(right, down) / _MOST_STEP_MM, abs(turn) / _MOST_STEP_DEG)
            if far < _SETTLED:
                break
            moved = best.moved(right / max(1.0, far), down / max(1.0, far), turn / max(1.0, far))
            there = self._look(searched, _Guess(guess.card, moved))
            if float(there @ own) <= likeness:
                break
            best, row, likeness = moved, there, float(there @ own)
        if likeness < _LEAST_LIKENESS:
            return None
        same_size = np.abs(index.sizes - index.sizes[guess.card]).max(axis=1) < 3.0
        # Boards of one game share nearly all of their print: whose one is, is asked elsewhere.
        same_size &= index.sizes.prod(axis=1) < LARGE_MM2
        # Laid the other way round it could be another card still.
        upright, turned = index.looks @ row, index.looks @ turned_round(row)
        others = np.where(same_size, np.maximum(upright, turned), -1.0)
        others[guess.card] = -1.0
        runner_up = max(0.0, float(others.max()))
        if runner_up >= likeness:
            return None
        return _Find(guess.card, best, likeness, likeness - runner_up)

    def _look(self, searched: Searched, guess: _Guess) -> NDArray[np.float32]:
        width, height = self._index.sizes[guess.card].tolist()
        to_pixels = searched.plane.homography() @ _on_table(guess.place)
        return look(searched.soft, to_pixels, (width, height))

    def _readings(self, finds: Sequence[_Find], plane: TablePlane, ring: int | None) -> tuple[CardReading, ...]:
        cards = self._index.cards
        tile = next((find for find in finds if cards[find.card].id == TILE_ID), None)
        in_ring: dict[int, int | None] = {}
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


@dataclass(frozen=True, eq=False)
class _Ballot:
    """Every pair of features says where its card's centre would lie and how it is turned; rows agree in cells.

    owner, weight, here, there, centre, turn, cell: by pair; seen: the feature in the picture.
    first, totals: by cell, its first pair and the sum of its weights.
    """

    owner: NDArray[np.int64]
    seen: NDArray[np.int64]
    weight: NDArray[np.float64]
    here: NDArray[np.float64]
    there: NDArray[np.float64]
    centre: NDArray[np.float64]
    turn: NDArray[np.float64]
    cell: NDArray[np.int64]
    first: NDArray[np.int64]
    totals: NDArray[np.float64]

    @classmethod
    def of(cls, seen: Features, matches: NDArray[np.int64], index: CardIndex, region: Region) -> _Ballot:
        here = region.to_mm(seen.points[matches[:, 0]], PX_PER_MM)
        there = index.features.points[matches[:, 1]]
        owner = index.owners[matches[:, 1]]
        turn = (seen.angles[matches[:, 0]] - index.features.angles[matches[:, 1]]) % 360.0
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        # Card coordinates run right and down, the table's right and up; turns are clockwise.
        right = there[:, 0] * cos - there[:, 1] * sin
        down = there[:, 0] * sin + there[:, 1] * cos
        centre = here - np.stack([right, -down], axis=1)
        places = np.floor(np.column_stack([centre / _CELL_MM, turn / _CELL_DEG])).astype(np.int64) + 4096
        keys = ((owner * 8192 + places[:, 0]) * 8192 + places[:, 1]) * 8192 + places[:, 2]
        _, first, cell = np.unique(keys, return_index=True, return_inverse=True)
        weight = 1.0 - matches[:, 2] / (2.0 * _MOST_DISTANCE)
        totals = np.bincount(cell, weights=weight, minlength=len(first)).astype(np.float64)
        return cls(owner, matches[:, 0], weight, here, there, centre, turn, cell, first, totals)

    def cells(self) -> list[int]:
        """Give the cells with the most votes, most first."""
        order = np.argsort(-self.totals)[:_MOST_CELLS]
        return [int(cell) for cell in order if self.totals[cell] >= _LEAST_TOTAL]

    def rough_place(self, cell: int) -> Place:
        """Give about where a cell's card would lie."""
        first = self.first[cell]
        return Place(float(self.centre[first, 0]), float(self.centre[first, 1]), float(self.turn[first]))

    def guess(self, cell: int) -> _Guess | None:
        """Gather what agrees with a cell, also from its neighbours; None when too few features do."""
        rows = np.flatnonzero(self.cell == cell)
        card = int(self.owner[rows[0]])
        own = np.flatnonzero(self.owner == card)
        centre, turn = self.centre[own], self.turn[own]
        middle, direction = np.median(self.centre[rows], axis=0), _mean_angle(self.turn[rows])
        for _ in range(2):
            away = np.abs(centre - middle)
            near = (away[:, 0] < 1.2 * _CELL_MM) & (away[:, 1] < 1.2 * _CELL_MM)
            near &= np.abs((turn - direction + 180.0) % 360.0 - 180.0) < 1.1 * _CELL_DEG
            if not near.any():
                return None
            weight = self.weight[own[near]]
            middle = weight @ centre[near] / weight.sum()
            direction = _mean_angle(turn[near])
        agreeing = own[near]
        if len(np.unique(self.seen[agreeing])) < _LEAST_VOTES:
            return None
        return _Guess(card, _fit(self.here[agreeing], self.there[agreeing], middle, direction))


def _typical_scale(plane: TablePlane, region: Region) -> float:
    """Give the px/mm in the middle of a part of the table."""
    middle = ((region.left + region.right) / 2, (region.bottom + region.top) / 2)
    scale = float(plane.px_per_mm_at(middle))
    return scale if math.isfinite(scale) else PX_PER_MM


def _on_table(place: Place) -> NDArray[np.float64]:
    """Give the 3×3 matrix from mm from a card's centre (+x right, +y down) to table mm."""
    cos, sin = math.cos(math.radians(place.angle)), math.sin(math.radians(place.angle))
    return np.array([[cos, -sin, place.x], [-sin, -cos, place.y], [0.0, 0.0, 1.0]])


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


def _near(one: Place, other: Place) -> bool:
    """Tell whether two cards would lie on the same spot."""
    return math.hypot(one.x - other.x, one.y - other.y) < 30.0


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
