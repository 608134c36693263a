"""Read the area beside a personal board: oracle cards with or without tokens, face-down cards, impurity tiles."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards.alignment import PX_PER_MM, scale_of
from calibration.cards.deck import EnrolledCard
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.seats import Seating
from calibration.translatable import say
from vision.boards.board_search import BoardScene, DetectedBoard, DetectedCard, board_scales
from vision.boards.disc_heaps import Heap, find_heaps, outside_quads, total_probabilities
from vision.boards.rectified import RectifiedBoard, inside_picture
from vision.games.wicked.impurity_pixel_classifier import PX_PER_MM as VIEW_PX_PER_MM
from vision.games.wicked.impurity_pixel_classifier import TileModel, large_heaps
from vision.games.wicked.readings import (
    BoardExpectation,
    GreatReading,
    ImpurityReading,
    SmallReading,
    card_count_message,
)
from vision.games.wicked.tokens_on_oracles import TokenOnCard, cache_print, tokens_on
from vision.kind_colours import KindColours
from vision.readings import Box

_CHANCE_PAIR = 0.06
"""Probability that two faint tokens of exactly the colours that the card requires are no tokens."""
_MAX_CARD_MM = 330.0
"""Maximum distance of a card from the centre of its board."""
_MAX_ADJACENT_MM = 118.0
"""Maximum distance between the centres of adjacent cards."""
_MIN_CARD_CONFIDENCE = 0.8
"""Minimum confidence in a card that needs no confirmation."""
_MIN_TOKEN_CONFIDENCE = 0.75
"""Minimum confidence in a token that is certain."""
_REACH_MM = 78.0
"""Distance beyond a board's edges in which its impurity is searched."""
_MIN_VISIBLE_SHARE = 0.97
"""Minimum visible share of a card that needs no confirmation."""
_MIN_AGREEING = 0.6
"""Minimum share of tile pixels explained by discs that needs no confirmation."""
_MIN_IMPURITY_CONFIDENCE = 0.97
"""Minimum probability of the points that needs no confirmation."""
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

ORACLES = ("great", "small")
"""Sorts of cards that lie beside boards."""
BACK = "back:small"
"""Id of a small oracle card's back in an enrolled deck; great ones never lie face down."""
ReadBeside = tuple[tuple[GreatReading, ...], SmallReading, ImpurityReading, list[str]]
"""Readings beside one board: great cards, small cards, impurity, and reasons for confirmation, for users."""


class BesideModels:
    """Models of a profile's oracle cards, tokens and impurity tiles.

    great, small: enrolled oracle cards that lie face up, by id. back: enrolled back of small ones, if any. tokens:
    colour model of each kind of token. token_mm: diameter of a token. tiles: classifier of impurity tiles.
    """

    def __init__(self, profile: TableProfile, tokens: Mapping[str, KindColours]) -> None:
        """Build the models from a profile with enrolled tokens. tokens: colour model of each kind of token."""
        cards = {} if profile.deck is None else profile.deck.cards
        self.great = {card.id: card for card in cards.values() if card.kind == "great"}
        self.small = {card.id: card for card in cards.values() if card.kind == "small"}
        self.back = cards.get(BACK)
        self.tokens = tokens
        self.token_mm = float(np.median([profile.pieces[kind].size_mm[0] for kind in tokens]))
        self.tiles = TileModel(profile)
        # Cards lie at slightly other heights than the boards beside them.
        scales = {round(scale + step, 1) for scale in board_scales(profile) for step in (-0.1, 0.0, 0.1)}
        for scale, card in itertools.product(scales, self.great.values()):
            cache_print(card, scale)


def read_beside(
    known: BesideModels,
    image: Image,
    seen: BoardScene,
    board: DetectedBoard,
    laid: RectifiedBoard,
    owners: Sequence[DetectedBoard | None],
    expectation: BoardExpectation,
    grow: float,
) -> ReadBeside:
    """Return great cards, small cards and impurity beside one board of a picture, and reasons for confirmation.

    known: models of what may lie there. seen: boards and cards of the picture. owners: board of each of these
    cards, from `card_owners`. laid: the board, rectified. expectation: numbers of cards that should lie there.
    grow: px of the given picture per px of `image`, which may be downscaled.
    """
    own = cards_of(known, board, seen, owners, expectation)
    great = tuple(
        _great_reading(image, known, known.great[card.id], card, grow) for card in own if card.id in known.great
    )
    down = [card for card in own if card.id == BACK]
    open_cards = [card for card in own if card.id in known.small]
    sure = min((card.confidence for card in (*down, *open_cards)), default=1.0)
    why = say("they cannot be read clearly: turn them towards the camera") if sure < _MIN_CARD_CONFIDENCE else ""
    small = SmallReading(len(down), tuple(card.id for card in open_cards), sure, why)
    impurity = _read_impurity(known, image, seen, board, laid, grow)
    lines = _confirmation_reasons(great, small, impurity, expectation)
    return great, small, impurity, lines


