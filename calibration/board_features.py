"""Find a personal board in a picture of any camera: local features agree on where it lies and how it is turned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.personal_boards import BOARD_PX_PER_MM, EnrolledBoard
from calibration.plane import Image

Matrix = NDArray[np.float64]

_LONG_SIDE_PX, _SHORTER_PX = 1100, 800
"""A picture is searched at this size: boards that a phone is held over are large in it. The shorter one takes half
the time, and nearly always does."""
_SURE_INLIERS = 24
"""A board on which so many features agree is seen well enough."""
_THREADS = 2
_SCALES = (1.0, 2.5)
"""Boards are learned at these scales, px/mm: small things of a far one are not the small things of a near one."""
_FEATURES_OF_BOARD, _FEATURES_OF_PICTURE = 350, 1600
_RIM_PX, _RIM_GREY = 24, 120
_MOST_DISTANCE = 260.0
_CELL, _CELL_DEG, _CELL_LOG_SCALE = 0.25, 25.0, 0.35
"""Votes agree within this: of a board's width aside, in degrees, in natural logarithms of scale."""
_TRIES, _LEAST_VOTES, _LEAST_INLIERS = 4, 8, 12
_NEAR_PX = 4.0
_LEAST_PX_PER_MM = 0.45
_MOST_SKEW = 2.6
"""How many times larger one part of a board may be than another: a camera leans 45 degrees at most."""


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """A board in a picture: index of the likeliest enrolled one, homography board mm → px, features that agree."""

    board: int
    homography: Matrix
    agreeing: int


