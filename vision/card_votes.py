"""Where local features vote that an enrolled card lies: each pair gives a place; places that agree make a guess."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Region
from vision.card_index import PX_PER_MM, CardIndex, Features

MOST_DISTANCE = 72
"""So many of their 256 bits differ at most where two local features are taken for the same."""
_LEAST_VOTES = 4
_CELL_MM, _CELL_DEG = 10.0, 20.0
_LEAST_TOTAL, _MOST_CELLS = 1.6, 300


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: centre in table mm, turn in degrees clockwise (0: its upper edge towards +y)."""

    x: float
    y: float
    angle: float

    def moved(self, right: float, down: float, turn: float) -> Place:
        """Give the place so many mm to the card's own right and down, turned by so many degrees clockwise."""
        x, y, _ = (self.to_table @ (right, down, 1.0)).tolist()
        return Place(x, y, self.angle + turn)

    @property
    def to_table(self) -> NDArray[np.float64]:
        """The 3×3 matrix from mm from a card's centre (+x right, +y down) to table mm."""
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return np.array([[cos, -sin, self.x], [-sin, -cos, self.y], [0.0, 0.0, 1.0]])

    def corners(self, size: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the corners of a card of a size (width, height in mm) that lies there, in table mm, (4, 2).

        They go clockwise from its own upper left.
        """
        half = size / 2
        flat = np.array([(-half[0], -half[1]), (half[0], -half[1]), (half[0], half[1]), (-half[0], half[1])])
        return np.asarray(np.c_[flat, np.ones(4)] @ self.to_table[:2].T, np.float64)


@dataclass(frozen=True, slots=True)
class Guess:
    """A card, by its number in an index, and where it may lie."""

    card: int
    place: Place


@dataclass(frozen=True, eq=False)
class Ballot:
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
    def of(cls, seen: Features, matches: NDArray[np.int64], index: CardIndex, region: Region) -> Ballot:
        """Collect the votes of pairs of features: rows (seen, enrolled, distance)."""
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
        weight = 1.0 - matches[:, 2] / (2.0 * MOST_DISTANCE)
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

    def guess(self, cell: int) -> Guess | None:
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
        return Guess(card, _fit(self.here[agreeing], self.there[agreeing], middle, direction))


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


def near(one: Place, other: Place) -> bool:
    """Tell whether two cards would lie on the same spot."""
    return math.hypot(one.x - other.x, one.y - other.y) < 30.0
