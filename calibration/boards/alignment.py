"""Register an enrolled board in a picture by template matching of its print and a robust homography."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.detection import Matrix, plausible
from calibration.boards.enrolled_board import BOARD_PX_PER_MM, BoardLayout, EnrolledBoard
from calibration.plane import Image

PX_PER_MM = 1.5
"""Scale at which boards are rectified and compared."""

_PATCH_PX = 15
"""Side of a template patch of print, px at PX_PER_MM."""
_SEARCH_RADII_PX = (9, 4)
"""Search radius for each patch in the first and second iteration, px at PX_PER_MM."""
_MAX_ANCHORS = 56
"""Largest number of template patches of a board."""
_MIN_ANCHORS = 8
"""Fewest matched patches from which a homography is fitted."""
_MIN_ANCHOR_SPACING_MM = 9.0
"""Smallest distance between patches, mm."""
_MIN_CORRELATION = 0.55
"""Normalised cross-correlation from which a patch counts as matched."""
_RANSAC_TOLERANCE_PX = 1.6
"""RANSAC inlier distance, px at PX_PER_MM."""
_MIN_INLIER_FRACTION = 0.35
"""Fraction of visible patches that must be inliers."""
_BLUR_PX = 0.55
"""Standard deviation of a typical picture's blur, in its own pixels."""


@dataclass(frozen=True, eq=False)
class AlignedBoard:
    """Refined pose of a board in a picture."""

    homography: Matrix
    """3×3, board mm → px."""
    agreeing: float
    """Fraction of the visible patches that are inliers."""
    inside: float
    """Fraction of the board's area inside the picture."""


def scale_of(homography: Matrix, layout: BoardLayout) -> float:
    """Return the mean scale, px/mm, of a board in a picture. homography: board mm → px."""
    quad = outline(homography, layout)
    width, height = layout.size_mm
    return float(np.sqrt(abs(cv2.contourArea(quad.astype(np.float32))) / (width * height)))


def outline(homography: Matrix, layout: BoardLayout) -> NDArray[np.float64]:
    """Return a board's corners in a picture, (4, 2) px, clockwise from its upper left one.

    homography: board mm → px.
    """
    return np.asarray(cv2.perspectiveTransform(layout.corners[None], homography)[0], np.float64)


def rectify_board(image: Image, homography: Matrix, layout: BoardLayout, px_per_mm: float = PX_PER_MM) -> Image:
    """Return a board's top view at px_per_mm from a BGR or grey picture; parts outside the picture are black.

    homography: board mm → px.
    """
    scale = scale_of(homography, layout)
    if scale > 1.6 * px_per_mm:  # many pixels to one: a warp alone would pick single ones
        sigma = 0.35 * scale / px_per_mm
        x, y, width, height = cv2.boundingRect(outline(homography, layout).astype(np.float32))
        left, top = max(0, x - 8), max(0, y - 8)
        part = image[top : y + height + 8, left : x + width + 8]
        if part.size:
            image = np.asarray(cv2.GaussianBlur(part, (0, 0), sigma), np.uint8)
            homography = np.array([[1.0, 0, -left], [0, 1.0, -top], [0, 0, 1]]) @ homography
    matrix = homography @ np.linalg.inv(layout.to_pixels(px_per_mm))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, matrix, layout.pixels(px_per_mm), flags=flags), np.uint8)


def reference(board: EnrolledBoard, scale: float, px_per_mm: float = PX_PER_MM) -> Image:
    """Return a copy of a board's enrolled picture, BGR, at px_per_mm.

    It is as blurred as a camera's picture that shows the board at `scale` px/mm.
    """
    return _cached_reference(board, min(scale, px_per_mm), px_per_mm).copy()


@lru_cache(maxsize=128)
def _cached_reference(board: EnrolledBoard, scale: float, px_per_mm: float) -> Image:
    soft = _BLUR_PX / scale * BOARD_PX_PER_MM
    blurred = cv2.GaussianBlur(board.picture, (0, 0), max(soft, 0.3))
    return np.asarray(cv2.resize(blurred, board.layout.pixels(px_per_mm), interpolation=cv2.INTER_AREA), np.uint8)