def boards_lacking_cards(
    known: BesideModels, seen: BoardScene, owners: Sequence[DetectedBoard | None], expectation: BoardExpectation
) -> tuple[DetectedBoard, ...]:
    """Return the boards beside which fewer oracle cards were detected than expected.

    seen: boards and cards of the picture. owners: board of each detected card, from `card_owners`.
    """

    def lacks(board: DetectedBoard) -> bool:
        own = [card for card, other in zip(seen.cards, owners, strict=True) if other is board]
        great, small = _great_and_small_counts(known, own)
        return great < (expectation.great or 0) or small < (expectation.small or 0)

    return tuple(board for board in seen.boards if lacks(board))


def _great_and_small_counts(known: BesideModels, cards: Sequence[DetectedCard]) -> tuple[int, int]:
    """Return how many of the detected cards are great, and how many small oracle cards."""
    great = sum(card.id in known.great for card in cards)
    return great, sum(card.id in known.small or card.id == BACK for card in cards)


def cards_of(
    known: BesideModels,
    board: DetectedBoard,
    seen: BoardScene,
    owners: Sequence[DetectedBoard | None],
    expectation: BoardExpectation,
) -> list[DetectedCard]:
    """Return the detected oracle cards that belong to a board.

    Where more cards belong to it than expected, only the group of adjacent cards next to the board is returned,
    provided that it has the expected numbers: the others may be those of a neighbour whose board is out of view.
    owners: board of each detected card, from `card_owners`.
    """
    own = [card for card, other in zip(seen.cards, owners, strict=True) if other is board]
    great, small = _great_and_small_counts(known, own)
    expected = (expectation.great, expectation.small)
    if None in expected or (great, small) == expected or great + small <= sum(filter(None, expected)):
        return own
    back = np.linalg.inv(board.aligned.homography)
    spots = np.stack([cv2.perspectiveTransform(card.corners[None], back)[0].mean(axis=0) for card in own])
    linked = np.linalg.norm(spots[:, None] - spots[None], axis=2) < _MAX_ADJACENT_MM
    chosen = np.arange(len(own)) == np.linalg.norm(spots, axis=1).argmin()
    for _ in own:
        chosen = linked[chosen].any(axis=0)
    together = [card for card, near in zip(own, chosen, strict=True) if near]
    return together if _great_and_small_counts(known, together) == expected else own


def _confirmation_reasons(
    great: Sequence[GreatReading], small: SmallReading, impurity: ImpurityReading, expectation: BoardExpectation
) -> list[str]:
    """Return why the readings beside a board need confirmation, in words for users."""
    lines = list[str]()
    for kind, expected, found in (
        ("great", expectation.great, len(great)),
        ("small", expectation.small, small.achieved + len(small.open)),
    ):
        if expected is not None and found != expected:
            lines.append(card_count_message(kind, found, expected))
    questions = (*(card.question for card in great), small.question, impurity.question)
    return [*lines, *filter(None, questions)]


def card_owners(seen: BoardScene, seating: Seating) -> tuple[DetectedBoard | None, ...]:
    """Return the board that each detected card belongs to, None where no board is near.

    On a calibrated table, it is the board in the same seat's sector of the table; elsewhere, or if there is not
    exactly one, the nearest board.
    """
    return tuple(_owner(card, seen, seating) for card in seen.cards)


def _owner(card: DetectedCard, seen: BoardScene, seating: Seating) -> DetectedBoard | None:
    """Return the board that one detected card belongs to, see `card_owners`."""
    middle, boards = card.corners.mean(axis=0), seen.boards
    if seen.plane is not None:
        near = [board for board in boards if _distance_from_centre(middle, board) < 1.4 * _MAX_CARD_MM]
        seat = _seat(middle, seen.plane, seating)
        own = [board for board in near if _seat(board.corners.mean(axis=0), seen.plane, seating) == seat]
        if len(own) == 1:
            return own[0]
    away = [(_distance_from_centre(middle, board), number) for number, board in enumerate(boards)]
    distance, number = min(away, default=(np.inf, 0))
    return boards[number] if distance < _MAX_CARD_MM else None


