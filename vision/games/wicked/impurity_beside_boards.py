"""Count the impurity tiles that lie beside a personal board or its oracle cards.

Tiles belong to the board to which the nearest board or card of the picture belongs. Where the picture does not show
all places in which a board's tiles may lie, or not whose tiles they are, the impurity needs confirmation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.alignment import PX_PER_MM, scale_of
from calibration.boards.detection import Matrix
from calibration.homography import map_points
from calibration.plane import Image
from calibration.translatable import say
from vision.boards.board_search import BoardScene, DetectedBoard, DetectedCard
from vision.boards.disc_heaps import Heap, find_heaps, outside_quads, total_probabilities
from vision.boards.rectified import Mask, RectifiedBoard, inside_picture
from vision.games.wicked.impurity_pixel_classifier import PX_PER_MM as VIEW_PX_PER_MM
from vision.games.wicked.impurity_pixel_classifier import TileModel, large_heaps
from vision.games.wicked.readings import ImpurityReading
from vision.readings import Box

_BESIDE_MM = 30.0
"""Distance from a board or its cards within which the centres of its own tiles lie."""
_VISIBLE_MM = 25.0
"""Distance from a board or its cards within which the centre of a first tile must be in the picture."""
_REACH_MM = 78.0
"""Distance from a board within which tiles are counted."""
_SEARCHED_MM = 100.0
"""Distance from a board within which tiles are searched, and asked about if it has no nearer ones."""
_AROUND_CARDS_MM = 45.0
"""Distance from a board's cards within which tiles are searched."""
_NEXT_TILE_MM = 15.0
"""Maximum distance of the centre of the next tile from a counted one's rim."""
_MAX_GAP_MM = 40.0
"""Maximum distance between the centres of tiles that are laid as one collection."""
_MIN_AGREEING = 0.6
"""Minimum share of tile pixels explained by discs that needs no confirmation."""
_MIN_CONFIDENCE = 0.97
"""Minimum probability of the points that needs no confirmation."""
_NOTHING_CONFIDENCE = 0.998
"""Probability that a board beside which no tile is found has none."""
_MAX_BARE = 0.15
"""Maximum uncovered area, in smallest tiles, that needs no confirmation."""
_MIN_FIT = 0.5
"""Minimum mean evidence of the worst disc that needs no confirmation."""
_MAX_FEW_TILES = 4
"""Maximum number of tiles of a small heap."""
_MAX_MANY_DOUBT = 0.002
"""Maximum probability of other sums of points of a larger heap that needs no confirmation."""
_MIN_ALTERNATIVE = 0.001
"""Minimum probability of an alternative total of points."""
_MIN_RADIUS_RATIO = 1.25
"""Minimum ratio of the tiles' radii for their sizes to be distinguishable."""

Quad = NDArray[np.float64]
"""Corners of a board or card, (4, 2)."""


@dataclass(frozen=True, eq=False)
class _Surroundings:
    """View of the table around a board and its cards, at VIEW_PX_PER_MM, parallel to the board."""

    size: tuple[int, int]
    """Width and height, px."""
    left_top: tuple[float, float]
    """Upper left corner, mm to the right of and above the board's centre."""
    to_picture: Matrix
    """Homography from px of the view to px of the picture."""
    board: Quad
    """Corners of the board, px of the view."""
    cards: tuple[Quad, ...]
    """Corners of its cards, px of the view."""
    others: tuple[Quad, ...]
    """Corners of all other boards and cards of the picture, px of the view."""

    @classmethod
    def of(cls, board: DetectedBoard, cards: Sequence[DetectedCard], seen: BoardScene) -> _Surroundings:
        """Return the view around a board of a picture and its cards."""
        homography = board.aligned.homography
        to_board = np.asarray(np.linalg.inv(homography), np.float64)
        own = map_points(board.corners, to_board)
        near = [map_points(card.corners, to_board) for card in cards]
        reach = np.concatenate(
            [own - _SEARCHED_MM, own + _SEARCHED_MM]
            + [card + side * _AROUND_CARDS_MM for card in near for side in (-1, 1)]
        )
        (left, bottom), (right, top) = reach.min(axis=0), reach.max(axis=0)
        scale = VIEW_PX_PER_MM
        to_mm = np.array([[1 / scale, 0, left], [0, -1 / scale, top], [0, 0, 1.0]])
        to_picture = homography @ to_mm
        back = np.asarray(np.linalg.inv(to_picture), np.float64)
        others = [other.corners for other in seen.boards if other is not board]
        others += [other.corners for other in seen.cards if not any(other is card for card in cards)]
        return cls(
            (round((right - left) * scale), round((top - bottom) * scale)),
            (float(left), float(top)),
            to_picture,
            map_points(board.corners, back),
            tuple(map_points(card.corners, back) for card in cards),
            tuple(map_points(corners, back) for corners in others),
        )

    @property
    def quads(self) -> tuple[Quad, ...]:
        """Corners of all boards and cards, px of the view."""
        return (self.board, *self.cards, *self.others)