def prepare(board: EnrolledBoard, scale: float) -> None:
    """Cache a board's template patches, so that the first `align` in a picture of about `scale` px/mm is fast."""
    _template_and_anchors(board, _rounded_scale(scale))


def _rounded_scale(scale: float) -> float:
    return round(max(0.5, min(2.0, scale)), 1)


def align(image: Image, board: EnrolledBoard, homography: Matrix) -> AlignedBoard | None:
    """Return a board's refined pose in a BGR or grey picture; None where its print does not match.

    homography: approximate pose, board mm → px, accurate to some mm.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image, np.uint8)
    template, anchors = _template_and_anchors(board, _rounded_scale(scale_of(homography, board.layout)))
    to_mm = np.asarray(np.linalg.inv(board.layout.to_pixels(PX_PER_MM)), np.float64)
    size = np.array([grey.shape[1], grey.shape[0]])
    found = AlignedBoard(homography, 0.0, 0.0)
    for reach in _SEARCH_RADII_PX:
        seen = _anchors_in_picture(anchors, to_mm, found.homography, size)
        if np.count_nonzero(seen) < _MIN_ANCHORS:
            return None
        view = rectify_board(grey, found.homography, board.layout)
        here, likeness = _match_patches(view, template, anchors[seen], reach)
        good = likeness > _MIN_CORRELATION
        if np.count_nonzero(good) < _MIN_ANCHORS:
            return None
        there = _transform_points(anchors[seen][good], to_mm)
        moved = _transform_points(_transform_points(here[good], to_mm), found.homography)
        scale = scale_of(found.homography, board.layout) / PX_PER_MM
        moving, inside = cv2.findHomography(
            there.astype(np.float32),
            moved.astype(np.float32),
            cv2.RANSAC,
            _RANSAC_TOLERANCE_PX * scale,
            maxIters=500,
        )
        if moving is None or not plausible(fitted := np.asarray(moving, np.float64), board):
            return None
        agreeing = float(np.count_nonzero(inside)) / np.count_nonzero(seen)
        found = AlignedBoard(fitted, agreeing, _fraction_inside(fitted, board.layout, size))
    return found if found.agreeing >= _MIN_INLIER_FRACTION else None


def _match_patches(
    view: Image, template: Image, anchors: NDArray[np.float64], reach: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where in the view each patch of the template matches best, and how well.

    view, template: grey, at PX_PER_MM; anchors: centres of the patches, (n, 2) px; reach: search radius, px.
    Returns positions (n, 2) px and correlations (n,), -1 to 1.
    """
    half = _PATCH_PX // 2
    rim = half + reach + 1
    padded = cv2.copyMakeBorder(view, rim, rim, rim, rim, cv2.BORDER_REPLICATE)
    scores = np.empty((len(anchors), 2 * reach + 1, 2 * reach + 1), np.float32)
    for score, (x, y) in zip(scores, np.round(anchors).astype(int), strict=True):
        patch = template[y - half : y + half + 1, x - half : x + half + 1]
        window = padded[
            y + rim - half - reach : y + rim + half + reach + 1, x + rim - half - reach : x + rim + half + reach + 1
        ]
        cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED, score)
    scores = np.nan_to_num(scores)
    every = np.arange(len(scores))
    rows, columns = np.divmod(scores.reshape(len(scores), -1).argmax(axis=1), 2 * reach + 1)
    between = np.stack(
        [_subpixel_offsets(scores[every, rows], columns), _subpixel_offsets(scores[every, :, columns], rows)],
        axis=1,
    )
    here = np.round(anchors) + np.stack([columns, rows], axis=1) - reach + between
    return np.asarray(here, np.float64), np.asarray(scores[every, rows, columns], np.float64)


