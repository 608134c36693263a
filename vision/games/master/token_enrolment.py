"""Enrols the tokens of any edition from one picture in which all 21 lie in order, row by row."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.detection import Matrix
from calibration.errors import ProfileError
from calibration.homography import map_points
from calibration.pieces.samples import PieceSamples, Specimen
from calibration.translatable import say
from vision import colour
from vision.cameras.frame import Image
from vision.games.master.objects.tokens.circle_detection import circle_votes, edges_of, separate_peaks
from vision.games.master.objects.tokens.token_faces import disc_crop, polar_views
from vision.games.master.readings import NUMBERS

_SIDE_PX: Final = 640
"""Longer side of the picture in which discs are searched, px."""
_RADII: Final = np.geomspace(9, 60, 20)
"""Radii that are tried, px of that picture."""
_TILTS_DEG: Final = (0.0, 14.0, 26.0, 37.0)
"""Tilts of the camera that are tried, degrees from straight down."""
_FOCAL_LENGTH: Final = 0.95
"""Focal length that is assumed, in longer sides of the picture; the tilt makes up for another one."""
_FINE_DEG: Final = (6.0, 3.0)
"""Steps of the tilt in both directions by which the best is improved, degrees."""
_SAME_SIZE: Final = 0.88
"""Share of the best score at which a larger radius is preferred: discs have rings inside their rim."""
_MIN_VOTES: Final = 0.5
"""Votes of a disc, in those of the median disc."""
_MAX_APART: Final = 2.2
"""Largest distance of a disc to the nearest other one, in median distances."""
_MIN_CONTRAST: Final = 0.3
"""Least contrast within a disc, in that of the median disc."""
_SKEWS_DEG: Final = np.arange(-20.0, 20.5, 1.0)
"""Rotations of the rows that are tried, degrees."""
_MIN_ROW_GAP: Final = 0.8
"""Least distance between neighbouring rows, beyond their own spread, in radii."""
_MAX_ROW_OFFSET: Final = 1.3
"""Largest distance of a disc from its row's line, in radii."""
_MAX_INDENT: Final = 0.5
"""Largest distance between the beginnings of the last row and of the others, in that between their ends."""
_QUARTER_TURN: Final = np.array([[0, -1], [1, 0]])
"""Matrix by which a row (x, y) is turned by a quarter when multiplied from the left."""
_FINE_SIZES: Final = np.geomspace(0.8, 1.16, 12)
"""Radii that are tried in the best view, in the best radius."""
_FINE_PX: Final = 30.0
"""Radius of a disc in the view in which its centre is improved, px."""
_MAX_IMPROVEMENT: Final = 0.3
"""Largest improvement of a centre, in radii."""
_FINE_RADII: Final = np.arange(0.9, 1.03, 0.03)
"""Radii that are tried there, in the radius of the discs: the rim may be the outer or the inner edge."""
_DIAMETER_MM: Final = 25.0
"""Diameter that is written down; nothing depends on it."""


@dataclass(frozen=True, eq=False)
class _LevelledDiscs:
    """Discs of one size in a levelled picture: one rectified to a camera that looks straight down."""

    centres: NDArray[np.float64]
    """Centres, px of the levelled picture, (n, 2)."""
    radius: float
    """Radius, px of the levelled picture."""
    levelling: Matrix
    """3×3 homography from px of the picture to px of the levelled one."""


@dataclass(frozen=True, eq=False)
class _Rows:
    """Discs in rows, the uppermost first."""

    rows: tuple[NDArray[np.intp], ...]
    """Indices of each row's discs, from left to right."""
    along: NDArray[np.float64]
    """Position of each disc along the rows, px, (n,)."""
    offset: float
    """Largest distance of a disc from its row's line, px."""

    def only_last_is_short(self) -> bool:
        """Return whether all rows but the last are equally long, and the last is shorter and begins below them."""
        *others, last = self.rows
        if not others or len({len(row) for row in others}) > 1 or len(last) >= len(others[0]):
            return False
        left, right = (float(np.median([self.along[row[end]] for row in others])) for end in (0, -1))
        return bool(abs(self.along[last[0]] - left) < _MAX_INDENT * (right - self.along[last[-1]]))


class UnclearOrderError(ProfileError):
    """Raised where the rows of tokens do not show how the picture is turned."""