def read_impurity(
    tiles: TileModel,
    image: Image,
    seen: BoardScene,
    board: DetectedBoard,
    cards: Sequence[DetectedCard],
    laid: RectifiedBoard,
    grow: float,
    *,
    complete: bool,
) -> ImpurityReading:
    """Return the reading of the impurity tiles that belong to a board of a picture.

    seen: boards and cards of the picture. cards: those that belong to the board. laid: the board, rectified. grow:
    px of the given picture per px of `image`, which may be downscaled. complete: whether the picture shows the
    boards of all players.
    """
    if not tiles.radii_mm:
        return ImpurityReading(0, {}, 0.5, (), say("no impurity tiles are enrolled, so they cannot be counted"))
    around = _Surroundings.of(board, cards, seen)
    inside = inside_picture(image, around.to_picture, around.size)
    inside = cv2.erode(inside.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    seen_at = scale_of(board.aligned.homography, board.board.layout)
    heaps = _heaps(tiles, image, around, inside, laid, seen_at)
    own = [heap for heap in heaps if _nearest(heap, around.quads) < _nearest(heap, around.others)]
    counted = [heap for heap in own if _is_near(heap, around)]
    if counted:
        apart = [] if complete else _apart(counted, around)
    else:
        apart = [heap for heap in own if heap.tiles and heap.agreeing >= _MIN_AGREEING]
    hidden = _may_be_out_of_picture(counted, around, inside, tiles)
    boxes = _boxes(counted, around, seen_at * grow / VIEW_PX_PER_MM, grow)
    return _reading(counted, apart, tiles.radii_mm, boxes, hidden=hidden)


def _heaps(
    tiles: TileModel, image: Image, around: _Surroundings, inside: Mask, laid: RectifiedBoard, seen_at: float
) -> tuple[Heap, ...]:
    """Return all heaps of tiles in a view. inside: pixels that show the table. seen_at: the picture's px per mm."""
    scale = VIEW_PX_PER_MM
    soft = image if seen_at < 1.7 * scale else cv2.GaussianBlur(image, (0, 0), 0.35 * seen_at / scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = np.asarray(cv2.warpPerspective(soft, around.to_picture, around.size, flags=flags), np.uint8)
    free = outside_quads(around.size[::-1], [_enlarged(quad) for quad in around.quads]) & inside
    gain = _gain_around(laid, around)
    chances = tiles.chances(view, gain, free, free)
    hidden = large_heaps(chances)
    if hidden.any():
        chances = tiles.chances(view, gain, free, free & ~hidden)
    return find_heaps(chances, tiles.radii_mm, scale, inside, free)


def _spots(heap: Heap) -> list[tuple[float, float]]:
    """Return the centres of a heap's tiles, px of the view; its own centre if it has none."""
    return [(float(x), float(y)) for x, y in (tile.middle for tile in heap.tiles)] or [heap.middle]


def _nearest(heap: Heap, quads: Sequence[Quad]) -> float:
    """Return the distance (mm) between the nearest of a heap's tiles and of these boards and cards."""
    return min(
        (
            max(0.0, -cv2.pointPolygonTest(quad.astype(np.float32), spot, measureDist=True)) / VIEW_PX_PER_MM
            for spot in _spots(heap)
            for quad in quads
        ),
        default=np.inf,
    )


def _is_near(heap: Heap, around: _Surroundings) -> bool:
    """Return whether a heap is so near to a board or to its cards that it is counted."""
    return _nearest(heap, [around.board]) < _REACH_MM or _nearest(heap, around.cards) < _BESIDE_MM


def _apart(heaps: Sequence[Heap], around: _Surroundings) -> list[Heap]:
    """Return the heaps that neither lie beside a board or its cards nor belong to a collection that does."""
    own = (around.board, *around.cards)
    beside = np.array([_nearest(heap, own) < _BESIDE_MM for heap in heaps], np.bool_)
    spots = [np.array(_spots(heap)) for heap in heaps]
    linked = np.array(
        [
            [np.linalg.norm(one[:, None] - other, axis=2).min() < _MAX_GAP_MM * VIEW_PX_PER_MM for other in spots]
            for one in spots
        ]
    )
    for _ in heaps:
        beside |= linked[beside].any(axis=0)
    return [heap for heap, together in zip(heaps, beside, strict=True) if not together]


def _may_be_out_of_picture(counted: Sequence[Heap], around: _Surroundings, inside: Mask, tiles: TileModel) -> bool:
    """Return whether a tile of the board may lie where the picture does not show the table.

    Players collect their tiles in one place: beside counted tiles, or anywhere beside the board and its cards.
    counted: heaps of the board. inside: pixels that show the table.
    """
    if counted:
        known = np.ones(inside.shape, np.uint8)
        for tile in (tile for heap in counted for tile in heap.tiles):
            cv2.circle(known, tile.middle, round(tile.radius), 0, cv2.FILLED)
        reach = _NEXT_TILE_MM
    else:
        known = outside_quads(inside.shape, (around.board, *around.cards)).astype(np.uint8)
        reach = _VISIBLE_MM
    near = cv2.distanceTransform(known, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) < reach * VIEW_PX_PER_MM
    side = 2 * round(min(tiles.radii_mm.values()) * VIEW_PX_PER_MM) + 1
    hidden = ~inside & outside_quads(inside.shape, around.quads)
    room = cv2.erode(hidden.astype(np.uint8), cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))
    return bool((near & (room > 0)).any())


def _boxes(heaps: Sequence[Heap], around: _Surroundings, scale: float, grow: float) -> tuple[Box, ...]:
    """Return the bounding box of each tile, px of the given picture.

    scale: px of the given picture per px of the view. grow: see `read_impurity`.
    """
    boxes = list[Box]()
    for tile in (tile for heap in heaps for tile in heap.tiles):
        ((x, y),) = map_points(np.array([tile.middle], np.float64), around.to_picture)
        reach = tile.radius * scale
        boxes.append((float(x) * grow - reach, float(y) * grow - reach, 2 * reach, 2 * reach))
    return tuple(boxes)


def _reading(
    counted: Sequence[Heap],
    apart: Sequence[Heap],
    radii_mm: Mapping[int, float],
    boxes: tuple[Box, ...],
    *,
    hidden: bool,
) -> ImpurityReading:
    """Return the reading of a board's heaps of impurity tiles: their number and points.

    counted: its heaps. apart: heaps, counted or not, that may be another board's. radii_mm: radius of a tile by its
    points. boxes: bounding box of each counted tile, px of the given picture. hidden: whether tiles may lie outside
    the picture.
    """
    counts = Counter(tile.value for heap in counted for tile in heap.tiles)
    sure = float(np.prod([max(heap.chances.values()) for heap in counted])) if counted else _NOTHING_CONFIDENCE
    points = sum(value * n for value, n in counts.items())
    alike = _sizes_alike(radii_mm)
    why, others = "", tuple[tuple[int, float], ...]()
    if any(_poorly_explained(heap) for heap in counted):
        why = say("something looks like a part of a tile: lay the tiles apart in rows")
    elif hidden:
        why = say("a part of the table beside it is not in the picture, and tiles may lie there")
    elif apart:
        why = say("some tiles lie far from it: check whether they belong to it")
        others = _alternatives([*(heap for heap in counted if heap not in apart), *map(_halved, apart)], points)
    elif sure < _MIN_CONFIDENCE or any(map(_is_ambiguous, counted)) or (counted and alike):
        why = say("the tiles cannot be counted clearly: lay them apart in rows")
        others = _alternatives(counted, points)
    if alike:  # Indistinguishable sizes give the number of tiles, but not their points.
        others = ()
    tiles = {value: counts[value] for value in radii_mm}
    return ImpurityReading(points, tiles, min(sure, 0.5) if why else sure, boxes, why, others)


def _halved(heap: Heap) -> Heap:
    """Return a heap that belongs to a board with a probability of one half."""
    chances = {points: chance / 2 for points, chance in heap.chances.items()}
    return replace(heap, chances={**chances, 0: 0.5 + chances.get(0, 0.0)})


def _alternatives(heaps: Sequence[Heap], points: int) -> tuple[tuple[int, float], ...]:
    """Return the other plausible totals of points with their probabilities, most probable first.

    points: the total that is left out.
    """
    likely = [
        (number, round(p, 4))
        for number, p in total_probabilities(heaps).items()
        if number != points and p > _MIN_ALTERNATIVE
    ]
    return tuple(sorted(likely, key=lambda pair: -pair[1]))


def _poorly_explained(heap: Heap) -> bool:
    """Return whether the detected tiles explain a heap's pixels badly, or it continues out of view."""
    return heap.cut or heap.agreeing < _MIN_AGREEING or heap.bare > _MAX_BARE or heap.worst < _MIN_FIT


def _is_ambiguous(heap: Heap) -> bool:
    """Return whether a heap of more than four tiles has an uncertain sum of points."""
    return len(heap.tiles) > _MAX_FEW_TILES and 1 - max(heap.chances.values()) > _MAX_MANY_DOUBT


def _sizes_alike(radii_mm: Mapping[int, float]) -> bool:
    """Return whether the enrolled tile sizes are too similar to distinguish. radii_mm: radius by points."""
    return len(radii_mm) > 1 and max(radii_mm.values()) < _MIN_RADIUS_RATIO * min(radii_mm.values())


def _enlarged(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a quadrilateral enlarged by 3 %, to include its blurred rim and shadow."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * 1.03, np.float64)


def _gain_around(laid: RectifiedBoard, around: _Surroundings) -> NDArray[np.float32]:
    """Return the light gain of each pixel around a board, (height, width, 3): that of the board's nearest point."""
    width, height = laid.board.layout.size_mm
    left, top = around.left_top
    step = 1 / VIEW_PX_PER_MM
    matrix = PX_PER_MM * np.array([[step, 0, left + width / 2], [0, step, height / 2 - top]])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    there = cv2.warpAffine(laid.gain, matrix, around.size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(there, np.float32)