def _seat(point: NDArray[np.float64], plane: TablePlane, seating: Seating) -> int | None:
    """Return the seat in whose sector a point in px lies; None beyond the horizon."""
    spot = plane.to_table(point)
    return seating.seat_of(spot) if np.isfinite(spot).all() else None


def _distance_from_centre(point: NDArray[np.float64], board: DetectedBoard) -> float:
    """Return the distance (mm) of a point in px from a board's centre."""
    x, y, w = np.linalg.inv(board.aligned.homography) @ (*point, 1.0)
    return float(np.hypot(x / w, y / w))


def _great_reading(
    image: Image, known: BesideModels, card: EnrolledCard, seen: DetectedCard, grow: float
) -> GreatReading:
    """Return the reading of a great oracle card: whether it is achieved, which two tokens on it show.

    card, seen: the enrolled card, and where it was detected. grow: see `read_beside`.
    """
    found, share = tokens_on(image, card, seen.corners, known.tokens, known.token_mm)
    achieved, why = _achieved(card, found, share)
    a, b, c, d = ((float(x) * grow, float(y) * grow) for x, y in seen.corners)
    clearest = max((token.confidence for token in found), default=1.0)
    sure = min(seen.confidence, 1 - _CHANCE_PAIR * 2 * (1 - clearest))
    colours = tuple(sorted(token.kind.partition(":")[2] for token in found))
    if not why and seen.confidence < _MIN_CARD_CONFIDENCE:
        why = say("it cannot be distinguished from the other cards")
    return GreatReading(card.id, achieved, colours, min(sure, 0.5) if why else sure, (a, b, c, d), why)


def _achieved(card: EnrolledCard, found: Sequence[TokenOnCard], share: float) -> tuple[bool, str]:
    """Return whether a great oracle card is achieved, and why that needs confirmation ("" if it does not).

    found: tokens on it. share: visible share of the card.
    """
    if share < _MIN_VISIBLE_SHARE:
        return len(found) >= 2, say("a part of it is not in the picture")
    if not found:
        return False, ""
    clear = [token for token in found if token.confidence > _MIN_TOKEN_CONFIDENCE]
    if not clear:
        return False, say("the tokens on it cannot be read clearly")
    if _has_required_tokens(card, clear, found):
        return True, ""
    # A single token of the card's colours is never valid: the other lies exactly on the gem of its own colour.
    missed = len(clear) == 1 and _colour(clear[0]) in card.shows("colours")
    return missed or len(clear) >= 2, say("what lies on it is not the two tokens that it shows")


def _has_required_tokens(card: EnrolledCard, clear: Sequence[TokenOnCard], found: Sequence[TokenOnCard]) -> bool:
    """Return whether the two tokens that a card requires lie on it.

    clear: certain tokens. found: all tokens, faint ones included. One of the two may be faint: tokens often lie on
    gems of their own colour, and displaced print rarely looks like a token of exactly the required colour.
    """
    expected = Counter(card.shows("colours"))
    faint = [token for token in found if token not in clear]
    pairs = [clear, *([*clear, token] for token in faint)]
    return any(Counter(_colour(token) for token in pair) == expected for pair in pairs)


def _colour(token: TokenOnCard) -> str:
    """Return a token's colour, the last part of its kind."""
    return token.kind.partition(":")[2]


