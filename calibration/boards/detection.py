"""Detect an enrolled personal board in a picture of any camera by SIFT features, pose voting and RANSAC."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.enrolled_board import BOARD_PX_PER_MM, EnrolledBoard
from calibration.plane import Image

Matrix = NDArray[np.float64]

_FULL_SIDE_PX = 1100
"""Longer side of a picture in the full search, px; boards photographed by phone are large in it."""
_QUICK_SIDE_PX = 800
"""Longer side of a picture in the quick search, px: half the time, and nearly always sufficient."""
_MIN_SURE_INLIERS = 24
"""Inlier features from which the quick search's result is accepted."""
_THREADS = 2
"""Threads that compute the features of the enrolled boards."""
_SCALES_PX_PER_MM = (1.0, 2.5)
"""Scales at which features of enrolled boards are computed, px/mm: distant boards show other features than near
ones."""
_FEATURES_OF_BOARD = 350
"""Features per enrolled board and scale."""
_FEATURES_OF_PICTURE = 1600
"""Features per searched picture."""
_RIM_PX = 24
"""Width of the plain border round an enrolled board, px."""
_RIM_GREY = 120
"""Grey level of that border, 0..255."""
_MAX_DESCRIPTOR_DISTANCE = 260.0
"""Largest Euclidean distance of matching SIFT descriptors."""
_CENTRE_TOLERANCE = 0.25
"""Votes agree on a board's centre within this fraction of its width."""
_ROTATION_TOLERANCE_DEG = 25.0
"""Votes agree on its rotation within this, degrees."""
_LOG_SCALE_TOLERANCE = 0.35
"""Votes agree on its scale within this, natural logarithm."""
_MAX_GROUPS = 4
"""Groups of agreeing votes for which a homography is fitted."""
_MIN_VOTES = 8
"""Fewest votes of a group."""
_MIN_INLIERS = 12
"""Fewest RANSAC inliers of a detected board."""
_RANSAC_TOLERANCE_PX = 4.0
"""RANSAC inlier distance, px of the searched picture."""
_MIN_PX_PER_MM = 0.45
"""Smallest scale of a detected board, px/mm."""
_MAX_SCALE_RATIO = 2.6
"""Largest ratio of the scales of two sides: a camera is tilted by 45 degrees at most."""


@dataclass(frozen=True, eq=False)
class FoundBoard:
    """Detected board."""

    board: int
    """Index of the most likely enrolled board."""
    homography: Matrix
    """3×3, board mm → px."""
    agreeing: int
    """Number of distinct inlier positions."""


