"""Generalised Hough transform: pairs of matching local features vote for the pose of an enrolled card."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Region
from vision.cards.search_index import PX_PER_MM, CardIndex, Features

MAX_DISTANCE = 72
"""Maximum Hamming distance (of 256 bits) of two features that match."""
_MIN_VOTES = 4
"""Minimum number of distinct features that agree on a pose."""
_CELL_MM = 10.0
"""Side of a cell of the accumulator in position, mm."""
_CELL_DEG = 20.0
"""Side of a cell of the accumulator in orientation, degrees."""
_MIN_TOTAL = 1.6
"""Minimum sum of weights of a cell."""
_MAX_CELLS = 300
"""Maximum number of cells examined, strongest first."""


@dataclass(frozen=True, slots=True)
class CardPose:
    """Pose of a card on the table."""

    x: float
    """Centre, table mm."""
    y: float
    """Centre, table mm."""
    angle: float
    """Orientation, degrees clockwise; 0: its upper edge towards +y."""

    def moved(self, right: float, down: float, turn: float) -> CardPose:
        """Return the pose displaced in the card's own frame by mm right, mm down, and degrees clockwise."""
        x, y, _ = (self.to_table @ (right, down, 1.0)).tolist()
        return CardPose(x, y, self.angle + turn)

    @property
    def to_table(self) -> NDArray[np.float64]:
        """The 3×3 matrix from mm relative to the card's centre (+x right, +y down) to table mm."""
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return np.array([[cos, -sin, self.x], [-sin, -cos, self.y], [0.0, 0.0, 1.0]])

    def corners(self, size: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the corners of a card of this size (width, height in mm) in table mm, (4, 2).

        Clockwise from its own top left.
        """
        half = size / 2
        flat = np.array([(-half[0], -half[1]), (half[0], -half[1]), (half[0], half[1]), (-half[0], half[1])])
        return np.asarray(np.c_[flat, np.ones(4)] @ self.to_table[:2].T, np.float64)


@dataclass(frozen=True, slots=True)
class Guess:
    """A hypothesis: an enrolled card and its pose."""

    card: int
    """Index of the card in `CardIndex.cards`."""
    place: CardPose
    """Approximate pose."""


@dataclass(frozen=True, eq=False)
class Ballot:
    """Accumulator of votes: each pair of features, one of the picture and one enrolled, votes for a card's pose.

    A cell of the accumulator collects the votes for one card with similar positions and orientations.
    """

    owner: NDArray[np.int64]
    """Index of the card that each pair votes for."""
    seen: NDArray[np.int64]
    """Index of the picture's feature in each pair."""
    weight: NDArray[np.float64]
    """Weight of each pair."""
    here: NDArray[np.float64]
    """Position of the picture's feature, table mm, (pairs, 2)."""
    there: NDArray[np.float64]
    """Position of the enrolled feature on its card, mm from the centre, (pairs, 2)."""
    centre: NDArray[np.float64]
    """Centre of the card that the pair votes for, table mm."""
    turn: NDArray[np.float64]
    """Orientation that the pair votes for, degrees."""
    cell: NDArray[np.int64]
    """Index of the cell of each pair."""
    first: NDArray[np.int64]
    """Index of the first pair of each cell."""
    totals: NDArray[np.float64]
    """Sum of weights of each cell."""

    @classmethod
    def of(cls, seen: Features, matches: NDArray[np.int64], index: CardIndex, region: Region) -> Ballot:
        """Compute the votes of matched features.

        seen: features of the picture. matches: rows (index in `seen`, index of the enrolled feature, Hamming
        distance). region: searched part of the table, mm.
        """
        here = region.to_mm(seen.points[matches[:, 0]], PX_PER_MM)
        there = index.features.points[matches[:, 1]]
        owner = index.owners[matches[:, 1]]
        turn = (seen.angles[matches[:, 0]] - index.features.angles[matches[:, 1]]) % 360.0
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        # Card coordinates run right and down, the table's right and up; rotations are clockwise.
        right = there[:, 0] * cos - there[:, 1] * sin
        down = there[:, 0] * sin + there[:, 1] * cos
        centre = here - np.stack([right, -down], axis=1)
        places = np.floor(np.column_stack([centre / _CELL_MM, turn / _CELL_DEG])).astype(np.int64) + 4096
        keys = ((owner * 8192 + places[:, 0]) * 8192 + places[:, 1]) * 8192 + places[:, 2]
        _, first, cell = np.unique(keys, return_index=True, return_inverse=True)
        weight = 1.0 - matches[:, 2] / (2.0 * MAX_DISTANCE)
        totals = np.bincount(cell, weights=weight, minlength=len(first)).astype(np.float64)
        return cls(owner, matches[:, 0], weight, here, there, centre, turn, cell, first, totals)

    def cells(self) -> list[int]:
        """Return the indices of the cells with the most votes, strongest first."""
        order = np.argsort(-self.totals)[:_MAX_CELLS]
        return [int(cell) for cell in order if self.totals[cell] >= _MIN_TOTAL]

    def rough_pose(self, cell: int) -> CardPose:
        """Return the pose that the first pair of a cell votes for."""
        first = self.first[cell]
        return CardPose(float(self.centre[first, 0]), float(self.centre[first, 1]), float(self.turn[first]))

    def guess(self, cell: int) -> Guess | None:
        """Return the card and pose that a cell and its neighbours vote for; None if too few features agree."""
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
        if len(np.unique(self.seen[agreeing])) < _MIN_VOTES:
            return None
        return Guess(card, _fitted_pose(self.here[agreeing], self.there[agreeing], middle, direction))


def _fitted_pose(
    here: NDArray[np.float64], there: NDArray[np.float64], middle: NDArray[np.float64], direction: float
) -> CardPose:
    """Return the pose of a card that fits its points to the table's best (least squares).

    here: points of the picture, table mm, (n, 2). there: the same points, mm right and down from the card's centre.
    middle, direction: centre and orientation that are returned where the points span too little.
    """
    down_up = there * (1.0, -1.0)
    mean_there, mean_here = down_up.mean(axis=0), here.mean(axis=0)
    a, b = down_up - mean_there, here - mean_here
    if np.sqrt((a**2).sum(axis=1).mean()) < 8.0:
        return CardPose(float(middle[0]), float(middle[1]), direction)
    counter_clockwise = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    cos, sin = math.cos(counter_clockwise), math.sin(counter_clockwise)
    x = mean_here[0] - (cos * mean_there[0] - sin * mean_there[1])
    y = mean_here[1] - (sin * mean_there[0] + cos * mean_there[1])
    return CardPose(float(x), float(y), -math.degrees(counter_clockwise) % 360.0)


def _mean_angle(degrees: NDArray[np.float64]) -> float:
    """Return the circular mean of angles, degrees."""
    radians = np.radians(degrees)
    return math.degrees(math.atan2(float(np.sin(radians).mean()), float(np.cos(radians).mean()))) % 360.0


def are_near(one: CardPose, other: CardPose) -> bool:
    """Return whether the centres of two poses are less than 30 mm apart, so that they may be of one card."""
    return math.hypot(one.x - other.x, one.y - other.y) < 30.0
