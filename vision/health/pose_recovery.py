"""Recover the camera pose after the camera was moved, from pictures of the table before and after."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.plane import TablePlane
from vision.cameras.frame import Image
from vision.health.change_from_table_at_rest import Matrix, track_points

_MIN_POINTS = 40
"""Minimum number of points that agree on one movement."""
_MIN_SHARE = 0.3
"""Minimum share of points that agree on one movement."""
_MAX_ERROR_PX = 1.2
"""Maximum root mean square reprojection error of an accepted pose, px at a width of 1280 px."""
_RANSAC_PX = 2.0
"""Reprojection threshold of RANSAC, px at a width of 1280 px."""
_MIN_SPREAD = 0.18
"""Minimum standard deviation of the agreeing points, as a share of the picture's width and height: a plane fitted
to one corner of the table is wrong in the others."""
_MAX_ROTATION_DEG = 40.0
"""Maximum rotation of the picture by a nudge, degrees."""
_MAX_SCALE = 1.4
"""Maximum factor of scale by a nudge; the minimum is its inverse."""


@dataclass(frozen=True, eq=False)
class Refound:
    """Camera pose recovered after the camera was moved."""

    plane: TablePlane
    """Table plane in the new pose."""
    movement: Matrix
    """Homography from the picture of calibration to the new one, 3×3, px to px."""
    error_px: float
    """Root mean square reprojection error, px."""
    points: int
    """Number of points that support the pose."""


def recover_pose(
    plane: TablePlane, known: Image, now: Image, rough: Matrix | None = None, since: Matrix | None = None
) -> Refound | None:
    """Return the pose of a camera after it was moved; None if it would not be reliable.

    plane: calibrated table plane. known, now: BGR pictures of the table at rest, before and after the movement, of
    the plane's size. rough: approximate homography from `known` to `now`, 3×3 px to px; None: it is estimated.
    since: homography from the picture in which `plane` was calibrated to `known`; None if the camera had not moved
    between them.
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
    followed = _tracked(one, other, rough)
    if followed is None:
        return None
    was, is_now = followed
    off_px = _RANSAC_PX * now.shape[1] / 1280.0
    homography, kept = cv2.findHomography(was, is_now, cv2.RANSAC, off_px)
    if homography is None:
        return None
    movement = np.asarray(homography, np.float64)
    if not _is_plausible_movement(movement, now.shape):
        return None
    agree = kept.reshape(-1) == 1
    spread = was[agree].std(axis=0) / (now.shape[1], now.shape[0]) if agree.any() else np.zeros(2)
    if agree.sum() < max(_MIN_POINTS, _MIN_SHARE * len(was)) or spread.min() < _MIN_SPREAD:
        return None
    before = np.eye(3) if since is None else since
    first = np.asarray(cv2.perspectiveTransform(was[agree][None], np.linalg.inv(before))[0], np.float64)
    return _solve_pose(plane, first, is_now[agree], movement @ before)


def _solve_pose(plane: TablePlane, was: Matrix, is_now: Matrix, movement: Matrix) -> Refound | None:
    """Return the pose in which the table's points project to their current pixels; None if it is not reliable.

    was, is_now: px of the same points at calibration and now, (n, 2). movement: homography from calibration to now,
    to store in the result.
    """
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
    if not error < _MAX_ERROR_PX * plane.image_size[0] / 1280.0:
        return None
    return Refound(moved, movement, error, int(seen.sum()))


def _tracked(one: Image, other: Image, rough: Matrix) -> tuple[Matrix, Matrix] | None:
    """Track corners from one grey picture to another; return their positions (n, 2) in `one` and in `other`.

    Only corners that return when tracked back are kept; None if there are too few. rough: approximate homography
    from `one` to `other`.
    """
    distance = one.shape[1] / 80.0
    corners = cv2.goodFeaturesToTrack(one, 600, 0.01, distance, blockSize=7)
    if corners is None or len(corners) < _MIN_POINTS:
        return None
    points = np.asarray(corners, np.float32)
    guess = np.asarray(cv2.perspectiveTransform(points, rough), np.float32)
    there, kept = track_points(one, other, points, 25, 2, guess)
    if kept.sum() < _MIN_POINTS:
        return None
    return points.reshape(-1, 2)[kept].astype(np.float64), there.reshape(-1, 2)[kept].astype(np.float64)


def _matched(one: Image, other: Image) -> Matrix | None:
    """Return the homography from `one` to `other` (grey pictures) by ORB features; None if too few match."""
    finder = cv2.ORB.create(nfeatures=2000)
    points, marks = finder.detectAndCompute(one, None)
    points_now, marks_now = finder.detectAndCompute(other, None)
    if marks is None or marks_now is None or min(len(marks), len(marks_now)) < _MIN_POINTS:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(marks, marks_now, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < 0.8 * pair[1].distance]
    if len(good) < _MIN_POINTS:
        return None
    was = np.array([points[match.queryIdx].pt for match in good])
    is_now = np.array([points_now[match.trainIdx].pt for match in good])
    movement, kept = cv2.findHomography(was, is_now, cv2.RANSAC, 4.0)
    if movement is None or kept.sum() < _MIN_POINTS:
        return None
    return np.asarray(movement, np.float64)


def _is_plausible_movement(movement: Matrix, shape: tuple[int, ...]) -> bool:
    """Return whether a homography is plausible for a nudged camera: not mirrored, limited in rotation and scale.

    shape: of the picture, height and width first.
    """
    height, width = shape[:2]
    corners = np.array([[[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]])
    there = cv2.perspectiveTransform(corners, movement)[0]
    if not np.isfinite(there).all() or not cv2.isContourConvex(there.astype(np.float32)):
        return False
    area = cv2.contourArea(there.astype(np.float32), oriented=True) / (width * height)
    right = there[1] - there[0] + there[2] - there[3]
    turn = abs(float(np.degrees(np.arctan2(right[1], right[0]))))
    return bool(1 / _MAX_SCALE**2 < area < _MAX_SCALE**2 and turn < _MAX_ROTATION_DEG)


def _grey(image: Image) -> Image:
    """Return a BGR picture in grey with equalised local contrast."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    # Equalise the contrast, so that a change of light does not matter.
    return np.asarray(cv2.createCLAHE(2.0, (8, 8)).apply(grey), np.uint8)