@dataclass(frozen=True, eq=False)
class BoardFinder:
    """SIFT features of several enrolled boards, searched together: one array row per feature."""

    boards: tuple[EnrolledBoard, ...]
    """The boards, in the order of `owners`."""
    descriptors: NDArray[np.float32]
    """SIFT descriptors, (n, 128)."""
    points: NDArray[np.float64]
    """Positions on the board, (n, 2) mm."""
    sizes: NDArray[np.float64]
    """Diameters of the described neighbourhoods, mm."""
    angles: NDArray[np.float64]
    """Orientations, degrees as OpenCV defines them."""
    owners: NDArray[np.int64]
    """Index of each feature's board."""

    @classmethod
    def of(cls, boards: Sequence[EnrolledBoard]) -> BoardFinder:
        """Compute the SIFT features of these boards, at least one."""
        descriptors, points, sizes, angles, owners = [], [], [], [], []
        every = [(number, board, scale) for number, board in enumerate(boards) for scale in _SCALES_PX_PER_MM]
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
            tuple(boards),
            np.concatenate(descriptors),
            np.concatenate(points),
            np.concatenate(sizes),
            np.concatenate(angles),
            np.concatenate(owners),
        )

    def find(self, image: Image, *, quickly: bool = False) -> FoundBoard | None:
        """Return the most strongly matched board in a BGR picture; None where there is none.

        quickly: search a small copy of the picture first, and a larger one only where the small one has no certain
        result.
        """
        grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        if quickly:
            found = self._find_at_size(grey, _QUICK_SIDE_PX)
            if found is not None and found.agreeing >= _MIN_SURE_INLIERS:
                return found
        return self._find_at_size(grey, _FULL_SIDE_PX)

    def _find_at_size(self, grey: Image, long_side: int) -> FoundBoard | None:
        """Return the best-matched board in a grey picture reduced to this longer side, px; None without one.

        The result's homography refers to the picture before it is reduced.
        """
        shrink = min(1.0, long_side / max(grey.shape))
        small = cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else grey
        keypoints, described = _sift(_FEATURES_OF_PICTURE).detectAndCompute(small, None)
        if described is None or len(keypoints) < _MIN_INLIERS:
            return None
        nearest, squared = self._nearest(np.asarray(described, np.float32))
        close = np.flatnonzero(squared < _MAX_DESCRIPTOR_DISTANCE**2)
        matches = nearest[close]
        seen = [keypoints[int(number)] for number in close]
        best: FoundBoard | None = None
        for rows in self._groups(seen, matches):
            here = np.array([seen[row].pt for row in rows])
            found = self._fit_board(here, matches[rows])
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
        """Return the index of the enrolled feature nearest to each descriptor, and its squared distance.

        described: (n, 128). Both results: (n,).
        """
        # Descriptors are whole numbers to 255: this product of floats is exact, and faster than single differences.
        away = described @ (-2 * self.descriptors.T)
        away += np.square(self.descriptors).sum(axis=1)
        nearest = away.argmin(axis=1)
        return nearest, away[np.arange(len(away)), nearest] + np.square(described).sum(axis=1)

    def _groups(self, seen: Sequence[Any], matches: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return groups of matches that agree on a board's centre, rotation and scale, largest first.

        seen: matched keypoints of the picture; matches: index of each one's enrolled feature. A group is an array
        of indices into both.
        """
        if len(matches) < _MIN_VOTES:
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
        near = np.abs(level[:, None] - level) < _LOG_SCALE_TOLERANCE
        near &= np.abs((np.degrees(turn[:, None] - turn) + 180) % 360 - 180) < _ROTATION_TOLERANCE_DEG
        reach = (_CENTRE_TOLERANCE * width * scale)[:, None]
        near &= (np.abs(centre[:, None, 0] - centre[:, 0]) < reach) & (
            np.abs(centre[:, None, 1] - centre[:, 1]) < reach
        )
        groups: list[NDArray[np.int64]] = []
        left = np.ones(len(matches), bool)
        for _ in range(_MAX_GROUPS):
            votes = (near & left).sum(axis=1) * left
            row = int(votes.argmax())
            if votes[row] < _MIN_VOTES:
                break
            best = np.flatnonzero(near[row] & left)
            groups.append(best)
            left[best] = False
        return groups

    def _fit_board(self, here: NDArray[np.float64], matches: NDArray[np.int64]) -> FoundBoard | None:
        """Fit a homography to matches by RANSAC and return it with the board that owns most inliers.

        None with too few inliers. here: positions in the picture, (n, 2) px; matches: index of the enrolled feature
        of each.
        """
        there = self.points[matches]
        homography, inside = cv2.findHomography(
            there.astype(np.float32), here.astype(np.float32), cv2.RANSAC, _RANSAC_TOLERANCE_PX, maxIters=1000
        )
        if homography is None or inside is None:
            return None
        rows = np.flatnonzero(np.asarray(inside).ravel())
        # The same spot may be matched by features of several boards: only different places count.
        places = len(np.unique(np.round(here[rows] / 3.0), axis=0))
        if places < _MIN_INLIERS:
            return None
        owners = np.bincount(self.owners[matches[rows]], minlength=len(self.boards))
        return FoundBoard(int(owners.argmax()), np.asarray(homography, np.float64), places)


def plausible(homography: Matrix, board: EnrolledBoard) -> bool:
    """Return whether a homography (board mm → px) may belong to a camera above the table.

    The board must not be mirrored, folded, very small or very oblique.
    """
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
    return bool(scale >= _MIN_PX_PER_MM and lengths.max() / lengths.min() < _MAX_SCALE_RATIO)


def _sift(count: int) -> cv2.SIFT:
    return cv2.SIFT.create(nfeatures=count)


def _board_features(board: EnrolledBoard, scale: float) -> tuple[Sequence[Any], NDArray[np.float32]]:
    """Return the keypoints and SIFT descriptors of a board's picture at a scale, px/mm.

    The keypoints' pixels include the plain border that is added round the board.
    """
    soft = cv2.GaussianBlur(board.grey, (0, 0), 0.4 * BOARD_PX_PER_MM / scale)
    small = cv2.resize(soft, board.layout.pixels(scale), interpolation=cv2.INTER_AREA)
    rim = (_RIM_PX,) * 4
    framed = cv2.copyMakeBorder(small, *rim, cv2.BORDER_CONSTANT, value=_RIM_GREY)
    keypoints, described = _sift(_FEATURES_OF_BOARD).detectAndCompute(framed, None)
    return keypoints, np.zeros((0, 128), np.float32) if described is None else np.asarray(described, np.float32)