@dataclass(frozen=True, eq=False)
class BoardFinder:
    """Features of all boards together: where in mm, scale (mm) and direction (degrees) of each, whose it is."""

    boards: tuple[EnrolledBoard, ...]
    descriptors: NDArray[np.float32]
    points: NDArray[np.float64]
    sizes: NDArray[np.float64]
    angles: NDArray[np.float64]
    owners: NDArray[np.int64]

    @classmethod
    def of(cls, boards: Sequence[EnrolledBoard]) -> BoardFinder:
        """Learn boards; there must be one at least."""
        descriptors, points, sizes, angles, owners = [], [], [], [], []
        every = [(number, board, scale) for number, board in enumerate(boards) for scale in _SCALES]
        with ThreadPoolExecutor(_THREADS) as pool:
            found = pool.map(lambda one: _board_features(one[1], one[2]), every)
            for (number, board, scale), (keypoints, described) in zip(every, found, strict=True):
                back = np.linalg.inv(board.layout.to_pixels(scale))
                pixels = np.array([keypoint.pt for keypoint in keypoints]) - _RIM_PX
                descriptors.append(described)
                points.append(pixels @ back[:2, :2].T + back[:2, 2])
                sizes.append(np.array([keypoint.size for keypoint in keypoints]) / scale)
                angles.append(np.array([keypoint.angle for keypoint in keypoints]))
                owners.append(np.full(len(keypoints), number, np.int64))
        return cls(
            tuple(boards), np.concatenate(descriptors), np.concatenate(points), np.concatenate(sizes),
            np.concatenate(angles), np.concatenate(owners),
        )  # fmt: skip

    def find(self, image: Image, *, quickly: bool = False) -> FoundBoard | None:
        """Find the board that is seen best in a BGR picture; None where none is.

        quickly: look closely only where nothing is seen well at a glance.
        """
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        if quickly:
            found = self._found(grey, _SHORTER_PX)
            if found is not None and found.agreeing >= _SURE_INLIERS:
                return found
        return self._found(grey, _LONG_SIDE_PX)

    def _found(self, grey: Image, long_side: int) -> FoundBoard | None:
        shrink = min(1.0, long_side / max(grey.shape))
        small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
        keypoints, described = _sift(_FEATURES_OF_PICTURE).detectAndCompute(small, None)
        if described is None or len(keypoints) < _LEAST_INLIERS:
            return None
        nearest, squared = self._nearest(np.asarray(described, np.float32))
        close = np.flatnonzero(squared < _MOST_DISTANCE**2)
        matches = nearest[close]
        seen = [keypoints[int(number)] for number in close]
        best: FoundBoard | None = None
        for rows in self._groups(seen, matches):
            here = np.array([seen[row].pt for row in rows])
            found = self._fitted(here, matches[rows])
            if found is not None and (best is None or found.agreeing > best.agreeing):
                best = found
        if best is None:
            return None
        grown = np.array([[1 / shrink, 0, 0.5 / shrink - 0.5], [0, 1 / shrink, 0.5 / shrink - 0.5], [0, 0, 1.0]])
        homography = grown @ best.homography
        if not plausible(homography, self.boards[best.board]):
            return None
        return FoundBoard(best.board, homography, best.agreeing)

    def _nearest(self, described: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Give the learned feature nearest to each descriptor (n, 128), and its distance squared, (n,) each."""
        # Descriptors are whole numbers to 255: this product of floats is exact, and faster than single differences.
        away = described @ (-2 * self.descriptors.T)
        away += np.square(self.descriptors).sum(axis=1)
        nearest = away.argmin(axis=1)
        return nearest, away[np.arange(len(away)), nearest] + np.square(described).sum(axis=1)

    def _groups(self, seen: Sequence[Any], matches: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Gather matches that agree on a board's centre, turn and scale, the largest gatherings first."""
        if len(matches) < _LEAST_VOTES:
            return []
        here = np.array([keypoint.pt for keypoint in seen])
        scale = np.array([keypoint.size for keypoint in seen]) / self.sizes[matches]
        turn = np.radians(np.array([keypoint.angle for keypoint in seen]) - self.angles[matches])
        there = self.points[matches] * (1.0, -1.0)
        cos, sin = np.cos(turn), np.sin(turn)
        rotated = np.stack([cos * there[:, 0] - sin * there[:, 1], sin * there[:, 0] + cos * there[:, 1]], axis=1)
        centre = here - scale[:, None] * rotated
        width = np.array([self.boards[int(owner)].layout.size_mm[0] for owner in self.owners[matches]])
        level = np.log(scale)
        near = np.abs(level[:, None] - level) < _CELL_LOG_SCALE
        near &= np.abs((np.degrees(turn[:, None] - turn) + 180) % 360 - 180) < _CELL_DEG
        reach = (_CELL * width * scale)[:, None]
        near &= (np.abs(centre[:, None, 0] - centre[:, 0]) < reach) & (
            np.abs(centre[:, None, 1] - centre[:, 1]) < reach
        )
        groups: list[NDArray[np.int64]] = []
        left = np.ones(len(matches), bool)
        for _ in range(_TRIES):
            votes = (near & left).sum(axis=1) * left
            row = int(votes.argmax())
            if votes[row] < _LEAST_VOTES:
                break
            best = np.flatnonzero(near[row] & left)
            groups.append(best)
            left[best] = False
        return groups

    def _fitted(self, here: NDArray[np.float64], matches: NDArray[np.int64]) -> FoundBoard | None:
        there = self.points[matches]
        homography, inside = cv2.findHomography(
            there.astype(np.float32), here.astype(np.float32), cv2.RANSAC, _NEAR_PX, maxIters=1000
        )
        if homography is None or inside is None:
            return None
        rows = np.flatnonzero(np.asarray(inside).ravel())
        # The same spot may be matched by features of several boards: only different places count.
        places = len(np.unique(np.round(here[rows] / 3.0), axis=0))
        if places < _LEAST_INLIERS:
            return None
        owners = np.bincount(self.owners[matches[rows]], minlength=len(self.boards))
        return FoundBoard(int(owners.argmax()), np.asarray(homography, np.float64), places)


def plausible(homography: Matrix, board: EnrolledBoard) -> bool:
    """Tell whether a camera over a table can give a homography (board mm → px): convex, not mirrored."""
    corners = np.c_[board.layout.corners, np.ones(4)] @ homography.T
    if (corners[:, 2] * np.sign(corners[0, 2]) <= 1e-9).any():
        return False
    quad = corners[:, :2] / corners[:, 2:]
    sides = np.roll(quad, -1, axis=0) - quad
    turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    if not np.isfinite(quad).all() or (turns <= 0).any():
        return False
    lengths = np.linalg.norm(sides, axis=1) / np.asarray([board.layout.size_mm[k % 2] for k in range(4)])
    scale = math.sqrt(float(np.prod(lengths)) ** 0.5)
    return bool(scale >= _LEAST_PX_PER_MM and lengths.max() / lengths.min() < _MOST_SKEW)


def _sift(count: int) -> cv2.SIFT:
    return cv2.SIFT.create(nfeatures=count)


def _board_features(board: EnrolledBoard, scale: float) -> tuple[Sequence[Any], NDArray[np.float32]]:
    soft = cv2.GaussianBlur(board.grey, (0, 0), 0.4 * BOARD_PX_PER_MM / scale)
    small = cv2.resize(soft, board.layout.pixels(scale), interpolation=cv2.INTER_AREA)
    rim = (_RIM_PX,) * 4
    framed = cv2.copyMakeBorder(small, *rim, cv2.BORDER_CONSTANT, value=_RIM_GREY)
    keypoints, described = _sift(_FEATURES_OF_BOARD).detectAndCompute(framed, None)
    return keypoints, np.zeros((0, 128), np.float32) if described is None else np.asarray(described, np.float32)
