"""Find the table plane again after the camera was moved, from the table itself: as it was seen and as it is now."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.plane import TablePlane
from vision.cameras.frame import Image
from vision.health.still import Matrix, follow

_FEWEST = 40
_SHARE = 0.3
"""So many of the points, and this share of them, must agree about one movement."""
_MOST_ERROR_PX = 1.2
"""Root mean square of the points' reprojection error with which a plane is believed, at 1280 px of width."""
_OFF_PX = 2.0
_LEAST_SPREAD = 0.18
"""Share of the picture's width and height that the agreeing points' standard deviation must reach: a plane that is
found from one corner of the table is wrong in the others."""
_MOST_TURN_DEG = 40.0
_MOST_SCALE = 1.4


@dataclass(frozen=True, eq=False)
class Refound:
    """Where the camera is now: its plane, how the picture moved (3×3, px to px), and how well points agree (px)."""

    plane: TablePlane
    movement: Matrix
    error_px: float
    points: int


def refind(
    plane: TablePlane, known: Image, now: Image, rough: Matrix | None = None, since: Matrix | None = None
) -> Refound | None:
    """Find the plane of a moved camera, or None where that would not be safe.

    known: the table as it was; now: the table at rest now, both BGR of the plane's size. rough: about how the
    picture moved from one to the other, 3×3 px to px, where that is known. since: how the known picture had moved
    already since `plane` was true.
    """
    if known.shape != now.shape or plane.flat_px_per_mm is not None:
        return None
    if plane.image_size != (now.shape[1], now.shape[0]):
        return None
    one, other = _grey(known), _grey(now)
    if rough is None:
        rough = _matched(one, other)
    if rough is None:
        return None
    followed = _followed(one, other, rough)
    if followed is None:
        return None
    was, is_now = followed
    off_px = _OFF_PX * now.shape[1] / 1280.0
    homography, kept = cv2.findHomography(was, is_now, cv2.RANSAC, off_px)
    if homography is None:
        return None
    movement = np.asarray(homography, np.float64)
    if not _is_a_movement(movement, now.shape):
        return None
    agree = kept.reshape(-1) == 1
    spread = was[agree].std(axis=0) / (now.shape[1], now.shape[0]) if agree.any() else np.zeros(2)
    if agree.sum() < max(_FEWEST, _SHARE * len(was)) or spread.min() < _LEAST_SPREAD:
        return None
    before = np.eye(3) if since is None else since
    first = np.asarray(cv2.perspectiveTransform(was[agree][None], np.linalg.inv(before))[0], np.float64)
    return _placed(plane, first, is_now[agree], movement @ before)


def _placed(plane: TablePlane, was: Matrix, is_now: Matrix, movement: Matrix) -> Refound | None:
    """Place the camera so that the table's points are seen where they are now."""
    on_table = plane.to_table(was)
    seen = np.isfinite(on_table).all(axis=1)
    world = np.c_[on_table[seen], np.zeros(int(seen.sum()))]
    lens = np.array(plane.distortion) if plane.distortion else None
    done, turn, shift = cv2.solvePnP(
        world,
        is_now[seen],
        plane.camera_matrix,
        lens,
        np.array(plane.rotation).reshape(3, 1),
        np.array(plane.translation).reshape(3, 1),
        useExtrinsicGuess=True,
    )
    if not done:
        return None
    turn, shift = turn.reshape(3), shift.reshape(3)
    try:
        moved = replace(
            plane,
            rotation=(float(turn[0]), float(turn[1]), float(turn[2])),
            translation=(float(shift[0]), float(shift[1]), float(shift[2])),
        )
    except ValueError:
        return None
    off = moved.to_image(on_table[seen]) - is_now[seen]
    error = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
    if not error < _MOST_ERROR_PX * plane.image_size[0] / 1280.0:
        return None
    return Refound(moved, movement, error, int(seen.sum()))


def _followed(one: Image, other: Image, rough: Matrix) -> tuple[Matrix, Matrix] | None:
    """Follow corners from one grey picture to the other, and back again to see which were followed rightly."""
    distance = one.shape[1] / 80.0
    corners = cv2.goodFeaturesToTrack(one, 600, 0.01, distance, blockSize=7)
    if corners is None or len(corners) < _FEWEST:
        return None
    points = np.asarray(corners, np.float32)
    guess = np.asarray(cv2.perspectiveTransform(points, rough), np.float32)
    there, kept = follow(one, other, points, 25, 2, guess)
    if kept.sum() < _FEWEST:
        return None
    return points.reshape(-1, 2)[kept].astype(np.float64), there.reshape(-1, 2)[kept].astype(np.float64)


def _matched(one: Image, other: Image) -> Matrix | None:
    """Match what is seen in both grey pictures, wherever it went."""
    finder = cv2.ORB.create(nfeatures=2000)
    points, marks = finder.detectAndCompute(one, None)
    points_now, marks_now = finder.detectAndCompute(other, None)
    if marks is None or marks_now is None or min(len(marks), len(marks_now)) < _FEWEST:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, marks_now, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
    if len(good) < _FEWEST:
        return None
    was = np.array([points[match.queryIdx].pt for match in good])
    is_now = np.array([points_now[match.trainIdx].pt for match in good])
    movement, kept = cv2.findHomography(was, is_now, cv2.RANSAC, 4.0)
    if movement is None or kept.sum() < _FEWEST:
        return None
    return np.asarray(movement, np.float64)


def _is_a_movement(movement: Matrix, shape: tuple[int, ...]) -> bool:
    """Tell whether a homography is what a nudged camera makes: no mirror, no large turn or change of scale."""
    height, width = shape[:2]
    corners = np.array([[[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]])
    there = cv2.perspectiveTransform(corners, movement)[0]
    if not np.isfinite(there).all() or not cv2.isContourConvex(there.astype(np.float32)):
        return False
    area = cv2.contourArea(there.astype(np.float32), oriented=True) / (width * height)
    right = there[1] - there[0] + there[2] - there[3]
    turn = abs(float(np.degrees(np.arctan2(right[1], right[0]))))
    return bool(1 / _MOST_SCALE**2 < area < _MOST_SCALE**2 and turn < _MOST_TURN_DEG)


def _grey(image: Image) -> Image:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    # The same table in another light is the same table.
    return np.asarray(cv2.createCLAHE(2.0, (8, 8)).apply(grey), np.uint8)