def token_samples(image: Image, *, upright: bool = False) -> Mapping[str, PieceSamples]:
    """Return the samples of all tokens by kind (`token:1` …) from a BGR picture of the 21 in ascending order.

    They lie in rows, each read from left to right, without touching one another. Where only the last row is
    shorter, it shows how the picture is turned, in steps of a quarter turn. upright: whether a picture whose rows
    do not show that is taken as upright.

    Raises ProfileError when other than 21 discs are found or their rows are not clear, `UnclearOrderError` when the
    first of these is not.
    """
    discs = _find_discs(image)
    if len(discs.centres) != len(NUMBERS):
        raise ProfileError(
            say(
                "{found} discs are found, not {number}: lay all tokens in order in rows with space between them, "
                "on an even ground, and take the picture from above.",
                found=len(discs.centres),
                number=len(NUMBERS),
            )
        )
    source = hashlib.sha256(image.tobytes()).hexdigest()[:16]
    samples = {}
    order = _reading_order(discs, upright=upright)
    ellipses = _refined_centres(image, [_ellipse(discs, discs.centres[index]) for index in order])
    for number, (centre, axes) in zip(NUMBERS, ellipses, strict=True):
        crop = disc_crop(image, centre, axes)
        lab = cv2.cvtColor(crop[..., :3].astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
        specimen = Specimen(
            pixels=np.ascontiguousarray(lab[crop[..., 3] > 0], np.float32),
            size_mm=(_DIAMETER_MM, _DIAMETER_MM),
            area_mm2=math.pi * _DIAMETER_MM**2 / 4,
            crop=crop,
            source=source,
        )
        samples[f"token:{number}"] = PieceSamples((specimen,))
    return samples


def _find_discs(image: Image) -> _LevelledDiscs:
    """Return the discs of the most frequent size; they may be fewer than the 21 tokens, or up to nine more."""
    wanted = len(NUMBERS)
    tried: list[tuple[float, float, tuple[float, float], NDArray[np.float64]]] = []
    radii = _RADII
    for tilt in _TILTS_DEG:
        tried += _search_radii(image, (tilt, 0.0), radii)
        if tried:
            radii = max(tried, key=lambda one: one[0])[1] * np.geomspace(0.8, 1.25, 7)
    if not tried:
        return _LevelledDiscs(np.zeros((0, 2)), 1.0, np.eye(3))
    for step in _FINE_DEG:
        _, radius, (down, across), _ = max(tried, key=lambda one: one[0])
        for more_down, more_across in ((-step, 0.0), (step, 0.0), (0.0, -step), (0.0, step)):
            near = (down + more_down, across + more_across)
            tried += _search_radii(image, near, radius * np.geomspace(0.95, 1.05, 3))
    best, radius, tilt_of_best, _ = max(tried, key=lambda one: one[0])
    fine = _search_radii(image, tilt_of_best, radius * _FINE_SIZES)
    _, radius, _, peaks = max((one for one in fine if one[0] >= _SAME_SIZE * best), key=lambda one: one[1])
    kept = peaks[peaks[:, 2] >= _MIN_VOTES * np.median(peaks[:wanted, 2])]
    apart = np.hypot(*(kept[:, None, :2] - kept[None, :, :2]).transpose(2, 0, 1)) + np.diag(
        np.full(len(kept), np.inf)
    )
    nearest = apart.min(axis=1)
    kept = kept[nearest <= _MAX_APART * np.median(nearest)]  # a cup on the table is a disc, too
    level, levelling = _levelled(image, tilt_of_best)
    if len(kept) > wanted:
        pictured = _contrasts(level, kept, radius)
        kept = kept[pictured >= _MIN_CONTRAST * np.median(pictured)]  # and so is a dot on a table cloth
    return _LevelledDiscs(kept[:, :2], radius, levelling)


def _contrasts(image: Image, circles: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Return the contrast within each circle, (n,), which is high on a token's print.

    image: BGR. circles: x and y first, px, (n, ≥ 2). radius: of all circles, px.
    """
    if not len(circles):
        return np.zeros(0)
    inner = np.c_[circles[:, :2], np.full(len(circles), radius)]
    return np.asarray(polar_views(colour.of_view(image), inner).std(axis=2).mean(axis=1), np.float64)


def _search_radii(
    image: Image, tilt: tuple[float, float], radii: NDArray[np.float64]
) -> list[tuple[float, float, tuple[float, float], NDArray[np.float64]]]:
    """Return score, radius, tilt and circles (x, y, votes) for each radius at which at least 21 circles are found.

    image: not yet levelled. tilt: of the camera, see `_levelled`. radii: px of the levelled picture.
    """
    edges = edges_of(_levelled(image, tilt)[0])
    wanted = len(NUMBERS)
    found = []
    for radius in radii:
        peaks = separate_peaks(circle_votes(edges, float(radius)), float(radius), wanted + 9)
        if len(peaks) >= wanted:
            # The weakest of the first 21 counts as well: all of them must be there.
            found.append((float(peaks[:wanted, 2].mean() + peaks[wanted - 1, 2]), float(radius), tilt, peaks))
    return found


def _levelled(image: Image, tilt: tuple[float, float]) -> tuple[Image, Matrix]:
    """Return a tilted camera's picture levelled and downscaled, and the homography from px of it to the new one.

    The levelled picture is as if the camera looked straight down. tilt: of the camera forwards and to the right,
    degrees from straight down.
    """
    height, width = image.shape[:2]
    focal = _FOCAL_LENGTH * max(width, height)
    down, across = np.radians(tilt)
    camera = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    about_x = np.array([[1, 0, 0], [0, np.cos(down), -np.sin(down)], [0, np.sin(down), np.cos(down)]])
    about_y = np.array([[np.cos(across), 0, np.sin(across)], [0, 1, 0], [-np.sin(across), 0, np.cos(across)]])
    turned = camera @ about_y @ about_x @ np.linalg.inv(camera)
    points = map_points(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64), turned)
    low, high = points.min(axis=0), points.max(axis=0)
    scale = min(1.0, _SIDE_PX / float((high - low).max()))
    levelling = np.array([[scale, 0, -scale * low[0]], [0, scale, -scale * low[1]], [0, 0, 1.0]]) @ turned
    size = (max(1, round(scale * (high[0] - low[0]))), max(1, round(scale * (high[1] - low[1]))))
    source = image if scale > 0.7 else np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 / scale), np.uint8)
    level = cv2.warpPerspective(source, levelling, size, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(level, np.uint8), levelling


def _ellipse(discs: _LevelledDiscs, centre: NDArray[np.float64]) -> tuple[tuple[float, float], Matrix]:
    """Return a disc's ellipse in the original picture: centre in px, and the 2×2 matrix from the unit circle to it.

    centre: of the disc, px of the levelled picture.
    """
    back = np.linalg.inv(discs.levelling)
    points = centre + discs.radius * np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    middle, right, below = map_points(points, back)
    return (float(middle[0]), float(middle[1])), np.column_stack([right - middle, below - middle])


def _refined_centres(
    image: Image, ellipses: Sequence[tuple[tuple[float, float], Matrix]]
) -> list[tuple[tuple[float, float], Matrix]]:
    """Return the ellipses of discs with centres refined in the picture at full resolution.

    In the small levelled picture, the centre of a disc with little contrast to the table may be a quarter of its
    radius off. ellipses: centre (px) and matrix of each, as returned by `_ellipse`.
    """
    reach, side = round(_MAX_IMPROVEMENT * _FINE_PX), round(3.2 * _FINE_PX)
    windows = []
    for middle, axes in ellipses:
        unit = axes / _FINE_PX
        to_picture = np.column_stack([unit, np.array(middle) - unit @ np.full(2, float(side // 2))])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        view = cv2.warpAffine(image, to_picture, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        edges = edges_of(np.asarray(view, np.uint8))
        near = slice(side // 2 - reach, side // 2 + reach + 1)
        windows.append([circle_votes(edges, _FINE_PX * scale)[near, near] for scale in _FINE_RADII])
    clearest = int(np.argmax(np.mean([[window.max() for window in own] for own in windows], axis=0)))
    moved = []
    for (middle, axes), own in zip(ellipses, windows, strict=True):
        row, column = np.unravel_index(own[clearest].argmax(), own[clearest].shape)
        x, y = np.array(middle) + axes @ (np.array([column, row]) - reach) / _FINE_PX
        moved.append(((float(x), float(y)), axes))
    return moved


def _reading_order(discs: _LevelledDiscs, *, upright: bool) -> NDArray[np.intp]:
    """Return the indices of the discs row by row, each row from left to right; rows may run a little askew.

    upright, errors: see `token_samples`.
    """
    turned = (discs.centres @ np.linalg.matrix_power(_QUARTER_TURN, count) for count in range(4))
    by_turn = [_possible_rows(centres, discs.radius) for centres in turned]
    fitting = [own for rows in by_turn if (own := [one for one in rows if one.only_last_is_short()])]
    if len(fitting) == 1:
        return np.concatenate(min(fitting[0], key=lambda one: one.offset).rows)
    if not by_turn[0]:
        raise ProfileError(
            say("The rows of the tokens are not clear: lay them in straight rows with space between them.")
        )
    if not upright:
        raise UnclearOrderError(
            say(
                "Which row is the first is not clear, since the picture may be turned: lay four rows of five "
                "tokens, and 25 alone below 16."
            )
        )
    return np.concatenate(min(by_turn[0], key=lambda one: (len(one.rows), one.offset)).rows)


def _possible_rows(centres: NDArray[np.float64], radius: float) -> list[_Rows]:
    """Return the rows of discs for each rotation by a few degrees that separates them.

    centres: (n, 2), px. radius: px.
    """
    found = []
    for skew in np.radians(_SKEWS_DEG):
        along = centres @ (math.cos(skew), math.sin(skew))
        down = centres @ (-math.sin(skew), math.cos(skew))
        order = np.argsort(down)
        gaps = np.flatnonzero(np.diff(down[order]) > _MIN_ROW_GAP * radius) + 1
        rows = np.split(order, gaps)
        offset = max(float(np.ptp(down[row])) for row in rows) / 2
        if offset <= _MAX_ROW_OFFSET * radius:
            found.append(_Rows(tuple(row[np.argsort(along[row])] for row in rows), along, offset))
    return found