def _subpixel_offsets(scores: NDArray[np.float32], best: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the offset (-0.5 to 0.5) from each row's highest score to the peak of a parabola through it.

    scores: (n, length); best: index of each row's highest score.
    """
    every, inner = np.arange(len(scores)), np.clip(best, 1, scores.shape[1] - 2)
    before, top, after = (scores[every, inner + step].astype(np.float64) for step in (-1, 0, 1))
    bend = before - 2 * top + after
    peak = np.clip(0.5 * (before - after) / np.minimum(bend, -1e-9), -0.5, 0.5)
    return np.where((inner == best) & (bend < -1e-9), peak, 0.0)


def _transform_points(points: NDArray[np.float64], matrix: Matrix) -> NDArray[np.float64]:
    """Return points (n, 2) mapped by a homography."""
    return np.asarray(cv2.perspectiveTransform(points[None].astype(np.float64), matrix)[0], np.float64)


def _anchors_in_picture(
    anchors: NDArray[np.float64], to_mm: Matrix, homography: Matrix, size: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return which anchors lie in the picture, (n,) bool.

    anchors: (n, 2), template px; to_mm: template px → board mm; homography: board mm → picture px; size: width and
    height of the picture, px.
    """
    pixels = _transform_points(_transform_points(anchors, to_mm), homography)
    return np.asarray(((pixels > 2) & (pixels < size - 3)).all(axis=1), np.bool_)


def _fraction_inside(homography: Matrix, layout: BoardLayout, size: NDArray[np.int64]) -> float:
    """Return the fraction of a board's area inside a picture. size: width and height of the picture, px."""
    quad = outline(homography, layout).astype(np.float32)
    frame = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    area, _ = cv2.intersectConvexConvex(quad, frame)
    return float(area / max(1e-6, cv2.contourArea(quad)))


@lru_cache(maxsize=128)
def _template_and_anchors(board: EnrolledBoard, scale: float) -> tuple[Image, NDArray[np.float64]]:
    """Return a board's grey template and the centres of its patches: corners in the print outside piece spots.

    Both are in px at PX_PER_MM; centres: (n, 2). scale: of the pictures to be compared, px/mm; the template is as
    blurred as they are.
    """
    picture = reference(board, scale)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    free = print_mask(board.layout).astype(np.uint8)
    rim = _PATCH_PX // 2 + 1
    free[:rim], free[-rim:], free[:, :rim], free[:, -rim:] = 0, 0, 0, 0
    apart = _MIN_ANCHOR_SPACING_MM * PX_PER_MM
    corners = cv2.goodFeaturesToTrack(grey, _MAX_ANCHORS, 0.01, apart, mask=free, blockSize=7)
    points = np.zeros((0, 2)) if corners is None else np.asarray(corners, np.float64).reshape(-1, 2)
    return grey, np.round(points)


def print_mask(layout: BoardLayout, px_per_mm: float = PX_PER_MM, margin_mm: float = 1.0) -> NDArray[np.bool_]:
    """Return the mask of a board's print in its top view: True outside all spots and spaces for pieces.

    margin_mm: width of the ring round each spot (not space) that does not count as print.
    """
    width, height = layout.pixels(px_per_mm)
    mask = np.ones((height, width), np.uint8)
    matrix = layout.to_pixels(px_per_mm)
    radius = round((layout.spot_mm / 2 + margin_mm) * px_per_mm)
    for _, spot in layout.spots():
        u, v = (matrix @ (*spot, 1.0))[:2]
        cv2.circle(mask, (round(u), round(v)), radius, 0, cv2.FILLED)
    for space in layout.spaces.values():
        (left, top), (right, bottom) = (
            (matrix @ (space.x + side * space.width / 2, space.y - side * space.height / 2, 1.0))[:2]
            for side in (-1, 1)
        )
        cv2.rectangle(mask, (round(left), round(top)), (round(right), round(bottom)), 0, cv2.FILLED)
    return mask > 0