def _read_impurity(
    known: BesideModels, image: Image, seen: BoardScene, board: DetectedBoard, laid: RectifiedBoard, grow: float
) -> ImpurityReading:
    """Return the reading of the impurity tiles nearer to this board than to any other; see `read_beside`."""
    if not known.tiles.radii_mm:
        return ImpurityReading(0, {}, 0.5, (), say("no impurity tiles are enrolled, so they cannot be counted"))
    layout = board.board.layout
    half_width, half_height = layout.size_mm[0] / 2 + _REACH_MM, layout.size_mm[1] / 2 + _REACH_MM
    scale = VIEW_PX_PER_MM
    to_mm = np.array([[1 / scale, 0, -half_width], [0, -1 / scale, half_height], [0, 0, 1.0]])
    size = (round(2 * half_width * scale), round(2 * half_height * scale))
    to_picture = board.aligned.homography @ to_mm
    seen_at = scale_of(board.aligned.homography, layout)
    soft = image if seen_at < 1.7 * scale else cv2.GaussianBlur(image, (0, 0), 0.35 * seen_at / scale)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    view = np.asarray(cv2.warpPerspective(soft, to_picture, size, flags=flags), np.uint8)
    inside = inside_picture(image, to_picture, size)
    back = np.linalg.inv(to_picture)
    lying = [thing.corners for thing in seen.boards] + [thing.corners for thing in seen.cards]
    quads = [cv2.perspectiveTransform(_enlarged(quad)[None], back)[0] for quad in lying]
    inside = cv2.erode(inside.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    free = outside_quads((size[1], size[0]), quads) & inside
    round_it = _gain_around(laid, size)
    chances = known.tiles.chances(view, round_it, free, free)
    hidden = large_heaps(chances)
    if hidden.any():
        chances = known.tiles.chances(view, round_it, free, free & ~hidden)
    heaps = find_heaps(chances, known.tiles.radii_mm, scale, inside, free)
    others = [other for other in seen.boards if other is not board]
    own, boxes = list[Heap](), []
    for heap in heaps:
        places = np.array([[heap.middle, *(tile.middle for tile in heap.tiles)]], np.float64)
        middle, *spots = cv2.perspectiveTransform(places, to_picture)[0]
        if any(_distance_from_edges(middle, board) > _distance_from_edges(middle, other) for other in others):
            continue
        own.append(heap)
        for spot, tile in zip(spots, heap.tiles, strict=True):
            reach = tile.radius * seen_at / scale * grow
            boxes.append((float(spot[0]) * grow - reach, float(spot[1]) * grow - reach, 2 * reach, 2 * reach))
    return _impurity_reading(own, known, tuple(boxes))


def _impurity_reading(heaps: Sequence[Heap], known: BesideModels, boxes: tuple[Box, ...]) -> ImpurityReading:
    """Return the reading of a board's heaps of impurity tiles: their number and points.

    boxes: bounding box of each tile, px of the given picture.
    """
    counts = Counter(tile.value for heap in heaps for tile in heap.tiles)
    sure = float(np.prod([max(heap.chances.values()) for heap in heaps])) if heaps else 0.998
    points = sum(value * n for value, n in counts.items())
    why, others = "", tuple[tuple[int, float], ...]()
    if any(_poorly_explained(heap) for heap in heaps):
        why = say("something looks like a part of a tile: lay the tiles apart in rows")
    elif (
        sure < _MIN_IMPURITY_CONFIDENCE
        or any(map(_is_ambiguous, heaps))
        or (heaps and _sizes_alike(known.tiles.radii_mm))
    ):
        why = say("the tiles cannot be counted clearly: lay them apart in rows")
        # Indistinguishable sizes give the number of tiles, but not their points.
        others = () if _sizes_alike(known.tiles.radii_mm) else _alternatives(heaps, points)
    tiles = {value: counts[value] for value in known.tiles.radii_mm}
    return ImpurityReading(points, tiles, min(sure, 0.5) if why else sure, boxes, why, others)


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


def _distance_from_edges(point: NDArray[np.float64], board: DetectedBoard) -> float:
    """Return the distance (mm) of a point in px from the edges of a board, 0 on the board."""
    x, y, w = np.linalg.inv(board.aligned.homography) @ (*point, 1.0)
    width, height = board.board.layout.size_mm
    return float(np.hypot(max(0.0, abs(x / w) - width / 2), max(0.0, abs(y / w) - height / 2)))


def _enlarged(quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a quadrilateral enlarged by 3 %, to include its blurred rim and shadow."""
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * 1.03, np.float64)


def _gain_around(laid: RectifiedBoard, size: tuple[int, int]) -> NDArray[np.float32]:
    """Return the light gain of each pixel around a board, (height, width, 3): that of the board's nearest point.

    size: width and height of the view of the area around the board, px.
    """
    matrix = PX_PER_MM * np.array([[1 / VIEW_PX_PER_MM, 0, -_REACH_MM], [0, 1 / VIEW_PX_PER_MM, -_REACH_MM]])
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    there = cv2.warpAffine(laid.gain, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(there, np.float32)
